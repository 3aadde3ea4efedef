//! What is to be done to one file.

use crate::cli::failure::Failure;
use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::path::Path;

/// One file, and what becomes of it.
#[derive(Debug)]
pub struct Step {
    /// Relative to the root of the repository, with `/`; absolute for what lies elsewhere.
    pub path: String,
    /// What becomes of it.
    pub action: Action,
    /// What else is to be said of it.
    pub note: Option<String>,
}

/// What becomes of a file.
#[derive(Debug)]
pub enum Action {
    /// It is written, with this text. It must not be there.
    Create(String),
    /// It is written, with this text, and may be run. It must not be there.
    CreateProgram(String),
    /// This text is added at its end.
    Append(String),
    /// It stays as it is, because of this.
    Keep(&'static str),
    /// It stays as it is, and its owner has to do this.
    Advise(String),
}

impl Step {
    /// A step of which nothing else is to be said.
    pub const fn new(path: String, action: Action) -> Self {
        Step { path, action, note: None }
    }

    /// What would be done.
    pub fn shown(&self) -> String {
        let path = &self.path;
        match &self.action {
            Action::Create(text) | Action::CreateProgram(text) => {
                format!("would write {path}:\n\n{text}\n")
            }
            Action::Append(text) => format!("would add to {path}:\n\n{text}\n"),
            Action::Keep(why) => format!("would leave {path} as it is: {why}\n"),
            Action::Advise(text) => advice(path, text),
        }
    }

    /// Does it, and says what was done.
    pub fn carry_out(&self, root: &Path) -> Result<String, Failure> {
        let path = &self.path;
        let failed = |why: std::io::Error| match why.kind() {
            // It was not there a moment ago.
            ErrorKind::AlreadyExists => Failure::new(format!("{path}: somebody else has just written it")),
            _ => Failure::new(format!("cannot write {path}: {why}")),
        };
        let (text, said) = match &self.action {
            Action::Create(text) | Action::CreateProgram(text) => (text, "wrote"),
            Action::Append(text) => (text, "added to"),
            Action::Keep(why) => return Ok(format!("left {path} as it is: {why}\n")),
            Action::Advise(text) => return Ok(advice(path, text)),
        };
        let mut options = OpenOptions::new();
        if matches!(self.action, Action::Append(_)) {
            options.append(true);
        } else {
            options.write(true).create_new(true);
        }
        #[cfg(unix)]
        if matches!(self.action, Action::CreateProgram(_)) {
            std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o777);
        }
        let path_there = root.join(path);
        if let Some(folder) = path_there.parent() {
            std::fs::create_dir_all(folder).map_err(failed)?;
        }
        let mut file = options.open(path_there).map_err(failed)?;
        file.write_all(text.as_bytes()).map_err(failed)?;
        Ok(format!("{said} {path}\n"))
    }
}

fn advice(path: &str, text: &str) -> String {
    format!("{path} is there already; {text}\n")
}

/// Paths as a shell takes them.
pub fn listed(paths: &[&str]) -> String {
    let plain = |c: char| c.is_alphanumeric() || "_-./+@%,".contains(c);
    let quoted = |path: &&str| match path.chars().all(plain) {
        true => (*path).to_owned(),
        false => format!("'{}'", path.replace('\'', r"'\''")),
    };
    paths.iter().map(quoted).collect::<Vec<_>>().join(" ")
}

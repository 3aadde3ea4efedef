//! What is to be done to one file.

use crate::cli::failure::Failure;
use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::path::Path;

/// One file, and what becomes of it.
#[derive(Debug)]
pub struct Step {
    /// Relative to the root of the repository, with `/`.
    pub path: String,
    /// What becomes of it.
    pub action: Action,
}

/// What becomes of a file.
#[derive(Debug)]
pub enum Action {
    /// It is written, with this text. It must not be there.
    Create(String),
    /// This text is added at its end.
    Append(String),
    /// It stays as it is, because of this.
    Keep(&'static str),
}

impl Step {
    /// What would be done.
    pub fn shown(&self) -> String {
        let path = &self.path;
        match &self.action {
            Action::Create(text) => format!("would write {path}:\n\n{text}\n"),
            Action::Append(text) => format!("would add to {path}:\n\n{text}\n"),
            Action::Keep(why) => format!("would leave {path} as it is: {why}\n"),
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
        let (mut options, text, said) = match &self.action {
            Action::Create(text) => (OpenOptions::new().create_new(true).clone(), text, "wrote"),
            Action::Append(text) => (OpenOptions::new().append(true).clone(), text, "added to"),
            Action::Keep(why) => return Ok(format!("left {path} as it is: {why}\n")),
        };
        let mut file = options.write(true).open(root.join(path)).map_err(failed)?;
        file.write_all(text.as_bytes()).map_err(failed)?;
        Ok(format!("{said} {path}\n"))
    }
}

//! Runs git; no other file does.
//!
//! Only plumbing commands are run, with an environment in which neither the user's configuration nor the locale
//! changes what they say: no pager, no external diff, no textconv, no replaced objects, no locks that are not needed,
//! and no fetching behind the user's back. What hooks set for git (`GIT_DIR`, `GIT_INDEX_FILE`, …) is handed on.

use super::error::GitError;
use std::ffi::{OsStr, OsString};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// The oldest git whose answers are known: it has `--show-object-format`.
const MINIMUM: (u32, u32) = (2, 25);

/// git, run in one folder.
#[derive(Debug, Clone)]
pub struct Git {
    dir: PathBuf,
}

/// What a git that ended has said.
#[derive(Debug)]
pub struct Answer {
    /// Standard output.
    pub out: Vec<u8>,
    /// Standard error, trimmed.
    pub words: String,
    /// The exit code; none when a signal ended it.
    pub code: Option<i32>,
}

impl Git {
    /// git in a folder.
    ///
    /// # Errors
    /// When there is no git, or one that is too old.
    pub fn new(dir: &Path) -> Result<Self, GitError> {
        let git = Git { dir: dir.to_owned() };
        let answer = git.run(["version"])?;
        let said = String::from_utf8_lossy(&answer.out).trim().to_owned();
        let found = said.trim_start_matches("git version ").to_owned();
        let mut numbers = found.split('.').map(|n| n.parse::<u32>().ok());
        match (numbers.next().flatten(), numbers.next().flatten()) {
            (Some(major), Some(minor)) if (major, minor) >= MINIMUM => Ok(git),
            (Some(_), Some(_)) => {
                Err(GitError::TooOld { found, minimum: format!("{}.{}", MINIMUM.0, MINIMUM.1) })
            }
            _ => Err(GitError::Answer { command: "version".to_owned(), answer: said }),
        }
    }

    /// The same git in another folder.
    #[must_use]
    pub fn within(&self, dir: &Path) -> Self {
        Git { dir: dir.to_owned() }
    }

    /// Runs a command to its end, whatever the end is.
    ///
    /// # Errors
    /// When git cannot be started.
    pub fn run<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> Result<Answer, GitError> {
        let output = self.command(args).stdin(Stdio::null()).output().map_err(not_started)?;
        let words = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        Ok(Answer { out: output.stdout, words, code: output.status.code() })
    }

    /// Runs a command that has to succeed, and returns what it says.
    ///
    /// # Errors
    /// When git cannot be started, or fails.
    pub fn ask<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> Result<Vec<u8>, GitError> {
        let args: Vec<OsString> = args.into_iter().map(|a| a.as_ref().to_owned()).collect();
        let answer = self.run(&args)?;
        if answer.code == Some(0) { Ok(answer.out) } else { Err(failed(&args, answer.words)) }
    }

    /// Starts the one process that reads objects.
    ///
    /// # Errors
    /// When git cannot be started.
    pub fn objects(&self) -> Result<Objects, GitError> {
        let mut command = self.command(["cat-file", "--batch"]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().map_err(not_started)?;
        let lost = || std::io::Error::from(std::io::ErrorKind::BrokenPipe);
        let input = child.stdin.take().ok_or_else(lost)?;
        let output = BufReader::with_capacity(1 << 16, child.stdout.take().ok_or_else(lost)?);
        Ok(Objects { child, input: Some(input), output })
    }

    fn command<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> Command {
        let mut command = Command::new("git");
        command.current_dir(&self.dir).args(["-c", "core.fsmonitor=false"]).args(args);
        for (name, value) in [
            ("LC_ALL", "C"),
            ("GIT_OPTIONAL_LOCKS", "0"),
            ("GIT_NO_LAZY_FETCH", "1"),
            ("GIT_NO_REPLACE_OBJECTS", "1"),
            ("GIT_ATTR_NOSYSTEM", "1"),
            ("GIT_TERMINAL_PROMPT", "0"),
            // Older versions know nothing of GIT_NO_LAZY_FETCH; they may speak no protocol.
            ("GIT_ALLOW_PROTOCOL", ""),
        ] {
            command.env(name, value);
        }
        for name in ["GIT_EXTERNAL_DIFF", "GIT_DIFF_OPTS", "GIT_TRACE", "GIT_LITERAL_PATHSPECS"] {
            command.env_remove(name);
        }
        command
    }
}

fn not_started(why: std::io::Error) -> GitError {
    if why.kind() == std::io::ErrorKind::NotFound { GitError::NotInstalled } else { GitError::Process(why) }
}

/// A command that failed, in git's words.
pub fn failed(args: &[OsString], words: String) -> GitError {
    let command = args.iter().map(|a| a.to_string_lossy()).collect::<Vec<_>>().join(" ");
    let fatal = words.lines().find_map(|l| l.strip_prefix("fatal: ")).unwrap_or(&words);
    if fatal.contains("dubious ownership") {
        let cure = words.lines().map(str::trim).find(|l| l.starts_with("git config"));
        let cure = cure.unwrap_or("git config --global --add safe.directory '*'").to_owned();
        return GitError::DubiousOwnership { words: fatal.to_owned(), cure };
    }
    if fatal.contains("not a git repository") {
        return GitError::NoRepository;
    }
    // A partial clone without trees cannot even tell which commits touch a file.
    if fatal.contains("unable to read tree")
        || fatal.contains("missing blob")
        || fatal.contains("missing tree")
    {
        let mut words = fatal.split(|c: char| !c.is_ascii_hexdigit());
        if let Some(id) = words.find(|word| super::is_id(word)) {
            return GitError::MissingObject { id: id.to_owned() };
        }
    }
    GitError::Failed { command, words: fatal.to_owned() }
}

/// A `git cat-file --batch` that is asked for one object after another.
#[derive(Debug)]
pub struct Objects {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

/// An object: its id, its type, and what it holds.
#[derive(Debug)]
pub struct Object {
    /// The id in hex.
    pub id: String,
    /// `blob`, `tree`, `commit` or `tag`.
    pub kind: String,
    /// The content.
    pub bytes: Vec<u8>,
}

impl Objects {
    /// Reads the object of a name, which must be one line. None when the repository does not hold it.
    ///
    /// # Errors
    /// When git ended, or answers something else.
    pub fn read(&mut self, name: &str) -> Result<Option<Object>, GitError> {
        let broken = || std::io::Error::from(std::io::ErrorKind::BrokenPipe);
        let input = self.input.as_mut().ok_or_else(broken)?;
        input.write_all(format!("{name}\n").as_bytes())?;
        input.flush()?;
        let mut header = String::new();
        if self.output.read_line(&mut header)? == 0 {
            return Err(GitError::MissingObject { id: name.to_owned() });
        }
        let header = header.trim_end();
        let answer =
            || GitError::Answer { command: "cat-file --batch".to_owned(), answer: header.to_owned() };
        if header.ends_with(" missing") || header.ends_with(" ambiguous") {
            return Ok(None);
        }
        let mut words = header.split(' ');
        let (Some(id), Some(kind), Some(size)) = (words.next(), words.next(), words.next()) else {
            return Err(answer());
        };
        let size: usize = size.parse().map_err(|_| answer())?;
        let mut bytes = vec![0; size + 1];
        self.output.read_exact(&mut bytes)?;
        bytes.pop();
        Ok(Some(Object { id: id.to_owned(), kind: kind.to_owned(), bytes }))
    }
}

impl Drop for Objects {
    fn drop(&mut self) {
        // It ends when it can read no more.
        drop(self.input.take());
        let _ = self.child.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn git_says_what_is_wrong_and_we_say_it_too() {
        let args = [OsString::from("rev-parse")];
        let dubious = "fatal: detected dubious ownership in repository at '/r'\nTo add an exception, call:\n\n\
            \tgit config --global --add safe.directory /r";
        let error = failed(&args, dubious.to_owned());
        assert_eq!(error.to_string(), "detected dubious ownership in repository at '/r'");
        assert_eq!(error.help().unwrap(), "git config --global --add safe.directory /r");
        let none = "fatal: not a git repository (or any of the parent directories): .git";
        assert!(failed(&args, none.to_owned()).is_absence());
    }
}

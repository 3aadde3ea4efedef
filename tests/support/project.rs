//! Folders with files in them, and the program run there.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

/// A folder outside of any repository with these files (path, text).
pub fn folder(files: &[(&str, &str)]) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), files);
    dir
}

/// Writes files (path, text) into a folder.
pub fn write(dir: &Path, files: &[(&str, &str)]) {
    for (path, text) in files {
        let path = dir.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

/// The program with arguments in a folder, with nothing in its environment but where git is.
pub fn command<A: AsRef<OsStr>>(dir: &Path, args: &[A]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_worklint"));
    command.args(args).current_dir(dir).env_clear().env("PATH", std::env::var_os("PATH").unwrap());
    command
}

/// What comes of it.
pub fn worklint<A: AsRef<OsStr>>(dir: &Path, args: &[A]) -> Output {
    command(dir, args).output().unwrap()
}

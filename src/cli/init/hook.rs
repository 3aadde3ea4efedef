//! A hook that checks what is about to be committed: one of git's own, or an entry for the framework pre-commit.

use super::framework;
use super::step::{Action, Step, listed};
use crate::cli::args::HookKind;
use crate::cli::compare::refused;
use crate::cli::failure::Failure;
use crate::history::Repository;
use std::path::Path;

/// A merge without conflicts runs only the second one.
pub const NAMES: [&str; 2] = ["pre-commit", "pre-merge-commit"];

const SCRIPT: &str = "\
#!/bin/sh
# Checks the coordination files that are about to be committed. Written by `worklint init --hook`.
if ! command -v worklint >/dev/null 2>&1; then
  echo 'worklint is not on the PATH, so nothing checks what is about to be committed' >&2
  exit 1
fi
exec worklint check --staged --quiet
";

/// The steps that install the hook, unless it is there.
///
/// # Errors
/// When there is no repository, or its hooks are not its own.
pub fn steps(root: &Path, kind: Option<HookKind>) -> Result<Vec<Step>, Failure> {
    let used = root.join(framework::FILE).exists();
    match kind.unwrap_or(if used { HookKind::PreCommit } else { HookKind::Git }) {
        HookKind::Git => git(root),
        HookKind::PreCommit => Ok(vec![framework::step(root)]),
    }
}

fn git(root: &Path) -> Result<Vec<Step>, Failure> {
    let folder = Repository::open(root).and_then(|repository| repository.hooks()).map_err(refused)?;
    Ok(NAMES.iter().map(|name| script(root, &folder.join(name))).collect())
}

fn script(root: &Path, path: &Path) -> Step {
    let shown = path.strip_prefix(root).unwrap_or(path).to_string_lossy().replace('\\', "/");
    let action = if std::fs::symlink_metadata(path).is_err() {
        Action::CreateProgram(SCRIPT.to_owned())
    } else {
        let text = std::fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        kept(&shown, text.unwrap_or_default().lines().any(runs_worklint), is_program(path))
    };
    Step::new(shown, action)
}

/// What becomes of a hook that is there.
fn kept(path: &str, runs: bool, is_program: bool) -> Action {
    if runs && is_program {
        return Action::Keep("it runs worklint already");
    }
    let mut text = String::new();
    if !runs {
        text.push_str("add this line to it, before anything in it that ends it (`exit`, `exec`):\n\n");
        text.push_str("worklint check --staged --quiet || exit 1\n");
    }
    if !is_program {
        let and = if runs { "" } else { "\nand " };
        text.push_str(&format!(
            "{and}make it a program, for git does not run it as it is:\n\nchmod +x {}\n",
            listed(&[path])
        ));
    }
    Action::Advise(text)
}

/// Whether a line of a script, or what a framework runs, calls `worklint check`.
pub fn runs_worklint(line: &str) -> bool {
    if line.trim_start().starts_with('#') {
        return false;
    }
    line.match_indices("worklint").any(|(at, name)| {
        let before = line[..at].chars().next_back();
        let after = &line[at + name.len()..];
        before.is_none_or(|c| !c.is_alphanumeric() && !"_-".contains(c))
            && after.starts_with([' ', '\t'])
            && after.trim_start().starts_with("check")
    })
}

#[cfg(unix)]
fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    std::fs::metadata(path).is_ok_and(|file| file.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
const fn is_program(_: &Path) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_calls_worklint_is_told_from_what_speaks_of_it() {
        for line in
            ["worklint check --staged", "  exec ./bin/worklint check", "npx worklint  check || exit 1"]
        {
            assert!(runs_worklint(line), "{line}");
        }
        for line in
            ["# worklint check", "echo worklint is missing", "our-worklint check", "worklint-old check"]
        {
            assert!(!runs_worklint(line), "{line}");
        }
    }
}

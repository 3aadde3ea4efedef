//! A hook that checks what is about to be committed: one of git's own, or an entry for the framework pre-commit.

use super::step::{Action, Step};
use crate::cli::args::HookKind;
use crate::cli::compare::refused;
use crate::cli::failure::Failure;
use crate::history::Repository;
use std::path::Path;

/// The configuration of pre-commit.
const FRAMEWORK: &str = ".pre-commit-config.yaml";

/// A merge without conflicts runs only the second one.
const NAMES: [&str; 2] = ["pre-commit", "pre-merge-commit"];

const SCRIPT: &str = "\
#!/bin/sh
# Checks the coordination files that are about to be committed. Written by `worklint init --hook`.
if ! command -v worklint >/dev/null 2>&1; then
  echo 'worklint is not on the PATH, so nothing checks what is about to be committed' >&2
  exit 1
fi
exec worklint check --staged
";

const ENTRY: &str = "  - repo: local
    hooks:
      - id: worklint
        name: coordination files
        entry: worklint check --staged
        language: system
        always_run: true
        pass_filenames: false
        require_serial: true
        stages: [pre-commit, pre-merge-commit]
";

/// The steps that install the hook, unless it is there.
///
/// # Errors
/// When there is no repository, or its hooks are not its own.
pub fn steps(root: &Path, kind: Option<HookKind>) -> Result<Vec<Step>, Failure> {
    let used = root.join(FRAMEWORK).exists();
    match kind.unwrap_or(if used { HookKind::PreCommit } else { HookKind::Git }) {
        HookKind::Git => git(root),
        HookKind::PreCommit => Ok(vec![framework(root)]),
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
    } else if calls_worklint(path) {
        Action::Keep("it runs worklint already")
    } else {
        Action::Advise("worklint check --staged\n")
    };
    Step::new(shown, action)
}

fn framework(root: &Path) -> Step {
    let path = root.join(FRAMEWORK);
    let step = |action| Step::new(FRAMEWORK.to_owned(), action);
    if !path.exists() {
        let types = NAMES.join(", ");
        let text = format!("default_install_hook_types: [{types}]\nrepos:\n{ENTRY}");
        let note = Some("run `pre-commit install` once in each clone".to_owned());
        Step { note, ..step(Action::Create(text)) }
    } else if calls_worklint(&path) {
        step(Action::Keep("it runs worklint already"))
    } else {
        // Where its list of repositories ends is for its owner to say.
        step(Action::Advise(ENTRY))
    }
}

fn calls_worklint(path: &Path) -> bool {
    std::fs::read(path).is_ok_and(|bytes| String::from_utf8_lossy(&bytes).contains("worklint"))
}

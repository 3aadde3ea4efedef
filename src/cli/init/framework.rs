//! An entry for the hook framework pre-commit.

use super::hook::{NAMES, runs_worklint};
use super::step::{Action, Step};
use serde_json::Value;
use std::path::Path;

/// The configuration of pre-commit.
pub const FILE: &str = ".pre-commit-config.yaml";

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

const INSTALL: &str = "run `pre-commit install` once in each clone";

/// The step that writes the configuration, or says what is missing from the one that is there.
pub fn step(root: &Path) -> Step {
    let step = |action, note| Step { note, ..Step::new(FILE.to_owned(), action) };
    let Ok(bytes) = std::fs::read(root.join(FILE)) else {
        let text = format!("{}\nrepos:\n{ENTRY}", types(&NAMES));
        return step(Action::Create(text), Some(INSTALL.to_owned()));
    };
    let present = Present::read(&bytes);
    let all = types(&present.all_types());
    let top = present.is_blind_to_merges().then(|| {
        let instead = if present.types.is_some() { ", in place of the line that is there" } else { "" };
        format!("at its top{instead}, for a merge without conflicts runs another hook:\n\n{all}\n")
    });
    if present.runs {
        let note = top.map(|top| format!("to have merges checked, too, write {top}\nand {INSTALL}"));
        return step(Action::Keep("it runs worklint already"), note);
    }
    // Where its list of repositories ends is for its owner to say.
    let top = top.map_or_else(String::new, |top| format!("\nwrite {top}"));
    step(Action::Advise(format!("add to its list `repos`:\n\n{ENTRY}{top}\nand {INSTALL}\n")), None)
}

/// The line that says which hooks are installed.
fn types(names: &[impl AsRef<str>]) -> String {
    let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
    format!("default_install_hook_types: [{}]", names.join(", "))
}

/// What a configuration says.
struct Present {
    /// Whether something in it checks what is about to be committed.
    runs: bool,
    /// The hooks that are installed, where it says so.
    types: Option<Vec<String>>,
}

impl Present {
    /// Of a configuration that cannot be read nothing is known.
    fn read(bytes: &[u8]) -> Self {
        let read: Value = serde_yaml::from_slice(bytes).unwrap_or_default();
        let list = |value: &Value, key: &str| value[key].as_array().cloned().unwrap_or_default();
        let hooks = list(&read, "repos").into_iter().flat_map(|repo| list(&repo, "hooks"));
        let runs = |hook: Value| {
            let entry = hook["entry"].as_str().map(runs_worklint);
            let id = hook["id"].as_str().unwrap_or_default();
            entry.unwrap_or_else(|| ["worklint", "worklint-system"].contains(&id))
        };
        let types = read["default_install_hook_types"]
            .as_array()
            .map(|types| types.iter().filter_map(Value::as_str).map(str::to_owned).collect());
        Present { runs: hooks.into_iter().any(runs), types }
    }

    fn is_blind_to_merges(&self) -> bool {
        !self.types.iter().flatten().any(|name| name == NAMES[1])
    }

    /// The hooks that are installed, and those that have to be.
    fn all_types(&self) -> Vec<String> {
        let mut all = self.types.clone().unwrap_or_default();
        for name in NAMES {
            if !all.iter().any(|there| there == name) {
                all.push(name.to_owned());
            }
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (bool, bool) {
        let present = Present::read(text.as_bytes());
        (present.runs, present.is_blind_to_merges())
    }

    #[test]
    fn what_runs_worklint_is_told_from_what_names_it() {
        let hook = |hook: &str| format!("repos:\n  - repo: x\n    hooks:\n      - {hook}\n");
        assert!(read(&hook("{id: worklint}")).0);
        assert!(read(&hook("{id: ours, entry: worklint check --staged, language: system}")).0);
        for other in ["{id: worklint-range}", "{id: worklint, entry: echo worklint}", "{id: x} # worklint"] {
            assert!(!read(&hook(other)).0, "{other}");
        }
        for odd in ["# no worklint here yet", "", "repos: [", "repos: {a: b}", "- a", "repos: [{hooks: 1}]"] {
            assert_eq!(read(odd), (false, true), "{odd}");
        }
    }

    #[test]
    fn types_that_are_there_stay() {
        let present = Present::read(b"default_install_hook_types: [pre-push, pre-commit]\n");
        assert!(present.is_blind_to_merges());
        assert_eq!(present.all_types(), ["pre-push", "pre-commit", "pre-merge-commit"]);
        assert!(!read("default_install_hook_types: [pre-merge-commit]\n").1);
    }
}

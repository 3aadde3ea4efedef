//! Small git histories, written as steps.

use serde::Deserialize;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

/// One commit, and what leads to it. What it says is done in the order of the fields.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Step {
    /// The branch to be on; it begins here when it is new.
    on: Option<String>,
    /// What the step is about.
    commit: String,
    /// Who commits.
    author: Option<String>,
    /// A command of git's own in place of a commit: `revert HEAD`, `rebase main`.
    git: Option<String>,
    /// Branches to merge; a conflict has to be resolved by `files`.
    merge: Option<String>,
    /// How to merge: `-s ours`, `-X theirs`.
    strategy: Option<String>,
    /// Files to move, from and to.
    rename: BTreeMap<String, String>,
    /// Files to write.
    files: BTreeMap<String, String>,
    /// Text to add to files.
    append: BTreeMap<String, String>,
    /// Files to delete.
    delete: Vec<String>,
    /// Leaves the changes without a commit, in the working tree (`tree`) or the index (`index`).
    leave: Option<String>,
}

/// Puts worklint on the path of a command.
pub fn with_worklint(command: &mut Command) -> &mut Command {
    let program = Path::new(env!("CARGO_BIN_EXE_worklint")).parent().unwrap().to_owned();
    let paths = std::env::var_os("PATH").unwrap();
    let paths = std::iter::once(program).chain(std::env::split_paths(&paths));
    command.env("PATH", std::env::join_paths(paths).unwrap())
}

/// A repository in a folder of its own, which knows no configuration but its own.
pub struct Repo {
    dir: TempDir,
    steps: usize,
}

impl Repo {
    /// An empty repository with the branch `main`.
    pub fn new() -> Self {
        Repo::with(&[])
    }

    /// The same, with more arguments to `git init`.
    pub fn with(args: &[&str]) -> Self {
        let repo = Repo { dir: tempfile::tempdir().unwrap(), steps: 0 };
        fs::create_dir(repo.path()).unwrap();
        repo.git([&["init", "-q", "-b", "main"], args].concat());
        repo
    }

    /// The history that a file describes.
    pub fn read(file: &Path) -> Self {
        let text = fs::read_to_string(file).unwrap_or_else(|why| panic!("{}: {why}", file.display()));
        Repo::of(&text)
    }

    /// The history that a text describes.
    pub fn of(steps: &str) -> Self {
        let mut repo = Repo::new();
        for step in serde_yaml::from_str::<Vec<Step>>(steps).unwrap() {
            repo.step(&step);
        }
        repo
    }

    /// The working tree.
    pub fn path(&self) -> PathBuf {
        self.dir.path().join("repo")
    }

    /// A folder beside it, for clones.
    pub fn beside(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// A command in a folder, with the environment of these histories.
    pub fn command(&self, program: impl AsRef<OsStr>, dir: &Path) -> Command {
        let mut command = Command::new(program);
        command.current_dir(dir).env_clear().env("PATH", std::env::var_os("PATH").unwrap_or_default());
        let minute = format!("2026-03-01T10:{:02}:{:02}Z", self.steps / 60 % 60, self.steps % 60);
        for (name, value) in [
            ("HOME", self.dir.path().to_str().unwrap()),
            ("GIT_CONFIG_NOSYSTEM", "1"),
            ("GIT_CONFIG_GLOBAL", "/dev/null"),
            ("GIT_AUTHOR_NAME", "agent-a"),
            ("GIT_AUTHOR_EMAIL", "agent-a@example.org"),
            ("GIT_COMMITTER_NAME", "agent-a"),
            ("GIT_COMMITTER_EMAIL", "agent-a@example.org"),
            ("GIT_AUTHOR_DATE", &minute),
            ("GIT_COMMITTER_DATE", &minute),
            ("GIT_EDITOR", "true"),
            ("LC_ALL", "C"),
        ] {
            command.env(name, value);
        }
        command
    }

    /// Runs git, whatever comes of it.
    pub fn try_git<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> Output {
        self.command("git", &self.path()).args(args).output().unwrap()
    }

    /// Runs git, and returns what it says.
    pub fn git<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> String {
        let args: Vec<_> = args.into_iter().map(|a| a.as_ref().to_owned()).collect();
        let output = self.try_git(&args);
        let err = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "git {args:?}: {err}");
        String::from_utf8_lossy(&output.stdout).trim_end().to_owned()
    }

    /// Runs worklint in the working tree.
    pub fn worklint<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> Output {
        self.worklint_in(&self.path(), args)
    }

    /// Runs worklint in another folder.
    pub fn worklint_in<S: AsRef<OsStr>>(&self, dir: &Path, args: impl IntoIterator<Item = S>) -> Output {
        self.command(env!("CARGO_BIN_EXE_worklint"), dir).args(args).output().unwrap()
    }

    /// Writes a file of the working tree.
    pub fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Commits all that is there.
    pub fn commit(&mut self, message: &str) {
        self.steps += 1;
        self.git(["add", "-A"]);
        self.git(["commit", "-q", "--allow-empty", "-m", message]);
    }

    fn step(&mut self, step: &Step) {
        self.steps += 1;
        if let Some(branch) = &step.on {
            let known = self.try_git(["rev-parse", "-q", "--verify", &format!("refs/heads/{branch}")]);
            let create: &[&str] = if known.status.success() { &[] } else { &["-c"] };
            self.git([&["switch", "-q"], create, &[branch.as_str()]].concat());
        }
        if let Some(command) = &step.git {
            self.try_git(command.split(' '));
        }
        if let Some(branches) = &step.merge {
            let strategy = step.strategy.as_deref().unwrap_or_default().split_whitespace();
            let args = ["merge", "-q", "--no-ff", "--no-commit"].into_iter().chain(strategy);
            self.try_git(args.chain(branches.split_whitespace()));
        }
        for (from, to) in &step.rename {
            let to = self.path().join(to);
            fs::create_dir_all(to.parent().unwrap()).unwrap();
            fs::rename(self.path().join(from), to).unwrap();
        }
        for (path, text) in &step.files {
            self.write(path, text);
        }
        for (path, text) in &step.append {
            let before = fs::read_to_string(self.path().join(path)).unwrap_or_default();
            self.write(path, before + text);
        }
        for path in &step.delete {
            fs::remove_file(self.path().join(path)).unwrap();
        }
        match step.leave.as_deref() {
            Some("tree") => return,
            Some("index") => {
                self.git(["add", "-A"]);
                return;
            }
            _ => {}
        }
        if step.commit.is_empty() {
            return;
        }
        self.git(["add", "-A"]);
        let author = step.author.as_deref().unwrap_or("agent-a");
        let author = format!("--author={author} <{author}@example.org>");
        let rebasing = self.path().join(".git/rebase-merge").exists();
        if rebasing {
            self.git(["rebase", "--continue"]);
        } else {
            self.git(["commit", "-q", "--allow-empty", &author, "-m", &step.commit]);
        }
    }
}

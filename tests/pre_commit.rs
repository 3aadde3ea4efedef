//! The hooks of `.pre-commit-hooks.yaml` under pre-commit itself, which builds worklint from a clone of this tree as it
//! does for its users. `.ci/run` runs these tests; they need `WORKLINT_PRE_COMMIT`, the path of pre-commit's program.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;
use support::history::with_worklint;
use support::readme::block;
use tempfile::TempDir;

const LOG: &str = "# Worklog\n\n## Session 1 — 2026-03-01\n\n### agent-a: first\n\n2026-03-01 — Words.\n";
const SECOND: &str = "\n### agent-b: second\n\n2026-03-01 — More words.\n";
const THIRD: &str = "\n### agent-c: third\n\n2026-03-01 — Other words.\n";

/// What lives on between runs, so that one tree is built once.
fn kept(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// A command that nothing of this test's own surroundings reaches.
fn command(program: impl AsRef<std::ffi::OsStr>, dir: &Path) -> Command {
    let mut command = Command::new(program);
    command.current_dir(dir);
    for (name, _) in std::env::vars_os() {
        let name = name.to_string_lossy().into_owned();
        let cargos = name.starts_with("CARGO") && name != "CARGO_HOME";
        if cargos || name.starts_with("GIT_") || name.starts_with("PRE_COMMIT") {
            command.env_remove(name);
        }
    }
    with_worklint(&mut command)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("PRE_COMMIT_HOME", kept("pre-commit"))
        // The hook's own build: what it depends on is compiled once, and quickly.
        .env("CARGO_TARGET_DIR", kept("install"))
        .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0")
        .env("CARGO_PROFILE_RELEASE_LTO", "off");
    for role in ["AUTHOR", "COMMITTER"] {
        command
            .env(format!("GIT_{role}_NAME"), "agent-a")
            .env(format!("GIT_{role}_EMAIL"), "agent-a@example.invalid")
            .env(format!("GIT_{role}_DATE"), "2026-03-01T12:00:00Z");
    }
    command
}

fn succeed(mut command: Command) -> String {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {}", text(&output));
    text(&output)
}

fn text(output: &Output) -> String {
    [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned()).concat()
}

fn git(dir: &Path, args: &[&str]) -> String {
    let mut git = command("git", dir);
    git.args(args);
    succeed(git)
}

fn pre_commit(dir: &Path, args: &[&str]) -> Command {
    let program = std::env::var_os("WORKLINT_PRE_COMMIT").expect("WORKLINT_PRE_COMMIT names pre-commit");
    let mut pre_commit = command(program, dir);
    pre_commit.args(args);
    pre_commit
}

/// A repository with this tree in one commit: its path and the commit. The same tree gives the same commit.
fn source() -> &'static (PathBuf, String) {
    static SOURCE: OnceLock<(PathBuf, String)> = OnceLock::new();
    SOURCE.get_or_init(|| {
        let (here, there) = (Path::new(env!("CARGO_MANIFEST_DIR")), kept("worklint"));
        let _ = fs::remove_dir_all(&there);
        fs::create_dir_all(&there).unwrap();
        git(&there, &["init", "--quiet", "--initial-branch=main"]);
        for path in git(here, &["ls-files", "-z", "-co", "--exclude-standard"]).split_terminator('\0') {
            // A file that is deleted and not yet committed is listed too.
            if here.join(path).is_file() {
                fs::create_dir_all(there.join(path).parent().unwrap()).unwrap();
                fs::copy(here.join(path), there.join(path)).unwrap();
            }
        }
        git(&there, &["add", "-A"]);
        git(&there, &["commit", "--quiet", "-m", "worklint"]);
        git(&there, &["tag", "v0.1.0"]);
        let commit = git(&there, &["rev-parse", "HEAD"]).trim().to_owned();
        // Builds of earlier trees are of no use to anybody.
        let built = kept("pre-commit-built");
        if fs::read_to_string(&built).unwrap_or_default() != commit {
            let _ = fs::remove_dir_all(kept("pre-commit"));
        }
        fs::write(&built, &commit).unwrap();
        // The first build, before tests want it side by side.
        let user = tempfile::tempdir().unwrap();
        git(user.path(), &["init", "--quiet"]);
        configure(user.path(), &there, &commit, "worklint");
        succeed(pre_commit(user.path(), &["install-hooks"]));
        (there, commit)
    })
}

/// Writes the README's configuration, with the tree under test for the repository that is named there.
fn configure(dir: &Path, source: &Path, commit: &str, hook: &str) {
    let readme = block("Before each commit", "yaml");
    let config = readme
        .replace("https://github.com/OWNER/worklint", source.to_str().unwrap())
        .replace("v0.1.0", commit)
        .replace("id: worklint ", &format!("id: {hook} "));
    // As it says: with `pre-push` among the types.
    let types = "[pre-commit, pre-merge-commit]";
    assert!(config.contains(types));
    let config = match hook {
        "worklint-range" => config.replace(types, "[pre-commit, pre-merge-commit, pre-push]"),
        _ => config,
    };
    fs::write(dir.join(".pre-commit-config.yaml"), config).unwrap();
}

/// A repository whose user has installed a hook.
struct User {
    dir: TempDir,
}

impl User {
    fn with(hook: &str) -> Self {
        let (source, commit) = source();
        let user = User { dir: tempfile::tempdir().unwrap() };
        git(user.path(), &["init", "--quiet", "--initial-branch=main"]);
        configure(user.path(), source, commit, hook);
        succeed(pre_commit(user.path(), &["install"]));
        user
    }

    /// The same with a commit that holds a log.
    fn with_log() -> Self {
        let user = User::with("worklint");
        user.write("WORKLOG.md", LOG);
        user.commits(&["-m", "log"]);
        user
    }

    fn path(&self) -> &Path {
        self.dir.path()
    }

    fn write(&self, path: &str, text: &str) {
        fs::write(self.path().join(path), text).unwrap();
    }

    fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path().join(path)).unwrap()
    }

    fn git(&self, args: &[&str]) -> String {
        git(self.path(), args)
    }

    fn try_git(&self, args: &[&str]) -> (bool, String) {
        let output = command("git", self.path()).args(args).output().unwrap();
        (output.status.success(), text(&output))
    }

    /// Everything is committed, and the hooks let it through.
    fn commits(&self, args: &[&str]) {
        self.git(&["add", "-A"]);
        self.passes(&[&["commit"], args].concat());
    }

    fn passes(&self, args: &[&str]) {
        let (passed, said) = self.try_git(args);
        assert!(passed, "git {args:?}: {said}");
        assert!(said.contains("coordination files"), "the hook did not run: {said}");
    }

    /// The hooks refuse, and say of which document and by which rule.
    fn refuses(&self, args: &[&str], rule: &str) -> String {
        let (passed, said) = self.try_git(args);
        assert!(!passed, "git {args:?} went through: {said}");
        assert!(said.contains(&format!("error[{rule}]")), "git {args:?}: {said}");
        assert!(!said.contains('\u{1b}'), "{said:?}");
        said
    }
}

#[test]
#[ignore = "needs pre-commit; .ci/run runs it"]
fn a_first_commit_is_judged() {
    let user = User::with("worklint");
    user.write("WORKLOG.md", &format!("{LOG}\n```text\n{SECOND}"));
    user.git(&["add", "-A"]);
    let said = user.refuses(&["commit", "-m", "log"], "unclosed-fence");
    let line = said.lines().find(|l| l.contains("error[")).unwrap();
    assert!(line.starts_with("WORKLOG.md:9:1: ") && line.contains(" help: "), "{said}");
    user.write("WORKLOG.md", LOG);
    user.commits(&["-m", "log"]);
}

#[test]
#[ignore = "needs pre-commit; .ci/run runs it"]
fn an_entry_may_be_added_and_none_changed_or_dropped() {
    let user = User::with_log();
    user.write("WORKLOG.md", &format!("{LOG}{SECOND}"));
    user.commits(&["-m", "second"]);
    user.write("WORKLOG.md", &format!("{LOG}{THIRD}"));
    user.git(&["add", "-A"]);
    user.refuses(&["commit", "-m", "dropped"], "entry-removed");
    user.write("WORKLOG.md", &format!("{}{SECOND}", LOG.replace("Words", "Others")));
    user.git(&["add", "-A"]);
    user.refuses(&["commit", "-m", "edited"], "entry-edited");
}

#[test]
#[ignore = "needs pre-commit; .ci/run runs it"]
fn a_log_may_not_vanish() {
    let user = User::with_log();
    user.git(&["rm", "--quiet", "WORKLOG.md"]);
    user.refuses(&["commit", "-m", "deleted"], "document-deleted");
    user.git(&["reset", "--quiet", "--hard"]);
    user.git(&["mv", "WORKLOG.md", "notes.txt"]);
    user.refuses(&["commit", "-m", "renamed away"], "document-deleted");
}

#[test]
#[ignore = "needs pre-commit; .ci/run runs it"]
fn what_is_committed_is_judged_and_nothing_else() {
    let user = User::with_log();
    user.write("README.md", "# Readme\n");
    user.commits(&["-m", "readme"]);
    let (good, bad) = (format!("{LOG}{SECOND}"), LOG.replace("Words", "Others"));
    // Of a path-limited commit, the paths; of `-a`, the working tree; without either, what is staged.
    user.write("WORKLOG.md", &bad);
    user.write("README.md", "# Readme\n\nMore.\n");
    user.passes(&["commit", "-m", "readme only", "README.md"]);
    user.refuses(&["commit", "-m", "log only", "WORKLOG.md"], "entry-edited");
    user.refuses(&["commit", "-a", "-m", "all"], "entry-edited");
    user.write("WORKLOG.md", &good);
    user.passes(&["commit", "-a", "-m", "all"]);
    user.write("WORKLOG.md", &format!("{good}{THIRD}"));
    user.git(&["add", "-A"]);
    user.write("WORKLOG.md", &bad);
    user.passes(&["commit", "-m", "staged"]);
    assert_eq!(user.read("WORKLOG.md"), bad);
}

#[test]
#[ignore = "needs pre-commit; .ci/run runs it"]
fn a_merge_keeps_the_entries_of_both_sides() {
    let user = User::with_log();
    user.git(&["switch", "--quiet", "-c", "side"]);
    user.write("WORKLOG.md", &format!("{LOG}{SECOND}"));
    user.commits(&["-m", "second"]);
    user.git(&["switch", "--quiet", "main"]);
    user.write("README.md", "# Readme\n");
    user.commits(&["-m", "readme"]);
    // A merge without conflicts runs `pre-merge-commit` alone.
    user.refuses(&["merge", "--strategy=ours", "-m", "merge", "side"], "merge-lost-entry");
    user.git(&["merge", "--abort"]);
    user.passes(&["merge", "-m", "merge", "side"]);
}

#[test]
#[ignore = "needs pre-commit; .ci/run runs it"]
fn a_conflict_is_resolved_with_the_entries_of_both_sides() {
    let user = User::with_log();
    user.git(&["switch", "--quiet", "-c", "side"]);
    user.write("WORKLOG.md", &format!("{LOG}{SECOND}"));
    user.commits(&["-m", "second"]);
    user.git(&["switch", "--quiet", "main"]);
    user.write("WORKLOG.md", &format!("{LOG}{THIRD}"));
    user.commits(&["-m", "third"]);
    assert!(!user.try_git(&["merge", "side"]).0);
    user.git(&["add", "-A"]);
    user.refuses(&["commit", "-m", "markers"], "conflict-marker");
    user.git(&["checkout", "--quiet", "--merge", "WORKLOG.md"]);
    for side in ["--ours", "--theirs"] {
        user.git(&["checkout", "--quiet", side, "WORKLOG.md"]);
        user.git(&["add", "-A"]);
        user.refuses(&["commit", "-m", "one side"], "merge-lost-entry");
        user.git(&["checkout", "--quiet", "--merge", "WORKLOG.md"]);
    }
    user.write("WORKLOG.md", &format!("{LOG}{THIRD}{SECOND}"));
    user.commits(&["-m", "both"]);
}

#[test]
#[ignore = "needs pre-commit; .ci/run runs it"]
fn a_worktree_is_judged_like_any_other() {
    let user = User::with_log();
    let place = tempfile::tempdir().unwrap();
    let tree = place.path().join("tree");
    user.git(&["worktree", "add", "--quiet", "-b", "side", tree.to_str().unwrap()]);
    fs::write(tree.join("WORKLOG.md"), LOG.replace("Words", "Others")).unwrap();
    let output = command("git", &tree).args(["commit", "-am", "edited"]).output().unwrap();
    assert!(text(&output).contains("error[entry-edited]"), "{}", text(&output));
    fs::write(tree.join("WORKLOG.md"), format!("{LOG}{SECOND}")).unwrap();
    git(&tree, &["commit", "-am", "second"]);
}

#[test]
#[ignore = "needs pre-commit; .ci/run runs it"]
fn a_push_is_judged_as_a_whole() {
    let user = User::with("worklint-range");
    let remote = tempfile::tempdir().unwrap();
    git(remote.path(), &["init", "--quiet", "--bare"]);
    user.git(&["remote", "add", "origin", remote.path().to_str().unwrap()]);
    user.write("WORKLOG.md", LOG);
    user.git(&["add", "-A"]);
    user.git(&["commit", "-m", "log"]);
    user.passes(&["push", "origin", "main"]);
    user.write("WORKLOG.md", &format!("{LOG}{SECOND}"));
    user.git(&["commit", "-am", "second"]);
    user.passes(&["push", "origin", "main"]);
    user.write("WORKLOG.md", LOG);
    user.git(&["commit", "-am", "dropped"]);
    user.refuses(&["push", "origin", "main"], "entry-removed");
    user.git(&["switch", "--quiet", "-c", "side"]);
    user.refuses(&["push", "origin", "side"], "entry-removed");
    user.git(&["revert", "--no-edit", "HEAD"]);
    user.passes(&["push", "origin", "side"]);
}

#[test]
#[ignore = "needs pre-commit; .ci/run runs it"]
fn a_range_by_hand_needs_both_ends() {
    let user = User::with("worklint-range");
    user.write("WORKLOG.md", &format!("{LOG}{SECOND}"));
    user.git(&["add", "-A"]);
    user.git(&["commit", "-m", "log"]);
    user.write("WORKLOG.md", LOG);
    user.git(&["commit", "-am", "dropped"]);
    let by_hand = ["run", "--hook-stage", "manual", "worklint-range"];
    let said = text(&pre_commit(user.path(), &by_hand).output().unwrap());
    assert!(
        said.contains("--hook-stage manual worklint-range --from-ref origin/main --to-ref HEAD"),
        "{said}"
    );
    let ends = ["--from-ref", "HEAD^", "--to-ref", "HEAD"];
    let said = text(&pre_commit(user.path(), &[&by_hand[..], &ends].concat()).output().unwrap());
    assert!(said.contains("error[entry-removed]"), "{said}");
}

#[test]
#[ignore = "needs pre-commit; .ci/run runs it"]
fn what_init_says_of_a_configuration_that_is_there_checks_merges_too() {
    let user = User { dir: tempfile::tempdir().unwrap() };
    user.git(&["init", "--quiet", "--initial-branch=main"]);
    user.write(".pre-commit-config.yaml", "repos:\n");
    user.write("WORKLOG.md", &format!("{LOG}{SECOND}"));
    let advice = text(&command("worklint", user.path()).args(["init", "--hook"]).output().unwrap());
    let entry = advice.split("`repos`:\n\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let top = advice.lines().find(|line| line.starts_with("default_install_hook_types:")).unwrap();
    user.write(".pre-commit-config.yaml", &format!("{top}\nrepos:\n{entry}\n"));
    assert!(advice.contains("run `pre-commit install`"), "{advice}");
    succeed(pre_commit(user.path(), &["install"]));
    user.commits(&["-m", "log"]);
    user.git(&["switch", "--quiet", "-c", "side"]);
    user.write("WORKLOG.md", &format!("{LOG}{SECOND}{THIRD}"));
    user.commits(&["-m", "third"]);
    user.git(&["switch", "--quiet", "main"]);
    user.write("README.md", "# Readme\n");
    user.commits(&["-m", "readme"]);
    user.refuses(&["merge", "--strategy=ours", "-m", "merge", "side"], "merge-lost-entry");
}

#[test]
#[ignore = "needs pre-commit; .ci/run runs it"]
fn an_installed_program_serves_as_well() {
    let user = User::with("worklint-system");
    user.write("WORKLOG.md", LOG);
    user.commits(&["-m", "log"]);
    user.git(&["rm", "--quiet", "WORKLOG.md"]);
    user.refuses(&["commit", "-m", "deleted"], "document-deleted");
}

#[test]
#[ignore = "needs pre-commit; .ci/run runs it"]
fn on_a_terminal_the_report_is_for_eyes_and_fits() {
    let user = User::with_log();
    user.write("WORKLOG.md", &LOG.replace("Words", "Others"));
    user.git(&["add", "-A"]);
    // Then pre-commit gives its hooks a terminal of no width.
    let output = pre_commit(user.path(), &["run", "--color=always"]).output().unwrap();
    let said = text(&output);
    assert!(!output.status.success() && said.contains("\u{1b}[") && said.contains("╭─["), "{said}");
}

#[test]
#[ignore = "needs pre-commit; .ci/run runs it"]
fn what_the_action_and_the_gitlab_job_install_runs() {
    let (source, _) = source();
    let yaml = |text: &str| serde_yaml::from_str::<serde_json::Value>(text).unwrap();
    let action = yaml(&fs::read_to_string(source.join("action.yml")).unwrap());
    let steps = action["runs"]["steps"].as_array().unwrap();
    let build = steps.iter().find(|s| s["if"] == "steps.cache.outputs.cache-hit != 'true'").unwrap();
    let job = yaml(&block("Merge requests on GitLab", "yaml"));
    let install = job["worklint"]["script"][0].as_str().unwrap();
    let address = format!("file://{}", source.display());
    let place = tempfile::tempdir().unwrap();
    let scripts = [
        build["run"].as_str().unwrap().to_owned(),
        install.replace("https://github.com/OWNER/worklint", &address),
    ];
    for (script, folder) in scripts.iter().zip(["worklint", "gitlab"]) {
        let mut bash = command("bash", place.path());
        bash.args(["-eo", "pipefail", "-c", script])
            .env("GITHUB_ACTION_PATH", source)
            .env("RUNNER_TEMP", place.path())
            .env("CARGO_INSTALL_ROOT", place.path().join("gitlab"));
        succeed(bash);
        let mut program = command(place.path().join(folder).join("bin/worklint"), place.path());
        program.arg("--version");
        assert!(succeed(program).starts_with("worklint "), "{script}");
    }
}

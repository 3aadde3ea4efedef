//! What the README tells CI systems to do, done: the shell parts of the workflows and of `action.yml`, in clones like
//! those that the systems make.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

mod support;

use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;
use support::history::{Repo, with_worklint};
use support::readme::{block, blocks};

const LOG: &str = "# Worklog\n\nNow Working (agent-a): idle\nMaintainer Focus: none\n\
    Next Review Checkpoint: none\n\n## Session 1 — 2026-03-01\n\n### agent-a: first\n\n2026-03-01 — Words.\n";
const SECOND: &str = "\n### agent-b: second\n\n2026-03-01 — More words.\n";
const THIRD: &str = "\n### agent-c: third\n\n2026-03-01 — Other words.\n";
const NO_COMMIT: &str = "0000000000000000000000000000000000000000";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn yaml(text: &str) -> Value {
    serde_yaml::from_str(text).unwrap()
}

fn text(output: &Output) -> String {
    [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned()).concat()
}

/// The hosting service: what was pushed, as a repository from which clones are made.
struct Hosting {
    repo: Repo,
}

impl Hosting {
    /// `main` holds a log.
    fn new() -> Self {
        let mut repo = Repo::new();
        repo.write("WORKLOG.md", LOG);
        repo.commit("log");
        // What services allow: to ask for any commit that a name leads to.
        repo.git(["config", "uploadpack.allowReachableSHA1InWant", "true"]);
        Hosting { repo }
    }

    fn commit(&mut self, branch: &str, log: &str) -> String {
        let known = self.repo.try_git(["rev-parse", "-q", "--verify", branch]).status.success();
        let create: &[&str] = if known { &[] } else { &["-c"] };
        self.repo.git([&["switch", "-q"], create, &[branch]].concat());
        self.repo.write("WORKLOG.md", log);
        self.repo.commit("log");
        self.head()
    }

    fn head(&self) -> String {
        self.repo.git(["rev-parse", "HEAD"])
    }

    /// Merges `side` into `main` as a service does to try it out, and returns the merge.
    fn merge(&self) -> String {
        self.repo.git(["switch", "-q", "--detach", "main"]);
        self.repo.git(["merge", "-q", "--no-ff", "-m", "merge", "side"]);
        let merge = self.head();
        self.repo.git(["update-ref", "refs/pull/1/merge", &merge]);
        merge
    }

    /// A clone as CI makes it: the commit alone, with so much of its history; 0 is all of it.
    fn checkout(&self, commit: &str, depth: u64) -> PathBuf {
        let clone = self.repo.beside("clone");
        let _ = fs::remove_dir_all(&clone);
        fs::create_dir(&clone).unwrap();
        let git = |args: &[&str]| {
            let output = self.repo.command("git", &clone).args(args).output().unwrap();
            assert!(output.status.success(), "git {args:?}: {}", text(&output));
        };
        git(&["init", "-q"]);
        git(&["remote", "add", "origin", &format!("file://{}", self.repo.path().display())]);
        if depth == 0 {
            git(&["fetch", "-q", "origin", "+refs/heads/*:refs/remotes/origin/*", commit]);
        } else {
            git(&["fetch", "-q", "--no-tags", &format!("--depth={depth}"), "origin", commit]);
        }
        git(&["checkout", "-q", "--detach", commit]);
        clone
    }

    /// Runs a script as CI does, with worklint on the path.
    fn run(&self, script: &str, dir: &Path, variables: &[(&str, &str)]) -> Output {
        let mut bash = self.repo.command("bash", dir);
        bash.args(["--noprofile", "--norc", "-eo", "pipefail", "-c", script]);
        with_worklint(&mut bash);
        bash.envs(variables.iter().copied()).output().unwrap()
    }
}

/// Runs the README's workflow for GitHub, as its runner does, on a checkout of `depth`, or as deep as it says.
fn github(hosting: &Hosting, commit: &str, depth: Option<u64>, event: (&str, Value)) -> Output {
    let workflow = yaml(&block("Pull requests on GitHub", "yaml"));
    let steps = workflow["jobs"]["worklint"]["steps"].as_array().unwrap();
    let [checkout, action] = steps.as_slice() else { panic!("{steps:#?}") };
    assert!(workflow["on"].get(event.0).is_some(), "the workflow does not run on {}", event.0);
    assert!(checkout["uses"].as_str().unwrap().starts_with("actions/checkout@"));
    assert!(action["uses"].as_str().unwrap().starts_with("OWNER/worklint@"));
    let clone = hosting.checkout(commit, depth.unwrap_or(checkout["with"]["fetch-depth"].as_u64().unwrap()));

    let runner = tempfile::tempdir().unwrap();
    let file = |name: &str| runner.path().join(name).to_str().unwrap().to_owned();
    fs::write(file("event.json"), event.1.to_string()).unwrap();
    let base = if event.0 == "pull_request" { "main" } else { "" };
    let surroundings = [
        ("CI", "true".to_owned()),
        ("GITHUB_ACTIONS", "true".to_owned()),
        ("GITHUB_EVENT_NAME", event.0.to_owned()),
        ("GITHUB_EVENT_PATH", file("event.json")),
        ("GITHUB_BASE_REF", base.to_owned()),
        ("GITHUB_SHA", commit.to_owned()),
        ("GITHUB_ACTION_PATH", root().to_str().unwrap().to_owned()),
        ("GITHUB_OUTPUT", file("output")),
        ("GITHUB_PATH", file("path")),
        ("GITHUB_STEP_SUMMARY", file("summary.md")),
        ("RUNNER_OS", "Linux".to_owned()),
        ("RUNNER_ARCH", "X64".to_owned()),
        ("RUNNER_TEMP", runner.path().to_str().unwrap().to_owned()),
    ];
    let description = yaml(&fs::read_to_string(root().join("action.yml")).unwrap());
    let input = |name: &str| description["inputs"][name]["default"].as_str().unwrap().to_owned();
    let mut last = None;
    for step in description["runs"]["steps"].as_array().unwrap() {
        if step["uses"].as_str().is_some_and(|action| action.starts_with("actions/cache@")) {
            // A hit: the program is where the action would have built it.
            let bin = runner.path().join("worklint/bin");
            fs::create_dir_all(&bin).unwrap();
            std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_worklint"), bin.join("worklint")).unwrap();
            assert_eq!(step["with"]["path"], "${{ runner.temp }}/worklint");
            let key = fs::read_to_string(file("output")).unwrap();
            assert!(key.starts_with("key=worklint-Linux-X64-") && key.trim().len() == 63, "{key}");
            continue;
        }
        let when = step["if"].as_str().unwrap_or("");
        let runs = match when {
            "" => true,
            "steps.cache.outputs.cache-hit != 'true'" => false,
            _ => when.strip_prefix("github.event_name == ").unwrap().trim_matches('\'') == event.0,
        };
        if !runs {
            continue;
        }
        let variables: Vec<(String, String)> = step["env"]
            .as_object()
            .into_iter()
            .flatten()
            .map(|(name, value)| {
                let value = value.as_str().unwrap();
                let value = value.strip_prefix("${{ ").and_then(|v| v.strip_suffix(" }}")).unwrap();
                let value = match value.strip_prefix("inputs.") {
                    Some(name) => input(name),
                    None => {
                        let key = value.strip_prefix("github.event.").unwrap();
                        event.1[key].as_str().unwrap_or("").to_owned()
                    }
                };
                (name.clone(), value)
            })
            .collect();
        let given = surroundings.iter().map(|(name, value)| (*name, value.as_str()));
        let given: Vec<_> = given.chain(variables.iter().map(|(n, v)| (n.as_str(), v.as_str()))).collect();
        let output = hosting.run(step["run"].as_str().unwrap(), &clone, &given);
        last = Some(output);
        if !last.as_ref().is_some_and(|output| output.status.success()) {
            break;
        }
    }
    let output = last.unwrap();
    // Whatever the verdict is, the page of the job gives it.
    let page = fs::read_to_string(file("summary.md")).unwrap();
    assert!(page.starts_with("## worklint\n\n"), "{page}");
    assert_eq!(page.contains("could not check: "), output.status.code() == Some(2), "{page}");
    output
}

fn pull_request(hosting: &Hosting) -> (&'static str, Value) {
    let id = |name: &str| hosting.repo.git(["rev-parse", name]);
    let (base, head) = (id("main"), id("side"));
    (
        "pull_request",
        json!({ "number": 1, "pull_request": { "base": { "sha": base, "ref": "main" }, "head": { "sha": head } } }),
    )
}

fn passes(output: &Output) {
    assert_eq!(output.status.code(), Some(0), "{}", text(output));
}

fn refuses(output: &Output, rule: &str) {
    assert_eq!(output.status.code(), Some(1), "{}", text(output));
    assert!(text(output).contains(rule), "{}", text(output));
}

#[test]
fn a_pull_request_on_github_is_judged_by_what_it_does() {
    let mut hosting = Hosting::new();
    hosting.commit("side", &format!("{LOG}{SECOND}"));
    let merge = hosting.merge();
    for depth in [None, Some(2)] {
        passes(&github(&hosting, &merge, depth, pull_request(&hosting)));
    }
    // What main gained in the meantime was not dropped by the branch.
    hosting.commit("main", &format!("{LOG}\nMore of the first.\n"));
    let mut hosting = Hosting::new();
    hosting.commit("side", LOG);
    hosting.commit("main", &format!("{LOG}{THIRD}"));
    let merge = hosting.merge();
    for depth in [None, Some(2)] {
        passes(&github(&hosting, &merge, depth, pull_request(&hosting)));
    }
}

#[test]
fn a_pull_request_on_github_that_drops_an_entry_is_annotated() {
    let mut hosting = Hosting::new();
    hosting.commit("main", &format!("{LOG}{SECOND}"));
    hosting.commit("side", LOG);
    let merge = hosting.merge();
    for depth in [None, Some(2)] {
        let output = github(&hosting, &merge, depth, pull_request(&hosting));
        refuses(&output, "::error title=worklint (entry-removed),file=WORKLOG.md,");
    }
    // A clone that holds too little is no ground for a verdict.
    let output = github(&hosting, &merge, Some(1), pull_request(&hosting));
    assert_eq!(output.status.code(), Some(2), "{}", text(&output));
    assert!(text(&output).contains("fetch-depth: 0"), "{}", text(&output));
}

#[test]
fn a_push_and_a_merge_queue_on_github_are_judged_from_where_they_began() {
    let mut hosting = Hosting::new();
    let before = hosting.commit("main", &format!("{LOG}{SECOND}"));
    let good = hosting.commit("main", &format!("{LOG}{SECOND}{THIRD}"));
    hosting.commit("main", &format!("{LOG}{THIRD}"));
    let bad = hosting.commit("main", &format!("{LOG}{THIRD}\nMore of the third.\n"));
    let push = |after: &str| ("push", json!({ "before": before, "after": after, "forced": false }));
    passes(&github(&hosting, &good, None, push(&good)));
    refuses(&github(&hosting, &bad, None, push(&bad)), "entry-removed");
    let queue =
        |head: &str| ("merge_group", json!({ "merge_group": { "base_sha": before, "head_sha": head } }));
    passes(&github(&hosting, &good, None, queue(&good)));
    refuses(&github(&hosting, &bad, None, queue(&bad)), "entry-removed");
    // The first push of a branch has nothing before it.
    let first = ("push", json!({ "before": NO_COMMIT, "after": good, "forced": false }));
    passes(&github(&hosting, &good, None, first));
    // After a forced push, the commit that was there before may be nowhere.
    let gone = "0123456789abcdef0123456789abcdef01234567";
    let forced = ("push", json!({ "before": gone, "after": good, "forced": true }));
    let output = github(&hosting, &good, None, forced);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output));
    assert!(
        text(&output).contains(&format!("git fetch origin {gone}; if nobody has it any more")),
        "{}",
        text(&output)
    );
}

#[test]
fn a_forced_push_to_github_is_judged_by_what_the_server_still_has() {
    let mut hosting = Hosting::new();
    let first = hosting.head();
    let before = hosting.commit("main", &format!("{LOG}{SECOND}"));
    hosting.repo.git(["reset", "-q", "--hard", &first]);
    let after = hosting.commit("main", &format!("{LOG}{THIRD}"));
    let forced = || ("push", json!({ "before": before, "after": after, "forced": true }));
    hosting.repo.git(["config", "uploadpack.allowAnySHA1InWant", "true"]);
    refuses(&github(&hosting, &after, None, forced()), "entry-removed");
    hosting.repo.git(["reflog", "expire", "--expire=now", "--all"]);
    hosting.repo.git(["gc", "-q", "--prune=now"]);
    let refused = github(&hosting, &after, None, forced());
    assert_eq!(refused.status.code(), Some(2), "{}", text(&refused));
}

#[test]
fn a_merge_request_on_gitlab_is_judged_by_what_it_does() {
    let job = yaml(&block("Merge requests on GitLab", "yaml"))["worklint"].take();
    let script = job["script"].as_array().unwrap();
    let [install, check] = script.as_slice() else { panic!("{script:#?}") };
    assert!(install.as_str().unwrap().starts_with("cargo install --locked --git https://"));
    assert!(install.as_str().unwrap().ends_with(" --tag v0.1.0"));
    let depth = job["variables"]["GIT_DEPTH"].as_u64().unwrap();

    let mut hosting = Hosting::new();
    let base = hosting.commit("main", &format!("{LOG}{SECOND}"));
    let good = hosting.commit("side", &format!("{LOG}{SECOND}{THIRD}"));
    let bad = hosting.commit("side", &format!("{LOG}{THIRD}"));
    for (commit, code) in [(&good, 0), (&bad, 1)] {
        let clone = hosting.checkout(commit, depth);
        let merge_request = [
            ("CI", "true"),
            ("GITLAB_CI", "true"),
            ("CI_PIPELINE_SOURCE", "merge_request_event"),
            ("CI_MERGE_REQUEST_DIFF_BASE_SHA", &base),
            ("CI_MERGE_REQUEST_TARGET_BRANCH_NAME", "main"),
            ("CI_DEFAULT_BRANCH", "main"),
            ("CI_COMMIT_SHA", commit),
            ("CI_COMMIT_BEFORE_SHA", NO_COMMIT),
        ];
        let output = hosting.run(check.as_str().unwrap(), &clone, &merge_request);
        assert_eq!(output.status.code(), Some(code), "{}", text(&output));
        // The log of the job tells what its report says.
        assert_eq!(text(&output).contains("error[entry-removed]"), code == 1, "{}", text(&output));
        let pushed = [
            ("CI", "true"),
            ("GITLAB_CI", "true"),
            ("CI_PIPELINE_SOURCE", "push"),
            ("CI_COMMIT_BRANCH", "main"),
            ("CI_DEFAULT_BRANCH", "main"),
            ("CI_COMMIT_SHA", commit),
            ("CI_COMMIT_BEFORE_SHA", &base),
        ];
        let output = hosting.run(check.as_str().unwrap(), &clone, &pushed);
        assert_eq!(output.status.code(), Some(code), "{}", text(&output));
        let report = job["artifacts"]["reports"]["codequality"].as_str().unwrap();
        let issues = yaml(&fs::read_to_string(clone.join(report)).unwrap());
        let errors = issues.as_array().unwrap().iter().filter(|i| i["severity"] == "critical").count();
        assert_eq!(errors, usize::try_from(code).unwrap(), "{issues:#}");
    }
}

#[test]
fn any_other_ci_compares_with_the_main_branch() {
    let script = block("Any other CI", "sh");
    let mut hosting = Hosting::new();
    hosting.commit("main", &format!("{LOG}{SECOND}"));
    let good = hosting.commit("side", &format!("{LOG}{SECOND}{THIRD}"));
    let bad = hosting.commit("side", &format!("{LOG}{THIRD}"));
    for depth in [0, 1] {
        passes(&hosting.run(&script, &hosting.checkout(&good, depth), &[]));
        refuses(&hosting.run(&script, &hosting.checkout(&bad, depth), &[]), "error[entry-removed]");
    }
    // Clones of one branch, which know no other.
    for depth in [&["--single-branch"][..], &["--depth=1"]] {
        let clone = |branch: &str| {
            let to = hosting.repo.beside(branch);
            let _ = fs::remove_dir_all(&to);
            let address = format!("file://{}", hosting.repo.path().display());
            let args = ["-q", "--branch", branch, &address, to.to_str().unwrap()];
            hosting.repo.git([&["clone"], depth, &args].concat());
            to
        };
        hosting.repo.git(["branch", "-q", "-f", "good", &good]);
        passes(&hosting.run(&script, &clone("good"), &[]));
        refuses(&hosting.run(&script, &clone("side"), &[]), "error[entry-removed]");
    }
}

#[test]
fn a_branch_that_a_clone_does_not_know_is_named_with_the_command_that_fetches_it() {
    let mut hosting = Hosting::new();
    hosting.commit("main", &format!("{LOG}{SECOND}"));
    hosting.commit("side", &format!("{LOG}{THIRD}"));
    let address = format!("file://{}", hosting.repo.path().display());
    for (depth, unshallow) in [("--single-branch", ""), ("--depth=1", "git fetch --unshallow && ")] {
        let clone = hosting.repo.beside("single");
        let _ = fs::remove_dir_all(&clone);
        hosting.repo.git(["clone", "-q", depth, "--branch", "side", &address, clone.to_str().unwrap()]);
        let output = hosting.repo.worklint_in(&clone, ["check", "--against", "origin/main"]);
        assert_eq!(output.status.code(), Some(2), "{}", text(&output));
        let said = text(&output);
        let help =
            said.lines().find_map(|line| line.strip_prefix("  help: ")).unwrap_or_else(|| panic!("{said}"));
        assert_eq!(help, format!("{unshallow}git fetch origin main:refs/remotes/origin/main"));
        let script = format!("{help}\nworklint check --against origin/main");
        refuses(&hosting.run(&script, &clone, &[]), "error[entry-removed]");
        // The name without that of the remote is no branch of this clone.
        let output = hosting.repo.worklint_in(&clone, ["check", "--against", "main"]);
        assert!(text(&output).contains("help: write origin/main"), "{}", text(&output));
    }
}

#[test]
fn an_agent_is_told_what_its_edit_broke() {
    let hosting = Hosting::new();
    let dir = hosting.repo.path();
    let scripts = blocks("After an agent's edit", "sh");
    let [plain, standard_error] = scripts.as_slice() else { panic!("{scripts:#?}") };
    hosting.repo.write("WORKLOG.md", format!("{LOG}{SECOND}"));
    for script in &scripts {
        let output = hosting.run(script, &dir, &[]);
        assert_eq!((output.status.code(), text(&output).as_str()), (Some(0), ""));
    }
    hosting.repo.write("WORKLOG.md", LOG.replace("Words", "Others"));
    let output = hosting.run(plain, &dir, &[]);
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(said.lines().all(|line| line.contains(" help: ")), "{said}");
    let output = hosting.run(standard_error, &dir, &[]);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0));
    assert_eq!(String::from_utf8(output.stderr).unwrap(), said);
}

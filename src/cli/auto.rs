//! What `--against auto` stands for: where the change began that a hook framework or a CI system is about to judge,
//! by the variables that it sets.

use super::failure::Failure;
use serde_json::Value;

/// Two states to compare.
#[derive(Debug, PartialEq, Eq)]
pub struct Target {
    /// The revision to compare with; none where there was nothing before.
    pub base: Option<String>,
    /// Whether it is that revision itself, rather than the merge base with it.
    pub exact: bool,
    /// The commit to check, when that is not the one that is checked out.
    pub head: Option<String>,
    /// Who says so.
    pub by: &'static str,
}

impl Target {
    fn merge_base(base: impl Into<String>, by: &'static str) -> Self {
        Target { base: Some(base.into()), exact: false, head: None, by }
    }

    fn nothing(by: &'static str) -> Self {
        Target { base: None, exact: false, head: None, by }
    }
}

/// Where a run takes place.
pub trait Surroundings {
    /// A variable of the environment.
    fn variable(&self, name: &str) -> Option<String>;
    /// The commit that is checked out.
    fn head(&self) -> Option<String>;
    /// How many parents it has.
    fn parents(&self) -> usize;
}

/// The states that the surroundings ask to compare.
///
/// # Errors
/// When nobody says where the change began.
pub fn target(around: &dyn Surroundings) -> Result<Target, Failure> {
    let set = |name: &str| around.variable(name).filter(|value| !value.is_empty());
    if let (Some(from), Some(to)) = (set("PRE_COMMIT_FROM_REF"), set("PRE_COMMIT_TO_REF")) {
        return Ok(Target { head: Some(to), ..Target::merge_base(from, "PRE_COMMIT_FROM_REF") });
    }
    // The first push into an empty repository: pre-commit names no commit, for there is none to begin at.
    if let (Some(_), Some(branch)) = (set("PRE_COMMIT_REMOTE_NAME"), set("PRE_COMMIT_LOCAL_BRANCH")) {
        return Ok(Target { head: Some(branch), ..Target::nothing("PRE_COMMIT_LOCAL_BRANCH") });
    }
    if set("GITHUB_ACTIONS").is_some() {
        return github(around);
    }
    if set("GITLAB_CI").is_some() {
        return gitlab(around);
    }
    let help = if set("PRE_COMMIT").is_some() {
        // A hook that is run by hand, rather than by a push.
        "say from where to where: pre-commit run --hook-stage manual worklint-range --from-ref origin/main --to-ref HEAD"
    } else {
        "name a commit: --against main (auto knows pre-commit, GitHub Actions and GitLab CI)"
    };
    Err(Failure::with_help("nothing in the environment says what to compare with", help))
}

fn github(around: &dyn Surroundings) -> Result<Target, Failure> {
    let event_path = around.variable("GITHUB_EVENT_PATH").unwrap_or_default();
    let event: Value = std::fs::read(&event_path)
        .ok()
        .and_then(|bytes| serde_json::from_slice(&bytes).ok())
        .ok_or_else(|| Failure::new(format!("GITHUB_EVENT_PATH names no event: `{event_path}`")))?;
    let word = |pointer: &str| event.pointer(pointer).and_then(Value::as_str).map(str::to_owned);
    let name = around.variable("GITHUB_EVENT_NAME").unwrap_or_default();
    let target = match name.as_str() {
        // What is checked out is a merge that tries the pull request out; its first parent is the branch it is meant
        // for. Somebody may have checked out the pull request's own commit instead.
        "pull_request" if is_trial_merge(around) => {
            Some(Target { exact: true, ..Target::merge_base("HEAD^1", "a pull request on GitHub") })
        }
        "pull_request" => {
            word("/pull_request/base/sha").map(|base| Target::merge_base(base, "a pull request on GitHub"))
        }
        "merge_group" => {
            word("/merge_group/base_sha").map(|base| Target::merge_base(base, "a merge queue on GitHub"))
        }
        "push" => {
            let (before, branch) = (word("/before"), word("/ref"));
            let default = word("/repository/default_branch");
            let is_default =
                branch.as_deref().and_then(|r| r.strip_prefix("refs/heads/")) == default.as_deref();
            pushed(before, default.filter(|_| !is_default), "a push to GitHub")
        }
        _ => None,
    };
    let help =
        "name a commit: --against main, or `against` of the action; an empty one checks the files alone";
    target.ok_or_else(|| {
        Failure::with_help(format!("the event `{name}` does not say what to compare with"), help)
    })
}

fn is_trial_merge(around: &dyn Surroundings) -> bool {
    around.head().is_some() && around.head() == around.variable("GITHUB_SHA") && around.parents() == 2
}

fn gitlab(around: &dyn Surroundings) -> Result<Target, Failure> {
    let set = |name: &str| around.variable(name).filter(|value| !value.is_empty());
    if let Some(base) = set("CI_MERGE_REQUEST_DIFF_BASE_SHA") {
        return Ok(Target::merge_base(base, "a merge request on GitLab"));
    }
    let other = set("CI_DEFAULT_BRANCH").filter(|default| Some(default) != set("CI_COMMIT_BRANCH").as_ref());
    let scheduled = set("CI_PIPELINE_SOURCE").is_some_and(|source| source != "push");
    let before = set("CI_COMMIT_BEFORE_SHA").filter(|_| !scheduled);
    let help = "name a commit: --against main, or check without --against";
    pushed(before, other, "a push to GitLab")
        .ok_or_else(|| Failure::with_help("this pipeline does not say what to compare with", help))
}

/// What a push is compared with: the commit that was there before, or for a new branch the branch `other` that it
/// came from. On the branch that all others come from there is no `other`, and nothing of what was there may be lost, not
/// even by a forced push; another branch may be rebased.
fn pushed(before: Option<String>, other: Option<String>, by: &'static str) -> Option<Target> {
    let before = before?;
    let is_new = before.bytes().all(|b| b == b'0');
    Some(match other {
        Some(other) if is_new => Target::merge_base(format!("origin/{other}"), by),
        None if is_new => Target::nothing(by),
        None => Target { exact: true, ..Target::merge_base(before, by) },
        Some(_) => Target::merge_base(before, by),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    struct Around<'a> {
        variables: &'a [(&'a str, &'a str)],
        parents: usize,
    }

    impl Surroundings for Around<'_> {
        fn variable(&self, name: &str) -> Option<String> {
            self.variables.iter().find(|(n, _)| *n == name).map(|(_, value)| (*value).to_owned())
        }
        fn head(&self) -> Option<String> {
            Some("aaaa".to_owned())
        }
        fn parents(&self) -> usize {
            self.parents
        }
    }

    fn of(variables: &[(&str, &str)]) -> Result<Target, Failure> {
        target(&Around { variables, parents: 1 })
    }

    fn on_github(event: &str, payload: &str, parents: usize) -> Result<Target, Failure> {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(payload.as_bytes()).unwrap();
        let path = file.path().to_str().unwrap();
        let variables = [
            ("GITHUB_ACTIONS", "true"),
            ("GITHUB_EVENT_NAME", event),
            ("GITHUB_EVENT_PATH", path),
            ("GITHUB_SHA", "aaaa"),
        ];
        target(&Around { variables: &variables, parents })
    }

    fn base(target: Result<Target, Failure>) -> (Option<String>, bool) {
        let target = target.unwrap();
        (target.base, target.exact)
    }

    fn to(revision: &str) -> (Option<String>, bool) {
        (Some(revision.to_owned()), false)
    }

    #[test]
    fn nobody_who_says_so_is_an_error_with_a_cure() {
        let failure = of(&[("GITHUB_ACTIONS", "")]).unwrap_err();
        assert!(failure.help.unwrap().contains("--against main"));
        let by_hand = of(&[("PRE_COMMIT", "1")]).unwrap_err();
        assert!(by_hand.help.unwrap().contains("--from-ref origin/main --to-ref HEAD"));
    }

    #[test]
    fn pre_commit_names_both_ends() {
        let target =
            of(&[("PRE_COMMIT_FROM_REF", "b"), ("PRE_COMMIT_TO_REF", "c"), ("GITHUB_ACTIONS", "true")]);
        let target = target.unwrap();
        assert_eq!((target.base.as_deref(), target.head.as_deref()), (Some("b"), Some("c")));
        let first =
            of(&[("PRE_COMMIT_REMOTE_NAME", "origin"), ("PRE_COMMIT_LOCAL_BRANCH", "refs/heads/main")]);
        assert_eq!(first.unwrap().base, None);
    }

    #[test]
    fn a_pull_request_is_tried_out_or_checked_out_itself() {
        let payload = r#"{"pull_request": {"base": {"sha": "bbbb"}}}"#;
        assert_eq!(base(on_github("pull_request", payload, 2)), (Some("HEAD^1".to_owned()), true));
        assert_eq!(base(on_github("pull_request", payload, 1)), to("bbbb"));
    }

    #[test]
    fn a_push_begins_where_the_branch_was() {
        let push = |before: &str, branch: &str| {
            let payload = format!(
                r#"{{"before": "{before}", "ref": "refs/heads/{branch}", "repository": {{"default_branch": "main"}}}}"#
            );
            base(on_github("push", &payload, 1))
        };
        assert_eq!(push("bbbb", "main"), (Some("bbbb".to_owned()), true));
        assert_eq!(push("bbbb", "side"), to("bbbb"));
        assert_eq!(push("0000", "side"), to("origin/main"));
        assert_eq!(push("0000", "main"), (None, false));
    }

    #[test]
    fn events_without_a_beginning_are_errors() {
        assert!(on_github("schedule", "{}", 1).is_err());
        assert!(on_github("merge_group", "{}", 1).is_err());
        assert!(on_github("push", "no JSON", 1).is_err());
        assert_eq!(base(on_github("merge_group", r#"{"merge_group": {"base_sha": "bbbb"}}"#, 1)), to("bbbb"));
    }

    #[test]
    fn a_pipeline_of_a_merge_request_or_of_a_branch() {
        let run = |more: &[(&str, &str)]| {
            of(&[&[("GITLAB_CI", "true"), ("CI_DEFAULT_BRANCH", "main")], more].concat())
        };
        assert_eq!(
            base(run(&[("CI_MERGE_REQUEST_DIFF_BASE_SHA", "bbbb"), ("CI_COMMIT_BEFORE_SHA", "00")])),
            to("bbbb")
        );
        let push = ("CI_PIPELINE_SOURCE", "push");
        assert_eq!(
            base(run(&[push, ("CI_COMMIT_BEFORE_SHA", "bbbb"), ("CI_COMMIT_BRANCH", "side")])),
            to("bbbb")
        );
        assert_eq!(
            base(run(&[push, ("CI_COMMIT_BEFORE_SHA", "bbbb"), ("CI_COMMIT_BRANCH", "main")])),
            (Some("bbbb".to_owned()), true)
        );
        assert_eq!(
            base(run(&[push, ("CI_COMMIT_BEFORE_SHA", "00"), ("CI_COMMIT_BRANCH", "side")])),
            to("origin/main")
        );
        assert_eq!(
            base(run(&[push, ("CI_COMMIT_BEFORE_SHA", "00"), ("CI_COMMIT_BRANCH", "main")])),
            (None, false)
        );
        assert!(run(&[("CI_PIPELINE_SOURCE", "schedule"), ("CI_COMMIT_BEFORE_SHA", "00")]).is_err());
    }
}

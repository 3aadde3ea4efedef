//! What the key `squad` says of envelopes that are exported: who is who, what no log says of tasks, and what may be
//! told to whom.

use super::words::Word;
use crate::model::signal::{BadTeam, TeamId};
use crate::squad::redact::Profile;

/// What the configuration says of envelopes that are exported.
#[derive(Debug, Clone, Default)]
pub struct SquadExport {
    /// Participants whose squad is not called like them.
    pub squads: Vec<(String, TeamId)>,
    /// What the squad of the people who decide is called.
    pub meta: Option<TeamId>,
    /// Squads that may be told what identifies people.
    pub allow_pii: Vec<TeamId>,
    /// What is taken out of texts.
    pub redaction: Option<Profile>,
    /// Participants and what kind of work their tasks are.
    pub owners: Vec<(String, String)>,
    /// The repository of tasks.
    pub repo: Option<String>,
    /// The branch of tasks.
    pub branch: Option<String>,
}

/// A squad.
pub(super) struct Squad(pub TeamId);

impl Word for Squad {
    const EXPECTED: &'static str = "the name of a squad";
    fn read(word: &str) -> Result<Self, String> {
        word.parse().map(Squad).map_err(|why: BadTeam| why.to_string().replace("team", "squad"))
    }
}

/// A profile of redaction.
pub(super) struct Redaction(pub Profile);

impl Word for Redaction {
    const EXPECTED: &'static str = "a profile of redaction: strict or compat";
    fn read(word: &str) -> Result<Self, String> {
        word.parse().map(Redaction)
    }
}

/// What kind of work a task is (DEV_TASK, `owner`).
pub(super) struct Owner(pub String);

const OWNERS: [&str; 5] = ["frontend", "backend", "fullstack", "devops", "data"];

impl Word for Owner {
    const EXPECTED: &'static str = "a kind of work: frontend, backend, fullstack, devops or data";
    fn read(word: &str) -> Result<Self, String> {
        if OWNERS.contains(&word) {
            return Ok(Owner(word.to_owned()));
        }
        Err(format!("`{word}` is no kind of work: write {}", OWNERS.join(", ")))
    }
}

#[cfg(test)]
mod tests {
    use crate::config::testing::{assert_refused, parse};
    use crate::squad::redact::Profile;
    use crate::squad::{Kind, schema};

    #[test]
    fn who_is_who_and_what_may_be_told_is_read() {
        let config = parse(
            "squad:\n  squads:\n    Agent A: build\n  meta: people\n  allow-pii: [care]\n  redaction: compat\n  owners:\n    \
             Agent A: backend\n  repo: org/repo\n  branch: main\n",
        )
        .unwrap();
        let export = config.squad_export();
        assert_eq!((export.squads[0].0.as_str(), export.squads[0].1.as_str()), ("Agent A", "build"));
        assert_eq!(export.meta.as_ref().unwrap().as_str(), "people");
        assert_eq!(export.allow_pii[0].as_str(), "care");
        assert_eq!(export.redaction, Some(Profile::Compat));
        assert_eq!(export.owners, [("Agent A".to_owned(), "backend".to_owned())]);
        assert_eq!((export.repo.as_deref(), export.branch.as_deref()), (Some("org/repo"), Some("main")));
    }

    #[test]
    fn what_cannot_be_is_refused_at_its_line() {
        assert_refused(&[
            ("squad:\n  squads:\n    a: ../x\n", 3, "no name of a squad"),
            ("squad:\n  allow-pii: [../x]\n", 2, "no name of a squad"),
            ("squad:\n  redaction: loose\n", 2, "no profile of redaction"),
            ("squad:\n  owners:\n    a: design\n", 3, "no kind of work"),
            ("squad:\n  alow-pii: [x]\n", 2, "did you mean `allow-pii`"),
        ]);
    }

    #[test]
    fn the_kinds_of_work_are_those_of_the_schema() {
        let schema: serde_json::Value = serde_json::from_str(schema::source(Kind::DevTask).unwrap()).unwrap();
        assert_eq!(schema["properties"]["owner"]["enum"], serde_json::json!(super::OWNERS));
    }
}

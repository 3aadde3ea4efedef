//! Names of participants in texts, and names that are almost theirs.

use crate::grammar::{People, Person, Standing};
use crate::rules::registry::distance;

/// Whether a name is built like that of an agent of the roster: `agent-c` beside `agent-a`.
pub fn is_sibling(people: &People, name: &str) -> bool {
    let key = folded(name);
    let agents = people.persons().iter().filter(|p| p.standing != Standing::Maintainer);
    stem(&key).is_some_and(|own| agents.into_iter().any(|p| stem(&folded(&p.name)).is_some_and(|s| s == own)))
}

/// The name of a participant that a name is a misspelling of: one letter more, less or other, or two in a
/// long one. `agent-a` is no slip for `agent-b`.
pub fn close<'p>(people: &'p People, name: &str) -> Option<&'p str> {
    let key = folded(name);
    let near = |person: &&Person| {
        let own = folded(&person.name);
        let length = own.chars().count();
        let most = if length > 6 { 2 } else { 1 };
        // Two short endings behind one stem are two names.
        let siblings = stem(&own).zip(stem(&key)).is_some_and(|(a, b)| a == b && own.len() - a.len() < 4);
        length > 3 && !siblings && distance(&own, &key) <= most
    };
    people.persons().iter().find(near).map(|p| p.name.as_str())
}

/// What stands before the last part of a name: `agent` of `agent-a`.
fn stem(name: &str) -> Option<&str> {
    name.rsplit_once(['-', '_', ' ']).map(|(stem, _)| stem)
}

fn folded(name: &str) -> String {
    name.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

/// Whether a name stands anywhere in a text, as a word of its own and in any case.
pub fn mentions(text: &str, name: &str) -> bool {
    let (text, name) = (text.to_lowercase(), name.to_lowercase());
    let inside = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
    text.match_indices(&name).any(|(at, found)| {
        let before = text[..at].chars().next_back();
        let after = text[at + found.len()..].chars().next();
        !before.is_some_and(inside) && !after.is_some_and(inside)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grammar::{Session, Who};
    use crate::rules::testing::session;

    fn charter(rows: &str) -> Session {
        let text = format!("# Session Charter\n\n## Agent Roster\n\n| Role | Agent |\n|---|---|\n{rows}");
        session(&[("SESSION_CHARTER.md", &text)])
    }

    fn called(people: &People, name: &str) -> String {
        match people.who(name) {
            Who::One(person) => person.name.clone(),
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn a_participant_goes_by_many_names() {
        let session = charter(
            "| Maintainer | Jo Doe / Doe Ltd |\n| Author | agent-a (model-one) |\n| Reviewer | Tool Agent |\n",
        );
        for (name, who) in [
            ("Agent-A", "agent-a"),
            ("agent-a/two", "agent-a"),
            ("agent-a drafts", "agent-a"),
            ("relaying agent-a", "agent-a"),
            ("on behalf of Jo Doe", "Maintainer"),
            ("Agents", "Everyone"),
            ("model-one", "agent-a"),
            ("author", "agent-a"),
            ("Jo Doe", "Maintainer"),
            ("Jo", "Maintainer"),
            ("doe ltd", "Maintainer"),
            ("the maintainer", "Maintainer"),
            ("Maintainer-assigned", "Maintainer"),
            ("Tool", "Tool Agent"),
            ("all agents", "Everyone"),
            ("both", "Everyone"),
            ("none", "Nobody"),
            ("agent-a-2", "Stranger"),
            ("agent-b", "Stranger"),
            ("Joe", "Stranger"),
        ] {
            assert_eq!(called(session.people(), name), who, "{name}");
        }
    }

    #[test]
    fn a_roster_that_names_nobody_declares_nobody() {
        let text =
            "# Session Charter\n\n## Agent Roster\n\n| Role | Agent |\n|---|---|\n| Maintainer | |\n| | |\n";
        let declared = |name, text| session(&[(name, text)]).people().is_declared();
        assert!(!declared("SESSION_CHARTER.md", text));
        assert!(!declared("MAILBOX.md", "# Mailbox\n\n## Active Messages\n"));
    }

    #[test]
    fn a_slip_of_the_pen_is_close() {
        let session = charter("| Author | agent-alpha |\n| Author | bob |\n");
        let people = session.people();
        assert_eq!(close(people, "agent-alhpa"), Some("agent-alpha"));
        assert_eq!(close(people, "rob"), None);
        assert_eq!(close(people, "agent-omega"), None);
        let session = charter("| Author | agent-a |\n");
        let siblings = session.people();
        assert_eq!((close(siblings, "agent-b"), close(siblings, "agnt-a")), (None, Some("agent-a")));
    }

    #[test]
    fn two_names_of_one_participant_are_the_same() {
        let session =
            charter("| Maintainer | Jo Doe |\n| Author | agent-a (model-one) |\n| Author | agent-b |\n");
        let people = session.people();
        for (a, b) in [("Agent-A", "model-one"), ("agent-a/one", "agent-a/two"), ("Jo Doe", "the maintainer")]
        {
            assert!(people.same(a, b), "{a} {b}");
        }
        for (a, b) in
            [("agent-a", "agent-b"), ("agent-a", "all"), ("agent-c", "agent-d"), ("none", "agent-a")]
        {
            assert!(!people.same(a, b), "{a} {b}");
        }
        assert_eq!((people.spell("AGENT-A"), people.spell("agent-a/two")), ("agent-a", "agent-a/two"));
    }

    #[test]
    fn without_a_charter_those_take_part_who_are_seen() {
        let text = "# Mailbox\n\n### MSG-20260131-001\n\n**From:** agent-a -> agent-b\n**Status:** unread\n";
        let session = session(&[("MAILBOX.md", text)]);
        let people = session.people();
        assert_eq!(called(people, "Agent-A/two"), "agent-a");
        assert_eq!(called(people, "agent-c"), "Stranger");
        assert!(people.is_maintainer("maintainer") && !people.is_maintainer("agent-a"));
    }

    #[test]
    fn a_name_is_a_word_of_its_own() {
        assert!(mentions("back to `Agent-A`.", "agent-a"));
        assert!(!mentions("agent-ab and my-agent-a", "agent-a"));
    }
}

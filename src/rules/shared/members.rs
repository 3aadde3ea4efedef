//! Who takes part in a session by its charter.

use super::{ids, values};
use crate::grammar::{Document, Role, Session, Standing};
use crate::model::{Actor, Roster};
use crate::text::Span;

/// A row of the charter's roster that names somebody.
pub struct Member<'a> {
    /// The charter.
    pub document: &'a Document,
    /// The name, without what stands in parentheses behind it.
    pub name: String,
    /// The cell with the name.
    pub span: Span,
    /// The role.
    pub role: &'a str,
    /// What the role makes of it.
    pub standing: Standing,
}

/// The participants that the charter declares, in its order, without those that it leaves open.
pub fn declared(session: &Session) -> Vec<Member<'_>> {
    let charters = session.documents.iter().filter(|d| d.role() == Role::Charter);
    let rows = charters.flat_map(|d| d.participants().map(move |p| (d, p)));
    rows.filter_map(|(document, participant)| {
        let cell = participant.cell;
        if values::is_open(document, &cell.value) || ids::is_placeholder(document, &cell.value) {
            return None;
        }
        let role = participant.role.map_or("", |r| r.value.as_str());
        let (name, span) = (participant.agent?.name, cell.span);
        Some(Member { document, name, span, role, standing: participant.standing })
    })
    .collect()
}

/// The names and the roles that the charter knows somebody by.
pub fn names(members: &[Member<'_>]) -> Roster {
    let mut roster = Roster::default();
    for member in members {
        let always = &member.document.choice.dialect.actors.always;
        always.iter().for_each(|name| roster.add(name));
        match always.first().filter(|_| member.standing == Standing::Maintainer) {
            Some(fixed) => roster.alias(&member.name, fixed),
            None => roster.add(&member.name),
        }
        if !member.role.is_empty() && roster.find(member.role).is_none() {
            roster.alias(member.role, &member.name);
        }
    }
    roster
}

/// The known names that a list such as `agent-a (the list), agent-b/two for review` begins its items with.
pub fn named(roster: &Roster, text: &str) -> Vec<String> {
    let known = |actor: Actor| {
        let mut rest = actor.name.as_str();
        loop {
            if let Some(name) = roster.find(rest) {
                return Some(name.to_owned());
            }
            rest = rest[..rest.rfind([' ', '/'])?].trim_end();
        }
    };
    Actor::parse_list(text).into_iter().filter_map(known).collect()
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

    #[test]
    fn names_are_found_at_the_head_of_items() {
        let mut roster = Roster::default();
        ["agent-a", "agent-b", "Maintainer"].iter().for_each(|n| roster.add(n));
        let found = |text| named(&roster, text);
        assert_eq!(
            found("Maintainer / agent-a for review, then agent-b"),
            ["Maintainer", "agent-a", "agent-b"]
        );
        assert_eq!(found("AGENT-A/two (the list)"), ["agent-a"]);
        assert!(found("the next agent-a").is_empty());
    }

    #[test]
    fn a_name_is_a_word_of_its_own() {
        assert!(mentions("back to `Agent-A`.", "agent-a"));
        assert!(!mentions("agent-ab and my-agent-a", "agent-a"));
    }
}

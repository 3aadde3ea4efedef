//! Who somebody is to a message: its sender, a receiver, the one who closes it, the maintainer.

use super::mailbox::is_to_everyone;
use super::naming::either;
use super::wording::short;
use crate::grammar::{Card, Document, Party, People};
use crate::model::Actor;

/// Whether a name is that of a party to a message.
pub fn is(document: &Document, card: &Card, people: &People, name: &str, party: Party) -> bool {
    let among = |actors: &[Actor]| actors.iter().any(|a| people.same(&a.name, name));
    match party {
        Party::Sender => among(&card.from),
        Party::Receiver => among(&card.to) || is_to_everyone(document, card, name, people),
        Party::Maintainer => people.is_maintainer(name),
        Party::ClosureOwner => card.text("closure_owner").is_some_and(|owner| {
            let by_role = owner.eq_ignore_ascii_case("sender") && among(&card.from);
            by_role || among(&Actor::parse_list(owner))
        }),
        Party::Anyone => true,
    }
}

/// Whether a name is that of one of several parties.
pub fn is_one(document: &Document, card: &Card, people: &People, name: &str, parties: &[Party]) -> bool {
    parties.iter().any(|party| is(document, card, people, name, *party))
}

/// The receivers for a sentence, as the card names them: `agent-b`, `agent-b or agent-c`.
pub fn receivers(card: &Card) -> String {
    let names: Vec<String> = card.to.iter().map(|a| short(&a.name)).collect();
    if names.is_empty() { "the receiver".to_owned() } else { either(&names) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::testing::session;

    fn who(name: &str, to: &str, owner: &str) -> Vec<Party> {
        let text = format!(
            "# Mailbox\n\n### MSG-20260131-001\n\n**From:** agent-a -> {to}\n**Status:** unread\n**Closure owner:** {owner}\n"
        );
        let session = session(&[("MAILBOX.md", &text)]);
        let document = &session.documents[0];
        let parties = [Party::Sender, Party::Receiver, Party::Maintainer, Party::ClosureOwner];
        let fits = |p: &Party| is(document, &document.cards[0], session.people(), name, *p);
        parties.into_iter().filter(fits).collect()
    }

    #[test]
    fn a_name_has_its_parts_in_a_message() {
        assert_eq!(who("Agent-A", "agent-b", "agent-b"), [Party::Sender]);
        assert_eq!(who("agent-b", "agent-b", "agent-b"), [Party::Receiver, Party::ClosureOwner]);
        assert_eq!(who("agent-b/two", "agent-b", "none"), [Party::Receiver]);
        assert_eq!(who("maintainer", "agent-b", "none"), [Party::Maintainer]);
        assert_eq!(who("agent-c", "agent-b", "none"), []);
    }

    #[test]
    fn everyone_is_everyone_but_the_sender() {
        assert_eq!(who("agent-c", "all", "sender"), [Party::Receiver]);
        assert_eq!(who("agent-a", "all", "sender"), [Party::Sender, Party::ClosureOwner]);
    }
}

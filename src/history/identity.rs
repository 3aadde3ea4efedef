//! Who made a change, by what the user declared to say so. Nothing is guessed: git's author is whoever owns the machine
//! on which the agents run.

use super::commit::Commit;
use crate::model::Actor;

/// What says who makes changes. The default says nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Identity {
    /// The trailer of a commit's message that names who wrote it.
    pub trailer: Option<String>,
    /// The participants that addresses of authors stand for.
    pub authors: Vec<(String, String)>,
    /// The variable of the environment that names who is about to commit.
    pub variable: Option<String>,
}

/// The trailer with which git's users name further authors.
const CO_AUTHOR: &str = "Co-authored-by";

impl Identity {
    /// Who wrote a commit: those whom its trailers name, else those for whom its author and co-authors stand. Nobody
    /// when it does not say.
    pub fn of(&self, commit: &Commit) -> Vec<String> {
        let named = self.trailer.iter().flat_map(|name| trailers(&commit.message, name));
        let named: Vec<String> = named.flat_map(Identity::names).collect();
        if !named.is_empty() {
            return named;
        }
        let Some(author) = self.stands_for(&commit.mail) else { return Vec::new() };
        let others = trailers(&commit.message, CO_AUTHOR).filter_map(|who| {
            let (_, mail) = who.split_once('<')?;
            self.stands_for(mail.trim_end_matches('>'))
        });
        std::iter::once(author).chain(others).map(str::to_owned).collect()
    }

    /// The participants that a value names.
    pub fn names(value: &str) -> Vec<String> {
        Actor::parse_list(value).into_iter().map(|actor| actor.name).collect()
    }

    fn stands_for(&self, mail: &str) -> Option<&str> {
        let mut found = self.authors.iter().filter(|(address, _)| address.eq_ignore_ascii_case(mail));
        found.next().map(|(_, actor)| actor.as_str())
    }
}

/// The values of a trailer. Below the subject it counts wherever it stands: what is squashed has the trailers of each
/// of its commits in the middle.
fn trailers<'m>(message: &'m str, name: &'m str) -> impl Iterator<Item = &'m str> {
    message.lines().skip(1).filter_map(move |line| {
        let (key, value) = line.split_once(':')?;
        (key.trim_end().eq_ignore_ascii_case(name) && !value.trim().is_empty()).then(|| value.trim())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(identity: &Identity, mail: &str, message: &str) -> Vec<String> {
        let object = format!("tree 1\nauthor A <{mail}> 1772366400 +0000\n\n{message}");
        identity.of(&Commit::parse("0", object.as_bytes()).unwrap())
    }

    #[test]
    fn a_trailer_says_more_than_an_author() {
        let identity = Identity {
            trailer: Some("Worklint-Actor".to_owned()),
            authors: vec![("a@x".to_owned(), "agent-a".to_owned()), ("b@x".to_owned(), "agent-b".to_owned())],
            variable: None,
        };
        assert_eq!(of(&identity, "A@x", "Subject\n\nText.\n"), ["agent-a"]);
        assert_eq!(of(&identity, "a@x", "Subject\n\nworklint-actor: agent-c\n"), ["agent-c"]);
        assert_eq!(
            of(&identity, "z@x", "S\n\nWorklint-Actor: agent-b and agent-c\n"),
            ["agent-b", "agent-c"]
        );
        assert_eq!(
            of(&identity, "a@x", "S\n\nCo-authored-by: B <b@x>\nCo-authored-by: C <c@x>\n"),
            ["agent-a", "agent-b"]
        );
        // A stranger's commit is nobody's, whoever helped.
        assert!(of(&identity, "z@x", "Worklint-Actor: agent-b\n\nCo-authored-by: B <b@x>\n").is_empty());
        assert!(of(&Identity::default(), "", "S\n\nWorklint-Actor: agent-b\n").is_empty());
    }
}

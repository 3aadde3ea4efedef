//! The sessions of the logs, and which of them began after a message was sent.

use super::citations::logs;
use crate::grammar::{Document, Session};
use crate::model::Stamp;
use crate::text::Span;
use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap};

/// A session that the log has a heading for.
#[derive(Clone)]
pub struct Begun<'a> {
    id: &'a str,
    /// Its day; that of its first entry, where the heading has none.
    stamp: Option<&'a Stamp>,
    /// Its number, with the letter behind it.
    number: Option<(u64, &'a str)>,
    /// The log.
    pub document: &'a Document,
    /// The heading.
    pub span: Span,
}

/// The sessions, in order.
pub struct Sessions<'a> {
    /// Those with a day.
    by_day: Vec<Begun<'a>>,
    /// All, when all are numbered.
    by_number: Vec<Begun<'a>>,
    /// The first of `by_number` whose entries name a message.
    named: HashMap<&'a str, usize>,
}

impl<'a> Sessions<'a> {
    /// The sessions of the logs.
    pub fn of(session: &'a Session) -> Self {
        let mut found: BTreeMap<&str, Begun<'_>> = BTreeMap::new();
        for document in logs(session) {
            let firsts = first_days(document);
            for (head, first) in document.sessions.iter().zip(firsts) {
                let Some(id) = head.id.as_deref() else { continue };
                let stamp = head.stamp.as_ref().filter(|s| s.has_date()).or(first);
                let begun = Begun { id, stamp, number: number(id), document, span: head.heading.span };
                // `Session 4 Closeout` is no session of its own.
                let earlier = |old: &Begun<'_>| match (day(old), stamp.and_then(|s| s.sort_key(true))) {
                    (Some(old), Some(new)) => new < old,
                    (old, new) => old.is_none() && new.is_some(),
                };
                if found.get(id).is_none_or(earlier) {
                    found.insert(id, begun);
                }
            }
        }
        let mut by_day: Vec<_> = found.values().filter(|b| b.stamp.is_some()).cloned().collect();
        by_day.sort_by_key(|b| (day(b), b.number));
        let numbered = found.values().all(|b| b.number.is_some());
        let mut by_number: Vec<_> = found.into_values().filter(|_| numbered).collect();
        by_number.sort_by_key(|b| b.number);
        Sessions { by_day, by_number, named: HashMap::new() }
    }

    /// The same, with the messages of a mailbox that their entries name: the logs are searched for them.
    pub fn naming(session: &'a Session, mailbox: &'a Document) -> Self {
        let mut sessions = Sessions::of(session);
        let by_number = sessions.by_number.iter().enumerate();
        let places: HashMap<&str, usize> = by_number.map(|(at, begun)| (begun.id, at)).collect();
        sessions.named = named(session, mailbox, &places);
        sessions
    }

    /// The sessions that began after a message was sent, as far as the log shows: those of a later day, or those
    /// after the first whose entries name the message, whichever are more.
    pub fn after(&self, message: &str, sent: Option<&Stamp>) -> &[Begun<'a>] {
        let by_day = sent.map_or(&[][..], |sent| self.began_after(sent));
        let first = self.named.get(message).map_or(self.by_number.len(), |at| at + 1);
        let by_number = self.by_number.get(first..).unwrap_or_default();
        if by_number.len() > by_day.len() { by_number } else { by_day }
    }

    /// The sessions of a later day, in order.
    pub fn began_after(&self, day: &Stamp) -> &[Begun<'a>] {
        let later = |b: &Begun<'_>| b.stamp.and_then(|begun| begun.compare(day)) == Some(Ordering::Greater);
        self.by_day.get(self.by_day.partition_point(|b| !later(b))..).unwrap_or_default()
    }
}

fn day(begun: &Begun<'_>) -> Option<(i64, Option<i64>)> {
    begun.stamp.and_then(|s| s.sort_key(true))
}

/// The number of a session's id: `session-13`, `session-13a`.
fn number(id: &str) -> Option<(u64, &str)> {
    let last = id.rsplit('-').next()?;
    let end = last.find(|c: char| !c.is_ascii_digit()).unwrap_or(last.len());
    Some((last.get(..end)?.parse().ok()?, last.get(end..)?))
}

/// The day of the first entry of each session of a log.
fn first_days(document: &Document) -> Vec<Option<&Stamp>> {
    let mut firsts: Vec<Option<&Stamp>> = vec![None; document.sessions.len()];
    for entry in &document.entries {
        let first = entry.session.and_then(|at| firsts.get_mut(at));
        let stamp = entry.stamp.as_ref().filter(|s| s.has_date());
        if let (Some(first), Some(stamp)) = (first, stamp)
            && first.is_none_or(|first| stamp.sort_key(true) < first.sort_key(true))
        {
            *first = Some(stamp);
        }
    }
    firsts
}

/// The first session, by its place, whose entries name each message in full.
fn named<'a>(
    session: &'a Session,
    mailbox: &'a Document,
    places: &HashMap<&str, usize>,
) -> HashMap<&'a str, usize> {
    let mut out = HashMap::new();
    let Some(pattern) = &mailbox.choice.dialect.references.message else { return out };
    for document in logs(session) {
        for entry in &document.entries {
            let id = entry.session.and_then(|at| document.sessions.get(at)?.id.as_deref());
            let Some(&place) = id.and_then(|id| places.get(id)) else { continue };
            for message in pattern.find_iter(document.text.slice(entry.span)) {
                let first = out.entry(message.as_str()).or_insert(place);
                *first = place.min(*first);
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::testing::session;

    fn after(log: &str, sent: &str) -> Vec<String> {
        let log = format!("# Worklog\n\n{log}");
        let session = session(&[("WORKLOG.md", &log), ("MAILBOX.md", "# Mailbox\n\n## Active Messages\n")]);
        let mailbox = session.documents.iter().find(|d| &*d.path == "MAILBOX.md").unwrap();
        let sessions = Sessions::naming(&session, mailbox);
        let after = sessions.after("MSG-20260131-001", Stamp::parse(sent).as_ref());
        after.iter().map(|b| b.document.text.slice(b.span).to_owned()).collect()
    }

    #[test]
    fn later_days_are_later_sessions() {
        let log = "## Session 3 — 2026-02-02\n\n## Session 1 — 2026-01-31\n\n## Session 2\n\n\
                   ### 2026-02-01 — agent-a: work\n\nText.\n\n## Session 2 Closeout — 2026-02-03\n";
        assert_eq!(after(log, "2026-01-31"), ["Session 2", "Session 3 — 2026-02-02"]);
        assert_eq!(after(log, "2026-02-02"), Vec::<String>::new());
        assert_eq!(after(log, ""), Vec::<String>::new());
    }

    #[test]
    fn on_one_day_the_log_says_in_which_a_message_was_sent() {
        let log = "## Session 1 — 2026-01-31\n\n### agent-a: mail\n\nSent MSG-20260131-001.\n\n\
                   ## Session 2 — 2026-01-31\n\n### agent-b: mail\n\nMSG-20260131-001 is unread.\n\n## Session 10 — 2026-01-31\n";
        assert_eq!(after(log, "2026-01-31").len(), 2);
        assert!(after(&log.replace("31-001", "31-002"), "2026-01-31").is_empty());
        let undated = log.replace(" — 2026-01-31", "");
        assert_eq!(after(&undated, "2026-01-31"), ["Session 2", "Session 10"]);
    }
}

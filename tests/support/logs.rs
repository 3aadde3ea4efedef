//! Logs that nobody wrote, in the shapes that are kept.

use super::faults::{Dice, Fault, Piece, Shape};
use worklint::rules::find;

const WORDS: [&str; 48] = [
    "anchor", "beacon", "buoy", "cable", "chart", "coast", "compass", "current", "deck", "depth", "dock",
    "draft", "ebb", "ferry", "flood", "fog", "gauge", "harbour", "hull", "jetty", "keel", "knot", "lantern",
    "ledger", "log", "mast", "mooring", "notice", "oar", "pier", "pilot", "quay", "reef", "rope", "rudder",
    "sail", "shoal", "signal", "sound", "stern", "tide", "tow", "trim", "vessel", "watch", "wave", "wind",
    "yard",
];

/// A shape of logs.
#[derive(Clone, Copy, Debug)]
pub enum Style {
    /// `### agent-a: title` below session headings.
    Sessions,
    /// `### 17:04 — title (agent-a)` below session headings, most with a form that all share.
    Forms,
    /// `## 2026-03-01 — title (agent-a)`.
    Dated,
    /// The same, the newest first.
    NewestFirst,
}

pub const STYLES: [Style; 4] = [Style::Sessions, Style::Forms, Style::Dated, Style::NewestFirst];

/// A log that grows.
pub struct Made {
    style: Style,
    count: usize,
}

/// The rule that finds a fault in a log, or in a mailbox; none where the fault is none.
pub fn rule(fault: Fault, messages: bool) -> Option<&'static str> {
    let rule = match (fault, messages) {
        (Fault::Drop | Fault::ArchiveLoss, false) => "entry-removed",
        (Fault::Drop | Fault::ArchiveLoss, true) => "message-removed",
        (Fault::Edit, false) => "entry-edited",
        (Fault::Edit, true) => "message-rewritten",
        (Fault::Insert, false) => "entry-inserted",
        (Fault::Reorder, false) => "entries-reordered",
        // Messages are sorted as one likes, and a new one may stand anywhere.
        (Fault::Insert | Fault::Reorder, true) => return None,
        (Fault::ArchiveEdit, _) => "archive-mismatch",
        (Fault::MergeSplice, _) => "merge-spliced-entry",
        (Fault::MergeDropSide | Fault::MergeDropOne, _) => "merge-lost-entry",
        (Fault::IllegalStatus, true) => "status-transition-illegal",
        (Fault::IdCollision, true) => "id-collision",
        // Entries have neither.
        (Fault::IllegalStatus | Fault::IdCollision, false) => return None,
    };
    find(rule).map(|rule| rule.meta.id)
}

impl Made {
    pub fn new(style: Style) -> Self {
        Made { style, count: 0 }
    }

    fn entry(&self, number: usize, dice: &mut Dice) -> Piece {
        let actor = ["agent-a", "agent-b"][dice.below(2)];
        let title = format!("topic {number:03} {}", words(1 + dice.below(4), dice));
        let day = number / 3;
        let date = format!("2026-{:02}-{:02}", 3 + day / 28 % 9, 1 + day % 28);
        let (level, name) = match self.style {
            Style::Sessions => ("###", format!("{actor}: {title}")),
            Style::Forms => {
                ("###", format!("{:02}:{:02} — {title} ({actor})", 8 + number % 3 * 4, number * 7 % 60))
            }
            Style::Dated | Style::NewestFirst => ("##", format!("{date} — {title} ({actor})")),
        };
        let body = match (self.style, dice.below(6)) {
            // What many entries say alike tells none of them from the others.
            (_, 0) => "Nothing new.".to_owned(),
            (Style::Forms, _) => format!(
                "```\nHandoff: {}\nOwner: {actor}\nStatus: done\nChanged files:\n  - src/{}.rs\nTests run: make check (12 \
                 passed, 0 failed)\nRisks/assumptions: none\nBlocking items: none\nNext owner: agent-b\n```",
                words(3, dice),
                words(1, dice)
            ),
            (_, 1) => (0..3).map(|_| format!("- {}", words(5, dice))).collect::<Vec<_>>().join("\n"),
            _ => {
                let count = 1 + dice.below(3);
                (0..count).map(|_| words(12, dice) + ".").collect::<Vec<_>>().join("\n\n")
            }
        };
        Piece { text: format!("{level} {name}\n\n{body}\n\n"), name }
    }
}

fn words(count: usize, dice: &mut Dice) -> String {
    (0..count).map(|_| WORDS[dice.below(WORDS.len())]).collect::<Vec<_>>().join(" ")
}

impl Shape for Made {
    fn rule(&self, fault: Fault) -> Option<&'static str> {
        rule(fault, false)
    }

    fn file(&self) -> &str {
        "docs/WORKLOG.md"
    }

    fn archive(&self) -> Option<&str> {
        Some("docs/WORKLOG_ARCHIVE.md")
    }

    fn top(&self, now: usize) -> String {
        match self.style {
            Style::Sessions | Style::Forms => {
                format!("# Worklog\n\nNow Working (agent-a): step {now} — 2026-03-01T10:{now:02}:00Z\n\n")
            }
            Style::Dated | Style::NewestFirst => "# Work log\n\n".to_owned(),
        }
    }

    fn newest_first(&self) -> bool {
        matches!(self.style, Style::NewestFirst)
    }

    fn next(&mut self, dice: &mut Dice) -> Option<Vec<Piece>> {
        let mut out = Vec::new();
        if matches!(self.style, Style::Sessions | Style::Forms) && self.count.is_multiple_of(4) {
            let session = self.count / 4 + 1;
            let text = format!("## Session {session} — 2026-03-{:02}\n\n", session.min(28));
            out.push(Piece { name: String::new(), text });
        }
        self.count += 1;
        out.push(self.entry(self.count, dice));
        Some(out)
    }

    fn stranger(&self, dice: &mut Dice) -> Piece {
        self.entry(900 + dice.below(99), dice)
    }

    fn edited(&self, piece: &Piece, dice: &mut Dice) -> Piece {
        let (head, body) = piece.text.split_once("\n\n").unwrap();
        let new = words(2, dice);
        let text = match dice.below(4) {
            // A word more in the heading, in the text, a line more, a word less.
            0 => piece.text.replacen("topic", "subject", 1),
            1 => format!("{head}\n\n{}\n\n{new} at last.\n\n", body.trim_end()),
            2 => format!("{head}\n\n{new} {body}"),
            _ => format!("{head}\n\n{}", body.trim_end().rsplit_once(' ').unwrap().0.to_owned() + "\n\n"),
        };
        Piece { text, name: piece.name.clone() }
    }

    fn spliced(&self, one: &Piece, other: &Piece) -> Piece {
        let body = other.text.split_once("\n\n").unwrap().1;
        Piece { text: format!("{}{body}", one.text), name: one.name.clone() }
    }
}

/// The statuses that a message goes through before its end.
const STATUSES: [&str; 3] = ["unread", "acknowledged", "actioned"];

/// The index of a message's status among those, and the text before and behind it.
fn status(text: &str) -> Option<(usize, &str, &str)> {
    let (head, rest) = text.split_at(text.find("Status:")? + "Status:".len());
    let space = rest.len() - rest.trim_start_matches(['*', ' ']).len();
    let (head, rest) = (&text[..head.len() + space], &rest[space..]);
    let at = STATUSES.iter().position(|status| rest.starts_with(status))?;
    Some((at, head, &rest[STATUSES[at].len()..]))
}

/// A message one or two steps further, with the ack of its receiver that says so.
pub fn further(piece: &Piece, receiver: &str, dice: &mut Dice) -> Option<Piece> {
    let (at, head, rest) = status(&piece.text)?;
    let to = STATUSES.get(at + 1 + dice.below(2))?;
    let ack = format!("Ack: {receiver} 2026-04-01 — {to}.");
    Some(Piece { text: format!("{head}{to}{}\n\n{ack}\n\n", rest.trim_end()), name: piece.name.clone() })
}

/// A message some steps back, without a reply that would put it there.
pub fn back(piece: &Piece, dice: &mut Dice) -> Option<Piece> {
    let (at, head, rest) = status(&piece.text)?;
    let to = STATUSES.get(dice.below(at).min(at.checked_sub(1)?))?;
    Some(Piece { text: format!("{head}{to}{rest}"), name: piece.name.clone() })
}

/// A mailbox that grows, the newest message first.
#[derive(Default)]
pub struct Mail {
    count: usize,
}

impl Mail {
    fn message(&self, number: usize, dice: &mut Dice) -> Piece {
        let (day, name) = (1 + number / 30, format!("MSG-202603{:02}-{number:03}", 1 + number / 30));
        let (subject, text) = (words(3, dice), words(12, dice));
        let status = STATUSES[dice.below(STATUSES.len())];
        let text = format!(
            "### {name}\n\nFrom: agent-a -> agent-b\nDate: 2026-03-{day:02}\nType: request\nPriority: P2\nStatus: \
             {status}\nSubject: topic {subject}\nClosure owner: agent-a\n\n{text}.\n\nAck: agent-b 2026-03-{day:02} — {status}.\n\n"
        );
        Piece { name, text }
    }
}

impl Shape for Mail {
    fn rule(&self, fault: Fault) -> Option<&'static str> {
        rule(fault, true)
    }

    fn file(&self) -> &str {
        "docs/MAILBOX.md"
    }

    fn archive(&self) -> Option<&str> {
        Some("docs/MAILBOX_ARCHIVE.md")
    }

    fn top(&self, _now: usize) -> String {
        "# Mailbox\n\n## Active Messages (Newest First)\n\n".to_owned()
    }

    fn newest_first(&self) -> bool {
        true
    }

    fn next(&mut self, dice: &mut Dice) -> Option<Vec<Piece>> {
        self.count += 1;
        Some(vec![self.message(self.count, dice)])
    }

    fn stranger(&self, dice: &mut Dice) -> Piece {
        self.message(900 + dice.below(99), dice)
    }

    fn edited(&self, piece: &Piece, dice: &mut Dice) -> Piece {
        let (from, to) = [
            ("Subject: topic", "Subject: subject"),
            (".\n\nAck", ", and more.\n\nAck"),
            ("Priority: P2", "Priority: P1"),
        ][dice.below(3)];
        Piece { text: piece.text.replacen(from, to, 1), name: piece.name.clone() }
    }

    fn spliced(&self, one: &Piece, other: &Piece) -> Piece {
        let said = other.text.split("\n\n").nth(2).unwrap();
        Piece { text: one.text.replacen("\n\nAck", &format!("\n\n{said}\n\nAck"), 1), name: one.name.clone() }
    }

    fn further(&self, piece: &Piece, dice: &mut Dice) -> Option<Piece> {
        further(piece, "agent-b", dice)
    }

    fn back(&self, piece: &Piece, dice: &mut Dice) -> Option<Piece> {
        back(piece, dice)
    }
}

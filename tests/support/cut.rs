//! Logs that somebody wrote, cut into pieces that a history puts together again. They lie in the folder that
//! `WORKLINT_LOGS` names, beside the configuration and the dialects that they are read with.

use super::faults::{Dice, Fault, Piece, Shape};
use super::logs::{back, further};
use std::path::{Path, PathBuf};
use worklint::config::Config;
use worklint::grammar::{Catalog, Document, read};
use worklint::text::Text;

/// A log with fewer entries has no room for a story.
const FEWEST: usize = 9;

/// What was cut from one document, or several of one kind.
#[derive(Clone)]
pub struct Cut {
    file: String,
    archive: String,
    top: String,
    /// The entries, the first one first, each with what stands before it.
    entries: Vec<Vec<Piece>>,
    /// Entries that no story tells.
    strangers: Vec<Piece>,
    messages: bool,
    /// Who acknowledges which message.
    receivers: Vec<(String, String)>,
    newest_first: bool,
    at: usize,
}

/// The folder with the logs.
pub fn folder() -> Option<PathBuf> {
    std::env::var_os("WORKLINT_LOGS").map(PathBuf::from)
}

/// All logs of a folder that are long enough.
pub fn cuts(folder: &Path) -> Vec<Cut> {
    let config = Config::discover(folder).unwrap().unwrap_or_default();
    let catalog = config.catalog().unwrap();
    let mut out: Vec<Cut> = Vec::new();
    let mut mail: Option<Cut> = None;
    for path in super::markdown(folder) {
        let shown = path.strip_prefix(folder).unwrap().to_str().unwrap().replace('\\', "/");
        let text = Text::from_bytes(std::fs::read(&path).unwrap());
        let name = shown.rsplit('/').next().unwrap();
        let Some(choice) = catalog.choose(name, &text, config.pin(&shown)) else { continue };
        let document = read(&shown, "", choice, text);
        if !document.entries.is_empty() {
            out.extend(log(&document, &config, &catalog));
        } else if !document.cards.is_empty() {
            // A mailbox alone has too few messages.
            let all = mail.get_or_insert_with(|| Cut {
                file: "MAILBOX.md".to_owned(),
                archive: "MAILBOX_ARCHIVE.md".to_owned(),
                top: "# Mailbox\n\n## Active Messages\n\n".to_owned(),
                entries: Vec::new(),
                strangers: Vec::new(),
                messages: true,
                receivers: Vec::new(),
                newest_first: true,
                at: 0,
            });
            cards(&document, all);
        }
    }
    out.extend(mail.filter(|m| m.entries.len() >= FEWEST));
    out
}

fn log(document: &Document, config: &Config, catalog: &Catalog) -> Option<Cut> {
    let text = document.text.as_str();
    let starts: Vec<usize> = document.entries.iter().map(|e| e.span.start).collect();
    let days: Vec<String> =
        document.entries.iter().filter_map(|e| e.stamp.as_ref().map(ToString::to_string)).collect();
    let newest_first = days.first() > days.last();
    let mut entries = Vec::new();
    let mut before = Vec::new();
    for (at, entry) in document.entries.iter().enumerate() {
        let end = starts.get(at + 1).copied().unwrap_or(text.len());
        let heads = document.sessions.iter().map(|s| s.heading.span.start);
        let head = heads.filter(|h| (entry.span.end..end).contains(h)).map(|h| line_start(text, h)).min();
        let own = head.unwrap_or(end);
        let name = entry.head.value.split_whitespace().collect::<Vec<_>>().join(" ");
        let between = |range: std::ops::Range<usize>| {
            let text = text[range].trim();
            (!text.is_empty()).then(|| Piece { name: String::new(), text: ended(text) })
        };
        // What nobody reads stays behind its entry, and a session heading before the next one.
        let unread = between(entry.span.end..own);
        if newest_first {
            before.extend(unread.clone());
        }
        before.push(Piece { name, text: ended(&text[entry.span.start..entry.span.end]) });
        entries.push(std::mem::take(&mut before));
        if !newest_first {
            before.extend(unread.into_iter().chain(between(own..end)));
        }
    }
    if newest_first {
        entries.reverse();
    }
    let strangers = entries.iter().skip(8).step_by(9).filter_map(|e| e.last().cloned()).collect::<Vec<_>>();
    let mut kept: Vec<Vec<Piece>> = entries;
    kept.retain(|e| e.last().is_none_or(|p| !strangers.contains(p)));
    let name = document.grammar().archives.first()?.replace("*", "1");
    let archive =
        document.path.rsplit_once("/").map_or(name.clone(), |(folder, _)| format!("{folder}/{name}"));
    let top = ended(&text[..*starts.first()?]);
    let file = document.path.to_string();
    let cut = Cut {
        file,
        archive,
        top,
        entries: kept,
        strangers,
        messages: false,
        receivers: Vec::new(),
        newest_first,
        at: 0,
    };
    // What reads otherwise in another order cannot be put together again.
    let pieces = cut.entries.iter().flatten();
    let all: Vec<&str> = pieces.map(|p| p.text.as_str()).collect();
    let whole = Text::from(format!("{}{}", cut.top, all.concat()).as_str());
    let choice = catalog.choose(document.path.rsplit('/').next()?, &whole, config.pin(&*document.path))?;
    let again = read(&document.path, "", choice, whole).entries.len();
    (again == cut.entries.len() && again >= FEWEST).then_some(cut)
}

/// Messages under ids of their own, none of them at its end.
fn cards(document: &Document, all: &mut Cut) {
    for card in &document.cards {
        let text = document.text.slice(card.span).trim_end();
        let name = card.id.value.to_string();
        let known = all.entries.iter().flatten().any(|p| p.name == name);
        let status = card.field("status").map(|f| f.value.span);
        let is_new = !known && text.contains(&name) && card.replies.is_empty();
        let Some(status) = status.filter(|s| is_new && s.start >= card.span.start) else { continue };
        let at = status.start - card.span.start;
        let to = ["unread", "acknowledged", "actioned"][all.entries.len() % 3];
        let text = format!("{}{to}{}\n\n", &text[..at], &text[at + status.len()..]);
        let Some(receiver) = card.to.first() else { continue };
        all.receivers.push((name.clone(), receiver.name.clone()));
        all.entries.push(vec![Piece { name, text }]);
    }
}

fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |n| n + 1)
}

fn ended(text: &str) -> String {
    format!("{}\n\n", text.trim_end())
}

impl Cut {
    /// How many entries it has.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// The log from some entry on, so that not all stories are about its beginning.
    pub fn from(mut self, dice: &mut Dice) -> Self {
        self.at = dice.below(self.entries.len().saturating_sub(24).max(1));
        self
    }
}

impl Shape for Cut {
    fn file(&self) -> &str {
        &self.file
    }

    fn archive(&self) -> Option<&str> {
        Some(&self.archive)
    }

    fn rule(&self, fault: Fault) -> Option<&'static str> {
        super::logs::rule(fault, self.messages)
    }

    fn top(&self, _now: usize) -> String {
        self.top.clone()
    }

    fn newest_first(&self) -> bool {
        self.newest_first
    }

    fn next(&mut self, _dice: &mut Dice) -> Option<Vec<Piece>> {
        self.at += 1;
        self.entries.get(self.at - 1).cloned()
    }

    fn stranger(&self, dice: &mut Dice) -> Piece {
        match self.strangers.len() {
            0 => self.entries[self.entries.len() - 1].last().unwrap().clone(),
            all => self.strangers[dice.below(all)].clone(),
        }
    }

    fn edited(&self, piece: &Piece, dice: &mut Dice) -> Piece {
        let lines: Vec<&str> = piece.text.trim_end().lines().collect();
        let told: Vec<usize> = (1..lines.len())
            .filter(|&at| {
                let line = lines[at].trim();
                let is_text =
                    line.split(' ').count() > 3 && line.chars().next().is_some_and(char::is_alphanumeric);
                // What is no part of what a sender wrote may change.
                is_text && !(self.messages && (line.contains("Ack") || line.contains("Status")))
            })
            .collect();
        let mut new: Vec<String> = lines.iter().map(|l| (*l).to_owned()).collect();
        match told.get(dice.below(told.len())) {
            Some(&at) if dice.below(2) == 0 => {
                let at_word = lines[at].rfind(' ').unwrap();
                new[at].truncate(at_word);
            }
            Some(&at) => new[at].push_str(" at last"),
            None => {
                if let Some(last) = new.last_mut() {
                    last.push_str(" at last");
                }
            }
        }
        Piece { text: new.join("\n") + "\n\n", name: piece.name.clone() }
    }

    fn spliced(&self, one: &Piece, other: &Piece) -> Piece {
        // A heading or a ruler in it would end the entry.
        let is_text = |line: &&str| !line.starts_with(['#', '-', '*', '_', '=', '`']);
        let body: Vec<&str> = other.text.lines().skip(1).filter(is_text).collect();
        Piece {
            text: format!("{}\n{}\nand more\n\n", one.text.trim_end(), body.join("\n")),
            name: one.name.clone(),
        }
    }

    fn further(&self, piece: &Piece, dice: &mut Dice) -> Option<Piece> {
        let (_, receiver) = self.receivers.iter().find(|(name, _)| *name == piece.name)?;
        further(piece, receiver, dice)
    }

    fn back(&self, piece: &Piece, dice: &mut Dice) -> Option<Piece> {
        back(piece, dice).filter(|_| self.messages)
    }
}

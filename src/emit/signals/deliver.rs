//! Puts a signal where it belongs: a copy into the sender's outbox, the same bytes under the same name into the
//! receiver's inbox (signal protocol, "Writing Signals"). What is there already, by its id, is left alone.

use super::acknowledge::{Acked, put_ack};
use super::bytes;
use super::mailbox::DeliveryError;
use super::office::Office;
use crate::model::signal::{ACK_EXTENSION, Instant, NameStyle, Signal, TeamId, file_name, suffix_of};
use crate::signals::{Content, Place, Reading, too_large};
use std::path::PathBuf;

/// How many hex digits tell a signal from another of the same name; more where that is not enough.
const SUFFIXES: [usize; 2] = [8, 64];

/// How signals are delivered.
#[derive(Debug, Clone, Copy, Default)]
pub struct Way {
    /// How files are named.
    pub style: NameStyle,
    /// Whether receivers fetch what is for them from the outboxes of the others.
    pub outbox_only: bool,
}

/// What came of a delivery.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Delivered {
    /// Copies that were written.
    pub written: Vec<PathBuf>,
    /// Copies that were there.
    pub present: usize,
    /// Copies and acknowledgements that would be written, if the office were open.
    pub missing: usize,
    /// Acknowledgements that were written.
    pub acked: usize,
    /// Acknowledgements that were there.
    pub acked_before: usize,
    /// Copies that were there and say something else. They are left as they are.
    pub differing: Vec<PathBuf>,
    /// Files that nobody can read and that may be what was to be written, and why. They are left as they are, and
    /// nothing is written in their place.
    pub refused: Vec<(PathBuf, String)>,
}

impl Delivered {
    /// Adds up.
    pub fn add(&mut self, other: Delivered) {
        self.written.extend(other.written);
        self.differing.extend(other.differing);
        self.refused.extend(other.refused);
        self.present += other.present;
        self.missing += other.missing;
        self.acked += other.acked;
        self.acked_before += other.acked_before;
    }
}

/// A copy of a signal.
enum Copy {
    /// It is there, under a name; none when it lies in the archive.
    There(Option<String>),
    /// It has to be written.
    Missing,
}

impl Office {
    /// Delivers a signal, and its acknowledgement where it has one. The outbox comes first: whatever ends the
    /// work in the middle, the same again completes it.
    ///
    /// # Errors
    /// When the system refuses, or a box that is needed was not opened.
    pub fn deliver(
        &mut self,
        signal: &Signal,
        acked: Option<Instant>,
        way: Way,
    ) -> Result<Delivered, DeliveryError> {
        let mut done = Delivered::default();
        let content = bytes(signal)?;
        if let Some(why) = too_large(content.len() as u64) {
            return Err(DeliveryError::TooLarge(why));
        }
        let mut wanted = vec![(&signal.from, Place::Outbox)];
        if !way.outbox_only {
            wanted.push((&signal.to, Place::Inbox));
        }
        let copies: Vec<Copy> =
            wanted.iter().map(|(team, place)| self.copy(team, *place, signal, &mut done)).collect();
        let missing: Vec<(&TeamId, Place)> =
            wanted.iter().zip(&copies).filter(|(_, c)| matches!(c, Copy::Missing)).map(|(w, _)| *w).collect();
        let there = copies.iter().find_map(|copy| match copy {
            Copy::There(name) => name.clone(),
            Copy::Missing => None,
        });
        let names = names(signal, there, way.style);
        if let Some(refused) = missing.iter().find_map(|(team, place)| self.refused(team, *place, &names)) {
            done.refused.push(refused);
            return Ok(done);
        }
        let name = self.free_name(&missing, names);
        for (team, place) in missing {
            match self.mailbox(team, place) {
                Some(mailbox) => {
                    let path = mailbox.at(&name);
                    if !mailbox.put(&name, &content)? {
                        return Err(DeliveryError::Taken(path));
                    }
                    done.written.push(path);
                }
                None => done.missing += 1,
            }
        }
        if let (Some(at), false) = (acked, way.outbox_only) {
            // Beside the copy in the inbox; one that was archived is done with.
            let beside = match copies.last() {
                Some(Copy::There(name)) => name.clone(),
                _ => Some(name),
            };
            if let Some(beside) = beside {
                self.ack_once(signal, &beside, at, &mut done)?;
            }
        }
        Ok(done)
    }

    /// Looks for a copy of a signal by its id.
    fn copy(&self, team: &TeamId, place: Place, signal: &Signal, done: &mut Delivered) -> Copy {
        let Some((file, reading)) = self.known(team, place, &signal.id) else { return Copy::Missing };
        if says(reading, signal) {
            done.present += 1;
        } else {
            done.differing.push(self.path(team, file));
        }
        Copy::There((file.place == place).then(|| file.name().to_owned()))
    }

    /// What lies under one of these names and cannot be read, and why.
    fn refused(&self, team: &TeamId, place: Place, names: &[String]) -> Option<(PathBuf, String)> {
        let file = self.unread(team, place, names)?;
        let why = match &file.content {
            Content::Stray(stray) => stray.says(file.place),
            _ => String::new(),
        };
        Some((self.path(team, file), why))
    }

    /// The first of these names that is free in all these boxes.
    fn free_name(&mut self, boxes: &[(&TeamId, Place)], names: Vec<String>) -> String {
        let mut free = |name: &str| {
            boxes.iter().all(|(team, place)| self.mailbox(team, *place).is_none_or(|b| b.is_free(name)))
        };
        let plain = names.first().cloned().unwrap_or_default();
        names.into_iter().find(|name| free(name)).unwrap_or(plain)
    }

    fn ack_once(
        &mut self,
        signal: &Signal,
        name: &str,
        at: Instant,
        done: &mut Delivered,
    ) -> Result<(), DeliveryError> {
        let known = self.known(&signal.to, Place::Inbox, &signal.id);
        if known.is_some_and(|(_, reading)| reading.in_place.as_deref() == Some(&true)) {
            done.acked_before += 1;
            return Ok(());
        }
        let ack = format!("{name}{ACK_EXTENSION}");
        let acked = match self.mailbox(&signal.to, Place::Inbox) {
            Some(inbox) => Some(put_ack(inbox, name, at)?),
            None => self.acked(&signal.to, &ack),
        };
        match acked {
            Some(Acked::Written) => done.acked += 1,
            Some(Acked::Already(_)) => done.acked_before += 1,
            Some(Acked::Broken(why)) => {
                let path = self.roots().signals(&signal.to).join(Place::Inbox.as_str()).join(ack);
                done.refused.push((path, format!("is no ack: {why}")));
            }
            None => done.missing += 1,
        }
        Ok(())
    }
}

/// The names that a signal may have: that of the copy that is there, or else the plain one, or else one that depends
/// on the id.
fn names(signal: &Signal, there: Option<String>, style: NameStyle) -> Vec<String> {
    let named =
        |suffix: Option<&str>| file_name(style, signal.timestamp, signal.kind, &signal.subject, suffix);
    let suffixed = SUFFIXES.map(|digits| named(Some(&suffix_of(&signal.id, digits))));
    there.into_iter().chain([named(None)]).chain(suffixed).collect()
}

/// Whether a file says what the signal says. How it is laid out, and what its receiver added, is no difference.
fn says(reading: &Reading, signal: &Signal) -> bool {
    let is = |field: &Option<crate::text::Spanned<String>>, text: &str| {
        field.as_deref().is_some_and(|f| f == text)
    };
    reading.at == Some(signal.timestamp)
        && reading.kind == Some(signal.kind)
        && is(&reading.from, signal.from.as_str())
        && is(&reading.to, signal.to.as_str())
        && is(&reading.subject, &signal.subject)
        && is(&reading.body, &signal.body)
}

#[cfg(test)]
#[path = "deliver_tests.rs"]
mod tests;

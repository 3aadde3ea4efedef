//! Events to signals, by the rules of `grammar/projections.yaml`. What becomes no signal is told, with the
//! reason.

use super::bytes;
use crate::emit::people::Teams;
use crate::emit::told::{Told, Unmapped};
use crate::emit::words::body;
use crate::grammar::Session;
use crate::grammar::projections::{Outcome, Receivers, Side, SignalProjection, SignalRule};
use crate::model::signal::{Instant, PROTOCOL, Signal, TeamId};
use crate::model::{Event, EventKind, Payload, Stamp};
use crate::signals::too_large;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The subject of what has none.
const NO_SUBJECT: &str = "untitled";

/// A signal to be delivered.
#[derive(Debug, Clone)]
pub struct Outgoing {
    /// The signal.
    pub signal: Signal,
    /// When its receiver acknowledged it.
    pub acked: Option<Instant>,
}

/// What events become.
#[derive(Debug, Clone, Default)]
pub struct Projected {
    /// The signals, by time and id.
    pub signals: Vec<Outgoing>,
    /// Events that become nothing.
    pub unmapped: Vec<Unmapped>,
    /// Events that become something, with a reservation.
    pub notes: Vec<Unmapped>,
}

/// Makes signals of events. `sessions` are those that the events were made of.
pub fn project(
    events: &[Event],
    sessions: &[Session],
    projection: &SignalProjection,
    teams: &Teams,
) -> Projected {
    let mut made =
        Maker { projection, teams, out: Projected::default(), sent: HashMap::new(), acks: BTreeMap::new() };
    let told = Told::all(events, sessions, teams);
    for one in told.iter().filter(|t| t.event.kind == EventKind::MessageSent) {
        if let Some(message) = one.message() {
            made.sent.entry((one.index, message.to_owned())).or_insert(one.event);
        }
    }
    for one in &told {
        made.tell(one);
    }
    made.finish()
}

struct Maker<'a> {
    projection: &'a SignalProjection,
    teams: &'a Teams,
    out: Projected,
    /// The messages of each session by their ids.
    sent: HashMap<(usize, String), &'a Event>,
    /// The first acknowledgement of a message by a team.
    acks: BTreeMap<(usize, String, TeamId), Stamp>,
}

/// The signals of one message, to find them again for their acknowledgements.
type Key = (usize, String, TeamId);

impl Maker<'_> {
    fn tell(&mut self, told: &Told<'_>) {
        let event = told.event;
        let projection = self.projection;
        let Some(rules) = projection.events.get(event.kind.as_str()) else { return };
        let Some(from) = event.actor.as_deref().map(|name| self.teams.of(name)) else {
            // What is never a signal needs no author to be none.
            let reason = match rules.iter().find(|r| told.fits(&r.when, Side::Team)) {
                Some(SignalRule { is: Outcome::None, why: Some(why), .. }) => why.clone(),
                _ => "the source does not say who wrote it".to_owned(),
            };
            return self.out.unmapped.push(told.unmapped(reason));
        };
        let mut served: BTreeSet<TeamId> = BTreeSet::new();
        let mut serving: Option<Receivers> = None;
        let mut acked = false;
        let mut why = None;
        let side = self.side(&from);
        for rule in rules.iter().filter(|r| told.fits(&r.when, side)) {
            match (rule.is, rule.to) {
                (Outcome::None, _) => {
                    if served.is_empty() && !acked {
                        why = rule.why.clone();
                    }
                    break;
                }
                (Outcome::Ack, _) => match self.ack(told, &from) {
                    Ok(()) => acked = true,
                    Err(reason) => why = Some(reason),
                },
                (_, Some(to)) if rule.also || serving.is_none_or(|s| s == to) => {
                    let receivers = self.receivers(told, to, &from);
                    for receiver in receivers {
                        let side = rule.when.to.is_none_or(|side| side == self.side(&receiver));
                        if side && !served.contains(&receiver) {
                            match self.send(told, rule, &from, &receiver) {
                                Ok(()) => {
                                    serving = if rule.also { serving } else { Some(to) };
                                    served.insert(receiver);
                                }
                                Err(reason) => why = Some(reason),
                            }
                        }
                    }
                }
                _ => {}
            }
        }
        if served.is_empty() && !acked {
            let reason = why.unwrap_or_else(|| "it addresses nobody but its author".to_owned());
            self.out.unmapped.push(told.unmapped(reason));
        } else if let Some(reason) = why {
            self.out.notes.push(told.unmapped(reason));
        }
    }

    fn side(&self, team: &TeamId) -> Side {
        if team == self.teams.meta() { Side::Meta } else { Side::Team }
    }

    /// The receivers of a rule, without the sender.
    fn receivers(&self, told: &Told<'_>, to: Receivers, from: &TeamId) -> BTreeSet<TeamId> {
        let mut teams = match to {
            Receivers::Sender => {
                let message = told.message().and_then(|m| self.sent.get(&(told.index, m.to_owned())));
                let sender = message.and_then(|event| event.actor.as_deref());
                sender.map(|name| self.teams.of(name)).into_iter().collect()
            }
            other => told.receivers(other),
        };
        teams.remove(from);
        teams
    }

    /// Makes the signal for one receiver; the reason when that is impossible.
    fn send(&mut self, told: &Told<'_>, rule: &SignalRule, from: &TeamId, to: &TeamId) -> Result<(), String> {
        let event = told.event;
        let Some(kind) = rule.is.signal() else { return Ok(()) };
        let Some(timestamp) = event.timestamp.as_ref().and_then(Instant::of) else {
            return Err("the source gives no date".to_owned());
        };
        let own = if event.subject.trim().is_empty() { NO_SUBJECT } else { event.subject.trim() };
        let subject = rule.subject.as_deref().unwrap_or("{subject}").replace("{subject}", own);
        let signal = Signal {
            id: event.event_id.derive(&format!("{PROTOCOL} {to}")).hyphenated().to_string(),
            timestamp,
            from: from.clone(),
            to: to.clone(),
            kind,
            subject,
            body: body(event, &told.payload, self.projection),
            protocol: PROTOCOL,
        };
        let size = bytes(&signal).map_err(|why| why.to_string())?.len() as u64;
        if let Some(why) = too_large(size) {
            return Err(format!("it is too large: {why}"));
        }
        self.out.signals.push(Outgoing { signal, acked: None });
        Ok(())
    }

    /// Keeps an acknowledgement for the signal that it answers; the reason when it answers none.
    fn ack(&mut self, told: &Told<'_>, from: &TeamId) -> Result<(), String> {
        let message = told.message().unwrap_or_default().to_owned();
        let Some(event) = self.sent.get(&(told.index, message.clone())) else {
            return Err("the message that it answers is not there".to_owned());
        };
        let Payload::Message(sent) = &event.payload else { return Err("it answers no message".to_owned()) };
        if !told.who.of_names(sent.to.iter().map(String::as_str)).contains(from) {
            return Err("it answers a message that was sent to somebody else".to_owned());
        }
        let Some(stamp) = told.event.timestamp.clone().filter(|s| Instant::of(s).is_some()) else {
            return Err("the ack gives no date".to_owned());
        };
        self.acks.entry((told.index, message, from.clone())).or_insert(stamp);
        Ok(())
    }

    /// Puts the acknowledgements to their signals.
    fn finish(mut self) -> Projected {
        let mut acks: HashMap<String, Instant> = HashMap::new();
        for (key, stamp) in std::mem::take(&mut self.acks) {
            let (index, message, team): Key = key;
            let Some(event) = self.sent.get(&(index, message)) else { continue };
            let id = event.event_id.derive(&format!("{PROTOCOL} {team}")).hyphenated().to_string();
            if let Some(at) = acked_at(&stamp, event.timestamp.as_ref()) {
                let known = acks.entry(id).or_insert(at);
                *known = at.min(*known);
            }
        }
        for outgoing in &mut self.out.signals {
            outgoing.acked = acks.get(&outgoing.signal.id).copied();
        }
        // A copy of a session states the same facts under the same ids: each is one signal.
        let mut times: HashMap<String, Instant> = HashMap::new();
        let mut once: BTreeMap<(Instant, String), Outgoing> = BTreeMap::new();
        for outgoing in std::mem::take(&mut self.out.signals) {
            let id = outgoing.signal.id.clone();
            let at = *times.entry(id.clone()).or_insert(outgoing.signal.timestamp);
            once.entry((at, id)).or_insert(outgoing);
        }
        self.out.signals = once.into_values().collect();
        self.out
    }
}

/// When a signal was acknowledged. A day without a time of day is not earlier than the message of the same day,
/// which is the day of whoever wrote it.
fn acked_at(stamp: &Stamp, sent: Option<&Stamp>) -> Option<Instant> {
    let at = Instant::of(stamp)?;
    let same_day = sent.filter(|sent| !stamp.has_time() && sent.compare(stamp).is_some_and(Ordering::is_eq));
    Some(same_day.and_then(Instant::of).map_or(at, |sent| at.max(sent)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ack_of_the_same_day_is_not_earlier_than_its_message() {
        let at = |ack: &str, sent: &str| {
            let (ack, sent) = (Stamp::parse(ack).unwrap(), Stamp::parse(sent));
            acked_at(&ack, sent.as_ref()).unwrap().to_string()
        };
        assert_eq!(at("2026-02-08", "2026-02-08T20:30:00-07:00"), "2026-02-09T03:30:00.000Z");
        assert_eq!(at("2026-02-09", "2026-02-08T10:00Z"), "2026-02-09T00:00:00.000Z");
        assert_eq!(at("2026-02-07", "2026-02-08"), "2026-02-07T00:00:00.000Z");
        assert_eq!(at("2026-02-08T09:00Z", "2026-02-08T10:00Z"), "2026-02-08T09:00:00.000Z");
    }
}

//! What follows from what: the parent of an envelope, what a handoff hands over, and the objections to what is
//! decided. Only what the source names counts; what stands before something is no cause of it.

use super::project::{Draft, Outgoing, Projected, is_objection};
use crate::emit::told::Told;
use crate::grammar::projections::{Own, Parent};
use crate::model::{EventId, EventKind, Payload, Rel};
use serde_json::Value;
use std::collections::{BTreeSet, HashMap, HashSet};
use uuid::Uuid;

/// A session, a participant, and the name of a task.
type Task = (usize, Option<String>, String);

/// References between events, by their numbers.
pub(super) struct Causes {
    /// The first event with an id.
    by_id: HashMap<EventId, usize>,
    /// The messages of each session.
    messages: HashMap<(usize, String), usize>,
    /// The claims of a task by a participant of a session.
    claims: HashMap<Task, BTreeSet<usize>>,
    /// For each decision the objections to it: their words, and their numbers.
    objections: HashMap<usize, Vec<(String, usize)>>,
}

impl Causes {
    pub(super) fn of(told: &[Told<'_>]) -> Causes {
        let (mut by_id, mut messages) = (HashMap::new(), HashMap::new());
        let mut claims: HashMap<Task, BTreeSet<usize>> = HashMap::new();
        for (number, one) in told.iter().enumerate() {
            by_id.entry(one.event.event_id).or_insert(number);
            if let (EventKind::MessageSent, Some(id)) = (one.event.kind, one.message()) {
                messages.entry((one.index, id.to_owned())).or_insert(number);
            }
        }
        for number in numbers(told, |t| t.event.kind == EventKind::TaskClaimed) {
            if let Some(key) = task_of(&told[number]) {
                claims.entry(key).or_default().insert(number);
            }
        }
        let mut causes = Causes { by_id, messages, claims, objections: HashMap::new() };
        causes.find_objections(told);
        causes
    }

    /// The objections to a decision, oldest first: their words, and the numbers of their events.
    pub(super) fn objections(&self, decision: usize) -> &[(String, usize)] {
        self.objections.get(&decision).map(Vec::as_slice).unwrap_or_default()
    }

    /// An objection is to a decision when it is in the same entry, when the decision refers to it, or when both
    /// refer to the same message or entry; and only to a decision that was not taken before.
    fn find_objections(&mut self, told: &[Told<'_>]) {
        let objections: Vec<usize> = numbers(told, |t| is_objection(t.event.kind));
        if objections.is_empty() {
            return;
        }
        // Where each may be met: in its entry, and at whatever it refers to, it and its message among that.
        let mut by_entry: HashMap<(&str, &str), Vec<usize>> = HashMap::new();
        let mut by_number: HashMap<usize, Vec<usize>> = HashMap::new();
        for &objection in &objections {
            let one = &told[objection];
            by_entry.entry(entry(one)).or_default().push(objection);
            let message = one.message().and_then(|id| self.messages.get(&(one.index, id.to_owned())));
            let mut at = self.referred(told, objection);
            at.extend(message.copied().into_iter().chain([objection]));
            at.into_iter().for_each(|number| by_number.entry(number).or_default().push(objection));
        }
        let mut found: HashMap<usize, Vec<(String, usize)>> = HashMap::new();
        for decision in numbers(told, |t| t.event.kind == EventKind::DecisionRecorded) {
            let one = &told[decision];
            let beside = by_entry.get(&entry(one)).into_iter().flatten();
            let about = self.referred(told, decision);
            let about = about.iter().filter_map(|number| by_number.get(number)).flatten();
            let to: BTreeSet<usize> = beside.chain(about).copied().collect();
            let to = to.into_iter().map(|objection| (&told[objection], objection));
            let to: Vec<_> = to
                .filter(|(other, _)| one.index == other.index && !is_before(one, other))
                .map(|(other, objection)| (words(other), objection))
                .collect();
            if !to.is_empty() {
                found.insert(decision, to);
            }
        }
        self.objections = found;
    }

    /// The events that an event refers to by its references of kinds that say so, and what the message that it is
    /// about refers to.
    fn referred(&self, told: &[Told<'_>], number: usize) -> BTreeSet<usize> {
        let kinds = [Parent::Section, Parent::ObjectsTo, Parent::ReplyTo, Parent::Amends];
        let mut out: BTreeSet<usize> = kinds.into_iter().flat_map(|k| self.named(told, number, k)).collect();
        let one = &told[number];
        if is_objection(one.event.kind) {
            let message = one.message().and_then(|id| self.messages.get(&(one.index, id.to_owned())));
            out.extend(message.into_iter().flat_map(|m| self.named(told, *m, Parent::ReplyTo)));
        }
        out
    }

    /// The events that one place of an event names.
    fn named(&self, told: &[Told<'_>], number: usize, place: Parent) -> BTreeSet<usize> {
        let one = &told[number];
        let by_rel = |rels: &[Rel]| -> BTreeSet<usize> {
            let links = one.event.links.iter().filter(|link| rels.contains(&link.rel));
            links.filter_map(|link| self.by_id.get(&link.event_id?).copied()).collect()
        };
        match place {
            Parent::ReplyTo => by_rel(&[Rel::ReplyTo]),
            Parent::Amends => by_rel(&[Rel::Amends]),
            Parent::ObjectsTo => by_rel(&[Rel::ObjectsTo]),
            Parent::Section => {
                let section = one.text("section").unwrap_or_default().to_lowercase();
                let section = section.split_whitespace().collect::<Vec<_>>().join(" ");
                let links = one.event.links.iter().filter(|link| {
                    matches!(link.rel, Rel::Message | Rel::Entry)
                        && section.contains(&link.target.to_lowercase())
                });
                links.filter_map(|link| self.by_id.get(&link.event_id?).copied()).collect()
            }
            Parent::Message => {
                let message = one.message().and_then(|id| self.messages.get(&(one.index, id.to_owned())));
                message.copied().filter(|m| *m != number).into_iter().collect()
            }
            Parent::Claim => task_of(one).and_then(|key| self.claims.get(&key).cloned()).unwrap_or_default(),
            Parent::Payload => self.payload(told, number).into_iter().collect(),
        }
    }

    /// What a handoff hands over: the completed task that the same lines state; of a message the one whose handoff
    /// it announces, by what it refers to or by the name of the task.
    fn payload(&self, told: &[Told<'_>], number: usize) -> Option<usize> {
        let one = &told[number];
        let completed = |t: &Told<'_>| t.event.kind == EventKind::TaskCompleted && t.index == one.index;
        if one.event.kind == EventKind::HandoffPosted {
            // Both events of a handoff stand one behind the other.
            let stated =
                |t: &Told<'_>| completed(t) && t.event.payload.source() == one.event.payload.source();
            return (0..number).rev().find(|at| stated(&told[*at]) && task(&told[*at]) == task(one));
        }
        let linked = one.event.links.iter().filter_map(|link| self.by_id.get(&link.event_id?).copied());
        let linked: BTreeSet<usize> = linked.filter(|at| completed(&told[*at])).collect();
        if let [only] = linked.iter().copied().collect::<Vec<_>>()[..] {
            return Some(only);
        }
        let subject = one.event.subject.to_lowercase();
        let named = numbers(told, |t| {
            completed(t)
                && t.event.actor == one.event.actor
                && task(t).is_some_and(|task| task.len() > 7 && subject.contains(&task))
        });
        if let [only] = named[..] { Some(only) } else { None }
    }

    /// Sets what each envelope follows from and hands over. One whose payload is not there is none.
    pub(super) fn link(&self, drafts: Vec<Draft<'_>>, told: &[Told<'_>], out: &mut Projected) {
        let mut by_event: HashMap<usize, Vec<usize>> = HashMap::new();
        let mut kept: Vec<Draft<'_>> = Vec::new();
        // Envelopes that hand something over come after those that are handed over.
        let (handing, others): (Vec<_>, Vec<_>) =
            drafts.into_iter().partition(|draft| payload_field(draft).is_some());
        for draft in others {
            by_event.entry(draft.number).or_default().push(kept.len());
            kept.push(draft);
        }
        for mut draft in handing {
            let payload =
                self.payload(told, draft.number).and_then(|event| by_event.get(&event)?.first().copied());
            let (Some(payload), Some(field)) = (payload, payload_field(&draft)) else {
                let reason = "what it hands over is not there, or not an envelope";
                out.unmapped.push(told[draft.number].unmapped(reason));
                continue;
            };
            let id = kept[payload].outgoing.id.hyphenated().to_string();
            draft.outgoing.value[field] = id.into();
            by_event.entry(draft.number).or_default().push(kept.len());
            kept.push(draft);
        }
        self.set_parents(&mut kept, &by_event, told, out);
        kept.sort_by_key(|draft| draft.number);
        out.envelopes = kept.into_iter().map(|draft| draft.outgoing).collect();
    }

    fn set_parents(
        &self,
        drafts: &mut [Draft<'_>],
        by_event: &HashMap<usize, Vec<usize>>,
        told: &[Told<'_>],
        out: &mut Projected,
    ) {
        let mut parents: HashMap<Uuid, Uuid> = HashMap::new();
        let mut order: Vec<usize> = (0..drafts.len()).collect();
        // Where two name each other, the later one follows from the earlier.
        order.sort_by_key(|at| std::cmp::Reverse(drafts[*at].number));
        for at in order {
            let draft = &drafts[at];
            let one = &told[draft.number];
            let parent = match self.parent(draft, drafts, by_event, told) {
                Ok(Some(parent)) => &drafts[parent].outgoing,
                Ok(None) => continue,
                Err(reason) => {
                    out.notes.push(one.unmapped(reason));
                    continue;
                }
            };
            let own = &draft.outgoing;
            let why = if parent.workflow != own.workflow {
                Some("what it follows from belongs to another session, so `parent_id` is empty")
            } else if leads_to(&parents, parent.id, own.id) {
                Some("it follows from something that follows from it, so `parent_id` is empty")
            } else {
                None
            };
            if let Some(why) = why {
                out.notes.push(one.unmapped(why));
                continue;
            }
            if parent.created > own.created {
                out.notes.push(one.unmapped("it is dated before what it follows from"));
            }
            parents.insert(own.id, parent.id);
        }
        for draft in drafts {
            if let Some(parent) = parents.get(&draft.outgoing.id) {
                draft.outgoing.value["parent_id"] = parent.hyphenated().to_string().into();
            }
        }
    }

    /// The envelope that one follows from: that of what it names, or of what that follows from, where it is none
    /// itself. None when it names nothing; the reason when it names several, or what is no envelope.
    fn parent(
        &self,
        draft: &Draft<'_>,
        drafts: &[Draft<'_>],
        by_event: &HashMap<usize, Vec<usize>>,
        told: &[Told<'_>],
    ) -> Result<Option<usize>, String> {
        let mut from = draft.number;
        let mut places: &[Parent] = &draft.rule.parent;
        let mut seen = HashSet::from([from]);
        let mut named_none = false;
        loop {
            let named =
                places.iter().map(|place| self.named(told, from, *place)).find(|found| !found.is_empty());
            let Some(named) = named else {
                return if named_none || self.is_dangling(told, draft) {
                    Err("what it follows from is no envelope, so `parent_id` is empty".to_owned())
                } else {
                    Ok(None)
                };
            };
            let mut numbers = named.into_iter();
            let (Some(next), None) = (numbers.next(), numbers.next()) else {
                return Err("it follows from several, so `parent_id` is empty".to_owned());
            };
            let of_next = by_event.get(&next).map(Vec::as_slice).unwrap_or_default();
            if next != draft.number && !of_next.is_empty() {
                // Of several with the same words, the one that the sender has received.
                let mine = |at: &&usize| received(&drafts[**at].outgoing, &draft.outgoing);
                return Ok(of_next.iter().find(mine).or_else(|| of_next.first()).copied());
            }
            if !seen.insert(next) {
                return Err("what it follows from is no envelope, so `parent_id` is empty".to_owned());
            }
            named_none = true;
            from = next;
            places = &[Parent::ReplyTo, Parent::Message, Parent::ObjectsTo, Parent::Section];
        }
    }

    /// Whether the event names something that is not there.
    fn is_dangling(&self, told: &[Told<'_>], draft: &Draft<'_>) -> bool {
        let one = &told[draft.number];
        let wants = |place: Parent| draft.rule.parent.contains(&place);
        let lost = |rel: Rel| one.event.links.iter().any(|link| link.rel == rel && link.event_id.is_none());
        (wants(Parent::ReplyTo) && lost(Rel::ReplyTo))
            || (wants(Parent::ObjectsTo) && lost(Rel::ObjectsTo))
            || (wants(Parent::Section) && one.text("section").is_some())
            || (wants(Parent::Message) && one.message().is_some())
    }
}

fn numbers(told: &[Told<'_>], is: impl Fn(&Told<'_>) -> bool) -> Vec<usize> {
    told.iter().enumerate().filter(|(_, t)| is(t)).map(|(number, _)| number).collect()
}

/// The field that holds what is handed over.
fn payload_field<'d>(draft: &Draft<'d>) -> Option<&'d str> {
    draft.rule.fields.iter().find(|(_, source)| source.own == Some(Own::Payload)).map(|(name, _)| name)
}

fn received(parent: &Outgoing, child: &Outgoing) -> bool {
    let origin = child.value.get("origin_squad").and_then(Value::as_str);
    parent.target.as_ref().map(|team| team.as_str()) == origin && origin.is_some()
}

fn leads_to(parents: &HashMap<Uuid, Uuid>, from: Uuid, to: Uuid) -> bool {
    let mut at = Some(from);
    while let Some(id) = at {
        if id == to {
            return true;
        }
        at = parents.get(&id).copied();
    }
    false
}

/// The document and the entry that state an event.
fn entry<'t>(told: &Told<'t>) -> (&'t str, &'t str) {
    let source = told.event.payload.source();
    (&source.path, &source.entry)
}

/// The name of a task, however it is spaced and written.
fn task(told: &Told<'_>) -> Option<String> {
    let name = told.text("task")?.to_lowercase();
    Some(name.split_whitespace().collect::<Vec<_>>().join(" ")).filter(|name| !name.is_empty())
}

fn task_of(told: &Told<'_>) -> Option<Task> {
    Some((told.index, told.event.actor.clone(), task(told)?))
}

fn is_before(one: &Told<'_>, other: &Told<'_>) -> bool {
    let stamps = one.event.timestamp.as_ref().zip(other.event.timestamp.as_ref());
    stamps.is_some_and(|(one, other)| one.is_surely_before(other))
}

/// What an objection says, word for word: what it recommends and why, or else its whole text.
fn words(told: &Told<'_>) -> String {
    let Payload::Objection(objection) = &told.event.payload else { return String::new() };
    let parts = [&objection.counter, &objection.reasoning].into_iter().flatten();
    let parts: Vec<&str> = parts.map(|part| part.trim()).filter(|part| !part.is_empty()).collect();
    match (parts.is_empty(), &objection.body) {
        (true, Some(body)) => body.trim().to_owned(),
        (true, None) => told.event.subject.clone(),
        (false, _) => parts.join("\n\n"),
    }
}

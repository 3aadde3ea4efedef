//! Events to envelopes, by the rules of `grammar/projections.yaml`. What becomes none is told, with the reason.

use super::Tasks;
use super::causes::Causes;
use super::fields::{Making, assumed};
use super::handles::Handles;
use crate::emit::people::Teams;
use crate::emit::told::{Told, Unmapped};
use crate::grammar::projections::{BodyProjection, Own, Projections, Side, SquadProjection, SquadRule};
use crate::grammar::{Session, known};
use crate::model::payload::Source;
use crate::model::signal::{Instant, TeamId};
use crate::model::{Event, EventKind, Payload, shared_id};
use crate::squad::{Kind, blank};
use serde_json::{Map, Value};
use std::collections::{BTreeSet, HashMap, HashSet};
use uuid::Uuid;

/// The band of a charter of what needs approval, by its name in the grammar.
const APPROVAL: &str = "approval";

/// What decides how events become envelopes, beside the projection.
pub struct Way<'a> {
    /// Which squad a participant is.
    pub teams: &'a Teams,
    /// Keeps repositories apart whose envelopes are collected in one place.
    pub namespace: Option<&'a str>,
    /// The session of documents whose charter names none.
    pub session: Option<&'a str>,
    /// What no log says of tasks.
    pub tasks: &'a Tasks,
    /// How many characters a text may have before the rest stays behind its handle.
    pub longest: usize,
}

/// An envelope and where it comes from.
#[derive(Debug, Clone)]
pub struct Outgoing {
    /// Its identifier.
    pub id: Uuid,
    /// Its type.
    pub kind: Kind,
    /// The squad that it is for.
    pub target: Option<TeamId>,
    /// When it was created.
    pub created: Instant,
    /// The workflow that it belongs to.
    pub workflow: Uuid,
    /// Where its event was read.
    pub source: Source,
    /// All that it says.
    pub value: Value,
    /// JSON pointers of the fields that say what the source says, or what the projection does.
    pub said: BTreeSet<String>,
}

/// What events become.
#[derive(Debug, Clone, Default)]
pub struct Projected {
    /// The envelopes, by time; of the same time each behind what it follows from, and else in the order of their
    /// events.
    pub envelopes: Vec<Outgoing>,
    /// Events that become nothing.
    pub unmapped: Vec<Unmapped>,
    /// Events that become something, with a reservation.
    pub notes: Vec<Unmapped>,
}

/// Makes envelopes of events. `sessions` are those that the events were made of.
pub fn project(
    events: &[Event],
    sessions: &[Session],
    projections: &Projections,
    way: &Way<'_>,
) -> Projected {
    let told = Told::all(events, sessions, way.teams);
    let subjects: HashMap<String, String> =
        events.iter().map(|event| (event.event_id.to_string(), event.subject.clone())).collect();
    let mut maker = Maker {
        words: &projections.squads,
        body: &projections.signals.body,
        way,
        subjects: &subjects,
        causes: Causes::of(&told),
        sessions: sessions.iter().enumerate().map(|(index, s)| About::of(index, s, &told, way)).collect(),
        drafts: Vec::new(),
        ids: HashSet::new(),
        out: Projected::default(),
    };
    for (number, one) in told.iter().enumerate() {
        maker.tell(number, one);
    }
    maker.finish(&told)
}

/// An envelope that does not know yet what it follows from.
pub(super) struct Draft<'a> {
    /// Number of its event.
    pub number: usize,
    pub rule: &'a SquadRule,
    pub outgoing: Outgoing,
}

/// What a session says of all its events.
struct About {
    /// What its charter calls it.
    name: Option<String>,
    /// The id of its milestone.
    goal: Option<String>,
    /// Who owns which paths.
    lanes: Vec<(BTreeSet<TeamId>, Vec<String>)>,
    /// What needs the approval of the people who decide, in lower case.
    reserved: Vec<String>,
}

impl About {
    fn of(index: usize, session: &Session, told: &[Told<'_>], way: &Way<'_>) -> About {
        let name = session.charter_id().or_else(|| way.session.map(str::to_owned));
        let milestone = session.setting("milestone");
        let goal = milestone.map(|m| format!("{} {m}", name.as_deref().unwrap_or_default()));
        let lanes = told.iter().filter(|t| t.index == index).filter_map(|t| match &t.event.payload {
            Payload::Lane(lane) => {
                let owners = lane.owner.as_deref().map(|owner| t.who.of_text(owner)).unwrap_or_default();
                Some((owners, lane.paths.clone()))
            }
            _ => None,
        });
        let goal = goal.map(|goal| shared_id(way.namespace, "goal", &goal).hyphenated().to_string());
        About { goal, lanes: lanes.collect(), name, reserved: reserved(session) }
    }
}

/// The parts of the charter's band of what needs approval.
fn reserved(session: &Session) -> Vec<String> {
    let covered = session.documents.iter().flat_map(|document| {
        let bands = &document.grammar().charter.bands;
        document.bands().filter(|band| known(bands, band.label()) == Some(APPROVAL)).map(|band| band.text())
    });
    let parts = covered.flat_map(|text| text.split([',', ';'])).map(|part| part.trim().to_lowercase());
    parts.filter(|part| part.chars().any(char::is_alphanumeric)).collect()
}

struct Maker<'a> {
    words: &'a SquadProjection,
    body: &'a BodyProjection,
    way: &'a Way<'a>,
    subjects: &'a HashMap<String, String>,
    causes: Causes,
    sessions: Vec<About>,
    drafts: Vec<Draft<'a>>,
    ids: HashSet<Uuid>,
    out: Projected,
}

impl<'a> Maker<'a> {
    fn tell(&mut self, number: usize, told: &Told<'_>) {
        let words = self.words;
        let Some(rules) = words.events.get(told.event.kind.as_str()) else { return };
        let from = told.event.actor.as_deref().map(|name| self.way.teams.of(name));
        let side = |team: &TeamId| if team == self.way.teams.meta() { Side::Meta } else { Side::Team };
        let own_side = from.as_ref().map_or(Side::Team, side);
        let fitting: Vec<&SquadRule> = rules.iter().filter(|rule| told.fits(&rule.when, own_side)).collect();
        // What is never an envelope needs no author and no date to be none.
        if let Some(SquadRule { why: Some(why), .. }) = fitting.first().filter(|rule| rule.kind().is_none()) {
            return self.out.unmapped.push(told.unmapped(why));
        }
        let begun = match self.begin(told, from.as_ref()) {
            Ok(begun) => begun,
            Err(reason) => return self.out.unmapped.push(told.unmapped(reason)),
        };
        let mut served: BTreeSet<Option<TeamId>> = BTreeSet::new();
        let mut why = None;
        for rule in fitting {
            let Some(kind) = rule.kind().and_then(|word| word.parse::<Kind>().ok()) else {
                why = why.or_else(|| rule.why.clone());
                break;
            };
            let mut targets: BTreeSet<Option<TeamId>> = match rule.to {
                Some(to) => told.receivers(to).into_iter().map(Some).collect(),
                None => BTreeSet::from([None]),
            };
            targets.remove(&Some(begun.from.clone()));
            targets.retain(|t| match (rule.when.to, t) {
                (Some(wanted), Some(team)) => side(team) == wanted,
                _ => true,
            });
            // A rule for nobody in particular is for an event that no rule has served.
            targets.retain(|t| !served.contains(t) && (t.is_some() || served.is_empty()));
            for target in targets {
                match self.make(number, told, &begun, rule, kind, target.as_ref()) {
                    Ok(()) => {
                        served.insert(target);
                    }
                    Err(reason) => why = Some(reason),
                }
            }
        }
        if served.is_empty() {
            let reason = why.unwrap_or_else(|| "it addresses nobody but its author".to_owned());
            self.out.unmapped.push(told.unmapped(reason));
        }
    }

    /// What all envelopes of an event share; the reason when there can be none.
    fn begin(&mut self, told: &Told<'_>, from: Option<&TeamId>) -> Result<Begun, String> {
        let event = told.event;
        let Some(from) = from else { return Err("the source does not say who wrote it".to_owned()) };
        if self.words.reserved.iter().any(|name| name == from.as_str()) {
            return Err(format!("its squad would be `{from}`, which other programs take for themselves"));
        }
        let Some(stamp) = &event.timestamp else { return Err("the source gives no date".to_owned()) };
        let Some(created) = Instant::of(stamp) else { return Err("the source gives no date".to_owned()) };
        let own = self.sessions.get(told.index).and_then(|about| about.name.clone());
        let Some(session) = own.or_else(|| event.session_id.as_deref().map(str::to_owned)) else {
            return Err("the source does not say which session it belongs to: add --session ID".to_owned());
        };
        let workflow = shared_id(self.way.namespace, "session", &session);
        Ok(Begun { from: from.clone(), created, session, workflow, assumed: assumed(stamp) })
    }

    /// Makes the envelope for one receiver; the reason when that is impossible.
    fn make(
        &mut self,
        number: usize,
        told: &Told<'_>,
        begun: &Begun,
        rule: &'a SquadRule,
        kind: Kind,
        target: Option<&TeamId>,
    ) -> Result<(), String> {
        let Some(blank) = blank(kind) else { return Err("nobody has specified its keys".to_owned()) };
        let shown = target.map_or("", TeamId::as_str);
        let id = told.event.event_id.derive(&format!("envelope {kind} {shown}"));
        // A copy of a session states the same facts under the same ids: each is one envelope.
        if !self.ids.insert(id) {
            return Ok(());
        }
        let handles = Handles { tier: &self.words.tier, session: &begun.session, subjects: self.subjects };
        let about = &self.sessions[told.index];
        let objections: Vec<String> =
            self.causes.objections(number).iter().map(|(text, _)| text.clone()).collect();
        let making = Making {
            told,
            words: self.words,
            body: self.body,
            tasks: self.way.tasks,
            longest: self.way.longest,
            handles: &handles,
            target,
            lanes: &about.lanes,
            objections: &objections,
            goal: about.goal.as_deref(),
            reserved: &about.reserved,
        };
        let mut members = blank.members.clone();
        let own_files = rule.fields.iter().any(|(_, f)| f.files.is_some() || f.own == Some(Own::Links));
        let mut refs = vec![handles.own(told)];
        refs.extend(handles.linked(&told.event.links, !own_files));
        let origin = rule.origin.clone().unwrap_or_else(|| begun.from.to_string());
        for (key, value) in [
            ("id", Value::from(id.hyphenated().to_string())),
            ("type", kind.as_str().into()),
            ("origin_squad", origin.into()),
            ("target_squad", target.map(TeamId::as_str).into()),
            ("workflow_id", begun.workflow.hyphenated().to_string().into()),
            ("context_refs", refs.into()),
            ("created_at", begun.created.to_string().into()),
        ] {
            members.insert(key.to_owned(), value);
        }
        let mut said = BTreeSet::new();
        let mut notes: Vec<String> = begun.assumed.into_iter().map(str::to_owned).collect();
        notes.extend(rule.note.clone());
        for (name, source) in rule.fields.iter() {
            let filled = making.value(name, source);
            match filled.value {
                Some(value) => {
                    said.insert(format!("/{}", name.replace('.', "/")));
                    set(&mut members, name, value);
                }
                None if source.needed || blank.required.iter().any(|key| key == name) => {
                    self.ids.remove(&id);
                    return Err(format!(
                        "{kind} needs `{name}`, which neither the source nor the configuration gives"
                    ));
                }
                None => {}
            }
            notes.extend(filled.note);
        }
        self.out.notes.extend(notes.into_iter().map(|note| told.unmapped(note)));
        let outgoing = Outgoing {
            id,
            kind,
            target: target.cloned(),
            created: begun.created,
            workflow: begun.workflow,
            source: told.event.payload.source().clone(),
            value: Value::Object(members),
            said,
        };
        self.drafts.push(Draft { number, rule, outgoing });
        Ok(())
    }

    /// Links the envelopes and puts them in order.
    fn finish(mut self, told: &[Told<'_>]) -> Projected {
        let drafts = std::mem::take(&mut self.drafts);
        self.causes.link(drafts, told, &mut self.out);
        // An event with several receivers says the same of each.
        let mut seen: HashSet<(String, String)> = HashSet::new();
        self.out.notes.retain(|note| seen.insert((note.event_id.clone(), note.reason.clone())));
        let levels = levels(&self.out.envelopes);
        self.out.envelopes.sort_by_key(|outgoing| (outgoing.created, levels.get(&outgoing.id).copied()));
        self.out
    }
}

/// How many envelopes of the same time stand between an envelope and the beginning of its chain.
fn levels(envelopes: &[Outgoing]) -> HashMap<Uuid, usize> {
    let parent = |outgoing: &Outgoing| {
        outgoing.value.get("parent_id").and_then(Value::as_str).and_then(|id| Uuid::try_parse(id).ok())
    };
    let by_id: HashMap<Uuid, (Option<Uuid>, Instant)> =
        envelopes.iter().map(|outgoing| (outgoing.id, (parent(outgoing), outgoing.created))).collect();
    let mut levels: HashMap<Uuid, usize> = HashMap::new();
    for outgoing in envelopes {
        // Parents form no circle, and of each chain no part is walked twice.
        let mut way = Vec::new();
        let mut at = Some(outgoing.id);
        let mut level = 0;
        while let Some(id) = at {
            if let Some(known) = levels.get(&id) {
                level = known + 1;
                break;
            }
            way.push(id);
            at = by_id.get(&id).and_then(|(parent, created)| {
                parent.filter(|p| by_id.get(p).is_some_and(|(_, before)| before == created))
            });
        }
        for id in way.into_iter().rev() {
            levels.insert(id, level);
            level += 1;
        }
    }
    levels
}

/// What all envelopes of an event share.
struct Begun {
    from: TeamId,
    created: Instant,
    session: String,
    workflow: Uuid,
    assumed: Option<&'static str>,
}

/// Sets a field, or one of the constraints; text for a list is its only item.
fn set(members: &mut Map<String, Value>, name: &str, value: Value) {
    let (members, name) = match name.split_once('.') {
        Some((outer, inner)) => match members.get_mut(outer).and_then(Value::as_object_mut) {
            Some(members) => (members, inner),
            None => return,
        },
        None => (members, name),
    };
    let is_list = members.get(name).is_some_and(Value::is_array);
    let value = if is_list && value.is_string() { Value::Array(vec![value]) } else { value };
    members.insert(name.to_owned(), value);
}

/// Whether an event says that somebody disagrees.
pub(super) const fn is_objection(kind: EventKind) -> bool {
    matches!(kind, EventKind::ObjectionRaised)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    #[test]
    fn every_rule_makes_an_envelope_that_there_is_of_fields_that_it_has() {
        let projections = Projections::built_in().unwrap();
        let payloads = include_str!("../../../grammar/schemas/event.schema.json");
        let is_field = |name: &str| {
            ["subject", "told", "fields"].contains(&name) || payloads.contains(&format!("\"{name}\":"))
        };
        let mut seen = 0;
        for rule in projections.squads.events.iter().flat_map(|(_, rules)| rules) {
            let Some(word) = rule.kind() else { continue };
            let blank = blank(word.parse().unwrap()).unwrap();
            for (name, source) in rule.fields.iter() {
                let parts: Vec<&str> = name.split('.').collect();
                let found = match parts[..] {
                    ["constraints", inner] => blank.members["constraints"].get(inner),
                    _ => blank.members.get(name),
                };
                assert!(found.is_some(), "{word} has no {name}");
                let texts = source.text.iter().map(String::as_str);
                let texts = texts.chain(source.or.iter().filter_map(Value::as_str));
                let named =
                    texts.flat_map(|text| text.split('{').skip(1)).map(|t| t.split('}').next().unwrap());
                let named = named.chain(source.files.iter().chain(&source.time).map(String::as_str));
                for field in named.chain(source.within.iter().map(String::as_str)) {
                    assert!(is_field(field), "{word} {name}: {field}");
                    seen += 1;
                }
            }
            // What a type requires comes from somewhere.
            let given = ["type", "origin_squad", "workflow_id"];
            let fields: Vec<&str> = rule.fields.iter().map(|(name, _)| name).collect();
            let lost = blank
                .required
                .iter()
                .find(|key| !given.contains(&key.as_str()) && !fields.contains(&key.as_str()));
            assert_eq!(lost, None, "{word}");
        }
        assert!(seen > 30);
    }
}

//! How events become messages of other formats: `grammar/projections.yaml`, as typed data.
//! `grammar/schemas/projections.schema.json` describes the same for editors.

mod squad;

pub use squad::{FieldSource, Own, Parent, Setting, SquadProjection, SquadRule};

use super::catalog::GrammarError;
use super::ordered::Map;
use super::yaml;
use crate::model::EventKind;
use crate::model::signal::{SignalType, TeamId};
use serde::Deserialize;

/// The file's own name.
const FILE_NAME: &str = "projections.yaml";

const BUILT_IN: &str = include_str!("../../grammar/projections.yaml");

/// What the file says, one section a format.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Projections {
    /// File signals.
    pub signals: SignalProjection,
    /// Envelopes between squads.
    pub squads: SquadProjection,
}

/// How events become file signals.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SignalProjection {
    /// Names of the team that coordinates; the first is written.
    pub meta: Vec<String>,
    /// Participants who are that team.
    pub meta_actors: Vec<String>,
    /// The rules of each kind of event, in the order in which they are tried.
    pub events: Map<Vec<SignalRule>>,
    /// What the body says.
    pub body: BodyProjection,
    /// Labels of the lines at the end of the body, and what each of them says.
    pub trailer: Map<String>,
}

/// What becomes of an event.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SignalRule {
    /// What it becomes.
    pub is: Outcome,
    /// For whom.
    pub to: Option<Receivers>,
    /// Whether they get a copy of what others got.
    #[serde(default)]
    pub also: bool,
    /// The subject, with `{subject}` for the event's own.
    pub subject: Option<String>,
    /// When.
    #[serde(default)]
    pub when: When,
    /// Why it becomes nothing.
    pub why: Option<String>,
}

/// What an event becomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// A directive.
    Directive,
    /// A question.
    Question,
    /// A report.
    Report,
    /// An alert.
    Alert,
    /// The acknowledgement of a signal.
    Ack,
    /// Nothing.
    None,
}

impl Outcome {
    /// The type of the signal, where it is one.
    pub const fn signal(self) -> Option<SignalType> {
        match self {
            Outcome::Directive => Some(SignalType::Directive),
            Outcome::Question => Some(SignalType::Question),
            Outcome::Report => Some(SignalType::Report),
            Outcome::Alert => Some(SignalType::Alert),
            Outcome::Ack | Outcome::None => None,
        }
    }
}

/// Who receives a signal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Receivers {
    /// The team that coordinates.
    Meta,
    /// All participants.
    Everyone,
    /// Whom the message names.
    Receivers,
    /// Whom the handoff names.
    NextOwner,
    /// Whom the objection names.
    Against,
    /// Who wrote the message that is answered.
    Sender,
}

/// When a rule fits; what is not said makes no difference.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct When {
    /// Fields of the payload and the values that fit, compared without case.
    pub fields: Map<Vec<String>>,
    /// Fields that the payload must have.
    pub has: Vec<String>,
    /// Which side the sender is on.
    pub from: Option<Side>,
    /// Which side the receiver is on.
    pub to: Option<Side>,
    /// Whether a message states the same.
    pub mirrors: Option<bool>,
    /// Settings of the charter and the words that these begin with, compared without case.
    pub charter: Map<Vec<String>>,
}

/// The team that coordinates, or another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// The team that coordinates.
    Meta,
    /// Any other.
    Team,
}

/// What the body of a message says.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BodyProjection {
    /// The field of the payload that holds the whole text.
    pub whole: String,
    /// Without it: fields and their labels.
    pub fields: Map<String>,
}

impl Projections {
    /// What is compiled into the program.
    ///
    /// # Errors
    /// When it is wrong, which a test excludes.
    pub fn built_in() -> Result<Projections, GrammarError> {
        Projections::parse(FILE_NAME, BUILT_IN)
    }

    /// Reads such a file.
    ///
    /// # Errors
    /// With the line and what is expected there.
    pub fn parse(file: &str, source: &str) -> Result<Projections, GrammarError> {
        let invalid = |line: usize, why: String| GrammarError::Invalid { file: file.to_owned(), line, why };
        if let Some(problem) = yaml::refused(source) {
            return Err(invalid(problem.place.map_or(0, |p| p.line), problem.why));
        }
        let read: Projections = serde_yaml::from_str(source).map_err(|error| {
            let problem = yaml::Problem::from(error);
            invalid(problem.place.map_or(0, |p| p.line), problem.why)
        })?;
        let wrong = [("signals:", read.signals.wrong()), ("squads:", read.squads.wrong())];
        let Some((section, (word, why))) = wrong.into_iter().find_map(|(name, wrong)| Some((name, wrong?)))
        else {
            return Ok(read);
        };
        // YAML's values do not know where they stood; the first line of the section that begins with the word does.
        let mut lines = source.lines().enumerate().skip_while(|(_, line)| !line.starts_with(section));
        let line = lines.find(|(_, line)| line.trim_start().starts_with(&word));
        Err(invalid(line.map_or(0, |(at, _)| at + 1), why))
    }
}

impl SignalProjection {
    /// The team that coordinates, as it is written.
    pub fn meta_team(&self) -> Option<TeamId> {
        self.meta.first().and_then(|name| name.parse().ok())
    }

    /// The first thing that cannot be as it is: the word that opens its line, and why.
    fn wrong(&self) -> Option<(String, String)> {
        if self.meta_team().is_none() {
            return Some(("meta:".to_owned(), "`meta` names no team".to_owned()));
        }
        for (name, rules) in self.events.iter() {
            let wrong = |why: &str| Some((format!("{name}:"), format!("`{name}`: {why}")));
            if !EventKind::ALL.iter().any(|kind| kind.as_str() == name) {
                return wrong("no kind of event");
            }
            for rule in rules {
                match rule.is {
                    Outcome::None if rule.why.is_none() => return wrong("`is: none` needs `why`"),
                    Outcome::None | Outcome::Ack => {}
                    _ if rule.to.is_none() => return wrong("a signal needs `to`"),
                    _ => {}
                }
            }
        }
        let missing = EventKind::ALL.iter().find(|kind| self.events.get(kind.as_str()).is_none())?;
        Some(("events:".to_owned(), format!("`events` does not say what becomes of {missing}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grammar::schemas::testing::assert_fits;

    #[test]
    fn the_built_in_file_is_right_and_fits_its_schema() {
        Projections::built_in().unwrap();
        assert_fits(BUILT_IN, include_str!("../../grammar/schemas/projections.schema.json"));
    }

    #[test]
    fn every_field_that_is_named_is_a_field_of_some_payload() {
        let schema = include_str!("../../grammar/schemas/event.schema.json");
        let signals = Projections::built_in().unwrap().signals;
        let own = ["entry", "event_id", "event_type", "links", "time"];
        let whens = signals.events.iter().flat_map(|(_, rules)| rules).map(|rule| &rule.when);
        let named =
            whens.flat_map(|w| w.fields.iter().map(|(n, _)| n).chain(w.has.iter().map(String::as_str)));
        let named: Vec<&str> = named
            .chain(signals.body.fields.iter().map(|(n, _)| n))
            .chain(signals.trailer.iter().map(|(_, n)| n.as_str()).filter(|n| !own.contains(n)))
            .chain([signals.body.whole.as_str()])
            .collect();
        assert!(named.len() > 30);
        for name in named {
            assert!(schema.contains(&format!("\"{name}\":")), "{name}");
        }
        let labels = include_str!("../../grammar/turnfile.yaml");
        let rules = signals.events.iter().flat_map(|(_, rules)| rules);
        for (name, _) in rules.flat_map(|rule| rule.when.charter.iter()) {
            assert!(labels.contains(&format!(" {name}: [")), "{name}");
        }
    }

    #[test]
    fn a_wrong_file_is_refused_with_its_line() {
        let message = |from: &str, to: &str| {
            assert!(BUILT_IN.contains(from), "{from}");
            Projections::parse("p.yaml", &BUILT_IN.replacen(from, to, 1)).unwrap_err().to_string()
        };
        let line = |text: &str| BUILT_IN.lines().position(|l| l.trim_start().starts_with(text)).unwrap() + 1;
        let at = |text: &str| format!("p.yaml:{}:", line(text));
        let unknown = message("    task.claimed:", "    task.grabbed:");
        assert!(unknown.contains("`task.grabbed`: no kind of event"), "{unknown}");
        let outcome =
            message("{is: report, to: meta, subject: 'Claimed", "{is: rumour, to: meta, subject: 'Claimed");
        assert!(outcome.starts_with(&format!("p.yaml:{}", line("task.claimed") + 1)), "{outcome}");
        assert!(outcome.contains("directive"), "{outcome}");
        let key = message("  meta_actors: ", "  meta_actor: ");
        assert!(key.starts_with(&at("meta_actors")) && key.contains("meta_actors"), "{key}");
        let why = message("why: a charter addresses nobody", "to: meta");
        assert!(why.starts_with(&at("session.chartered")) && why.contains("needs `why`"), "{why}");
        let gone = message("    lane.assigned:\n      - {is: none, why: a lane addresses nobody}\n", "");
        assert!(gone.starts_with(&at("events:")) && gone.contains("lane.assigned"), "{gone}");
        let team = message("meta: [meta, ", "meta: ['../x', ");
        assert!(team.starts_with(&at("meta:")), "{team}");
    }
}

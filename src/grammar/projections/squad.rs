//! How events become envelopes between squads: the section `squads`.

use super::{Receivers, When};
use crate::grammar::ordered::Map;
use crate::model::EventKind;
use crate::model::signal::TeamId;
use serde::Deserialize;
use serde_json::Value;

/// How events become envelopes.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SquadProjection {
    /// Names of the squad of the people who decide; the first is written.
    pub meta: Vec<String>,
    /// Participants who are that squad.
    pub meta_actors: Vec<String>,
    /// Squads that other programs take for themselves.
    pub reserved: Vec<String>,
    /// The tier of memory that a log is.
    pub tier: String,
    /// Words beside the name of who decided that say that nothing is final.
    pub tentative: Vec<String>,
    /// Words of a decision that say that all agreed.
    pub agreed: Vec<String>,
    /// Words that say that an option is what happens when nobody decides.
    pub default: Vec<String>,
    /// Labels of lists of requirements.
    pub requirements: Vec<String>,
    /// How a table says what a proposal changes.
    pub changes: ChangeTable,
    /// What stands in the place of the end of a text that is too long.
    pub shortened: String,
    /// What stands in the place of code and data.
    pub left_out: String,
    /// The rules of each kind of event, in the order in which they are tried.
    pub events: Map<Vec<SquadRule>>,
}

/// A table of changes: names of its columns, and the words for what happens to something.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChangeTable {
    /// What changes.
    pub component: Vec<String>,
    /// How.
    pub change: Vec<String>,
    /// The change itself.
    pub details: Vec<String>,
    /// The types of change, and how people call them.
    pub words: Map<Vec<String>>,
}

/// What becomes of an event.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SquadRule {
    /// A type of envelope, or `none`.
    pub is: String,
    /// For whom; nobody in particular without it.
    pub to: Option<Receivers>,
    /// Who sends it, where that is not the squad of the author.
    pub origin: Option<String>,
    /// Where the envelope that it follows from is named, in the order in which these are asked.
    #[serde(default)]
    pub parent: Vec<Parent>,
    /// When.
    #[serde(default)]
    pub when: When,
    /// What a reader should know of it.
    pub note: Option<String>,
    /// Why it becomes nothing.
    pub why: Option<String>,
    /// What the envelope says in its own fields.
    #[serde(default)]
    pub fields: Map<FieldSource>,
}

impl SquadRule {
    /// The type of the envelope; none where the event becomes nothing.
    pub fn kind(&self) -> Option<&str> {
        (self.is != "none").then_some(self.is.as_str())
    }
}

/// Where a parent is named.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Parent {
    /// The message that a message follows up.
    ReplyTo,
    /// The proposal that is revised.
    Amends,
    /// What is objected to.
    ObjectsTo,
    /// What the index gives as the place of a decision.
    Section,
    /// The message that the event is about.
    Message,
    /// The claim of the same task.
    Claim,
    /// What is handed over.
    Payload,
}

/// Where the value of a field comes from.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct FieldSource {
    /// Just this.
    pub value: Option<Value>,
    /// These words.
    pub text: Option<String>,
    /// Whether the rule is none without it, although its type does not require it.
    pub needed: bool,
    /// Whether these words stay as they are, however many.
    pub verbatim: bool,
    /// What is said in their place, or chosen, when there is nothing else.
    pub or: Option<Value>,
    /// What is added to the words where a field of the payload is missing.
    pub lacking: Map<String>,
    /// A field of the payload that names files.
    pub files: Option<String>,
    /// A field of the payload that is a time.
    pub time: Option<String>,
    /// A setting of the configuration.
    pub setting: Option<Setting>,
    /// Words, and what is chosen when one of them stands there.
    pub choose: Map<Vec<String>>,
    /// The fields of the payload in which such a word may stand; `subject` is the event's own.
    #[serde(rename = "in")]
    pub within: Vec<String>,
    /// What takes more than a field to tell.
    pub own: Option<Own>,
}

/// What the configuration says of tasks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Setting {
    /// What kind of work a participant's tasks are.
    Owner,
    /// The repository.
    Repo,
    /// The branch.
    Branch,
}

/// What takes more than a field of the event to tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Own {
    /// The id of what is handed over.
    Payload,
    /// Objections to what is decided.
    Objections,
    /// Whether a decision is final.
    Final,
    /// What a request lets one choose from.
    Options,
    /// The numbered points of a text.
    Asks,
    /// The id of the milestone.
    Goal,
    /// The files that are others'.
    Lanes,
    /// Handles of the files that the event refers to.
    Links,
    /// Who has to approve what a proposal names.
    Approvals,
    /// The items of a list of requirements.
    Requirements,
    /// The rows of a table of changes.
    Changes,
    /// The option that a request says is the default.
    Default,
}

impl SquadProjection {
    /// The squad of the people who decide, as it is written.
    pub fn meta_team(&self) -> Option<TeamId> {
        self.meta.first().and_then(|name| name.parse().ok())
    }

    /// The first thing that cannot be as it is: the word that opens its line, and why.
    pub(super) fn wrong(&self) -> Option<(String, String)> {
        if self.meta_team().is_none() {
            return Some(("meta:".to_owned(), "`meta` names no squad".to_owned()));
        }
        for (name, rules) in self.events.iter() {
            let wrong = |why: String| Some((format!("{name}:"), format!("`{name}`: {why}")));
            if !EventKind::ALL.iter().any(|kind| kind.as_str() == name) {
                return wrong("no kind of event".to_owned());
            }
            for rule in rules {
                if rule.kind().is_none() && rule.why.is_none() {
                    return wrong("`is: none` needs `why`".to_owned());
                }
                if let Some((field, _)) = rule.fields.iter().find(|(_, source)| source.kinds() != 1) {
                    return wrong(format!("`{field}` needs one source, and only one"));
                }
            }
        }
        let missing = EventKind::ALL.iter().find(|kind| self.events.get(kind.as_str()).is_none())?;
        Some(("events:".to_owned(), format!("`events` does not say what becomes of {missing}")))
    }
}

impl FieldSource {
    /// How many kinds of source it names.
    fn kinds(&self) -> usize {
        [
            self.value.is_some(),
            self.text.is_some(),
            self.files.is_some(),
            self.time.is_some(),
            self.setting.is_some(),
            self.choose.iter().next().is_some(),
            self.own.is_some(),
        ]
        .into_iter()
        .filter(|is| *is)
        .count()
    }
}

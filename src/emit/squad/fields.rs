//! The value of one field of an envelope, from where the projection says that it comes.

use super::Tasks;
use super::handles::Handles;
use super::shorten::shortened;
use super::stated;
use crate::emit::told::Told;
use crate::emit::words;
use crate::grammar::projections::{BodyProjection, FieldSource, Own, Setting, SquadProjection};
use crate::grammar::{Card, Field, field, path_of};
use crate::model::Payload;
use crate::model::Stamp;
use crate::model::signal::{Instant, TeamId};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// What is known while one envelope is made.
pub(super) struct Making<'a> {
    pub told: &'a Told<'a>,
    pub words: &'a SquadProjection,
    pub body: &'a BodyProjection,
    pub tasks: &'a Tasks,
    /// How many characters a text may have.
    pub longest: usize,
    pub handles: &'a Handles<'a>,
    /// For whom it is.
    pub target: Option<&'a TeamId>,
    /// Lanes of the session: who owns which paths.
    pub lanes: &'a [(BTreeSet<TeamId>, Vec<String>)],
    /// Objections to what is decided, word for word.
    pub objections: &'a [String],
    /// The id of the milestone.
    pub goal: Option<&'a str>,
    /// What needs the approval of the people who decide, in lower case.
    pub reserved: &'a [String],
}

/// What a field says, and what a reader should know of it; no value when its source says nothing.
#[derive(Debug, Default)]
pub(super) struct Filled {
    pub value: Option<Value>,
    pub note: Option<String>,
}

impl Filled {
    fn of(value: impl Into<Value>) -> Filled {
        Filled { value: Some(value.into()), note: None }
    }
}

impl Making<'_> {
    /// The value of a field.
    pub(super) fn value(&self, name: &str, source: &FieldSource) -> Filled {
        if let Some(value) = &source.value {
            Filled::of(value.clone())
        } else if let Some(template) = &source.text {
            self.text(name, template, source)
        } else if let Some(field) = &source.files {
            let files = self.told.payload.get(field).and_then(Value::as_array);
            let files = files.into_iter().flatten().filter_map(Value::as_str).map(path_of);
            Filled::of(files.map(|path| self.handles.file(path)).collect::<Vec<_>>())
        } else if let Some(field) = &source.time {
            self.time(name, field)
        } else if let Some(setting) = source.setting {
            Filled { value: self.setting(setting).map(Value::from), note: None }
        } else if let Some(own) = source.own {
            self.own(name, own, source)
        } else {
            self.choose(name, source)
        }
    }

    fn text(&self, name: &str, template: &str, source: &FieldSource) -> Filled {
        let mut note = None;
        let text = self.expand(template).or_else(|| {
            let or = alternatives(source).find_map(|or| Some((or, self.expand(or)?)))?;
            // Other words of the source are no gap; words of our own are.
            if !or.0.contains('{') {
                note = Some(format!("the source says nothing for `{name}`: `{}` is written", or.1));
            }
            Some(or.1)
        });
        let Some(mut text) = text else { return Filled::default() };
        for (field, words) in source.lacking.iter() {
            let lacks = match self.told.payload.get(field) {
                Some(Value::Array(items)) => items.is_empty(),
                other => other.is_none(),
            };
            if lacks {
                text = format!("{text}\n{words}");
                note = Some(format!("the source has no `{field}`: `{words}` is written"));
            }
        }
        if !source.verbatim {
            let (short, cut) = shortened(&text, self.words, self.longest);
            text = short;
            if cut {
                note = Some(format!("`{name}` holds less than the source: the rest is behind its handle"));
            }
        }
        Filled { value: Some(text.into()), note }
    }

    /// The words with what stands between braces replaced; none when the source lacks one of these.
    fn expand(&self, template: &str) -> Option<String> {
        let mut out = String::new();
        let mut rest = template;
        while let Some((before, behind)) = rest.split_once('{') {
            let (name, after) = behind.split_once('}')?;
            out.push_str(before);
            out.push_str(&self.word(name)?);
            rest = after;
        }
        out.push_str(rest);
        Some(out)
    }

    fn word(&self, name: &str) -> Option<String> {
        let text = match name {
            "subject" => self.told.event.subject.clone(),
            "told" => words::told(&self.told.payload, self.body),
            "fields" => words::fields(&self.told.payload, &self.body.fields),
            field => self.told.text(field)?.to_owned(),
        };
        let text = text.trim().to_owned();
        (!text.is_empty()).then_some(text)
    }

    fn time(&self, name: &str, field: &str) -> Filled {
        let Some(text) = self.told.text(field) else { return Filled::default() };
        let stamp = Stamp::parse(text).filter(Stamp::has_date);
        let Some((stamp, at)) = stamp.and_then(|stamp| Some((stamp.clone(), Instant::of(&stamp)?))) else {
            let note = format!("`{field}` is no date, so `{name}` is empty");
            return Filled { value: None, note: Some(note) };
        };
        Filled { value: Some(at.to_string().into()), note: assumed(&stamp).map(str::to_owned) }
    }

    fn setting(&self, setting: Setting) -> Option<String> {
        match setting {
            Setting::Owner => {
                self.tasks.owners.get(&self.told.event.actor.as_deref()?.to_lowercase()).cloned()
            }
            Setting::Repo => self.tasks.repo.clone(),
            Setting::Branch => self.tasks.branch.clone(),
        }
    }

    fn choose(&self, name: &str, source: &FieldSource) -> Filled {
        let texts: Vec<String> =
            source.within.iter().filter_map(|field| Some(self.word(field)?.to_lowercase())).collect();
        for text in &texts {
            for (choice, words) in source.choose.iter() {
                if words.iter().any(|word| holds_word(text, &word.to_lowercase())) {
                    return Filled::of(choice);
                }
            }
        }
        let Some(or) = &source.or else { return Filled::default() };
        let note = format!("`{name}` has no word for it: `{}` is written", or.as_str().unwrap_or_default());
        Filled { value: Some(or.clone()), note: Some(note) }
    }

    fn own(&self, name: &str, own: Own, source: &FieldSource) -> Filled {
        match own {
            // Filled in when all envelopes are there.
            Own::Payload => Filled::of(Value::Null),
            Own::Objections => Filled::of(self.objections.to_vec()),
            Own::Final => Filled::of(self.is_final()),
            Own::Options => self.options(name, source),
            Own::Asks => {
                let asks = asks(self.told.text("body").unwrap_or_default());
                Filled { value: Some(asks).filter(|asks| !asks.is_empty()).map(Value::from), note: None }
            }
            Own::Requirements => {
                let text = self.told.text("body").unwrap_or_default();
                let all = stated::requirements(text, &self.words.requirements);
                Filled { value: Some(all).filter(|all| !all.is_empty()).map(Value::from), note: None }
            }
            Own::Changes => self.changes(name),
            Own::Default => self.default(),
            Own::Approvals => self.approvals(),
            Own::Goal => Filled { value: self.goal.map(Value::from), note: None },
            Own::Lanes => self.lanes(),
            Own::Links => Filled::of(
                self.handles.linked(
                    &self
                        .told
                        .event
                        .links
                        .iter()
                        .filter(|l| l.rel == crate::model::Rel::File)
                        .cloned()
                        .collect::<Vec<_>>(),
                    true,
                ),
            ),
        }
    }

    /// Whether nothing more is to be decided: somebody who decides has, or all agreed, and nobody objected.
    fn is_final(&self) -> bool {
        let Payload::Decision(decision) = &self.told.event.payload else { return false };
        let lower = |text: &str| text.to_lowercase();
        let holds = |text: &str, words: &[String]| words.iter().any(|word| holds_word(&lower(text), word));
        let qualifiers = decision.owners.iter().filter_map(|owner| owner.qualifier.as_deref());
        let tentative = qualifiers.into_iter().any(|text| holds(text, &self.words.tentative));
        let teams = self.told.who.teams;
        let decided = decision.owners.iter().any(|owner| teams.of(&owner.name) == *teams.meta());
        let others = decision.other_fields.iter().map(|f| f.value.as_str());
        let said = [Some(decision.decision.as_str()), decision.rationale.as_deref()].into_iter().flatten();
        let agreed = said.chain(others).any(|text| holds(text, &self.words.agreed));
        !tentative && (decided || agreed) && self.objections.is_empty()
    }

    /// The parts of the decision request that the event is.
    fn request(&self) -> &[Field] {
        let entry = &self.told.event.payload.source().entry;
        let is_own = |card: &&Card| self.told.message().is_some() && card.id.value == *entry;
        self.told.who.document.cards.iter().find(is_own).map_or(&[], |card| &card.request)
    }

    /// What the request lets one choose from, as the envelope says it.
    fn choices(&self) -> Vec<String> {
        let options = field(self.request(), "options").map(Field::list).unwrap_or_default();
        options.iter().map(|option| shortened(option, self.words, self.longest).0).collect()
    }

    fn default(&self) -> Filled {
        let texts: Vec<&str> = self.request().iter().map(|field| field.value.as_str()).collect();
        let mut choices = self.choices();
        let chosen = stated::default(&choices, &texts, &self.words.default);
        Filled { value: chosen.map(|at| choices.swap_remove(at).into()), note: None }
    }

    fn changes(&self, name: &str) -> Filled {
        let (changes, unknown) = stated::changes(self.told.text("body").unwrap_or_default(), self.words);
        let note = (unknown > 0).then(|| {
            format!("rows of a table of changes that do not say what is new, modified or deprecated are not in `{name}`")
        });
        Filled { value: Some(changes).filter(|all| !all.is_empty()).map(Value::from), note }
    }

    fn options(&self, name: &str, source: &FieldSource) -> Filled {
        match Some(self.choices()).filter(|options| !options.is_empty()) {
            Some(options) => Filled::of(options),
            None => Filled {
                note: Some(match &source.or {
                    Some(or) => format!("the source gives no options: {or} is written for `{name}`"),
                    None => format!("the source gives no options, so `{name}` is empty"),
                }),
                value: Some(source.or.clone().unwrap_or_else(|| json!([]))),
            },
        }
    }

    /// The people who decide, where the words of a proposal are among those that the charter reserves to them.
    fn approvals(&self) -> Filled {
        let texts: Vec<String> = ["scope", "proposal"].iter().filter_map(|field| self.word(field)).collect();
        let is_named = |words: &String| texts.iter().any(|text| holds_word(&text.to_lowercase(), words));
        let needed = self.reserved.iter().any(is_named);
        let who = self.words.meta_actors.first().filter(|_| needed);
        who.map_or_else(Filled::default, |who| {
            Filled::of(vec![format!("{}:{who}", self.told.who.teams.meta())])
        })
    }

    /// The files of others, as far as the lanes name single files.
    fn lanes(&self) -> Filled {
        let Some(target) = self.target else { return Filled::default() };
        let others = self.lanes.iter().filter(|(owners, _)| !owners.is_empty() && !owners.contains(target));
        let paths: Vec<&str> = others.flat_map(|(_, paths)| paths.iter().map(String::as_str)).collect();
        let (files, patterns): (BTreeSet<&str>, BTreeSet<&str>) =
            paths.iter().partition(|path| !path.ends_with('/') && !path.contains(['*', '?', '[', '{']));
        let note = (!patterns.is_empty())
            .then(|| "lanes of others that are folders or patterns are not in `do_not_touch`".to_owned());
        Filled { value: Some(json!(files)), note }
    }
}

/// The words in the place of those that cannot be said.
fn alternatives(source: &FieldSource) -> impl Iterator<Item = &str> {
    let several = source.or.as_ref().and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    source.or.as_ref().into_iter().chain(several).filter_map(Value::as_str)
}

/// What of a time the source does not say.
pub(super) const fn assumed(stamp: &Stamp) -> Option<&'static str> {
    match (stamp.has_time(), stamp.has_zone()) {
        (false, _) => Some("the source gives a day and no time of day: midnight UTC is written"),
        (true, false) => Some("the source gives a time without a zone: UTC is written"),
        (true, true) => None,
    }
}

/// Whether a word, or several, stand in a text and are no part of longer ones. Both are in lower case.
pub(super) fn holds_word(text: &str, word: &str) -> bool {
    let is_part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    text.match_indices(word).any(|(at, _)| {
        !is_part(text[..at].chars().next_back()) && !is_part(text[at + word.len()..].chars().next())
    })
}

/// The numbered points of a text, outside code.
fn asks(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for line in stated::outside_code(text) {
        let digits = line.trim_start_matches(|c: char| c.is_ascii_digit());
        let numbered = digits.len() < line.len();
        let point = digits.strip_prefix(['.', ')']).filter(|rest| rest.starts_with(' ')).map(str::trim);
        if let Some(point) = point.filter(|point| numbered && !point.is_empty()) {
            found.push(point.to_owned());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_whole() {
        assert!(holds_word("the schema, then", "schema"));
        assert!(holds_word("on acceptance criteria", "acceptance criteria"));
        assert!(!holds_word("schemas", "schema") && !holds_word("my_schema", "schema"));
    }

    #[test]
    fn numbered_points_are_asks_and_other_lines_are_not() {
        let text = "Please:\n1. do this\n2) and that\n\n3.5 is a number\n- no\n```\n4. code\n```\n10. last\n";
        assert_eq!(asks(text), ["do this", "and that", "last"]);
    }
}

//! What is looked for: `grammar/redaction.yaml`, as typed data. `grammar/schemas/redaction.schema.json` describes
//! the same for editors.

use super::checksum::Check;
use super::normal::{Form, Normal};
use crate::grammar::{GrammarError, ordered::Map, pattern_in_ascii, yaml};
use regex::{Captures, Match, Regex, RegexSet};
use serde::Deserialize;
use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

const FILE_NAME: &str = "redaction.yaml";

const BUILT_IN: &str = include_str!("../../../grammar/redaction.yaml");

static READ: LazyLock<Result<File, GrammarError>> = LazyLock::new(|| File::parse(FILE_NAME, BUILT_IN));

/// What stands in the place of each byte that is blanked out: no part of a word, and no end of a sentence.
const BLANK: &str = "*";

/// How much is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Profile {
    /// What the specification's own function looks for.
    Compat,
    /// More, and with fewer false alarms.
    #[default]
    Strict,
}

impl FromStr for Profile {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "compat" => Ok(Profile::Compat),
            "strict" => Ok(Profile::Strict),
            other => Err(format!("`{other}` is no profile of redaction; strict and compat are")),
        }
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Profile::Compat => "compat",
            Profile::Strict => "strict",
        })
    }
}

/// What kind of thing a class is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Group {
    /// Personal data.
    Pii,
    /// What opens a door.
    Secret,
    /// Words that instruct whoever reads them.
    Injection,
}

/// Looks for the classes of one profile.
#[derive(Debug)]
pub struct Redactor {
    profile: ProfileClasses,
    /// All patterns of all classes: most texts fit none, and are done with in one pass.
    any: RegexSet,
    tokens: Tokens,
    paths: Map<String>,
    signs: Signs,
}

impl Redactor {
    /// The redactor of a profile.
    ///
    /// # Errors
    /// When the file that is compiled in is wrong, which a test excludes.
    pub fn of(profile: Profile) -> Result<&'static Redactor, &'static GrammarError> {
        READ.as_ref().map(|file| match profile {
            Profile::Compat => &file.compat,
            Profile::Strict => &file.strict,
        })
    }

    pub(super) fn classes(&self) -> &[Class] {
        &self.profile.classes
    }

    /// Whether a text can hold something of a class.
    pub(super) fn may_hold(&self, text: &str) -> bool {
        // What is of ASCII alone reads the same in all forms, but for white space.
        if text.is_ascii() {
            return self.any.is_match(self.read(text, false).text());
        }
        let holds = |injections: bool| self.any.is_match(self.read(text, injections).text());
        holds(false) || (self.profile.form != self.profile.form_of_words && holds(true))
    }

    /// A text in the form in which injections, or what is none, are looked for. Only words are read letter by
    /// letter as they look: of an address, each letter counts.
    pub(super) fn read<'t>(&self, text: &'t str, injections: bool) -> Normal<'t> {
        let form = if injections { self.profile.form_of_words } else { self.profile.form };
        Normal::of(text, form, &self.signs)
    }

    #[cfg(test)]
    pub(super) const fn signs(&self) -> &Signs {
        &self.signs
    }

    /// What stands in the place of something of a group.
    pub fn token(&self, group: Group) -> &str {
        match group {
            Group::Pii => &self.tokens.pii,
            Group::Secret => &self.tokens.secret,
            Group::Injection => &self.tokens.injection,
        }
    }

    /// Whether a text under this name is a path.
    pub(super) fn is_path(&self, name: &str, text: &str) -> bool {
        self.paths.get(name).is_some_and(|start| text.starts_with(start.as_str()))
    }
}

/// A kind of thing that is looked for.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Class {
    #[serde(rename = "class")]
    pub(super) name: String,
    pub(super) group: Group,
    #[serde(rename = "patterns")]
    sources: Vec<String>,
    #[serde(rename = "except", default)]
    except_sources: Vec<String>,
    #[serde(rename = "blank", default)]
    blank_sources: Vec<String>,
    digits: Option<(usize, usize)>,
    check: Option<Check>,
    #[serde(skip)]
    pub(super) patterns: Vec<Regex>,
    #[serde(skip)]
    blank: Vec<Regex>,
    #[serde(skip)]
    except: Vec<Regex>,
}

impl Class {
    fn compile(&mut self, ascii: bool) -> Result<(), String> {
        let compile = |sources: &[String]| -> Result<Vec<Regex>, String> {
            let compiled = sources.iter().map(|source| {
                let source = if ascii { pattern_in_ascii(source) } else { source.clone() };
                Regex::new(&source).map_err(|why| format!("`{}`: not a pattern: {why}", self.name))
            });
            compiled.collect()
        };
        self.patterns = compile(&self.sources)?;
        self.except = compile(&self.except_sources)?;
        self.blank = compile(&self.blank_sources)?;
        Ok(())
    }

    /// A text without the words that are none of this class, byte for byte as long.
    pub(super) fn blanked<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let mut text = Cow::Borrowed(text);
        for blank in &self.blank {
            let fill = |found: &Captures<'_>| BLANK.repeat(found.get_match().len());
            if let Cow::Owned(other) = blank.replace_all(&text, fill) {
                text = Cow::Owned(other);
            }
        }
        text
    }

    /// What of a match is to be taken out, if it is one at all.
    pub(super) fn value<'t>(&self, pattern: &Regex, found: &Captures<'t>) -> Option<Match<'t>> {
        let refused = |name: &str| name.starts_with("not") && found.name(name).is_some();
        if pattern.capture_names().flatten().any(refused) {
            return None;
        }
        let value = found.name("value").or_else(|| found.get(0))?;
        let text = value.as_str();
        let count = || text.bytes().filter(u8::is_ascii_digit).count();
        let holds = self.digits.is_none_or(|(least, most)| (least..=most).contains(&count()))
            && self.check.is_none_or(|check| check.holds(text))
            && !self.except.iter().any(|except| except.is_match(text));
        holds.then_some(value)
    }
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct ProfileClasses {
    form: Form,
    form_of_words: Form,
    classes: Vec<Class>,
}

/// Signs that are read as others.
#[derive(Debug, Clone, Deserialize)]
#[serde(try_from = "WrittenSigns")]
pub(super) struct Signs {
    /// Those that Python takes for something else than the patterns here do.
    python: Vec<(Regex, char)>,
    /// The zeros of other scripts, in the order of Unicode.
    pub(super) zeros: Vec<char>,
}

impl Signs {
    /// Where a text has signs that Python takes for something else, in order, each with one that is that here.
    pub(super) fn as_python(&self, text: &str) -> Vec<(usize, char)> {
        let found = |(pattern, sign): &(Regex, char)| {
            pattern.find_iter(text).map(|found| (found.start(), *sign)).collect::<Vec<_>>()
        };
        let mut all: Vec<(usize, char)> = self.python.iter().flat_map(found).collect();
        all.sort_unstable();
        all
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenSigns {
    python: Map<char>,
    zeros: String,
}

impl TryFrom<WrittenSigns> for Signs {
    type Error = regex::Error;

    fn try_from(written: WrittenSigns) -> Result<Self, regex::Error> {
        let compile = |(signs, other): (&str, &char)| Ok((Regex::new(signs)?, *other));
        let python = written.python.iter().map(compile).collect::<Result<_, regex::Error>>()?;
        let mut zeros: Vec<char> = written.zeros.chars().collect();
        zeros.sort_unstable();
        Ok(Signs { python, zeros })
    }
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Tokens {
    pii: String,
    secret: String,
    injection: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    tokens: Tokens,
    paths: Map<String>,
    signs: Signs,
    profiles: Profiles,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Profiles {
    compat: ProfileClasses,
    strict: ProfileClasses,
}

#[derive(Debug)]
struct File {
    compat: Redactor,
    strict: Redactor,
}

impl File {
    fn parse(file: &str, source: &str) -> Result<File, GrammarError> {
        let invalid = |line: usize, why: String| GrammarError::Invalid { file: file.to_owned(), line, why };
        if let Some(problem) = yaml::refused(source) {
            return Err(invalid(problem.place.map_or(0, |p| p.line), problem.why));
        }
        let Written { tokens, paths, signs, profiles } = serde_yaml::from_str(source).map_err(|error| {
            let problem = yaml::Problem::from(error);
            invalid(problem.place.map_or(0, |p| p.line), problem.why)
        })?;
        let redactor = |mut profile: ProfileClasses| {
            for class in &mut profile.classes {
                class.compile(profile.form != Form::Python).map_err(|why| invalid(0, why))?;
            }
            let patterns = profile.classes.iter().flat_map(|class| &class.patterns).map(Regex::as_str);
            let any = RegexSet::new(patterns).map_err(|why| invalid(0, why.to_string()))?;
            Ok(Redactor { profile, any, tokens: tokens.clone(), paths: paths.clone(), signs: signs.clone() })
        };
        Ok(File { compat: redactor(profiles.compat)?, strict: redactor(profiles.strict)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grammar::schemas::testing::assert_fits;

    #[test]
    fn the_built_in_file_is_right_and_fits_its_schema() {
        File::parse(FILE_NAME, BUILT_IN).unwrap();
        assert_fits(BUILT_IN, include_str!("../../../grammar/schemas/redaction.schema.json"));
    }

    #[test]
    fn a_wrong_file_is_refused() {
        let message = |from: &str, to: &str| {
            assert!(BUILT_IN.contains(from), "{from}");
            File::parse("r.yaml", &BUILT_IN.replacen(from, to, 1)).unwrap_err().to_string()
        };
        let pattern = message(r"'\b\d{16}\b'", "'('");
        assert!(pattern.contains("`card`: not a pattern"), "{pattern}");
        let check = message("check: luhn", "check: lunh");
        assert!(check.contains("r.yaml:") && check.contains("luhn"), "{check}");
        assert!(message("    form: python", "    form: perl").contains("perl"));
    }
}

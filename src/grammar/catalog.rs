//! Which dialects there are, and which one a file is written in.

use super::dialect::{Dialect, DocumentGrammar, Profile};
use super::ordered::Map;
use super::pattern::trusting;
use super::yaml;
use crate::text::Text;
use include_dir::{Dir, include_dir};
use serde::Deserialize;
use std::path::Path;
use std::sync::Arc;
use thiserror::Error;

/// The grammar files of the project, compiled in.
static BUILT_IN: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/grammar");

/// Grammar files that are no dialects: what messages of other formats say, and what is taken out of them.
const OTHERS: [&str; 2] = ["projections.yaml", "redaction.yaml"];

/// A grammar file larger than this is refused.
const LARGEST: usize = 256 * 1024;

/// Evidence counted so far settles the matter.
const ENOUGH_EVIDENCE: usize = 64;

/// So many lines speak for a dialect that does not name the file.
const CONVINCING_EVIDENCE: usize = 2;

/// Why a grammar file cannot be used.
#[derive(Debug, Error)]
pub enum GrammarError {
    /// It cannot be read.
    #[error("{file}: cannot read the dialect: {why}")]
    Unreadable {
        /// The file.
        file: String,
        /// The system's words.
        why: std::io::Error,
    },
    /// It says something that a grammar file cannot say.
    #[error("{file}{}: not a dialect: {why}", place(*.line))]
    Invalid {
        /// The file.
        file: String,
        /// 1-based line, 0 when unknown.
        line: usize,
        /// What is wrong and what is expected.
        why: String,
    },
}

fn place(line: usize) -> String {
    if line == 0 { String::new() } else { format!(":{line}") }
}

/// A document's grammar and why it was chosen.
#[derive(Debug, Clone)]
pub struct Choice {
    /// The dialect.
    pub dialect: Arc<Dialect>,
    /// Index into [`Dialect::documents`].
    pub document: usize,
    /// Whether the file is an archive of that document.
    pub archive: bool,
    /// Why, in words.
    pub why: String,
}

impl Choice {
    /// The grammar of the document.
    pub fn grammar(&self) -> &DocumentGrammar {
        &self.dialect.documents[self.document]
    }
}

/// All dialects that this run knows.
#[derive(Debug, Clone)]
pub struct Catalog {
    dialects: Vec<Arc<Dialect>>,
}

impl Catalog {
    /// The names of files that are documents, whatever stands in them.
    pub fn files(&self) -> impl Iterator<Item = &str> {
        let documents = self.dialects().iter().flat_map(|d| &d.documents);
        documents.flat_map(|d| d.files.iter().chain(&d.archives)).map(String::as_str)
    }

    /// The dialects compiled into the program.
    ///
    /// # Errors
    /// When one of them is wrong, which a test excludes.
    pub fn built_in() -> Result<Self, GrammarError> {
        let mut dialects = Vec::new();
        for file in BUILT_IN.files() {
            let name = file.path().display().to_string();
            if name.ends_with(".yaml") && !OTHERS.contains(&name.as_str()) {
                dialects.push(Arc::new(trusting(|| parse(&name, file.contents()))?));
            }
        }
        Ok(Catalog::sorted(dialects))
    }

    /// The dialects of a folder of grammar files.
    ///
    /// # Errors
    /// When the folder or one of its files cannot be read, or a file is no dialect.
    pub fn from_dir(dir: &Path) -> Result<Self, GrammarError> {
        let unreadable = |why| GrammarError::Unreadable { file: dir.display().to_string(), why };
        let mut catalog = Catalog { dialects: Vec::new() };
        for entry in std::fs::read_dir(dir).map_err(unreadable)? {
            let path = entry.map_err(unreadable)?.path();
            let is_dialect = path.file_name().is_some_and(|name| OTHERS.iter().all(|other| name != *other));
            if is_dialect && path.extension().is_some_and(|e| e == "yaml") {
                catalog.add_file(&path)?;
            }
        }
        Ok(Catalog::sorted(catalog.dialects))
    }

    /// Adds a user's dialect; one with the name of an earlier dialect takes its place.
    ///
    /// # Errors
    /// When the file cannot be read or is no dialect.
    pub fn add_file(&mut self, path: &Path) -> Result<(), GrammarError> {
        let file = path.display().to_string();
        let bytes =
            std::fs::read(path).map_err(|why| GrammarError::Unreadable { file: file.clone(), why })?;
        let dialect = Arc::new(parse(&file, &bytes)?);
        self.dialects.retain(|d| d.dialect != dialect.dialect);
        self.dialects.push(dialect);
        Ok(())
    }

    /// The same dialects, held to a profile.
    #[must_use]
    pub fn under(mut self, profile: Profile) -> Self {
        for dialect in &mut self.dialects {
            Arc::make_mut(dialect).narrow(profile);
        }
        self
    }

    // The order of a folder's listing is no order to depend on.
    fn sorted(mut dialects: Vec<Arc<Dialect>>) -> Self {
        dialects.sort_by(|a, b| a.dialect.cmp(&b.dialect));
        Catalog { dialects }
    }

    /// The dialects.
    pub fn dialects(&self) -> &[Arc<Dialect>] {
        &self.dialects
    }

    /// Whether some dialect names files like this one.
    pub fn names(&self, file_name: &str) -> bool {
        self.candidates(file_name).next().is_some()
    }

    /// The dialect in which a file is written: among those that name such a file, the one of which the text
    /// shows most. A file that none names goes by its text alone. `pinned` restricts the choice to one dialect.
    /// None when no dialect names the file and its text speaks for none.
    pub fn choose(&self, file_name: &str, text: &Text, pinned: Option<&str>) -> Option<Choice> {
        let mut named: Vec<Choice> =
            self.candidates(file_name).filter(|c| pinned.is_none_or(|p| c.dialect.dialect == p)).collect();
        let by_name = !named.is_empty();
        if !by_name {
            named = self.documents().filter(|c| pinned.is_none_or(|p| c.dialect.dialect == p)).collect();
        }
        // By precedence, so that a later one has to show more of itself, and none does once there is enough.
        named.sort_by_key(|c| std::cmp::Reverse(c.dialect.precedence));
        let (mut best, mut found) = (0, 0);
        for (at, choice) in named.iter().enumerate() {
            let shown = evidence(choice.grammar(), text);
            if at == 0 || shown > found {
                (best, found) = (at, shown);
            }
            if found >= ENOUGH_EVIDENCE {
                break;
            }
        }
        if !by_name && pinned.is_none() && found < CONVINCING_EVIDENCE {
            return None;
        }
        let mut choice = named.into_iter().nth(best)?;
        let dialect = &choice.dialect.dialect;
        let shown = match found {
            1 => format!("1 of its lines is {dialect}"),
            n if n >= ENOUGH_EVIDENCE => format!("at least {n} of its lines are {dialect}"),
            n => format!("{n} of its lines are {dialect}"),
        };
        choice.why = match (pinned, by_name) {
            (Some(_), _) => format!("pinned to {dialect}"),
            (None, false) => format!("no dialect names {file_name}, but {shown}"),
            (None, true) if found == 0 => {
                format!("named {file_name}, and nothing in it speaks for a dialect")
            }
            (None, true) => format!("named {file_name}, and {shown}"),
        };
        Some(choice)
    }

    fn documents(&self) -> impl Iterator<Item = Choice> + '_ {
        self.dialects.iter().flat_map(|dialect| {
            (0..dialect.documents.len()).map(move |document| Choice {
                dialect: Arc::clone(dialect),
                document,
                archive: false,
                why: String::new(),
            })
        })
    }

    fn candidates<'a>(&'a self, file_name: &'a str) -> impl Iterator<Item = Choice> + 'a {
        self.documents().filter_map(move |choice| {
            let grammar = choice.grammar();
            let fits = |names: &[String]| names.iter().any(|n| wildcard(n, file_name));
            if fits(&grammar.files) {
                Some(choice)
            } else if fits(&grammar.archives) {
                Some(Choice { archive: true, ..choice })
            } else {
                None
            }
        })
    }
}

impl Dialect {
    /// Whether a file of this name is one of the dialect's documents or archives.
    pub fn names(&self, file_name: &str) -> bool {
        let mut all = self.documents.iter().flat_map(|d| d.files.iter().chain(&d.archives));
        all.any(|name| wildcard(name, file_name))
    }
}

/// How many lines speak for this grammar, counted up to a bound.
fn evidence(grammar: &DocumentGrammar, text: &Text) -> usize {
    if grammar.evidence.is_empty() {
        return 0;
    }
    let source = text.as_str();
    (0..text.index().count())
        .filter(|&line| {
            let content = text.slice(text.index().content(source, line));
            grammar.evidence.iter().any(|pattern| pattern.is_match(content))
        })
        .take(ENOUGH_EVIDENCE)
        .count()
}

/// Compares a name with a pattern that may hold `*`, without case.
fn wildcard(pattern: &str, name: &str) -> bool {
    let (pattern, name) = (pattern.to_lowercase(), name.to_lowercase());
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or("");
    let Some(mut rest) = name.strip_prefix(first) else { return false };
    let mut open = false;
    for part in parts {
        open = true;
        if part.is_empty() {
            continue;
        }
        match rest.find(part) {
            Some(at) => {
                rest = &rest[at + part.len()..];
                open = false;
            }
            None => return false,
        }
    }
    open || rest.is_empty()
}

/// Reads a grammar file.
///
/// # Errors
/// [`GrammarError::Invalid`] with the line and what is expected there.
pub fn parse(file: &str, bytes: &[u8]) -> Result<Dialect, GrammarError> {
    let invalid = |line: usize, why: String| GrammarError::Invalid { file: file.to_owned(), line, why };
    if bytes.len() > LARGEST {
        return Err(invalid(0, format!("larger than {LARGEST} bytes")));
    }
    let source = std::str::from_utf8(bytes).map_err(|_| invalid(0, "not UTF-8".to_owned()))?;
    if let Some(problem) = yaml::refused(source) {
        return Err(invalid(problem.place.map_or(0, |p| p.line), problem.why));
    }
    let wrong = |error: serde_yaml::Error| {
        let problem = yaml::Problem::from(error);
        invalid(problem.place.map_or(0, |p| p.line), problem.why)
    };
    let Some(expanded) = expand(source).map_err(wrong)? else {
        return Err(invalid(0, format!("its pieces in `define` make it larger than {LARGEST} bytes")));
    };
    let open = expanded.lines().enumerate().filter(|(_, l)| !l.trim_start().starts_with('#'));
    for (line, text) in open {
        if let Some((_, rest)) = text.split_once("%{") {
            let name = rest.split('}').next().unwrap_or("");
            return Err(invalid(line + 1, format!("`%{{{name}}}` is not in `define`")));
        }
    }
    let dialect: Dialect = serde_yaml::from_str(&expanded).map_err(wrong)?;
    if let Some(found) = dialect.documents.iter().find_map(DocumentGrammar::wrong) {
        // YAML's values do not know where they stood; the first line that holds the word is the one to look at.
        let holds = |line: &str| {
            line.split(|c: char| !(c.is_alphanumeric() || "_./*-".contains(c))).any(|w| w == found.word)
        };
        let line = source.lines().position(holds).map_or(0, |at| at + 1);
        return Err(invalid(line, found.why));
    }
    Ok(dialect)
}

/// Puts the pieces of `define` where `%{name}` stands; line numbers stay what they are. None when that makes
/// too much of it: pieces of pieces grow like an anchor bomb.
fn expand(source: &str) -> Result<Option<String>, serde_yaml::Error> {
    #[derive(Deserialize)]
    struct Defines {
        #[serde(default)]
        define: Map<String>,
    }
    // Parsing takes long, and `define` is a small part. Where that part alone is no YAML, the whole says why.
    let defines = serde_yaml::from_str::<Defines>(define_block(source))
        .or_else(|_| serde_yaml::from_str::<Defines>(source))?
        .define;
    let mut pieces: Vec<(String, String)> = Vec::new();
    for (name, piece) in defines.iter() {
        // A piece may use the pieces above it.
        let Some(piece) = filled(piece, &pieces) else { return Ok(None) };
        pieces.push((format!("%{{{name}}}"), piece));
    }
    for (_, piece) in &mut pieces {
        *piece = piece.replace('\'', "''");
    }
    Ok(filled(source, &pieces))
}

/// The lines of the key `define`, when it is written at the margin as all keys of the file are; else all lines.
fn define_block(source: &str) -> &str {
    let Some((before, _)) = source.split_once("\ndefine:") else { return source };
    let block = &source[before.len() + 1..];
    let next_key =
        block.match_indices('\n').find(|(at, _)| block[at + 1..].starts_with(char::is_alphanumeric));
    next_key.map_or(block, |(at, _)| &block[..=at])
}

fn filled(text: &str, pieces: &[(String, String)]) -> Option<String> {
    let mut out = text.to_owned();
    for (name, piece) in pieces {
        let grown = out.len() + out.matches(name.as_str()).count() * piece.len();
        if grown > LARGEST {
            return None;
        }
        out = out.replace(name.as_str(), piece);
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_dialects_are_right_down_to_their_patterns() {
        let files = BUILT_IN
            .files()
            .filter(|f| f.path().extension().is_some_and(|e| e == "yaml"))
            .filter(|f| OTHERS.iter().all(|other| f.path() != Path::new(other)));
        let dialects: Vec<Dialect> =
            files.map(|f| parse(&f.path().display().to_string(), f.contents()).unwrap()).collect();
        assert!(dialects.len() >= 2);
    }

    #[test]
    fn names_may_hold_a_star() {
        assert!(wildcard("WORKLOG*.md", "worklog_archive.md"));
        assert!(wildcard("WORKLOG.md", "Worklog.MD"));
        assert!(!wildcard("WORKLOG.md", "MY_WORKLOG.md"));
        assert!(wildcard("*_LOG.md", "agent_log.md"));
        assert!(!wildcard("*_LOG.md", "agent_log.md.bak"));
    }

    #[test]
    fn a_wrong_grammar_is_refused_with_its_line() {
        let message = |text: &str| parse("x.yaml", text.as_bytes()).unwrap_err().to_string();
        let base = "dialect: x\nsummary: s\ndocuments:\n";
        let unknown = message(&format!("{base}  - role: log\n    files: [X.md]\n    entrys: 1\n"));
        assert!(unknown.starts_with("x.yaml:6: not a dialect") && unknown.contains("entries"), "{unknown}");
        let pattern = message(&format!("{base}  - role: log\n    files: [X.md]\n    evidence: ['(']\n"));
        assert!(pattern.contains("not a pattern"), "{pattern}");
        let column = message(&format!(
            "{base}  - role: log\n    files: [X.md]\n    tables:\n      - is: decisions\n        name: d\n        columns:\n          decison: [Decision]\n        required: [decison]\n"
        ));
        assert!(
            column.starts_with("x.yaml:10: not a dialect: `decison`") && column.contains("rationale"),
            "{column}"
        );
        let level = message(&format!(
            "{base}  - role: log\n    files: [X.md]\n    entries:\n      heads:\n        - {{levels: [7], pattern: x}}\n"
        ));
        assert!(level.starts_with("x.yaml:8: ") && level.contains("1 to 6"), "{level}");
        let cards = |more: &str| {
            message(&format!(
                "{base}  - role: mailbox\n    files: [X.md]\n    cards:\n      heads: []\n      id: x\n      id_example: x\n      fields: {{}}\n      required: []\n      ack: []\n      ack_forms: []\n      status: {{unread: [], open: [], terminal: []}}\n{more}"
            ))
        };
        let tier =
            cards("      response: {windows: {this session: 0}, tiers: {P0: next session}, escalated: x}\n");
        assert!(tier.contains("`next session`: a tier is the name of one of the `windows`"), "{tier}");
        let part = cards(
            "      decision:\n        words: x\n        request: {fields: {choice: [Choice]}, required: [], least_options: 2, most_options: 4}\n",
        );
        assert!(part.contains("`choice`: no part of a decision request"), "{part}");
        let piece = message(&format!("{base}  - role: log\n    files: [X.md]\n    evidence: ['%{{no}}']\n"));
        assert!(piece.starts_with("x.yaml:6") && piece.contains("`%{no}`"), "{piece}");
        let doubled: String =
            (1..30).map(|n| format!("  p{n}: '%{{p{}}}%{{p{}}}'\n", n - 1, n - 1)).collect();
        let bomb =
            message(&format!("dialect: x\nsummary: s\ndefine:\n  p0: 'aaaaaaaa'\n{doubled}documents: []\n"));
        assert!(bomb.contains("larger than"), "{bomb}");
        let alias = message("dialect: &a x\nsummary: *a\n");
        assert!(alias.starts_with("x.yaml:1") && alias.contains("anchors"), "{alias}");
    }
}

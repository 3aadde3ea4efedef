//! What a charter says, as values that know their place: settings, participants, lanes and signatures.

use super::dialect::{CharterGrammar, SectionKind, TableKind};
use super::document::{Document, Field, Part, Row, SectionBody, Table};
use super::fields::known;
use super::session::is_comment;
use crate::model::Actor;
use crate::text::{Span, Spanned};
use compact_str::CompactString;

/// A setting of the metadata or of the governance.
#[derive(Debug, Clone, Copy)]
pub struct Setting<'a> {
    /// Its name as written.
    pub name: &'a Spanned<CompactString>,
    /// Its cell or its value; none for a row that ends before it.
    pub value: Option<&'a Spanned<CompactString>>,
}

impl<'a> Setting<'a> {
    /// The name without emphasis.
    pub fn label(&self) -> &'a str {
        self.name.value.trim_matches('*')
    }

    /// The value; empty when there is only a comment.
    pub fn text(&self) -> &'a str {
        let text = self.value.map_or("", |v| v.value.as_str());
        if is_comment(text) { "" } else { text }
    }
}

/// What a participant is to the session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// Decides.
    Maintainer,
    /// Works in a lane.
    Agent,
    /// Reads and comments.
    Observer,
    /// Takes no part: a tool, a delegate.
    Guest,
}

/// A row of the roster.
#[derive(Debug, Clone)]
pub struct Participant<'a> {
    /// The row.
    pub row: &'a Row,
    /// What it is to the session.
    pub standing: Standing,
    /// Who it is; none while the cell is open.
    pub agent: Option<Actor>,
    /// The cell that names it.
    pub cell: &'a Spanned<CompactString>,
    /// The role.
    pub role: Option<&'a Spanned<CompactString>>,
    /// Model or provider.
    pub model: Option<&'a Spanned<CompactString>>,
    /// The lane.
    pub lane: Option<&'a Spanned<CompactString>>,
}

/// A row of the lanes.
#[derive(Debug, Clone)]
pub struct LaneRow<'a> {
    /// The row.
    pub row: &'a Row,
    /// The lane.
    pub lane: Option<&'a Spanned<CompactString>>,
    /// Who owns it, as written.
    pub owner: Option<&'a Spanned<CompactString>>,
    /// Files and scope, as written.
    pub scope: Option<&'a Spanned<CompactString>>,
    /// The paths and patterns of the scope: its code spans or, without any, its parts when all look like paths.
    pub paths: Vec<Spanned<CompactString>>,
    /// Whether the paths are all that the scope says: no prose takes some of them away.
    pub exact: bool,
    /// Whether it says that it belongs to everybody.
    pub shared: bool,
}

/// A heading under the handshakes, with the fields of a signature.
#[derive(Debug, Clone)]
pub struct Signature<'a> {
    /// The heading.
    pub heading: &'a Spanned<CompactString>,
    /// Who signs.
    pub signer: Actor,
    /// The field `Signed`, filled or not.
    pub signed: Option<&'a Field>,
    /// The field `Handshake status`.
    pub status: Option<&'a Field>,
    /// The notes.
    pub notes: Option<&'a Field>,
    /// The field `Timestamp`.
    pub timestamp: Option<&'a Field>,
}

impl Signature<'_> {
    /// A field's value; none when it is empty, or only a comment.
    pub fn text(field: Option<&Field>) -> Option<&str> {
        field.map(|f| f.value.value.trim()).filter(|v| !v.is_empty() && !is_comment(v))
    }

    /// A field's value, when it says more than that it is still to come.
    pub fn given<'f>(&self, field: Option<&'f Field>, grammar: &CharterGrammar) -> Option<&'f str> {
        let pending = |v: &str| {
            grammar.pending.as_ref().is_some_and(|p| p.is_match(v.trim_matches(['_', '*', '`', '(', ')'])))
        };
        Self::text(field).filter(|v| !pending(v))
    }
}

impl Document {
    /// The settings of metadata and governance, from tables and from lists.
    pub fn setting_cells(&self) -> impl Iterator<Item = Setting<'_>> {
        let rows = self.rows(TableKind::Settings).filter_map(|(table, row)| {
            let name = row.get(table, "name").filter(|n| !n.value.is_empty())?;
            Some(Setting { name, value: row.get(table, "value") })
        });
        let fields = self.sections_of(SectionKind::Settings).flat_map(|s| &s.fields);
        rows.chain(fields.map(|f| Setting { name: &f.label, value: Some(&f.value) }))
    }

    /// Metadata and governance settings (name, value); a value that is only a comment is empty.
    pub fn settings(&self) -> Vec<(String, String)> {
        self.setting_cells().map(|s| (s.label().to_owned(), s.text().to_owned())).collect()
    }

    /// The setting that the grammar calls `name`.
    pub fn setting(&self, name: &str) -> Option<Setting<'_>> {
        let labels = &self.grammar().labels;
        self.setting_cells().find(|s| known(labels, s.label()) == Some(name))
    }

    /// The approval bands: name, and what each covers.
    pub fn bands(&self) -> impl Iterator<Item = Setting<'_>> {
        self.rows(TableKind::Bands).filter_map(|(table, row)| {
            let name = row.get(table, "name").filter(|n| !n.value.is_empty())?;
            Some(Setting { name, value: filled(table, row, "value") })
        })
    }

    /// The sections of one kind.
    pub fn sections_of(&self, kind: SectionKind) -> impl Iterator<Item = &SectionBody> {
        self.sections.iter().filter(move |s| s.kind == kind)
    }

    /// The rows of the roster that name a role or somebody.
    pub fn participants(&self) -> impl Iterator<Item = Participant<'_>> {
        self.rows(TableKind::Roster).filter_map(|(table, row)| {
            let cell = row.get(table, "agent")?;
            let role = filled(table, row, "role");
            let agent = filled(table, row, "agent").and_then(|c| Actor::parse(&c.value));
            (role.is_some() || agent.is_some()).then(|| Participant {
                row,
                standing: self.standing(role, agent.as_ref()),
                agent,
                cell,
                role,
                model: filled(table, row, "model"),
                lane: filled(table, row, "lane"),
            })
        })
    }

    fn standing(&self, role: Option<&Spanned<CompactString>>, agent: Option<&Actor>) -> Standing {
        let (roles, always) = (&self.grammar().charter.roles, &self.choice.dialect.actors.always);
        let is_always = |name: &str| always.iter().any(|a| a.eq_ignore_ascii_case(name));
        let names = role.map(|r| Actor::parse_list(&r.value)).unwrap_or_default();
        let is = |pattern: &Option<super::Pattern>| {
            pattern.as_ref().is_some_and(|p| names.iter().any(|n| p.is_match(&n.name)))
        };
        if is(&roles.maintainer) || names.iter().chain(agent).any(|n| is_always(&n.name)) {
            Standing::Maintainer
        } else if is(&roles.observer) {
            Standing::Observer
        } else if is(&roles.guest) {
            Standing::Guest
        } else {
            Standing::Agent
        }
    }

    /// The rows of the lanes that say something.
    pub fn lanes(&self) -> impl Iterator<Item = LaneRow<'_>> {
        let grammar = &self.grammar().charter;
        self.rows(TableKind::Lanes).filter_map(move |(table, row)| {
            let get = |name: &str| filled(table, row, name);
            let (lane, owner, scope) = (get("lane"), get("owner"), get("scope"));
            if lane.is_none() && owner.is_none() {
                return None;
            }
            let paths = scope.map(paths).unwrap_or_default();
            let excludes = |text: &str| grammar.exclusion.as_ref().is_some_and(|p| p.is_match(text));
            let everybody = |cell: Option<&Spanned<CompactString>>| {
                cell.zip(grammar.shared.as_ref()).is_some_and(|(c, p)| p.is_match(&c.value))
            };
            Some(LaneRow {
                row,
                exact: scope.is_none_or(|s| !excludes(&prose(&s.value))),
                shared: everybody(lane) || everybody(owner),
                lane,
                owner,
                scope,
                paths,
            })
        })
    }

    /// The headings under the handshakes.
    pub fn signatures(&self) -> impl Iterator<Item = Signature<'_>> {
        self.sections.iter().flat_map(|s| &s.parts).filter_map(|part| self.signature(part))
    }

    fn signature<'a>(&self, part: &'a Part) -> Option<Signature<'a>> {
        let labels = &self.grammar().labels;
        let get = |name: &str| part.fields.iter().find(|f| known(labels, &f.label.value) == Some(name));
        let signer = Actor::parse(&part.heading).filter(|_| !part.heading.contains("<!--"))?;
        Some(Signature {
            heading: &part.heading,
            signer,
            signed: get("signed"),
            status: get("status"),
            notes: get("notes"),
            timestamp: get("timestamp"),
        })
    }
}

/// A cell that says something: neither empty, nor a dash, nor only a comment.
fn filled<'a>(table: &Table, row: &'a Row, name: &str) -> Option<&'a Spanned<CompactString>> {
    let says = |c: &&Spanned<CompactString>| {
        !c.value.is_empty() && !is_comment(&c.value) && !matches!(c.value.as_str(), "—" | "–" | "-")
    };
    row.get(table, name).filter(says)
}

/// The paths of a scope, each with its place.
fn paths(scope: &Spanned<CompactString>) -> Vec<Spanned<CompactString>> {
    let text = scope.value.as_str();
    // An escaped `|` makes the value shorter than its cell; then only the cell as a whole has a place.
    let placed = |start: usize, path: &str| {
        let span = Span::new(scope.span.start + start, scope.span.start + start + path.len());
        let exact = scope.span.len() == text.len();
        Spanned::new(path.into(), if exact { span } else { scope.span })
    };
    let offset = |part: &str| (part.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
    let code: Vec<&str> = text.split('`').skip(1).step_by(2).filter(|t| !t.trim().is_empty()).collect();
    let parts = if code.is_empty() {
        let parts: Vec<&str> = list(text).collect();
        if parts.iter().all(|p| is_path(p)) { parts } else { Vec::new() }
    } else {
        code
    };
    parts.into_iter().map(str::trim).map(|part| placed(offset(part), part)).collect()
}

/// The parts of a list between commas, semicolons and line breaks, without empty ones. The commas of `{a,b}`
/// separate nothing.
fn list(text: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0usize;
    let parts = text.split(move |c| {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && matches!(c, ',' | ';')
    });
    parts.flat_map(|p| p.split("<br>")).map(str::trim).filter(|p| !p.is_empty())
}

/// A scope without its code spans.
fn prose(text: &str) -> String {
    text.split('`').step_by(2).collect::<Vec<_>>().join(" ")
}

/// Whether a word is written like a path or a pattern for paths: no space, and a slash, a wildcard, or a file's
/// extension.
pub fn is_path(text: &str) -> bool {
    let text = text.trim();
    let name = text.rsplit('/').next().unwrap_or_default();
    let extension = name.rsplit_once('.').is_some_and(|(_, e)| {
        (1..=12).contains(&e.len()) && e.chars().all(char::is_alphanumeric) && e.contains(char::is_alphabetic)
    });
    let plain = !text.is_empty() && !text.contains([' ', '\t', '<', '>', '|', ':', '"', '`', '(', ')']);
    plain && (text.contains(['/', '*']) || extension)
}

/// The path at the start of an item of a list of changed files: without quotes, and without the note behind it.
/// Empty for a sentence.
pub fn path_of(item: &str) -> &str {
    let item = item.trim();
    if let Some(rest) = item.strip_prefix('`') {
        return rest.split('`').next().unwrap_or(rest);
    }
    let end =
        [" (", " — ", " – ", " - ", "\n"].iter().filter_map(|s| item.find(s)).min().unwrap_or(item.len());
    let path = item[..end].trim();
    if path.contains(' ') { "" } else { path }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(scope: &str) -> Vec<String> {
        let at = 7;
        let cell = Spanned::new(CompactString::from(scope), Span::new(at, at + scope.len()));
        paths(&cell)
            .into_iter()
            .inspect(|p| assert_eq!(&scope[p.span.start - at..p.span.end - at], p.value))
            .map(|p| p.value.into_string())
            .collect()
    }

    #[test]
    fn a_scope_names_paths_in_code_or_as_a_list_of_nothing_else() {
        assert_eq!(found("`src/**`, `docs/a.md` (new)"), ["src/**", "docs/a.md"]);
        assert_eq!(found("src/**, docs/{a,b}.md; Cargo.toml"), ["src/**", "docs/{a,b}.md", "Cargo.toml"]);
        assert!(found("the parser, src/lib.rs").is_empty());
        assert!(found("tests and docs").is_empty());
    }

    #[test]
    fn a_path_is_told_from_a_word() {
        for path in ["src/", "*.md", "a.rs", "docs/a-b", ".github/**", "~/x", "src"] {
            assert_eq!(is_path(path), path != "src", "{path}");
        }
        for word in ["task-ab-run", "v1.0.0", "two words/x", "e.g.", "https://a.example/x", "1.5"] {
            assert!(!is_path(word), "{word}");
        }
    }

    #[test]
    fn a_path_loses_its_note() {
        assert_eq!(path_of("src/a.rs (new)"), "src/a.rs");
        assert_eq!(path_of("`src/a b.rs` — moved"), "src/a b.rs");
        assert_eq!(path_of("none that matter"), "");
        assert_eq!(path_of("docs/*"), "docs/*");
    }
}

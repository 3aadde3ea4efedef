//! Cuts a scanned document into regions. Only line kinds and heads are looked at here; what an entry or a
//! card says is read later, and only from its own lines.

use super::dialect::{CardGrammar, DocumentGrammar, SectionKind};
use super::document::{Region, RegionKind};
use super::fields::{field_line, field_row, known};
use super::heading::atx;
use super::scan::{Line, LineKind};
use crate::text::{Span, Text};
use std::ops::Range;
use std::sync::Arc;

/// Where the parts of a document lie, in lines.
#[derive(Debug, Default)]
pub struct Segments {
    /// All regions, in order and without gaps.
    pub regions: Vec<Region>,
    /// Entries, in order of the regions.
    pub entries: Vec<Cut>,
    /// Cards, likewise.
    pub cards: Vec<Cut>,
    /// Lines of session headings.
    pub sessions: Vec<usize>,
    /// Sections: index in the grammar, and lines with the heading.
    pub sections: Vec<(usize, Range<usize>)>,
    names: Vec<Arc<str>>,
}

impl Segments {
    /// A name to be kept: the regions that have it share it.
    fn name(&mut self, name: &str) -> Arc<str> {
        if let Some(known) = self.names.iter().find(|n| ***n == *name) {
            return Arc::clone(known);
        }
        let new: Arc<str> = Arc::from(name);
        self.names.push(Arc::clone(&new));
        new
    }
}

/// An entry or a card.
#[derive(Debug, Clone)]
pub struct Cut {
    /// Its lines, the head first.
    pub lines: Range<usize>,
    /// Level of the head; 0 for a line of text.
    pub level: u8,
    /// Index of the session heading above it.
    pub session: Option<usize>,
    /// Index in the grammar of the section it stands in.
    pub section: Option<usize>,
}

/// What a stretch of lines was opened by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Opening {
    FrontMatter,
    Preamble,
    Section(usize),
    Session,
    Entry,
    Card,
    Other,
}

struct Stretch {
    opening: Opening,
    level: u8,
    lines: Range<usize>,
    session: Option<usize>,
    section: Option<usize>,
}

/// Cuts a document. `lines` is its scan.
pub fn segment(text: &Text, lines: &[Line], grammar: &DocumentGrammar) -> Segments {
    let cutter = Cutter { text, lines, grammar };
    let mut out = Segments::default();
    let stretches = cutter.stretches(&mut out.sessions);
    for stretch in stretches {
        cutter.finish(stretch, &mut out);
    }
    out
}

struct Cutter<'a> {
    text: &'a Text,
    lines: &'a [Line],
    grammar: &'a DocumentGrammar,
}

impl<'a> Cutter<'a> {
    fn line(&self, at: usize) -> &'a str {
        self.lines.get(at).map_or("", |l| self.text.slice(l.span()))
    }

    fn stretches(&self, sessions: &mut Vec<usize>) -> Vec<Stretch> {
        let mut out: Vec<Stretch> = Vec::new();
        let (mut session, mut section): (Option<usize>, Option<(usize, u8)>) = (None, None);
        let mut current =
            Stretch { opening: Opening::Preamble, level: 0, lines: 0..0, session, section: None };
        for (at, line) in self.lines.iter().enumerate() {
            let opened = match line.kind {
                LineKind::FrontMatter if at == 0 => Some((Opening::FrontMatter, 0)),
                LineKind::Heading(level) if line.depth == 0 => self.heading(at, level, &current),
                LineKind::Text if line.depth == 0 && !line.lazy => self.text_line(at, &current),
                _ if current.opening == Opening::FrontMatter && line.kind != LineKind::FrontMatter => {
                    Some((Opening::Preamble, 0))
                }
                _ => None,
            };
            let Some((opening, level)) = opened else { continue };
            match opening {
                Opening::Section(index) => section = Some((index, level)),
                // A card that is a line of text ends a section that holds no cards.
                Opening::Card if level == 0 => {
                    section = section.filter(|(i, _)| {
                        matches!(self.grammar.sections[*i].is, SectionKind::Active | SectionKind::Closed)
                    });
                }
                _ if level > 0 => section = section.filter(|(_, of)| level > *of),
                _ => {}
            }
            match opening {
                Opening::Session => {
                    session = Some(sessions.len());
                    sessions.push(at);
                }
                // An entry of the session's own level ends the session, unless it is one that only a session
                // can date.
                Opening::Entry if self.is_session_level(level) && !self.is_timed(at, level) => session = None,
                _ => {}
            }
            current.lines.end = at;
            let lines = at..at;
            let next = Stretch { opening, level, lines, session, section: section.map(|(i, _)| i) };
            out.push(std::mem::replace(&mut current, next));
        }
        current.lines.end = self.lines.len();
        out.push(current);
        out.retain(|s| !s.lines.is_empty());
        out
    }

    fn heading(&self, at: usize, level: u8, current: &Stretch) -> Option<(Opening, u8)> {
        let (_, text) = atx(self.line(at))?;
        // The first heading of the file is its title, unless the grammar knows better.
        let first = level == 1 && current.opening == Opening::Preamble && self.is_first_heading(at);
        if let Some(index) = self.grammar.section_at(level, text) {
            // Inside a card or an entry only a heading of a higher rank, or a section that stands among
            // entries, is more than a heading of its body.
            let inside =
                matches!(current.opening, Opening::Card) && current.level > 0 && level >= current.level;
            if !inside {
                return Some((Opening::Section(index), level));
            }
        }
        if !first && self.grammar.is_session(level, text) {
            return Some((Opening::Session, level));
        }
        if let Some(cards) = &self.grammar.cards {
            let captures =
                cards.heads.iter().filter(|h| h.opens_at(level)).find_map(|h| h.pattern.captures(text));
            // An id with words behind it is a card only with fields below it; else it is a heading about one.
            let alone = captures.map(|c| c.name("rest").is_none_or(|r| r.as_str().trim().is_empty()));
            let least = match alone {
                Some(true) => 0,
                Some(false) => 1,
                None => cards.at_least,
            };
            if least == 0 || self.card_fields(at, level, cards) >= least {
                return Some((Opening::Card, level));
            }
        }
        if let Some(entries) = &self.grammar.entries {
            // A heading that is only a heading stays inside the entry it stands in.
            let fits = |weak: bool| {
                entries.heads.iter().any(|h| h.weak == weak && h.opens_at(level) && h.pattern.is_match(text))
            };
            // What stands under instructions and signatures is no entry; under an index it may be one.
            let closed = |index: usize| {
                !matches!(self.grammar.sections[index].is, SectionKind::Plain | SectionKind::Participants)
            };
            let below = matches!(current.opening, Opening::Section(i) if closed(i)) && level > current.level;
            if fits(false) || (fits(true) && !below && !first) {
                return Some((Opening::Entry, level));
            }
        }
        let inside = match current.opening {
            Opening::Card | Opening::Entry => current.level == 0 || level >= current.level,
            Opening::Section(_) | Opening::Session | Opening::Other => level > current.level,
            Opening::Preamble | Opening::FrontMatter => false,
        };
        (!first && !inside).then_some((Opening::Other, level))
    }

    fn is_session_level(&self, level: u8) -> bool {
        self.grammar.sessions.as_ref().is_some_and(|s| s.levels.contains(&level))
    }

    /// Whether the head on a line gives a time without a date.
    fn is_timed(&self, at: usize, level: u8) -> bool {
        let Some((_, text)) = atx(self.line(at)) else { return false };
        let heads = self.grammar.entries.as_ref().map_or(&[][..], |e| &e.heads);
        let head = heads.iter().find(|h| h.opens_at(level) && h.pattern.is_match(text));
        head.is_some_and(|h| {
            h.pattern.names().any(|n| n == "time") && !h.pattern.names().any(|n| n == "date")
        })
    }

    fn is_first_heading(&self, at: usize) -> bool {
        !self.lines[..at].iter().any(|l| matches!(l.kind, LineKind::Heading(_)))
    }

    fn text_line(&self, at: usize, current: &Stretch) -> Option<(Opening, u8)> {
        let line = self.line(at);
        let fits = |head: &super::dialect::Head| head.levels.is_empty() && head.pattern.is_match(line);
        // A merge may drop the empty line or the `---` before it; in the header of a card with a heading it is a
        // field of that card.
        let starts = at == 0 || !matches!(self.lines[at - 1].kind, LineKind::Text | LineKind::TableRow);
        let in_card = current.opening == Opening::Card && current.level > 0;
        if (starts || !in_card) && self.grammar.cards.as_ref().is_some_and(|c| c.heads.iter().any(fits)) {
            return Some((Opening::Card, 0));
        }
        let above = self.lines[..at].iter().rev().find(|l| l.kind != LineKind::Blank);
        let apart = above.is_some_and(|l| l.kind == LineKind::Break);
        let loose = match current.opening {
            Opening::Entry => current.level == 0 || apart,
            Opening::Card => false,
            _ => true,
        };
        if !starts || !loose {
            return None;
        }
        if self.grammar.entries.as_ref().is_some_and(|e| e.heads.iter().any(fits)) {
            return Some((Opening::Entry, 0));
        }
        let ends_line_entry = current.opening == Opening::Entry && current.level == 0 && self.is_status(at);
        ends_line_entry.then_some((Opening::Preamble, 0))
    }

    /// How many of a card's required fields stand right under a heading of a card's level: with enough of them
    /// it is a card, whatever its text.
    fn card_fields(&self, at: usize, level: u8, cards: &CardGrammar) -> usize {
        if !cards.heads.iter().any(|h| h.opens_at(level)) {
            return 0;
        }
        let mut seen: Vec<&str> = Vec::new();
        for (offset, line) in self.lines.iter().enumerate().skip(at + 1).take(16) {
            let field = match line.kind {
                LineKind::Text => field_line(self.line(offset)),
                LineKind::TableHead | LineKind::TableRow => field_row(self.line(offset)),
                LineKind::Blank | LineKind::Break | LineKind::TableDelimiter => continue,
                _ => None,
            };
            let Some(field) = field else { break };
            if let Some(name) = known(&cards.fields, field.label)
                && !seen.contains(&name)
                && cards.required.iter().any(|r| r == name)
            {
                seen.push(name);
            }
        }
        seen.len()
    }

    fn is_status(&self, at: usize) -> bool {
        is_status_line(self.grammar, self.lines, self.text, at)
    }

    fn finish(&self, stretch: Stretch, out: &mut Segments) {
        let Stretch { opening, level, lines, session, section } = stretch;
        let cut = |lines: &Range<usize>| Cut { lines: lines.clone(), level, session, section };
        match opening {
            Opening::FrontMatter => self.push(out, RegionKind::FrontMatter, "front-matter", lines, None),
            Opening::Preamble => self.preamble(lines, out, session),
            Opening::Other => self.trimmed(out, RegionKind::Other, "other", lines, session),
            Opening::Section(index) => {
                let body = self.without_separator(&lines);
                out.sections.push((index, body));
                // An index with a heading of a session's rank stands beside the sessions, not in one.
                let session = session.filter(|_| !self.is_session_level(level));
                self.trimmed(out, RegionKind::Section, &self.grammar.sections[index].name, lines, session);
            }
            Opening::Session if !self.has_content(&lines) => {
                self.trimmed(out, RegionKind::Session, "session", lines, session);
            }
            Opening::Session | Opening::Entry => {
                let body = self.without_status(&lines);
                let kind = RegionKind::Entry(out.entries.len());
                out.entries.push(cut(&body));
                self.push(out, kind, "log", body.clone(), session);
                self.preamble(body.end..lines.end, out, session);
            }
            Opening::Card => {
                let body = self.without_separator(&lines);
                let kind = RegionKind::Card(out.cards.len());
                let name = section.map_or("messages", |i| self.grammar.sections[i].name.as_str());
                out.cards.push(cut(&body));
                self.push(out, kind, name, body.clone(), session);
                self.push(out, RegionKind::Separator, "separator", body.end..lines.end, session);
            }
        }
    }

    /// Lines that belong to no entry, with the status lines among them set apart.
    fn preamble(&self, lines: Range<usize>, out: &mut Segments, session: Option<usize>) {
        let kind_of = |at: usize| {
            if self.is_status(at) {
                RegionKind::Status
            } else if matches!(self.lines[at].kind, LineKind::Blank | LineKind::Break) {
                RegionKind::Separator
            } else {
                RegionKind::Preamble
            }
        };
        let mut at = lines.start;
        while at < lines.end {
            let kind = kind_of(at);
            let mut end = at + 1;
            while end < lines.end && kind_of(end) == kind {
                end += 1;
            }
            let name = match kind {
                RegionKind::Status => "status",
                RegionKind::Separator => "separator",
                _ => "preamble",
            };
            self.push(out, kind, name, at..end, session);
            at = end;
        }
    }

    fn trimmed(
        &self,
        out: &mut Segments,
        kind: RegionKind,
        name: &str,
        lines: Range<usize>,
        session: Option<usize>,
    ) {
        let body = self.without_separator(&lines);
        self.push(out, kind, name, body.clone(), session);
        self.push(out, RegionKind::Separator, "separator", body.end..lines.end, session);
    }

    fn push(
        &self,
        out: &mut Segments,
        kind: RegionKind,
        name: &str,
        lines: Range<usize>,
        session: Option<usize>,
    ) {
        if lines.is_empty() {
            return;
        }
        let index = self.text.index();
        let span = Span::new(index.full(lines.start).start, index.full(lines.end - 1).end);
        let name = out.name(name);
        out.regions.push(Region { kind, name, span, lines, session });
    }

    /// Cuts blank lines and thematic breaks off the end.
    fn without_separator(&self, lines: &Range<usize>) -> Range<usize> {
        let mut end = lines.end;
        while end > lines.start + 1 && matches!(self.lines[end - 1].kind, LineKind::Blank | LineKind::Break) {
            end -= 1;
        }
        lines.start..end
    }

    /// Cuts status lines off the end, too: a status block is updated in place wherever it stands, so it must
    /// not be part of an entry that is not.
    fn without_status(&self, lines: &Range<usize>) -> Range<usize> {
        let mut body = self.without_separator(lines);
        while body.len() > 1 && self.is_status(body.end - 1) {
            body = self.without_separator(&(body.start..body.end - 1));
        }
        body
    }

    /// Whether anything but comments, separators and status lines stands under a heading.
    fn has_content(&self, lines: &Range<usize>) -> bool {
        (lines.start + 1..lines.end).any(|at| {
            let kind = self.lines[at].kind;
            !matches!(kind, LineKind::Blank | LineKind::Break | LineKind::Comment) && !self.is_status(at)
        })
    }
}

/// Whether a line is one of the status block's.
pub fn is_status_line(grammar: &DocumentGrammar, lines: &[Line], text: &Text, at: usize) -> bool {
    let Some(status) = &grammar.status else { return false };
    let Some(line) = lines.get(at).filter(|l| l.kind == LineKind::Text && (l.depth == 0 || l.lazy)) else {
        return false;
    };
    let content = text.slice(line.span());
    content.contains(':') && status.lines.iter().any(|s| s.pattern.is_match(content))
}

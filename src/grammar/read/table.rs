//! Reads tables and knows them by their columns, wherever they stand.

use super::Reader;
use crate::grammar::dialect::TableGrammar;
use crate::grammar::document::{Region, RegionKind, Row, Table};
use crate::grammar::fields::known;
use crate::grammar::scan::{LineKind, split_cells};
use crate::text::{Span, Spanned};
use std::sync::Arc;

impl Reader<'_> {
    pub(super) fn tables(&self) -> Vec<Table> {
        let mut out = Vec::new();
        let mut session = None;
        for region in &self.segments.regions {
            match region.kind {
                RegionKind::Entry(index) => session = self.segments.entries[index].session,
                RegionKind::Session => {
                    session = self.segments.sessions.binary_search(&region.lines.start).ok();
                }
                _ => {}
            }
            // An index with a heading of a session's rank stands beside the sessions, not in one.
            let level = match self.kind(region.lines.start) {
                LineKind::Heading(level) if region.kind == RegionKind::Section => Some(level),
                _ => None,
            };
            let beside = level
                .is_some_and(|l| self.grammar().sessions.as_ref().is_some_and(|s| s.levels.contains(&l)));
            let own_session = session.filter(|_| !beside);
            let mut at = region.lines.start;
            while at < region.lines.end {
                if self.kind(at) == LineKind::TableHead {
                    let mut end = at + 1;
                    while end < region.lines.end
                        && matches!(self.kind(end), LineKind::TableDelimiter | LineKind::TableRow)
                    {
                        end += 1;
                    }
                    out.push(self.table(region, at, end, own_session));
                    at = end;
                } else {
                    at += 1;
                }
            }
        }
        out
    }

    fn table(&self, region: &Region, head: usize, end: usize, session: Option<usize>) -> Table {
        let header = self.cells(head);
        // A card's tables are its own business; the counters and summaries stand outside of cards.
        let form = match region.kind {
            RegionKind::Card(_) => None,
            _ => self.form(&header),
        };
        let name = |cell: &Spanned<String>| {
            form.and_then(|f| known(&f.columns, cell.value.trim_matches('*'))).map(str::to_owned)
        };
        let region_name = match (region.kind, form) {
            (RegionKind::Section, _) | (_, None) => Arc::clone(&region.name),
            (_, Some(form)) => Arc::from(form.name.as_str()),
        };
        let mut delimiters = header.len();
        let mut rows = Vec::new();
        for at in head + 1..end {
            match self.kind(at) {
                LineKind::TableDelimiter => delimiters = split_cells(self.line(at)).len(),
                _ => rows.push(Row { span: self.span(at..at + 1), cells: self.cells(at) }),
            }
        }
        Table {
            kind: form.map(|f| f.is),
            region: region_name,
            head: self.span(head..head + 1),
            columns: header.iter().map(name).collect(),
            delimiters,
            rows,
            entry: match region.kind {
                RegionKind::Entry(index) => Some(index),
                _ => None,
            },
            card: match region.kind {
                RegionKind::Card(index) => Some(index),
                _ => None,
            },
            session,
        }
    }

    /// The table grammar that a header fits: all required columns, and the most of the others.
    fn form(&self, header: &[Spanned<String>]) -> Option<&TableGrammar> {
        let found = |form: &TableGrammar| -> Option<usize> {
            let names: Vec<&str> =
                header.iter().filter_map(|c| known(&form.columns, c.value.trim_matches('*'))).collect();
            form.required.iter().all(|r| names.contains(&r.as_str())).then_some(names.len())
        };
        let mut best: Option<(usize, &TableGrammar)> = None;
        for form in &self.grammar().tables {
            if let Some(count) = found(form)
                && best.is_none_or(|(most, _)| count > most)
            {
                best = Some((count, form));
            }
        }
        best.map(|(_, form)| form)
    }

    pub(super) fn cells(&self, at: usize) -> Vec<Spanned<String>> {
        let Some(line) = self.lines.get(at) else { return Vec::new() };
        let content = line.content();
        let text = self.text.slice(content);
        split_cells(text)
            .into_iter()
            .map(|cell| {
                let span = Span::new(content.start + cell.start, content.start + cell.end);
                Spanned::new(text.get(cell.start..cell.end).unwrap_or("").replace("\\|", "|"), span)
            })
            .collect()
    }
}

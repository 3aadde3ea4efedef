//! Reads tables and knows them by their columns, wherever they stand.

use super::Reader;
use crate::grammar::dialect::TableGrammar;
use crate::grammar::document::{Region, RegionKind, Row, Table};
use crate::grammar::fields::{known, known_name};
use crate::grammar::scan::{LineKind, cells_of};
use crate::text::{Span, Spanned};
use compact_str::CompactString;
use std::sync::Arc;

impl Reader<'_> {
    pub(super) fn tables(&self) -> Vec<Table> {
        let mut out = Vec::new();
        for region in &self.segments.regions {
            let mut at = region.lines.start;
            while at < region.lines.end {
                if self.kind(at) == LineKind::TableHead {
                    let mut end = at + 1;
                    while end < region.lines.end
                        && matches!(self.kind(end), LineKind::TableDelimiter | LineKind::TableRow)
                    {
                        end += 1;
                    }
                    let end = self.with_rows_apart(at, end, region.lines.end);
                    out.push(self.table(region, at, end));
                    at = end;
                } else {
                    at += 1;
                }
            }
        }
        out
    }

    fn table(&self, region: &Region, head: usize, end: usize) -> Table {
        let header = self.cells(head);
        // A card's tables are its own business; the counters and summaries stand outside of cards.
        let form = match region.kind {
            RegionKind::Card(_) => None,
            _ => self.form(&header),
        };
        let name = |cell: &Spanned<CompactString>| {
            form.and_then(|f| known_name(&f.columns, cell.value.trim_matches('*'))).cloned()
        };
        let region_name = match (region.kind, form) {
            (RegionKind::Section, _) | (_, None) => Arc::clone(&region.name),
            (_, Some(form)) => Arc::from(form.name.as_str()),
        };
        let mut delimiters = header.len();
        let mut rows = Vec::new();
        for at in head + 1..end {
            match self.kind(at) {
                LineKind::TableDelimiter => delimiters = cells_of(self.line(at)).count(),
                LineKind::Blank => {}
                kind => rows.push(Row {
                    span: self.span(at..at + 1),
                    cells: self.cells(at),
                    is_text: header.len() > 1 && !self.line(at).contains('|'),
                    apart: kind == LineKind::Text,
                }),
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
            session: region.session,
        }
    }

    /// The end of a table, with the rows of the same width that an empty line sets apart from it: whoever adds a
    /// row that way means a row.
    fn with_rows_apart(&self, head: usize, end: usize, limit: usize) -> usize {
        if !matches!(self.kind(end), LineKind::Blank) || end >= limit {
            return end;
        }
        let width = cells_of(self.line(head)).count();
        let (mut last, mut at) = (end, end);
        while at < limit {
            let line = self.line(at);
            match self.kind(at) {
                LineKind::Blank => {}
                LineKind::Text if line.starts_with('|') && width > 1 && cells_of(line).count() == width => {
                    last = at + 1;
                }
                _ => break,
            }
            at += 1;
        }
        last
    }

    /// The table grammar that a header fits: all required columns, and the most of the others.
    fn form(&self, header: &[Spanned<CompactString>]) -> Option<&TableGrammar> {
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

    pub(super) fn cells(&self, at: usize) -> Vec<Spanned<CompactString>> {
        let Some(line) = self.lines.get(at) else { return Vec::new() };
        let content = line.content();
        let text = self.text.slice(content);
        cells_of(text)
            .map(|cell| {
                let span = Span::new(content.start + cell.start, content.start + cell.end);
                let cell = text.get(cell.start..cell.end).unwrap_or("");
                Spanned::new(
                    if cell.contains('\\') { cell.replace("\\|", "|").into() } else { cell.into() },
                    span,
                )
            })
            .collect()
    }
}

//! Reads the entries of a log: what stands in their bodies. Their heads are read last, when the names of all
//! participants are known.

use super::Reader;
use crate::grammar::dialect::{DocumentGrammar, FormKind};
use crate::grammar::document::{Entry, Fact};
use crate::grammar::scan::LineKind;
use crate::grammar::segment::Cut;
use crate::model::payload::EntryForm;
use crate::text::{Span, Spanned};
use rayon::prelude::*;

/// So many entries are read by one thread: fewer are not worth another.
pub(super) const FEW: usize = 64;

impl Reader<'_> {
    pub(super) fn entries(&self) -> Vec<Entry> {
        self.segments.entries.par_iter().with_min_len(FEW).map(|cut| self.entry(cut)).collect()
    }

    fn entry(&self, cut: &Cut) -> Entry {
        let grammar = self.grammar();
        let lines = cut.lines.clone();
        let span = self.span(lines.clone());
        let head = self.heading(lines.start);
        // An entry without a heading says something on its first line already.
        let body =
            if cut.level == 0 { span } else { Span::new(self.lines[lines.start].end as usize, span.end) };
        let is_read = (self.is_asked)(span);
        let (records, facts) = if is_read {
            let facts = self.facts(lines.start..lines.end, grammar, cut.level == 0);
            (self.records(lines.clone(), &grammar.records), facts)
        } else {
            Default::default()
        };
        Entry {
            title: head.value.to_string(),
            level: cut.level,
            session: cut.session,
            form: None,
            claims: false,
            completes: false,
            actor: None,
            stamp_text: None,
            stamp: None,
            fields: Vec::new(),
            lines,
            span,
            head,
            body,
            records,
            facts,
            is_read,
        }
    }

    /// Lines that state a fact on their own; the head of an entry without a heading is one of its lines.
    fn facts(&self, lines: std::ops::Range<usize>, grammar: &DocumentGrammar, with_head: bool) -> Vec<Fact> {
        let mut out = Vec::new();
        if grammar.lines.is_empty() {
            return out;
        }
        let from = if with_head { lines.start } else { lines.start + 1 };
        for at in from..lines.end {
            if self.kind(at) != LineKind::Text {
                continue;
            }
            let content = self.lines[at].content();
            let line = self.text.slice(content);
            // Asking whether a pattern matches is much cheaper than asking for its groups, and few do.
            let form = grammar.lines.iter().find(|l| l.pattern.is_match(line));
            let found = form.and_then(|l| Some((l, l.pattern.captures(line)?)));
            let Some((form, captures)) = found else { continue };
            let groups = form.pattern.names().filter_map(|name| {
                let group = captures.name(name)?;
                let span = Span::new(content.start + group.start(), content.start + group.end());
                Some((name.to_owned(), Spanned::new(group.as_str().trim().into(), span)))
            });
            out.push(Fact { kind: form.is, span: content, groups: groups.collect() });
        }
        out
    }
}

/// What the words of an entry say about it.
#[derive(Debug, Default)]
pub(super) struct Forms {
    pub(super) form: Option<EntryForm>,
    pub(super) claims: bool,
    pub(super) completes: bool,
}

/// What the title and the body of an entry say about it.
pub(super) fn forms(grammar: &DocumentGrammar, title: &str, body: &str) -> Forms {
    let mut out = Forms::default();
    let all = grammar.entries.as_ref().map_or(&[][..], |e| &e.forms);
    for rule in all {
        let fits = rule.title.as_ref().is_some_and(|p| p.is_match(title))
            || rule.body.as_ref().is_some_and(|p| p.is_match(body));
        if !fits || rule.except.as_ref().is_some_and(|p| p.is_match(title)) {
            continue;
        }
        match rule.is {
            FormKind::Claim => out.claims = true,
            FormKind::Completion => out.completes = true,
            FormKind::Retrospective => out.form = out.form.or(Some(EntryForm::Retrospective)),
            FormKind::Reconciliation => out.form = out.form.or(Some(EntryForm::Reconciliation)),
        }
    }
    out
}

//! Reads message cards: header fields in whatever carrier, then the parts of the body.

use super::Reader;
use super::ack::read_ack;
use super::record::item_text;
use crate::grammar::dialect::{CardGrammar, SectionKind};
use crate::grammar::digest;
use crate::grammar::document::{AckLine, Card, Field, Payload, Reply, field};
use crate::grammar::fields::{Carrier, FieldLine, field_line, field_row, known_name};
use crate::grammar::pattern::Label;
use crate::grammar::scan::LineKind;
use crate::grammar::segment::Cut;
use crate::model::{Actor, Stamp, split_route};
use crate::text::{Span, Spanned};
use compact_str::CompactString;
use std::ops::Range;
use std::sync::Arc;

impl Reader<'_> {
    pub(super) fn cards(&self) -> Vec<Card> {
        let Some(grammar) = &self.grammar().cards else { return Vec::new() };
        self.segments.cards.iter().map(|cut| self.card(cut, grammar)).collect()
    }

    fn card(&self, cut: &Cut, grammar: &CardGrammar) -> Card {
        let lines = cut.lines.clone();
        let head = self.heading(lines.start);
        let (id, alone) = self.card_id(&head, cut.level, grammar);
        let mut parts = Parts::new(self, grammar);
        let header_end = parts.header(lines.start + 1..lines.end);
        parts.body(header_end..lines.end);
        let Parts { mut fields, acks, replies, payloads, body, .. } = parts;
        let (from, to) = parties(&mut fields);
        let stamp = field(&fields, "date").and_then(|f| Stamp::parse(&f.value));
        let section = cut.section.map(|i| &self.grammar().sections[i]);
        // `decision-required (urgent)` asks for one as well.
        let kind = field(&fields, "type").map_or_else(String::new, |f| f.value.as_str().to_lowercase());
        let asks = grammar.types.escalation.iter().any(|t| kind.contains(&t.to_lowercase()));
        let request = grammar.decision.as_ref().filter(|_| asks).and_then(|d| d.request.as_ref());
        Card {
            span: self.span(lines.clone()),
            well_formed: alone && grammar.id.is_match(&id.value),
            region: Arc::from(section.map_or("messages", |s| s.name.as_str())),
            section: section.map_or(SectionKind::Plain, |s| s.is),
            digest: frozen_digest(self, &fields, &body, grammar),
            request: request.map(|r| self.request(&body, r)).unwrap_or_default(),
            head,
            id,
            lines,
            fields,
            from,
            to,
            stamp,
            body,
            acks,
            replies,
            payloads,
        }
    }

    /// The id in a card's head, and whether it stands alone there.
    fn card_id(
        &self,
        head: &Spanned<CompactString>,
        level: u8,
        grammar: &CardGrammar,
    ) -> (Spanned<CompactString>, bool) {
        let found =
            grammar.heads.iter().filter(|h| h.opens_at(level)).find_map(|h| h.pattern.captures(&head.value));
        let Some(captures) = found else { return (head.clone(), false) };
        let Some(id) = captures.name("id") else { return (head.clone(), false) };
        let span = Span::new(head.span.start + id.start(), head.span.start + id.end());
        let alone = captures.name("rest").is_none_or(|rest| rest.as_str().trim().is_empty());
        (Spanned::new(id.as_str().into(), span), alone)
    }
}

/// Senders and receivers: `From: A -> B` says both, and then a `to` field is made of it.
fn parties(fields: &mut Vec<Field>) -> (Vec<Actor>, Vec<Actor>) {
    let Some(from) = field(fields, "from").cloned() else {
        return (Vec::new(), receivers(fields));
    };
    let split = split_route(&from.value.value);
    let Some((sender, receiver)) = split else {
        return (Actor::parse_list(&from.value), receivers(fields));
    };
    let parties = (Actor::parse_list(sender), Actor::parse_list(receiver));
    if field(fields, "to").is_none() {
        let at = from.value.span.end - receiver.trim_start().len();
        let value = Spanned::new(receiver.trim().into(), Span::new(at, from.value.span.end));
        fields.push(Field { name: Some(Arc::from("to")), value, ..from });
    }
    parties
}

fn receivers(fields: &[Field]) -> Vec<Actor> {
    field(fields, "to").map(|f| Actor::parse_list(&f.value)).unwrap_or_default()
}

/// Digest over what a message's author wrote: the fields that do not change, in the order of their names, and
/// the body. Acks, replies, separators and blank lines take no part.
fn frozen_digest(reader: &Reader<'_>, fields: &[Field], body: &[Span], grammar: &CardGrammar) -> String {
    let mut frozen: Vec<String> = fields
        .iter()
        .filter_map(|f| {
            let name = f.name.as_deref().map_or_else(|| f.label.as_str().to_lowercase(), str::to_owned);
            (!grammar.mutable.contains(&name)).then(|| format!("{name}={}", f.value.value))
        })
        .collect();
    frozen.sort();
    let texts = frozen.iter().map(String::as_str);
    digest::of(texts.chain(body.iter().map(|span| reader.text.slice(*span))))
}

/// The parts of a card, while they are read.
struct Parts<'r, 'a> {
    reader: &'r Reader<'a>,
    grammar: &'r CardGrammar,
    fields: Vec<Field>,
    acks: Vec<AckLine>,
    replies: Vec<Reply>,
    payloads: Vec<Payload>,
    body: Vec<Span>,
}

/// What a label in a card's body begins.
enum Part {
    Ack,
    Reply,
    Field(Arc<str>),
    Other,
}

impl<'r, 'a> Parts<'r, 'a> {
    fn new(reader: &'r Reader<'a>, grammar: &'r CardGrammar) -> Self {
        let (fields, acks, replies, payloads, body) = Default::default();
        Parts { reader, grammar, fields, acks, replies, payloads, body }
    }

    fn field_at(&self, at: usize) -> Option<FieldLine<'a>> {
        match self.reader.kind(at) {
            LineKind::Text => field_line(self.reader.line(at)),
            LineKind::TableHead | LineKind::TableRow => field_row(self.reader.line(at)),
            _ => None,
        }
    }

    /// Reads the header and returns the line after it. The header is the first paragraph or table, and goes on
    /// over blank lines as long as fields follow that it does not have yet.
    fn header(&mut self, lines: Range<usize>) -> usize {
        let mut at = lines.start;
        let mut end = lines.start;
        while at < lines.end {
            let fresh = self.field_at(at).and_then(|f| {
                let name = known_name(&self.grammar.fields, f.label)?;
                field(&self.fields, name).is_none().then(|| f.to_field(Some(name), self.reader.start(at)))
            });
            let in_paragraph = end == at && !self.fields.is_empty();
            match (self.reader.kind(at), fresh) {
                (LineKind::Blank | LineKind::Break | LineKind::TableDelimiter | LineKind::Comment, _) => {
                    if self.reader.kind(at) == LineKind::TableDelimiter && end == at {
                        end = at + 1;
                    }
                }
                (_, Some(field)) => {
                    self.fields.push(field);
                    end = at + 1;
                }
                (LineKind::TableHead, None) if self.fields.is_empty() => end = at + 1,
                (LineKind::TableRow | LineKind::Text, None)
                    if in_paragraph || end == at && at > lines.start =>
                {
                    if !self.header_rest(at) {
                        break;
                    }
                    end = at + 1;
                }
                _ => break,
            }
            at += 1;
        }
        end
    }

    /// A line of the header paragraph that is no known field: a field of another name, an ack, or the rest of
    /// the value above it. False when it is a part of the body.
    fn header_rest(&mut self, at: usize) -> bool {
        let base = self.reader.start(at);
        match self.field_at(at) {
            Some(line) => match self.part(&line) {
                Some(Part::Ack | Part::Reply | Part::Other) => false,
                // The header row of a field table, or a field that stands here twice.
                _ if line.carrier == Carrier::Row && self.fields.is_empty() => true,
                _ => {
                    self.fields.push(line.to_field(None, base));
                    true
                }
            },
            None => self.extend_value(at),
        }
    }

    /// Adds a line to the value of the last field.
    fn extend_value(&mut self, at: usize) -> bool {
        let (text, base) = (self.reader.line(at), self.reader.start(at));
        let Some(last) = self.fields.last_mut() else { return false };
        last.value.value.push('\n');
        last.value.value.push_str(text.trim());
        last.value.span = last.value.span.to(Span::new(base, base + text.trim_end().len()));
        true
    }

    fn part(&self, line: &FieldLine<'_>) -> Option<Part> {
        let fits = |labels: &[Label]| labels.iter().any(|l| l.matches(line.label));
        if fits(&self.grammar.ack) {
            Some(Part::Ack)
        } else if fits(&self.grammar.reply) {
            Some(Part::Reply)
        } else if line.carrier == Carrier::Bold
            && let Some(name) = known_name(&self.grammar.fields, line.label)
            && field(&self.fields, name).is_none()
        {
            Some(Part::Field(Arc::clone(name)))
        } else {
            fits(&self.grammar.parts).then_some(Part::Other)
        }
    }

    /// A label at the left margin that begins a part of the card.
    fn part_at(&self, at: usize) -> Option<(FieldLine<'a>, Part)> {
        let line = self
            .reader
            .lines
            .get(at)
            .filter(|l| l.kind == LineKind::Text && (l.depth == 0 || l.lazy || l.item))?;
        let field = field_line(self.reader.text.slice(line.span()))?;
        let part = self.part(&field)?;
        // `- **Ack:** …` is an ack in a list; other labels in lists are text.
        let listed = field.bullet && field.carrier == Carrier::Bold && matches!(part, Part::Ack);
        (!field.bullet || listed).then_some((field, part))
    }

    fn body(&mut self, lines: Range<usize>) {
        let mut at = lines.start;
        let mut open: Option<usize> = None;
        while at < lines.end {
            let payload = self.grammar.payload.as_ref().filter(|p| self.reader.opens_payload(at, p));
            if let Some(grammar) = payload {
                self.close_body(&mut open, at);
                let ends = |line: usize| self.part_at(line).is_some();
                let (payload, end) = self.reader.payload(at..lines.end, grammar, &ends);
                self.payloads.push(payload);
                at = end;
                continue;
            }
            let Some((line, part)) = self.part_at(at) else {
                match self.reader.kind(at) {
                    LineKind::Break => self.close_body(&mut open, at),
                    LineKind::Blank => {}
                    _ => {
                        open.get_or_insert(at);
                    }
                }
                at += 1;
                continue;
            };
            match part {
                Part::Ack => {
                    self.close_body(&mut open, at);
                    at = self.ack(at..lines.end, &line);
                }
                Part::Reply => {
                    self.close_body(&mut open, at);
                    at = self.reply(at..lines.end, &line);
                }
                Part::Field(name) => {
                    // Its paragraph is its value, and no part of the body: a status may change.
                    self.close_body(&mut open, at);
                    self.fields.push(line.to_field(Some(&name), self.reader.start(at)));
                    at += 1;
                    while at < lines.end
                        && self.reader.kind(at) == LineKind::Text
                        && self.part_at(at).is_none()
                    {
                        self.extend_value(at);
                        at += 1;
                    }
                }
                Part::Other => {
                    // A label alone on its line is scaffolding; one with text is text.
                    self.close_body(&mut open, at);
                    if !line.value.is_empty() {
                        open = Some(at);
                    }
                    at += 1;
                }
            }
        }
        self.close_body(&mut open, lines.end);
    }

    fn close_body(&mut self, open: &mut Option<usize>, end: usize) {
        let Some(start) = open.take() else { return };
        let mut end = end;
        while end > start && self.reader.kind(end - 1) == LineKind::Blank {
            end -= 1;
        }
        self.body.push(self.reader.span(start..end));
    }

    /// Reads the ack on the first of `lines` and returns the line after it.
    fn ack(&mut self, lines: Range<usize>, line: &FieldLine<'_>) -> usize {
        let note = self.note(&self.grammar.ack, line.label);
        let mut end = lines.start + 1;
        if line.value.is_empty() {
            return self.ack_below(lines, note.as_deref());
        }
        while end < lines.end && self.reader.kind(end) == LineKind::Text && self.part_at(end).is_none() {
            end += 1;
        }
        let rest = (lines.start + 1..end).map(|at| self.reader.line(at).trim());
        let text = std::iter::once(line.value).chain(rest).collect::<Vec<_>>().join("\n");
        self.acks.push(read_ack(&text, note.as_deref(), self.reader.span(lines.start..end), self.grammar));
        end
    }

    /// A label alone: the ack is the text below it, or one ack a bullet.
    fn ack_below(&mut self, lines: Range<usize>, note: Option<&str>) -> usize {
        let ends = |at: usize| self.part_at(at).is_some() || self.reader.kind(at) == LineKind::Break;
        let end = (lines.start + 1..lines.end).find(|&at| ends(at)).unwrap_or(lines.end);
        let filled: Vec<usize> =
            (lines.start + 1..end).filter(|&at| self.reader.kind(at) != LineKind::Blank).collect();
        let (Some(&first), Some(&last)) = (filled.first(), filled.last()) else { return end };
        let is_item = |at: usize| self.reader.lines[at].item && self.reader.lines[at].depth == 1;
        let starts: Vec<usize> = if is_item(first) {
            filled.iter().copied().filter(|&at| is_item(at)).collect()
        } else {
            vec![first]
        };
        for (i, &start) in starts.iter().enumerate() {
            let stop = starts.get(i + 1).copied().unwrap_or(last + 1);
            let text = (start..stop).map(|at| self.reader.line(at).trim()).collect::<Vec<_>>().join("\n");
            let text = item_text(&text).filter(|_| is_item(start)).unwrap_or(&text).trim_end().to_owned();
            self.acks.push(read_ack(&text, note, self.reader.span(start..stop), self.grammar));
        }
        end
    }

    /// Reads the reply on the first of `lines` and returns the line after it.
    fn reply(&mut self, lines: Range<usize>, line: &FieldLine<'_>) -> usize {
        let note = self.note(&self.grammar.reply, line.label);
        let payload = self.grammar.payload.as_ref();
        let ends = |at: usize| {
            self.part_at(at).is_some()
                || self.reader.kind(at) == LineKind::Break
                || payload.is_some_and(|p| self.reader.opens_payload(at, p))
        };
        let mut end = (lines.start + 1..lines.end).find(|&at| ends(at)).unwrap_or(lines.end);
        let after = end;
        while end > lines.start + 1 && self.reader.kind(end - 1) == LineKind::Blank {
            end -= 1;
        }
        let span = self.reader.span(lines.start..end);
        let value_at = self.reader.start(lines.start) + line.value_at;
        let from =
            if line.value.is_empty() { self.reader.span(lines.start + 1..end).start } else { value_at };
        self.replies.push(Reply { span, note, text: Span::new(from.min(span.end), span.end) });
        after
    }

    fn note(&self, labels: &[Label], label: &str) -> Option<String> {
        labels.iter().find_map(|l| Some(l.captures(label)?.name("note")?.as_str().trim().to_owned()))
    }
}

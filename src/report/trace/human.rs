//! The tree of causes for eyes: a line an envelope, and below it what is wrong.

use super::rails::Rails;
use super::{cut, or_dash};
use crate::finding::Severity;
use crate::report::Style;
use crate::report::sanitize::OneLine;
use crate::report::summary::{counted, severities};
use crate::squad::trace::{Fault, Node, Trace, What};
use std::io::{self, Write};

/// Writes the tree, and how much was found.
///
/// # Errors
/// Those of `out`.
pub fn human(trace: &Trace<'_>, style: Style, out: &mut dyn Write) -> io::Result<()> {
    let paint = Paint(style.color);
    let mut rails = Rails::default();
    for workflow in &trace.workflows {
        let name = workflow.id.map_or_else(|| "no workflow".to_owned(), |id| format!("workflow {id}"));
        let nodes = &trace.nodes[workflow.nodes.clone()];
        let count = nodes.iter().filter(|node| node.envelope().is_some()).count();
        writeln!(out, "{} ({})", paint.bold(&name), counted(count, "envelope", "envelopes"))?;
        for fault in workflow.faults.iter().map(|at| &trace.faults[*at]) {
            writeln!(out, "  {}", said(fault, paint))?;
        }
        for node in nodes {
            if node.above.is_none() {
                writeln!(out)?;
            }
            let (before, below) = rails.next(node);
            writeln!(out, "{before}{}", row(node, paint))?;
            if let Some(payload) = node.payload.map(|at| &trace.nodes[at]) {
                let about = payload.envelope().map_or("", |envelope| envelope.subject());
                writeln!(out, "{below}hands over {}  {}", payload.short, or_dash(&cut(about)))?;
            }
            for fault in node.faults.iter().map(|at| &trace.faults[*at]) {
                writeln!(out, "{below}{}", said(fault, paint))?;
            }
        }
        writeln!(out)?;
    }
    writeln!(out, "{}", summary(trace))
}

fn row(node: &Node<'_>, paint: Paint) -> String {
    let short = paint.bold(&node.short);
    let envelope = match node.what {
        What::Envelope(envelope) => envelope,
        What::Missing(_) => return format!("{short}  missing"),
    };
    let short = if node.short.is_empty() { "-".to_owned() } else { short };
    let time = or_dash(envelope.created.as_ref().map_or("", |time| &time.text));
    let edge = node.edge.map(|edge| format!("{edge}  ")).unwrap_or_default();
    let (kind, origin) = (or_dash(&envelope.word), or_dash(&envelope.origin));
    let target = or_dash(envelope.target.as_deref().unwrap_or_default());
    let subject = or_dash(&cut(envelope.subject()));
    let mut source = format!("{}:{}", OneLine(&envelope.source.path), envelope.source.line);
    match node.copies.as_slice() {
        [] => {}
        [copy] => source.push_str(&format!(", {}:{}", OneLine(&copy.path), copy.line)),
        several => source.push_str(&format!(" and {} copies", several.len())),
    }
    format!(
        "{short}  {time}  {edge}{kind}  {origin} → {target}  {subject}  {}",
        paint.dim(&format!("({source})"))
    )
}

fn said(fault: &Fault, paint: Paint) -> String {
    let mark = paint.severity(fault.severity, &format!("{}[{}]", fault.severity, fault.rule));
    format!("{mark} {}", OneLine(&fault.message))
}

fn summary(trace: &Trace<'_>) -> String {
    if trace.nodes.is_empty() {
        return "No envelopes.".to_owned();
    }
    let envelopes = counted(trace.envelopes(), "envelope", "envelopes");
    let workflows = counted(trace.workflows.len(), "workflow", "workflows");
    let count = |severity| trace.faults.iter().filter(|fault| fault.severity == severity).count();
    let found = severities(count(Severity::Error), count(Severity::Warning), count(Severity::Info));
    let found = found.unwrap_or_else(|| "nothing is wrong with their chain".to_owned());
    format!("{envelopes} in {workflows}: {found}.")
}

/// Colours, where they are wanted.
#[derive(Debug, Clone, Copy)]
struct Paint(bool);

impl Paint {
    fn with(self, code: &str, text: &str) -> String {
        if self.0 { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_owned() }
    }

    fn bold(self, text: &str) -> String {
        self.with("1", text)
    }

    fn dim(self, text: &str) -> String {
        self.with("2", text)
    }

    fn severity(self, severity: Severity, text: &str) -> String {
        let code = match severity {
            Severity::Error => "31",
            Severity::Warning => "33",
            Severity::Info | Severity::Off => "36",
        };
        self.with(code, text)
    }
}

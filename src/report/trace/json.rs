//! The tree of causes as one JSON document; `grammar/schemas/trace.schema.json` describes it.

use crate::finding::Severity;
use crate::report::escape::Escaping;
use crate::report::json::{TOOL, Tool, VERSION};
use crate::squad::Source;
use crate::squad::trace::{Edge, Fault, Node, Trace};
use serde::Serialize;
use std::io::{self, Write};
use uuid::Uuid;

/// What all documents of a trace have in common.
#[derive(Serialize)]
struct Document<'a, B, S> {
    version: u32,
    tool: Tool,
    #[serde(flatten)]
    body: B,
    problems: &'a [String],
    summary: S,
}

#[derive(Serialize)]
struct Tree<'a> {
    workflows: Vec<WorkflowView<'a>>,
    faults: Vec<FaultView<'a>>,
}

#[derive(Serialize)]
struct WorkflowView<'a> {
    id: Option<String>,
    nodes: Vec<NodeView<'a>>,
}

#[derive(Serialize)]
struct NodeView<'a> {
    id: Option<String>,
    short: &'a str,
    missing: bool,
    depth: usize,
    time: Option<&'a str>,
    r#type: Option<&'a str>,
    origin: Option<&'a str>,
    target: Option<&'a str>,
    subject: Option<&'a str>,
    parent: Option<String>,
    edge: Option<Edge>,
    payload: Option<String>,
    source: Option<PlaceView<'a>>,
    copies: Vec<PlaceView<'a>>,
    faults: Vec<&'a str>,
}

/// A place in a file.
#[derive(Serialize)]
pub(super) struct PlaceView<'a> {
    path: &'a str,
    line: usize,
}

#[derive(Serialize)]
struct FaultView<'a> {
    rule: &'a str,
    severity: Severity,
    message: &'a str,
    workflow: Option<String>,
    at: Vec<AtView<'a>>,
    others: Vec<AtView<'a>>,
}

#[derive(Serialize)]
struct AtView<'a> {
    id: Option<String>,
    source: Option<PlaceView<'a>>,
}

#[derive(Serialize)]
struct Summary {
    envelopes: usize,
    workflows: usize,
    errors: usize,
    warnings: usize,
    infos: usize,
}

/// Writes the document. `problems` says what could not be read, one line each.
///
/// # Errors
/// Those of `out`.
pub fn json(trace: &Trace<'_>, problems: &[String], out: &mut dyn Write) -> io::Result<()> {
    let node = |at: &usize| {
        let node = &trace.nodes[*at];
        AtView { id: written(node.id()), source: node.envelope().map(|e| place(&e.source)) }
    };
    let fault = |fault: &'_ Fault| FaultView {
        rule: fault.rule,
        severity: fault.severity,
        message: "",
        workflow: written(fault.workflow.and_then(|at| trace.workflows[at].id)),
        at: fault.nodes.iter().map(node).collect(),
        others: fault.others.iter().map(node).collect(),
    };
    let count = |severity| trace.faults.iter().filter(|fault| fault.severity == severity).count();
    let tree = Tree {
        workflows: trace
            .workflows
            .iter()
            .map(|workflow| WorkflowView {
                id: written(workflow.id),
                nodes: trace.nodes[workflow.nodes.clone()].iter().map(|node| view(node, trace)).collect(),
            })
            .collect(),
        faults: trace.faults.iter().map(|one| FaultView { message: &one.message, ..fault(one) }).collect(),
    };
    let summary = Summary {
        envelopes: trace.envelopes(),
        workflows: trace.workflows.len(),
        errors: count(Severity::Error),
        warnings: count(Severity::Warning),
        infos: count(Severity::Info),
    };
    write(tree, problems, summary, out)
}

fn view<'a>(node: &'a Node<'a>, trace: &'a Trace<'_>) -> NodeView<'a> {
    let envelope = node.envelope();
    NodeView {
        id: written(node.id()),
        short: &node.short,
        missing: envelope.is_none(),
        depth: node.depth,
        time: envelope.and_then(|e| Some(&*e.created.as_ref()?.text)),
        r#type: envelope.map(|e| &*e.word),
        origin: envelope.map(|e| &*e.origin),
        target: envelope.and_then(|e| e.target.as_deref()),
        subject: envelope.and_then(|e| e.subject.as_deref()),
        parent: written(envelope.and_then(|e| e.parent)),
        edge: node.edge,
        payload: written(envelope.and_then(|e| e.payload)),
        source: envelope.map(|e| place(&e.source)),
        copies: node.copies.iter().map(|source| place(source)).collect(),
        faults: node.faults.iter().map(|at| trace.faults[*at].rule).collect(),
    }
}

/// An id as it is written.
pub(super) fn written(id: Option<Uuid>) -> Option<String> {
    id.map(|id| id.to_string())
}

/// A place as JSON names its parts.
pub(super) fn place(source: &Source) -> PlaceView<'_> {
    PlaceView { path: &source.path, line: source.line }
}

/// Writes why there is no tree, for a program that reads a document whatever happens.
///
/// # Errors
/// Those of `out`.
pub fn failure(message: &str, help: Option<&str>, out: &mut dyn Write) -> io::Result<()> {
    crate::report::json::render_failure(message, help, &mut &mut *out)
}

/// Writes a document and a line end.
pub(super) fn write(
    body: impl Serialize,
    problems: &[String],
    summary: impl Serialize,
    out: &mut dyn Write,
) -> io::Result<()> {
    let document = Document { version: VERSION, tool: TOOL, body, problems, summary };
    serde_json::to_writer_pretty(Escaping(&mut *out), &document)?;
    out.write_all(b"\n")
}

//! What diagrams have in common.

use super::{cut, or_dash};
use crate::finding::Severity;
use crate::squad::trace::{Node, Trace, What};

/// What stands in the box of a node, line by line. All of it is untrusted.
pub(super) fn lines(node: &Node<'_>, trace: &Trace<'_>) -> Vec<String> {
    let mut lines = match node.what {
        What::Missing(_) => vec![format!("{} missing", node.short)],
        What::Envelope(envelope) => {
            let target = or_dash(envelope.target.as_deref().unwrap_or_default());
            let mut lines = vec![format!("{} {}", or_dash(&envelope.word), node.short)];
            if !envelope.subject().is_empty() {
                // The marks keep a subject from being taken for a list or another construct.
                lines.push(format!("“{}”", or_dash(&cut(envelope.subject()))));
            }
            lines.push(format!("{} → {target}", or_dash(&envelope.origin)));
            lines.extend(envelope.created.as_ref().map(|time| or_dash(&time.text)));
            lines
        }
    };
    lines.extend(
        node.faults.iter().map(|at| &trace.faults[*at]).map(|f| format!("{}: {}", f.severity, f.rule)),
    );
    lines
}

/// Whether something is wrong at a node.
pub(super) fn is_faulty(node: &Node<'_>, trace: &Trace<'_>) -> bool {
    node.faults.iter().any(|at| trace.faults[*at].severity > Severity::Info)
}

/// The title of a workflow.
pub(super) fn title(id: Option<uuid::Uuid>) -> String {
    id.map_or_else(|| "no workflow".to_owned(), |id| format!("workflow {id}"))
}

/// The edges: from the cause to what follows, with a word, and whether it is one to what is handed over.
pub(super) fn edges<'t>(
    trace: &'t Trace<'_>,
) -> impl Iterator<Item = (usize, usize, &'static str, bool)> + 't {
    trace.nodes.iter().enumerate().flat_map(|(at, node)| {
        let cause =
            node.cause.map(|cause| (cause, at, node.edge.map_or("parent", |edge| edge.as_str()), false));
        let payload = node.payload.map(|payload| (payload, at, "payload", true));
        cause.into_iter().chain(payload)
    })
}

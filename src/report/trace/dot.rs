//! The tree of causes in the language of Graphviz.

use super::diagram::{edges, is_faulty, lines, title};
use crate::squad::trace::{Trace, What};
use std::io::{self, Write};

/// Writes the graph.
///
/// # Errors
/// Those of `out`.
pub fn dot(trace: &Trace<'_>, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "digraph trace {{\n  node [shape=box];")?;
    for (number, workflow) in trace.workflows.iter().enumerate() {
        writeln!(out, "  subgraph cluster_{number} {{\n    label=\"{}\";", escaped(&title(workflow.id)))?;
        for at in workflow.nodes.clone() {
            let node = &trace.nodes[at];
            let label: Vec<String> = lines(node, trace).iter().map(|line| escaped(line)).collect();
            let missing = if matches!(node.what, What::Missing(_)) { ", style=dashed" } else { "" };
            let faulty = if is_faulty(node, trace) { ", color=red" } else { "" };
            writeln!(out, "    n{at} [label=\"{}\"{missing}{faulty}];", label.join("\\n"))?;
        }
        writeln!(out, "  }}")?;
    }
    for (from, to, word, handed_over) in edges(trace) {
        let style = if handed_over { ", style=dashed" } else { "" };
        writeln!(out, "  n{from} -> n{to} [label=\"{word}\"{style}];")?;
    }
    writeln!(out, "}}")
}

/// Text between the quotes of a label, where Graphviz knows escapes and the entities of HTML.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '&' => out.push_str("&amp;"),
            _ => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_label_means_anything() {
        assert_eq!(escaped("a\"]; b -> c \\N &lt; <i>"), "a\\\"]; b -> c \\\\N &amp;lt; <i>");
    }
}

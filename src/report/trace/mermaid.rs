//! The tree of causes as a mermaid flowchart, such as GitHub draws in a fence of that name.

use super::diagram::{edges, is_faulty, lines, title};
use crate::squad::trace::{Trace, What};
use std::fmt::Write as _;
use std::io::{self, Write};

/// The number of edges, and the number of characters, beyond which mermaid draws nothing unless it is configured
/// to. A diagram cannot lift these bounds by itself.
const MOST: (usize, usize) = (500, 50_000);

/// Whether mermaid as it is installed draws a diagram.
pub fn draws(trace: &Trace<'_>, diagram: &[u8]) -> bool {
    edges(trace).count() <= MOST.0 && diagram.len() <= MOST.1
}

/// Writes the diagram.
///
/// # Errors
/// Those of `out`.
pub fn mermaid(trace: &Trace<'_>, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "flowchart TD")?;
    for (number, workflow) in trace.workflows.iter().enumerate() {
        writeln!(out, "  subgraph w{number}[\"{}\"]", escaped(&title(workflow.id)))?;
        for at in workflow.nodes.clone() {
            let label: Vec<String> =
                lines(&trace.nodes[at], trace).iter().map(|line| escaped(line)).collect();
            writeln!(out, "    n{at}[\"{}\"]", label.join("<br/>"))?;
        }
        writeln!(out, "  end")?;
    }
    for (from, to, word, handed_over) in edges(trace) {
        let arrow = if handed_over { "-.->" } else { "-->" };
        writeln!(out, "  n{from} {arrow}|{word}| n{to}")?;
    }
    let nodes = || trace.nodes.iter().enumerate();
    let missing = nodes().filter(|(_, node)| matches!(node.what, What::Missing(_))).map(|(at, _)| at);
    class("missing", "stroke-dasharray:4 4", missing, out)?;
    let faulty = nodes().filter(|(_, node)| is_faulty(node, trace)).map(|(at, _)| at);
    class("faulty", "stroke:#c00,stroke-width:3px", faulty, out)
}

fn class(name: &str, style: &str, nodes: impl Iterator<Item = usize>, out: &mut dyn Write) -> io::Result<()> {
    let nodes: Vec<String> = nodes.map(|at| format!("n{at}")).collect();
    if nodes.is_empty() {
        return Ok(());
    }
    writeln!(out, "  classDef {name} {style}")?;
    writeln!(out, "  class {} {name}", nodes.join(","))
}

/// Text between the quotes of a label. What could mean something to mermaid, to markdown or to HTML is written
/// as its number.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut before = ' ';
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let word_after = chars.peek().is_some_and(char::is_ascii_alphabetic);
        let plain = match c {
            // `fa:fa-…` is a picture.
            ':' => !word_after,
            // Inside a word it emphasises nothing.
            '_' => word_after && before.is_ascii_alphanumeric(),
            ' ' | '.' | ',' | '-' | '/' => true,
            _ => !c.is_ascii() || c.is_ascii_alphanumeric(),
        };
        if plain {
            out.push(c);
        } else {
            // Writing to a string cannot fail.
            let _ = write!(out, "#{};", u32::from(c));
        }
        before = c;
    }
    // Before it reads a line with one of these words, mermaid takes its last semicolon away.
    out.replace("style", "#115;tyle").replace("classDef", "#99;lassDef")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_label_means_anything() {
        assert_eq!(escaped("2026-03-02T09:30:00Z a/b, c."), "2026-03-02T09:30:00Z a/b, c.");
        assert_eq!(escaped("\"] --> x"), "#34;#93; --#62; x");
        assert_eq!(escaped("lifestyle: x;"), "life#115;tyle: x#59;");
        assert_eq!(escaped("DEV_TASK _a_ b_"), "DEV_TASK #95;a#95; b#95;");
        assert_eq!(escaped("`<b>` #1; fa:fa-car é"), "#96;#60;b#62;#96; #35;1#59; fa#58;fa-car é");
        assert!(
            escaped("\"`#;<>&[]{}()|\\*_~%@$").chars().all(|c| c.is_ascii_digit() || matches!(c, '#' | ';'))
        );
    }
}

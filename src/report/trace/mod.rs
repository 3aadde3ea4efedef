//! The tree of causes, for eyes, for programs, and as a diagram.

mod diagram;
mod dot;
mod human;
mod json;
mod mermaid;
mod rails;
mod replay;

pub use dot::dot;
pub use human::human;
pub use json::{failure, json};
pub use mermaid::{draws, mermaid};
pub use replay::{human as replay_human, json as replay_json};

use super::sanitize::OneLine;

/// Characters of a subject that are shown.
const SUBJECT: usize = 60;

/// A subject that fits into a line.
fn cut(subject: &str) -> String {
    let mut shown: String = subject.chars().take(SUBJECT).collect();
    if shown.len() < subject.len() {
        shown.push('…');
    }
    shown
}

/// Untrusted text, or a dash where there is none.
fn or_dash(text: &str) -> String {
    if text.is_empty() { "-".to_owned() } else { OneLine(text).to_string() }
}

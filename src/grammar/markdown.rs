//! The one file that knows comrak: what only a markdown parser can tell about the text of an entry.

use comrak::nodes::NodeValue;
use comrak::{Arena, Options, parse_document};

/// A text larger than this is searched for no links: parsing takes memory many times its size.
const LARGEST: usize = 1024 * 1024;

/// The targets of links and images in a text, in order and without repetition.
pub(crate) fn link_targets(text: &str) -> Vec<String> {
    // No link without this; most entries have none, and parsing is what costs.
    if !text.contains("](") && !text.contains("]:") || text.len() > LARGEST || is_wide_table(text) {
        return Vec::new();
    }
    let arena = Arena::new();
    let mut options = Options::default();
    options.extension.table = true;
    let root = parse_document(&arena, text, &options);
    let mut out: Vec<String> = Vec::new();
    for node in root.descendants() {
        if let NodeValue::Link(link) | NodeValue::Image(link) = &node.data.borrow().value
            && !out.contains(&link.url)
        {
            out.push(link.url.clone());
        }
    }
    out
}

/// The parser's time grows with the square of a table's columns when its rows are short.
fn is_wide_table(text: &str) -> bool {
    text.lines().any(|line| line.len() > 400 && line.bytes().filter(|b| *b == b'|').count() > 200)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_found_where_markdown_has_them() {
        let text =
            "[a](docs/a.md) `[b](b.md)` ![c](c.png)\n\n    [d](d.md)\n\n[e]\n\n[e]: e.md\n\n[a](docs/a.md)\n";
        assert_eq!(link_targets(text), ["docs/a.md", "c.png", "e.md"]);
    }

    #[test]
    fn a_hostile_table_is_not_parsed() {
        let row = "|".repeat(1000);
        let text = format!("[a](b)\n{row}\n{}\n", "|-".repeat(1000));
        assert!(link_targets(&text).is_empty());
    }
}

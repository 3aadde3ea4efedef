//! ATX headings as text: level and content without markers.

use super::dialect::{DocumentGrammar, Head};

/// Level and text of an ATX heading line, indented by at most three spaces; none for any other line.
pub fn atx(line: &str) -> Option<(u8, &str)> {
    let line = line.strip_prefix('\u{feff}').unwrap_or(line);
    let rest = line.trim_start_matches(' ');
    if line.len() - rest.len() > 3 {
        return None;
    }
    let level = rest.bytes().take_while(|b| *b == b'#').count();
    let text = rest.get(level..)?;
    if !(1..=6).contains(&level) || !(text.is_empty() || text.starts_with([' ', '\t'])) {
        return None;
    }
    let text = text.trim();
    let open = text.trim_end_matches('#');
    let text = if open.len() < text.len() && (open.is_empty() || open.ends_with([' ', '\t'])) {
        open.trim_end()
    } else {
        text
    };
    Some((u8::try_from(level).unwrap_or(6), text))
}

impl DocumentGrammar {
    /// Index of the section that a heading opens.
    pub(crate) fn section_at(&self, level: u8, text: &str) -> Option<usize> {
        self.sections.iter().position(|s| s.levels.contains(&level) && s.heading.is_match(text))
    }

    /// Whether a heading is a session's.
    pub(crate) fn is_session(&self, level: u8, text: &str) -> bool {
        self.sessions
            .as_ref()
            .is_some_and(|s| s.levels.contains(&level) && s.patterns.iter().any(|p| p.is_match(text)))
    }

    /// All heads of entries and cards.
    pub(crate) fn heads(&self) -> impl Iterator<Item = &Head> {
        let entries = self.entries.iter().flat_map(|e| &e.heads);
        entries.chain(self.cards.iter().flat_map(|c| &c.heads))
    }

    /// Whether a line of text can be a head that says something.
    pub(crate) fn has_plain_heads(&self) -> bool {
        self.heads().any(|h| !h.weak && h.levels.is_empty())
    }

    /// Whether a raw line would open something if it stood outside a fence. Heads that any heading fits say
    /// nothing here: a fence that shows a heading is an ordinary fence.
    pub fn is_strong_head(&self, line: &str) -> bool {
        let strong = |level: u8, text: &str| {
            self.heads().any(|h| !h.weak && h.opens_at(level) && h.pattern.is_match(text))
        };
        match atx(line) {
            Some((level, text)) => {
                self.section_at(level, text).is_some() || self.is_session(level, text) || strong(level, text)
            }
            None => strong(0, line.trim_end()),
        }
    }
}

impl Head {
    /// Whether this head is written at a heading level; 0 is a line of text.
    pub(crate) fn opens_at(&self, level: u8) -> bool {
        if self.levels.is_empty() { level == 0 } else { self.levels.contains(&level) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_lose_their_markers() {
        assert_eq!(atx("### a b ###"), Some((3, "a b")));
        assert_eq!(atx("  ## a#"), Some((2, "a#")));
        assert_eq!(atx("\u{feff}# a"), Some((1, "a")));
        assert_eq!(atx("#"), Some((1, "")));
        assert_eq!(atx("## ##"), Some((2, "")));
        assert_eq!(atx("#a"), None);
        assert_eq!(atx("####### a"), None);
        assert_eq!(atx("    # a"), None);
    }
}

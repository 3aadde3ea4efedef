//! Code fences.

use super::cursor::{flush, is_blank};

/// What a fence line says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Fence {
    /// The character that it is made of.
    pub(super) mark: u8,
    /// How many of them.
    pub(super) len: usize,
    /// Whether nothing follows them; only a bare line can close a fence.
    pub(super) bare: bool,
}

impl Fence {
    /// Reads `rest`, a line from its first visible byte on.
    pub(super) fn read(rest: &[u8]) -> Option<Self> {
        let &mark @ (b'`' | b'~') = rest.first()? else { return None };
        let len = rest.iter().take_while(|&&b| b == mark).count();
        if len < 3 {
            return None;
        }
        let info = rest.get(len..).unwrap_or_default();
        // A backtick in the info string makes the line a code span in a paragraph.
        if mark == b'`' && memchr::memchr(b'`', info).is_some() {
            return None;
        }
        Some(Fence { mark, len, bare: is_blank(info) })
    }

    /// Reads a line that lies in no container.
    pub(super) fn read_flush(line: &[u8]) -> Option<Self> {
        Self::read(flush(line)?.1)
    }

    /// Whether this line closes a block that `opener` opened.
    pub(super) const fn closes(&self, opener: &Fence) -> bool {
        self.bare && self.mark == opener.mark && self.len >= opener.len
    }
}

/// What a line is, in a text with code between fences.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// Words.
    Prose,
    /// The fence that begins a block of code.
    Opening,
    /// Code.
    Code,
    /// The fence that ends a block of code.
    Closing,
}

/// The lines of a text that stands in an entry or in an envelope, and what each is. A fence may be indented, as in a list.
pub fn parts(text: &str) -> impl Iterator<Item = (&str, Part)> {
    let mut open: Option<Fence> = None;
    text.lines().map(move |line| {
        let fence = Fence::read(line.trim_start().as_bytes());
        let part = match (&open, fence) {
            (None, None) => Part::Prose,
            (None, Some(opener)) => {
                open = Some(opener);
                Part::Opening
            }
            (Some(opener), Some(fence)) if fence.closes(opener) => {
                open = None;
                Part::Closing
            }
            (Some(_), _) => Part::Code,
        };
        (line, part)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_prose_or_code() {
        let text = "a\n  ~~~~ text\n```\n~~~\n~~~~~\n```b``` c\n```\nd";
        let read: Vec<Part> = parts(text).map(|(_, part)| part).collect();
        let (code, prose) = (Part::Code, Part::Prose);
        assert_eq!(read, [prose, Part::Opening, code, code, Part::Closing, prose, Part::Opening, code]);
    }

    fn read(line: &str) -> Option<Fence> {
        Fence::read_flush(line.as_bytes())
    }

    #[test]
    fn three_marks_open_a_fence() {
        assert_eq!(read("```"), Some(Fence { mark: b'`', len: 3, bare: true }));
        assert_eq!(read("   ~~~~ text"), Some(Fence { mark: b'~', len: 4, bare: false }));
        assert_eq!(read("``"), None);
        assert_eq!(read("    ```"), None);
        assert_eq!(read("\t```"), None);
    }

    #[test]
    fn a_backtick_fence_has_no_backtick_in_its_info() {
        assert_eq!(read("``` a`b"), None);
        assert!(read("~~~ a`b~").is_some());
    }

    #[test]
    fn a_close_is_bare_and_long_enough() {
        let closes = |close: &str, open: &str| read(close).unwrap().closes(&read(open).unwrap());
        assert!(closes("```  ", "```text"));
        assert!(closes("`````", "````"));
        assert!(!closes("```", "````"));
        assert!(!closes("```text", "```"));
        assert!(!closes("~~~", "```"));
    }
}

//! JSON that can be shown: what [`sanitize`](super::sanitize) replaces elsewhere is escaped here, losing nothing.

use super::sanitize::{is_unseen, opens_command};
use std::io::{self, Write};

/// A writer that serde_json writes through.
///
/// serde_json escapes C0 controls only. Everything else that must not reach a terminal or a runner raw can, in a JSON
/// document, stand nowhere but inside a string, so it can be escaped without knowing where strings begin.
#[derive(Debug)]
pub(super) struct Escaping<W>(pub W);

impl<W: Write> Write for Escaping<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // serde_json hands over whole string fragments, so the text is never cut inside a character or a marker.
        match std::str::from_utf8(bytes) {
            Ok(text) if needs_escapes(text) => write_escaped(text, &mut self.0)?,
            _ => self.0.write_all(bytes)?,
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

fn needs_escapes(text: &str) -> bool {
    !text.is_ascii() || text.contains('\u{7f}') || text.contains("##")
}

fn write_escaped(text: &str, out: &mut impl Write) -> io::Result<()> {
    let mut done = 0;
    let mut previous = '\0';
    for (at, c) in text.char_indices() {
        let after = at + c.len_utf8();
        // Pretty-printed output has line ends between values; those inside strings are escaped already.
        let unseen = is_unseen(c) && c != '\n';
        if unseen || (c == '#' && previous == '#' && opens_command(&text[after..])) {
            out.write_all(&text.as_bytes()[done..at])?;
            for unit in c.encode_utf16(&mut [0; 2]) {
                write!(out, "\\u{unit:04x}")?;
            }
            done = after;
        }
        previous = c;
    }
    out.write_all(&text.as_bytes()[done..])
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn escaped(value: &str) -> String {
        let mut out = Vec::new();
        serde_json::to_writer(Escaping(&mut out), value).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn unseen_characters_and_commands_are_escaped() {
        assert_eq!(escaped("ä\u{9b}\u{7f}"), r#""ä\u009b\u007f""#);
        assert_eq!(escaped("\u{202e}\u{e0041}"), r#""\u202e\udb40\udc41""#);
        assert_eq!(escaped("##[error]"), r##""#\u0023[error]""##);
    }

    proptest! {
        #[test]
        fn escaping_loses_nothing(value in any::<String>()) {
            prop_assert_eq!(serde_json::from_str::<String>(&escaped(&value)).unwrap(), value);
        }
    }
}

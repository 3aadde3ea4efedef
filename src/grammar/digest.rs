//! Content digests: line ends and trailing blank lines do not count.

use sha2::{Digest, Sha256};

/// SHA-256 in hex over several texts, each normalized and closed off from the next.
pub fn of<'a>(texts: impl IntoIterator<Item = &'a str>) -> String {
    let mut hash = Sha256::new();
    for text in texts {
        feed(&mut hash, text);
        hash.update([0x1f]);
    }
    hex(&hash.finalize())
}

/// The first half of [`of`], to compare and to look up.
pub fn short<'a>(texts: impl IntoIterator<Item = &'a str>) -> u128 {
    let mut hash = Sha256::new();
    for text in texts {
        feed(&mut hash, text);
        hash.update([0x1f]);
    }
    hash.finalize().iter().take(16).fold(0, |sum, byte| sum << 8 | u128::from(*byte))
}

/// SHA-256 in hex over one text with LF line ends, trailing blank lines included.
pub fn of_payload(text: &str) -> String {
    hex(&Sha256::digest(unix(text).as_bytes()))
}

/// The text with LF line ends.
pub fn unix(text: &str) -> std::borrow::Cow<'_, str> {
    if text.contains('\r') { text.replace("\r\n", "\n").replace('\r', "\n").into() } else { text.into() }
}

fn feed(hash: &mut Sha256, text: &str) {
    hash.update(unix(text).trim_end_matches(['\n', ' ', '\t']).as_bytes());
}

fn hex(bytes: &[u8]) -> String {
    const DIGITS: [char; 16] =
        ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'];
    let mut out = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        out.push(DIGITS[usize::from(byte >> 4)]);
        out.push(DIGITS[usize::from(byte & 15)]);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_ends_do_not_count() {
        assert_eq!(of(["a\r\nb\r\n\r\n"]), of(["a\nb"]));
        assert_ne!(of(["a\nb"]), of(["a b"]));
        assert_ne!(of(["a", "b"]), of(["ab"]));
    }

    #[test]
    fn a_payload_counts_its_final_line_end() {
        assert_eq!(of_payload("a\r\n"), of_payload("a\n"));
        assert_ne!(of_payload("a"), of_payload("a\n"));
        assert!(of_payload("").starts_with("e3b0c442"));
    }
}

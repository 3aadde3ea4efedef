//! Data in the middle of text, encoded so that only a tool can read it.

/// Shorter runs, in bytes, are words, keys or checksums.
pub const SHORTEST: usize = 60;

/// Digits of the longest checksum in use.
const LONGEST_HASH: usize = 128;

/// Whether a byte may stand in base64, in either of its alphabets.
pub const fn is_code(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'-' | b'_')
}

/// The runs of a line that look encoded: base64, or hexadecimal digits of more than any checksum has. Checksums,
/// addresses, paths and long names are none.
pub fn runs(line: &str) -> Vec<(usize, usize)> {
    let bytes = line.as_bytes();
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(first) = bytes.get(at..at + SHORTEST) {
        // The last byte that breaks a run: looking from the end skips most bytes.
        if let Some(broken) = first.iter().rposition(|b| !is_code(*b)) {
            at += broken + 1;
            continue;
        }
        let length = SHORTEST + bytes[at + SHORTEST..].iter().take_while(|b| is_code(**b)).count();
        if is_encoded(&bytes[at..at + length]) && !is_address(&bytes[..at]) {
            out.push((at, at + length));
        }
        at += length;
    }
    out
}

/// Whether a run looks like base64, or like hexadecimal digits longer than any checksum.
fn is_encoded(run: &[u8]) -> bool {
    if run.iter().all(u8::is_ascii_hexdigit) {
        return run.len() > LONGEST_HASH;
    }
    // Checksums of packages: `sha512-…`.
    if run.starts_with(b"sha") {
        return false;
    }
    let pairs = || run.iter().map(class).zip(run.iter().skip(1).map(class));
    let share = |fits: fn((Class, Class)) -> bool| 100 * pairs().filter(|p| fits(*p)).count() / run.len();
    // Large letters stand beside small ones in `CamelCase`, too, but there neither beside one another nor beside
    // digits; in paths and words of a name they are few.
    let mixed = share(|(a, b)| a.is_letter() && b.is_letter() && a != b);
    let odd = share(|(a, b)| {
        (a == Class::Upper && b == Class::Upper)
            || (a.is_letter() && b == Class::Digit)
            || (a == Class::Digit && b.is_letter())
    });
    mixed >= 15 && odd >= 15
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Upper,
    Lower,
    Digit,
    Other,
}

impl Class {
    fn is_letter(self) -> bool {
        matches!(self, Class::Upper | Class::Lower)
    }
}

const fn class(byte: &u8) -> Class {
    match byte {
        b'A'..=b'Z' => Class::Upper,
        b'a'..=b'z' => Class::Lower,
        b'0'..=b'9' => Class::Digit,
        _ => Class::Other,
    }
}

/// Whether the word that ends here is the beginning of an address.
fn is_address(before: &[u8]) -> bool {
    let word = before.rsplit(u8::is_ascii_whitespace).next().unwrap_or_default();
    word.windows(3).any(|w| w == b"://") || word.windows(4).any(|w| w == b"www.")
}

//! Finds UTF-8 that was read as Windows-1252 and written as UTF-8 again: `â€”` for `—`, `Ã©` for `é`.
//!
//! Each character is turned back into its byte of Windows-1252. Where the bytes form one UTF-8 sequence, the text
//! may be such a character. `café…”` and `MANHÃ—` form one, too, so a sequence that a writer could mean has to be
//! confirmed by what stands around it.

/// Characters that could be one that was encoded twice, or a run of them.
#[derive(Debug, PartialEq, Eq)]
pub struct Mojibake {
    /// Offset of the run in the text.
    pub start: usize,
    /// One past the run.
    pub end: usize,
    /// What it would be.
    pub meant: String,
    /// Whether it is that, and not what somebody wrote.
    pub sure: bool,
}

/// Characters that may stand right behind a word.
const AFTER_A_WORD: &str = "\u{a0}…‘’“”«»‹›–—•·™©®ªº°¹²³";

/// Those of them that may stand behind a letter that stands alone.
const AFTER_A_LETTER: &str = "\u{a0}…‘’“”«»‹›–—";

/// The run of characters that could be twice encoded ones and begins at byte `at` of `text`, where a character
/// starts.
pub fn mojibake(text: &str, at: usize) -> Option<Mojibake> {
    let mut end = at;
    let mut meant = String::new();
    let mut sequences = 0;
    let mut doubtful = true;
    while let Some(one) = text.get(end..).and_then(sequence) {
        end += one.len;
        sequences += 1;
        doubtful &= one.prose;
        meant.push(one.meant);
    }
    let first = text.get(at..).and_then(sequence)?;
    let before = text.get(..at).and_then(|t| t.chars().next_back());
    let after = text.get(end..).and_then(|t| t.chars().next());
    let sure = if first.meant == '\u{feff}' || (sequences > 1 && !doubtful) {
        true
    } else if first.bytes == 2 {
        is_sure_pair(&first, before, after)
    } else {
        !first.prose
    };
    Some(Mojibake { start: at, end, meant, sure })
}

/// Whether two characters alone are one that was encoded twice.
fn is_sure_pair(pair: &Sequence, before: Option<char>, after: Option<char>) -> bool {
    // A capital behind a small letter is no word's spelling.
    let inside = before.is_some_and(char::is_lowercase);
    let starts = !before.is_some_and(char::is_alphabetic) && after.is_some_and(char::is_alphabetic);
    let latin = matches!(pair.lead, 'Â' | 'Ã');
    match pair.lead {
        // `ß` and `×` are at home behind a small letter and a number.
        'ß' | '×' => false,
        _ if !pair.prose => latin || inside,
        _ if AFTER_A_LETTER.contains(pair.tail) => latin && (inside || starts),
        _ => inside || latin && !before.is_some_and(char::is_alphabetic),
    }
}

/// One character that could have been encoded twice.
struct Sequence {
    lead: char,
    /// The last of the characters it became.
    tail: char,
    /// What it was.
    meant: char,
    /// Bytes of what it was, and so the number of characters that it became.
    bytes: usize,
    /// Length of these in bytes.
    len: usize,
    /// Whether a writer could mean all the characters behind the first.
    prose: bool,
}

fn sequence(text: &str) -> Option<Sequence> {
    let mut chars = text.chars();
    let lead = chars.next()?;
    let bytes = match lead {
        'Â'..='ß' => 2,
        'à'..='ï' => 3,
        'ð'..='ô' => 4,
        _ => return None,
    };
    let mut raw = [windows_1252(lead)?, 0, 0, 0];
    let (mut len, mut prose, mut tail) = (lead.len_utf8(), true, lead);
    for slot in raw.get_mut(1..bytes)? {
        tail = chars.next()?;
        *slot = windows_1252(tail)?;
        len += tail.len_utf8();
        prose &= AFTER_A_WORD.contains(tail);
    }
    let meant = std::str::from_utf8(raw.get(..bytes)?).ok()?.chars().next()?;
    Some(Sequence { lead, tail, meant, bytes, len, prose })
}

/// The byte that Windows-1252 has for a character; the five it leaves open stand for themselves.
fn windows_1252(c: char) -> Option<u8> {
    const HIGH: &str = "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8d}Ž\u{8f}\u{90}‘’“”•–—˜™š›œ\u{9d}žŸ";
    match c {
        '\u{80}'..='\u{ff}' if !HIGH.contains(c) => u8::try_from(u32::from(c)).ok(),
        _ => HIGH.chars().position(|h| h == c).and_then(|at| u8::try_from(0x80 + at).ok()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> Vec<String> {
        let mut found = Vec::new();
        let mut at = 0;
        while at < text.len() {
            match mojibake(text, at) {
                Some(run) => {
                    found.extend(run.sure.then_some(run.meant));
                    at = run.end;
                }
                None => at += text[at..].chars().next().map_or(1, char::len_utf8),
            }
        }
        found
    }

    /// Encodes twice.
    fn broken(text: &str) -> String {
        let high = "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8d}Ž\u{8f}\u{90}‘’“”•–—˜™š›œ\u{9d}žŸ";
        let char_of = |b: u8| match b {
            0x80..=0x9f => high.chars().nth(usize::from(b) - 0x80).unwrap(),
            _ => char::from(b),
        };
        text.bytes().map(char_of).collect()
    }

    #[test]
    fn what_was_encoded_twice_is_found() {
        for text in [
            "a — b",
            "it’s",
            "café",
            "été",
            "Größe",
            "→ x",
            "✓ done",
            "日本",
            "привет",
            "🚀",
            "\u{feff}#",
            "się",
            "zł",
            "25 °C",
            "año",
            "ação",
            "até à",
        ] {
            assert!(!all(&broken(text)).is_empty(), "{text}: {}", broken(text));
        }
        assert_eq!(all("a â€” b"), ["—"]);
        assert_eq!(all("CafÃ© crÃ¨me"), ["é", "è"]);
    }

    #[test]
    fn what_people_write_is_not() {
        for text in [
            "café",
            "“café…”",
            "«été…»",
            "IRMÃ, MANHÃ",
            "amanhã",
            "MANHÃ—",
            "“CAFÉ”",
            "“IRMÔ",
            "Ã",
            "à",
            "Straß…",
            "FUß—",
            "né—” x",
            "Â",
            "Ãi",
            "Ân",
            "3×·2",
            "naïve™®",
            "ÀÉÎÕÜ",
            "àéîõü",
            "ÄÖÜ–äöüß",
            "“Ã”",
            "Â »",
            "olé!”",
            "señor… ñ",
            "PAÑO: Ñ…",
            "RÉSUMÉ™",
            "日本—",
            "Добро",
            "ã…”",
            "â—",
            "coração»",
        ] {
            assert!(all(text).is_empty(), "{text}: {:?}", all(text));
        }
    }
}

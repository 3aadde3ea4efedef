//! Numbers that carry their own proof.

use serde::Deserialize;

/// How a value is proved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Check {
    /// Payment cards (ISO/IEC 7812-1, annex B).
    Luhn,
    /// International bank account numbers (ISO 13616).
    Mod97,
}

impl Check {
    /// Whether the value passes; signs between its digits and letters do not count.
    pub fn holds(self, value: &str) -> bool {
        match self {
            Check::Luhn => luhn(value),
            Check::Mod97 => mod97(value),
        }
    }
}

fn luhn(value: &str) -> bool {
    let digits = value.bytes().rev().filter(u8::is_ascii_digit).map(|b| u32::from(b - b'0'));
    let sum: u32 = digits
        .enumerate()
        .map(|(at, digit)| match at % 2 {
            0 => digit,
            _ => digit * 2 / 10 + digit * 2 % 10,
        })
        .sum();
    sum > 0 && sum.is_multiple_of(10)
}

fn mod97(value: &str) -> bool {
    let signs: Vec<u8> = value.bytes().filter(u8::is_ascii_alphanumeric).collect();
    if !(15..=34).contains(&signs.len()) {
        return false;
    }
    // The country and the check digits are read last; letters are two digits each.
    let turned = signs[4..].iter().chain(&signs[..4]);
    let rest = turned.fold(0u32, |rest, sign| match sign {
        b'0'..=b'9' => (rest * 10 + u32::from(sign - b'0')) % 97,
        letter => (rest * 100 + u32::from(letter.to_ascii_uppercase() - b'A') + 10) % 97,
    });
    rest == 1
}

#[cfg(test)]
mod tests {
    use super::Check;

    #[test]
    fn a_changed_digit_is_noticed() {
        assert!(Check::Luhn.holds("4111 1111-11111111"));
        assert!(Check::Luhn.holds("378282246310005"));
        assert!(!Check::Luhn.holds("4111111111111112"));
        assert!(!Check::Luhn.holds("0000000000000000"));
        assert!(Check::Mod97.holds("GB82 WEST 1234 5698 7654 32"));
        assert!(!Check::Mod97.holds("GB82 WEST 1234 5698 7654 33"));
        assert!(!Check::Mod97.holds("GB82"));
    }
}

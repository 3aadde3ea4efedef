//! Ids and the beginnings that people write instead of them.

use uuid::Uuid;

/// The least number of digits of a beginning that is shown; fewer would hardly stay unique.
const LEAST: usize = 8;

/// Digits of a whole id.
const DIGITS: usize = 32;

/// How many ids are suggested.
const SUGGESTED: usize = 3;

/// Ids, sorted, each once.
#[derive(Debug, Default)]
pub struct Ids(Vec<u128>);

impl Ids {
    /// Sorts ids.
    pub fn of(ids: impl Iterator<Item = Uuid>) -> Ids {
        let mut ids: Vec<u128> = ids.map(|id| id.as_u128()).collect();
        ids.sort_unstable();
        ids.dedup();
        Ids(ids)
    }

    /// The shortest beginning of an id that no other one has, of eight digits at least.
    pub fn short(&self, id: Uuid) -> String {
        let at = self.0.partition_point(|other| *other < id.as_u128());
        let before = at.checked_sub(1).and_then(|at| self.0.get(at));
        let after = self.0[at..].iter().find(|other| **other != id.as_u128());
        let common = |other: &u128| (other ^ id.as_u128()).leading_zeros() as usize / 4;
        let digits = before.into_iter().chain(after).map(|other| common(other) + 1).max().unwrap_or(0);
        let text = id.hyphenated().to_string();
        let mut left = digits.clamp(LEAST, DIGITS);
        let cut = text.find(|c: char| {
            let ends = left == 0;
            left = left.saturating_sub(usize::from(c != '-'));
            ends
        });
        text[..cut.unwrap_or(text.len())].to_owned()
    }

    /// The ids that begin like this, with or without dashes, braces and the like; none when it is no beginning of
    /// an id.
    pub fn starting(&self, text: &str) -> Vec<Uuid> {
        let Some(digits) = digits(text) else { return Vec::new() };
        let free = 4 * (DIGITS - digits.len());
        let Ok(start) = u128::from_str_radix(&digits, 16) else { return Vec::new() };
        let least = start.checked_shl(u32::try_from(free).unwrap_or(0)).unwrap_or(0);
        let most = least | 1_u128.checked_shl(u32::try_from(free).unwrap_or(0)).map_or(0, |bit| bit - 1);
        let from = self.0.partition_point(|id| *id < least);
        let to = self.0.partition_point(|id| *id <= most);
        self.0[from..to].iter().map(|id| Uuid::from_u128(*id)).collect()
    }

    /// The ids that are most like a mistyped one, the likeliest first, at most three.
    pub fn near(&self, text: &str) -> Vec<Uuid> {
        let Some(digits) = digits(text).filter(|digits| digits.len() >= 3) else { return Vec::new() };
        let written: Vec<u32> = digits.chars().filter_map(|c| c.to_digit(16)).collect();
        let digit = |id: u128, at: usize| u32::try_from(id >> (4 * (DIGITS - 1 - at)) & 0xf).unwrap_or(0);
        let differing =
            |id: u128| written.iter().enumerate().filter(|(at, digit_)| digit(id, *at) != **digit_).count();
        let most = written.len() / 3;
        let mut near: Vec<(usize, u128)> =
            self.0.iter().map(|id| (differing(*id), *id)).filter(|(n, _)| *n <= most).collect();
        near.sort_unstable();
        near.into_iter().take(SUGGESTED).map(|(_, id)| Uuid::from_u128(id)).collect()
    }
}

/// The digits of an id or of its beginning.
fn digits(text: &str) -> Option<String> {
    let text = text.trim().to_ascii_lowercase();
    let text = text.strip_prefix("urn:uuid:").unwrap_or(&text);
    let digits: String = text.chars().filter(|c| !matches!(c, '-' | '{' | '}')).collect();
    let is = !digits.is_empty() && digits.len() <= DIGITS && digits.bytes().all(|b| b.is_ascii_hexdigit());
    is.then_some(digits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const ONE: &str = "3b0e2c0a-5d4f-4b6e-9a57-0d3a1f6c2e01";
    const TWO: &str = "3b0e2c0a-5d40-4b6e-9a57-0d3a1f6c2e01";
    const OTHER: &str = "7b0e2c0a-5d4f-4b6e-9a57-0d3a1f6c2e01";

    fn ids() -> Ids {
        Ids::of([OTHER, ONE, TWO, ONE].iter().map(|id| id.parse().unwrap()))
    }

    #[test]
    fn a_short_id_is_as_long_as_it_must_be() {
        let short = |id: &str| ids().short(id.parse().unwrap());
        assert_eq!([short(ONE), short(TWO), short(OTHER)], ["3b0e2c0a-5d4f", "3b0e2c0a-5d40", "7b0e2c0a"]);
        let last = Ids::of((1..3).map(Uuid::from_u128));
        assert_eq!(last.short(Uuid::from_u128(1)), "00000000-0000-0000-0000-000000000001");
    }

    #[test]
    fn an_id_is_found_by_its_beginning_however_it_is_written() {
        let found = |text: &str| ids().starting(text).len();
        assert_eq!(
            ["3", "3b0e2c0a5d4", "3b0e2c0a-5d4f", "7", "8", "x", "", "-"].map(found),
            [2, 2, 1, 1, 0, 0, 0, 0]
        );
        for text in
            [ONE.to_uppercase(), format!("urn:uuid:{ONE}"), format!(" {{{ONE}}}"), ONE.replace('-', "")]
        {
            assert_eq!(found(&text), 1, "{text}");
        }
        assert_eq!(found(&format!("{ONE}0")), 0);
    }

    #[test]
    fn what_is_mistyped_is_guessed() {
        assert_eq!(
            ids().near("7b0e2c1a"),
            [OTHER.parse::<Uuid>().unwrap(), TWO.parse().unwrap(), ONE.parse().unwrap()]
        );
        assert!(ids().near("ffff").is_empty());
        assert!(ids().near("MSG-1").is_empty());
    }

    proptest! {
        #[test]
        fn a_short_id_leads_back(numbers in prop::collection::vec(any::<u128>(), 1..20), low in any::<bool>()) {
            let shift = if low { 120 } else { 0 };
            let all: Vec<Uuid> = numbers.iter().map(|n| Uuid::from_u128(n >> shift)).collect();
            let ids = Ids::of(all.iter().copied());
            for id in all {
                prop_assert_eq!(ids.starting(&ids.short(id)), [id]);
            }
        }

        #[test]
        fn nothing_panics(text in "[0-9a-fx{}-]{0,40}") {
            ids().starting(&text);
            ids().near(&text);
        }
    }
}

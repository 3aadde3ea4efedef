//! Points in time as signals carry them: UTC, always with three digits of a second, so that the order of the
//! texts is the order of the times.

use crate::model::Stamp;
use jiff::Timestamp;
use serde::{Serialize, Serializer};
use std::fmt;

/// A point in time, to the millisecond.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Instant(Timestamp);

impl Instant {
    /// Reads a date and time with its zone (RFC 3339, ISO 8601). None for anything less: a time without a zone
    /// is no point in time.
    pub fn parse(text: &str) -> Option<Instant> {
        let text = text.trim();
        // A zone in brackets behind it is no part of either standard.
        if text.contains('[') {
            return None;
        }
        Instant::from_timestamp(text.parse::<Timestamp>().ok()?)
    }

    /// What a stamp stands for: a date without a time of day is its midnight, and what names no zone is taken
    /// for UTC. None without a date.
    pub fn of(stamp: &Stamp) -> Option<Instant> {
        Instant::from_timestamp(stamp.timestamp()?)
    }

    /// The point in time, cut to the millisecond. None outside the years 0 to 9999, which four digits can name.
    pub fn from_timestamp(timestamp: Timestamp) -> Option<Instant> {
        let cut = Timestamp::from_millisecond(timestamp.as_millisecond()).ok()?;
        let year = jiff::tz::Offset::UTC.to_datetime(cut).year();
        (0..=9999).contains(&year).then_some(Instant(cut))
    }

    /// Milliseconds since the beginning of 1970.
    pub fn milliseconds(self) -> i64 {
        self.0.as_millisecond()
    }

    /// The form without colons that begins the name of a file (signal protocol, "File Naming"): a fraction of a
    /// second is written only where there is one.
    pub fn compact(self) -> String {
        let fraction = self.0.as_millisecond().rem_euclid(1000);
        let format = if fraction == 0 { "%Y-%m-%dT%H%M%SZ" } else { "%Y-%m-%dT%H%M%S.%3fZ" };
        self.0.strftime(format).to_string()
    }

    /// The form in which every colon and point is a dash, as the reference program names its files.
    pub fn dashed(self) -> String {
        self.to_string().replace([':', '.'], "-")
    }
}

impl fmt::Display for Instant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.strftime("%Y-%m-%dT%H:%M:%S.%3fZ"))
    }
}

impl Serialize for Instant {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Option<String> {
        Instant::parse(text).map(|i| i.to_string())
    }

    #[test]
    fn every_point_in_time_has_one_text() {
        for (text, want) in [
            ("2025-01-30T12:00:00Z", "2025-01-30T12:00:00.000Z"),
            ("2025-01-30T12:00:00.999Z", "2025-01-30T12:00:00.999Z"),
            ("2025-01-30T12:00:00.9999Z", "2025-01-30T12:00:00.999Z"),
            ("2025-01-30T01:00:00+02:00", "2025-01-29T23:00:00.000Z"),
            ("0000-01-01T00:00:00Z", "0000-01-01T00:00:00.000Z"),
        ] {
            assert_eq!(shown(text).as_deref(), Some(want), "{text}");
        }
    }

    #[test]
    fn what_names_no_point_in_time_is_none() {
        for text in [
            "",
            "2025-01-30",
            "2025-01-30T12:00:00",
            "12:00",
            "0000-01-01T00:00:00+10:00",
            "a/b",
            "1706611200000",
        ] {
            assert_eq!(shown(text), None, "{text}");
        }
    }

    #[test]
    fn a_stamp_is_taken_for_utc_and_a_day_for_its_midnight() {
        let of = |text: &str| Instant::of(&Stamp::parse(text)?).map(|i| i.to_string());
        assert_eq!(of("2026-02-08").as_deref(), Some("2026-02-08T00:00:00.000Z"));
        assert_eq!(of("2026-02-08T20:15").as_deref(), Some("2026-02-08T20:15:00.000Z"));
        assert_eq!(of("2026-02-08T20:15:00-07:00").as_deref(), Some("2026-02-09T03:15:00.000Z"));
        assert_eq!(of("17:04"), None);
    }

    #[test]
    fn a_fraction_is_in_the_name_only_where_there_is_one() {
        assert_eq!(Instant::parse("2025-01-30T12:00:00Z").unwrap().compact(), "2025-01-30T120000Z");
        assert_eq!(Instant::parse("2025-01-30T12:00:00.05Z").unwrap().compact(), "2025-01-30T120000.050Z");
        assert_eq!(Instant::parse("2025-01-30T12:00:00Z").unwrap().dashed(), "2025-01-30T12-00-00-000Z");
    }
}

//! Times of envelopes, as the reference program reads them.

use jiff::Timestamp;
use jiff::civil::{DateTime, Time};
use serde_json::Value;

/// A point in time, or what a clock showed somewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moment {
    /// With a zone: a point in time.
    Zoned(Timestamp),
    /// Without a zone. Nobody knows which point in time it is.
    Local(DateTime),
}

/// Where an envelope has times, as JSON pointers.
pub const TIMES: [&str; 3] = ["/created_at", "/constraints/deadline_ts", "/expires_at"];

/// Numbers above it count milliseconds, not seconds (the reference program's bound: the year 2603).
const MOST_SECONDS: f64 = 2e10;

/// A day, in nanoseconds.
const DAY: i128 = 86_400_000_000_000;

impl Moment {
    /// Reads a date and time as text (RFC 3339 and its looser kin), or a number of seconds or milliseconds since
    /// 1970, as number or as text. A date alone is its midnight, wherever that is.
    pub fn of(value: &Value) -> Option<Moment> {
        match value {
            Value::Number(number) => since_1970(number.as_f64()?),
            Value::String(text) => Moment::parse(text),
            _ => None,
        }
    }

    fn parse(text: &str) -> Option<Moment> {
        let text = text.trim();
        if text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'.' | b'-')) && text.matches('-').count() < 2 {
            return since_1970(text.parse().ok()?);
        }
        // A zone in brackets behind it is no part of the standard.
        if text.contains('[') {
            return None;
        }
        if let Ok(timestamp) = text.parse::<Timestamp>() {
            return Some(Moment::Zoned(timestamp));
        }
        text.parse::<DateTime>().ok().map(Moment::Local)
    }

    /// Whether it comes before another. None when that cannot be told: one of them has a zone and the other has
    /// not, or it is the midnight that a day begins with, which is also how a day alone is written, and the other
    /// is later that day.
    pub fn is_before(self, other: Moment) -> Option<bool> {
        let (before, is_day) = match (self, other) {
            (Moment::Zoned(a), Moment::Zoned(b)) => {
                let since = b.as_nanosecond() - a.as_nanosecond();
                (since > 0, a.as_nanosecond() % DAY == 0 && since < DAY)
            }
            (Moment::Local(a), Moment::Local(b)) => {
                (a < b, a.time() == Time::midnight() && a.date() == b.date())
            }
            _ => return None,
        };
        if before && is_day { None } else { Some(before) }
    }

    /// Its place in an order of all moments, in nanoseconds since 1970; what has no zone is taken for UTC.
    pub fn order(self) -> i128 {
        match self {
            Moment::Zoned(timestamp) => timestamp.as_nanosecond(),
            Moment::Local(local) => {
                jiff::tz::Offset::UTC.to_timestamp(local).map_or(i128::MIN, Timestamp::as_nanosecond)
            }
        }
    }
}

fn since_1970(number: f64) -> Option<Moment> {
    let seconds = if number.abs() > MOST_SECONDS { number / 1000.0 } else { number };
    #[allow(clippy::cast_possible_truncation)]
    // a cast from floating point saturates, and so many are refused
    let nanoseconds = (seconds * 1e9) as i128;
    Timestamp::from_nanosecond(nanoseconds).ok().map(Moment::Zoned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn shown(value: Value) -> Option<String> {
        Moment::of(&value).map(|moment| match moment {
            Moment::Zoned(at) => at.to_string(),
            Moment::Local(at) => format!("{at} local"),
        })
    }

    #[test]
    fn times_are_read_as_the_reference_program_reads_them() {
        for (value, want) in [
            (json!("2026-03-02T09:30:00Z"), "2026-03-02T09:30:00Z"),
            (json!("2026-03-02 09:30:00+02:00"), "2026-03-02T07:30:00Z"),
            (json!("2026-03-02T09:30:00.123456Z"), "2026-03-02T09:30:00.123456Z"),
            (json!("2026-03-02T09:30:00"), "2026-03-02T09:30:00 local"),
            (json!("2026-03-02 09:30"), "2026-03-02T09:30:00 local"),
            (json!("2026-03-02"), "2026-03-02T00:00:00 local"),
            (json!(1_767_225_600), "2026-01-01T00:00:00Z"),
            (json!(1_767_225_600_000_i64), "2026-01-01T00:00:00Z"),
            (json!("1767225600"), "2026-01-01T00:00:00Z"),
        ] {
            assert_eq!(shown(value.clone()).as_deref(), Some(want), "{value}");
        }
        for value in
            [json!("soon"), json!(""), json!("09:30"), json!(true), json!("2026-13-02"), json!(1e300)]
        {
            assert_eq!(shown(value.clone()), None, "{value}");
        }
    }

    #[test]
    fn a_time_without_zone_is_neither_before_nor_after_one_with() {
        let moment = |text: &str| Moment::of(&json!(text)).unwrap();
        let (zoned, local) = (moment("2026-03-02T09:30:00Z"), moment("2026-03-03"));
        assert_eq!(zoned.is_before(local), None);
        assert_eq!(zoned.is_before(moment("2026-03-02T09:30:00-01:00")), Some(true));
        assert_eq!(local.is_before(moment("2026-03-02")), Some(false));
        assert!(zoned.order() < local.order());
    }

    #[test]
    fn a_day_alone_is_not_before_what_happens_on_it() {
        let before = |one: &str, other: &str| {
            Moment::of(&json!(one)).unwrap().is_before(Moment::of(&json!(other)).unwrap())
        };
        for (one, other, want) in [
            ("2026-03-02T00:00:00Z", "2026-03-02T09:30:00Z", None),
            ("2026-03-02T00:00:00Z", "2026-03-02T23:59:59.9Z", None),
            ("2026-03-02T00:00:00Z", "2026-03-03T00:00:00Z", Some(true)),
            ("2026-03-02T00:00:00Z", "2026-03-02T00:00:00Z", Some(false)),
            ("2026-03-02T00:00:01Z", "2026-03-02T09:30:00Z", Some(true)),
            ("2026-03-02", "2026-03-02T09:30:00", None),
            ("2026-03-02", "2026-03-03T09:30:00", Some(true)),
            ("2026-03-02T09:30:00", "2026-03-02", Some(false)),
        ] {
            assert_eq!(before(one, other), want, "{one} {other}");
        }
    }
}

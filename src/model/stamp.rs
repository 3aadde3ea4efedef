//! Times as the sources write them: a date stays a date, a time without a zone stays without one.

use crate::text::trim;
use jiff::civil::{Date, Time};
use serde::{Serialize, Serializer};
use std::cmp::Ordering;
use std::fmt;

/// A date, a time of day, or both, with the zone that the source gives.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Stamp {
    date: Option<Date>,
    time: Option<Clock>,
    /// Minutes east of UTC.
    offset: Option<i16>,
}

/// Time of day, at the precision of the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Clock {
    time: Time,
    /// How many of the fields after the minute the source gives: none, seconds, or a fraction of this many digits.
    seconds: Option<u8>,
}

impl Stamp {
    /// Reads a stamp: `2026-02-08`, `2026-02-10/11` (its first day), `17:04`, `2026-02-08T20:15:00-07:00`,
    /// `2026-02-08 20:15 UTC`, `~22:45`. None for anything else, and for dates that do not exist.
    pub fn parse(text: &str) -> Option<Stamp> {
        let text = trim(trim(text).trim_matches('`'));
        let text = text.strip_prefix('~').unwrap_or(text).trim_start();
        let (date, rest) = match take_date(text) {
            Some((date, rest)) => (Some(date?), rest),
            None => (None, text),
        };
        if rest.is_empty() {
            return date.map(|date| Stamp { date: Some(date), time: None, offset: None });
        }
        let rest = match date {
            Some(_) => {
                let stripped = rest.strip_prefix(['T', 't', ' '])?.trim_start();
                stripped.strip_prefix('~').unwrap_or(stripped).trim_start()
            }
            None => rest,
        };
        let (clock, rest) = take_clock(rest)?;
        let offset = zone(rest.trim())?;
        Some(Stamp { date, time: Some(clock), offset })
    }

    /// A bare time of day under a dated heading: takes the date, and keeps what it has itself.
    #[must_use]
    pub fn joined(&self, context: Option<&Stamp>) -> Stamp {
        let date = self.date.or_else(|| context.and_then(|c| c.date));
        Stamp { date, ..self.clone() }
    }

    /// Whether it says which day.
    pub const fn has_date(&self) -> bool {
        self.date.is_some()
    }

    /// Whether it says what time of day.
    pub const fn has_time(&self) -> bool {
        self.time.is_some()
    }

    /// Whether it says in which zone.
    pub const fn has_zone(&self) -> bool {
        self.offset.is_some()
    }

    /// The point in time that it stands for: midnight where it says no time of day, and UTC where it names no
    /// zone. None without a date.
    pub(super) fn timestamp(&self) -> Option<jiff::Timestamp> {
        let time = self.time.map_or(Time::midnight(), |clock| clock.time);
        let offset = jiff::tz::Offset::from_seconds(i32::from(self.offset.unwrap_or(0)) * 60).ok()?;
        offset.to_timestamp(self.date?.to_datetime(time)).ok()
    }

    /// A number for the day and one for the minute, to sort by; `utc` counts zones in.
    pub fn sort_key(&self, utc: bool) -> Option<(i64, Option<i64>)> {
        let date = self.date?;
        let Some(clock) = self.time else { return Some((day_number(date), None)) };
        let offset = if utc { self.offset.map_or(0, i64::from) } else { 0 };
        let minutes = i64::from(clock.time.hour()) * 60 + i64::from(clock.time.minute()) - offset;
        let (days, minutes, _) = normal((0, minutes, 0), date);
        Some((days, Some(minutes)))
    }

    /// Compares two stamps as precisely as both allow: a stamp without a time with any other only by its day.
    /// None when they have nothing in common to compare.
    pub fn compare(&self, other: &Stamp) -> Option<Ordering> {
        let (Some(a), Some(b)) = (self.date, other.date) else { return None };
        let (Some(x), Some(y)) = (self.time, other.time) else { return Some(a.cmp(&b)) };
        // Seconds that one of the two does not give are no difference.
        let coarse = x.seconds.is_none() || y.seconds.is_none();
        let key = |date: Date, clock: Clock, offset: Option<i16>| {
            let minutes = i64::from(clock.time.hour()) * 60 + i64::from(clock.time.minute())
                - offset.map_or(0, i64::from);
            let days = day_number(date);
            let fine = if coarse {
                0
            } else {
                i64::from(clock.time.second()) * 1_000_000_000 + i64::from(clock.time.subsec_nanosecond())
            };
            (days, minutes, fine)
        };
        let both_zoned = self.offset.is_some() && other.offset.is_some();
        let (p, q) = if both_zoned {
            (normal(key(a, x, self.offset), a), normal(key(b, y, other.offset), b))
        } else {
            (key(a, x, None), key(b, y, None))
        };
        Some(p.cmp(&q))
    }
}

impl Stamp {
    /// Whether it is before another one, whatever zone was meant where only one of the two says its own. Without a
    /// time it stands for its whole day.
    pub fn is_surely_before(&self, other: &Stamp) -> bool {
        if self.offset.is_some() == other.offset.is_some() {
            return self.compare(other) == Some(Ordering::Less);
        }
        let (end, start) = (self.minutes(true), other.minutes(false));
        end.zip(start).is_some_and(|(end, start)| end < start)
    }

    /// Minutes in UTC of its last moment, or of its first, in the zone where that is latest or earliest.
    fn minutes(&self, last: bool) -> Option<i64> {
        let days = self.date?.duration_since(Date::constant(2000, 1, 1)).as_hours() / 24;
        let clock = match self.time {
            Some(clock) => i64::from(clock.time.hour()) * 60 + i64::from(clock.time.minute()),
            None if last => 24 * 60 - 1,
            None => 0,
        };
        // Zones lie between twelve hours west and fourteen hours east of UTC.
        let offset = self.offset.map_or(if last { -12 * 60 } else { 14 * 60 }, i64::from);
        Some(days * 24 * 60 + clock - offset)
    }
}

/// Grows with the date; the numbers of two days say which is earlier and nothing else.
fn day_number(date: Date) -> i64 {
    i64::from(date.year()) * 372 + i64::from(date.month()) * 31 + i64::from(date.day())
}

/// Carries minutes that a zone pushed over midnight into the day; calendar-exact through jiff.
fn normal((_, minutes, fine): (i64, i64, i64), date: Date) -> (i64, i64, i64) {
    let shift = minutes.div_euclid(1440);
    let day = date.checked_add(jiff::Span::new().days(shift)).unwrap_or(date);
    (day_number(day), minutes.rem_euclid(1440), fine)
}

/// Takes a leading date. The inner option is none when it has a date's shape but names no day.
fn take_date(text: &str) -> Option<(Option<Date>, &str)> {
    let bytes = text.as_bytes();
    let shape = bytes.len() >= 10
        && bytes[..10]
            .iter()
            .enumerate()
            .all(|(i, b)| if i == 4 || i == 7 { *b == b'-' } else { b.is_ascii_digit() });
    if !shape {
        return None;
    }
    let number = |range: std::ops::Range<usize>| text.get(range).and_then(|t| t.parse::<i16>().ok());
    let date = match (number(0..4), number(5..7), number(8..10)) {
        (Some(y), Some(m), Some(d)) => {
            Date::new(y, i8::try_from(m).unwrap_or(0), i8::try_from(d).unwrap_or(0)).ok()
        }
        _ => None,
    };
    let mut rest = text.get(10..).unwrap_or("");
    // A range of days, `2026-02-10/11`, counts from its first day.
    if let Some(after) = rest.strip_prefix(['/', '–']) {
        let end = after.find(|c: char| !(c.is_ascii_digit() || c == '-')).unwrap_or(after.len());
        if end > 0 {
            rest = after.get(end..).unwrap_or("");
        }
    }
    Some((date, rest))
}

fn take_clock(text: &str) -> Option<(Clock, &str)> {
    let end = text.find(|c: char| !(c.is_ascii_digit() || c == ':' || c == '.')).unwrap_or(text.len());
    let (clock, rest) = text.split_at(end);
    let mut parts = clock.split(':');
    let hour = parts.next().filter(|p| (1..=2).contains(&p.len()))?.parse::<i8>().ok()?;
    let minute = parts.next().filter(|p| p.len() == 2)?.parse::<i8>().ok()?;
    let (second, nanos, seconds) = match parts.next() {
        None => (0, 0, None),
        Some(s) => {
            let (whole, fraction) = s.split_once('.').unwrap_or((s, ""));
            if whole.len() != 2 || fraction.len() > 9 || !fraction.bytes().all(|b| b.is_ascii_digit()) {
                return None;
            }
            let nanos = format!("{fraction:0<9}").parse::<i32>().ok()?;
            (whole.parse::<i8>().ok()?, nanos, Some(u8::try_from(fraction.len()).ok()?))
        }
    };
    if parts.next().is_some() {
        return None;
    }
    let time = Time::new(hour, minute, second, nanos).ok()?;
    Some((Clock { time, seconds }, rest))
}

/// A zone: nothing, `Z`, `UTC`, an offset, or a zone word, which is accepted and left out because words such
/// as `CST` name several zones. The outer option is none when the rest of the text is no zone at all.
fn zone(text: &str) -> Option<Option<i16>> {
    match text {
        "" => return Some(None),
        "Z" | "z" | "UTC" | "GMT" => return Some(Some(0)),
        _ => {}
    }
    let digits = text.strip_prefix("UTC").or_else(|| text.strip_prefix("GMT")).unwrap_or(text);
    if let Some(rest) = digits.strip_prefix(['+', '-']) {
        let sign = if digits.starts_with('-') { -1 } else { 1 };
        let plain: String = rest.chars().filter(|c| *c != ':').collect();
        if !plain.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        let (hours, minutes) = match plain.len() {
            1 | 2 => (plain.as_str(), "0"),
            4 => plain.split_at_checked(2)?,
            _ => return None,
        };
        let (hours, minutes) = (hours.parse::<i16>().ok()?, minutes.parse::<i16>().ok()?);
        return (hours <= 14 && minutes < 60).then_some(Some(sign * (hours * 60 + minutes)));
    }
    let word = text.len() <= 5 && text.len() >= 2 && text.bytes().all(|b| b.is_ascii_uppercase());
    word.then_some(None)
}

impl fmt::Display for Stamp {
    /// ISO 8601, at the precision of the source.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(date) = self.date {
            write!(f, "{date}")?;
            if self.time.is_some() {
                f.write_str("T")?;
            }
        }
        if let Some(Clock { time, seconds }) = self.time {
            write!(f, "{:02}:{:02}", time.hour(), time.minute())?;
            if let Some(digits) = seconds {
                write!(f, ":{:02}", time.second())?;
                if digits > 0 {
                    let nanos = format!("{:09}", time.subsec_nanosecond());
                    write!(f, ".{}", nanos.get(..usize::from(digits)).unwrap_or(""))?;
                }
            }
        }
        match self.offset {
            None => Ok(()),
            Some(0) => f.write_str("Z"),
            Some(minutes) => {
                let sign = if minutes < 0 { '-' } else { '+' };
                write!(f, "{sign}{:02}:{:02}", minutes.abs() / 60, minutes.abs() % 60)
            }
        }
    }
}

impl Serialize for Stamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Option<String> {
        Stamp::parse(text).map(|s| s.to_string())
    }

    #[test]
    fn stamps_say_what_the_source_says() {
        for (text, want) in [
            ("2026-02-08", "2026-02-08"),
            ("`2026-02-08`", "2026-02-08"),
            ("2026-02-10/11", "2026-02-10"),
            ("2026-02-28/2026-03-01", "2026-02-28"),
            ("17:04", "17:04"),
            ("2026-02-08T20:15:00-07:00", "2026-02-08T20:15:00-07:00"),
            ("2026-02-08T23:00:00Z", "2026-02-08T23:00:00Z"),
            ("2026-02-08 20:15 UTC", "2026-02-08T20:15Z"),
            ("2026-02-08 20:15 +0900", "2026-02-08T20:15+09:00"),
            ("2026-02-08 ~20:15 EST", "2026-02-08T20:15"),
            ("2026-02-08T20:15:01.250Z", "2026-02-08T20:15:01.250Z"),
            ("~9:05", "09:05"),
        ] {
            assert_eq!(shown(text).as_deref(), Some(want), "{text}");
        }
    }

    #[test]
    fn what_is_no_time_is_none() {
        for text in [
            "",
            "2026-13-01",
            "2026-02-30",
            "26-02-08",
            "tomorrow",
            "2026-02-08 late",
            "25:00",
            "17:4",
            "2026-02-08 10:00 +-5",
        ] {
            assert_eq!(shown(text), None, "{text}");
        }
    }

    #[test]
    fn a_day_is_compared_with_a_time_by_day_only() {
        let cmp = |a: &str, b: &str| Stamp::parse(a)?.compare(&Stamp::parse(b)?);
        assert_eq!(cmp("2026-02-08", "2026-02-08T10:00"), Some(Ordering::Equal));
        assert_eq!(cmp("2026-02-08T23:30:00-07:00", "2026-02-09T06:00:00Z"), Some(Ordering::Greater));
        assert_eq!(cmp("2026-03-01T00:30+01:00", "2026-02-28T23:40Z"), Some(Ordering::Less));
        assert_eq!(cmp("2026-02-08T10:00", "2026-02-08T10:00:30"), Some(Ordering::Equal));
        assert_eq!(cmp("10:00", "2026-02-08"), None);
    }

    #[test]
    fn a_zone_that_is_left_out_may_be_any() {
        let before = |a: &str, b: &str| Stamp::parse(a).unwrap().is_surely_before(&Stamp::parse(b).unwrap());
        assert!(before("2026-02-08", "2026-02-09"));
        assert!(before("2026-02-08T10:00", "2026-02-08T11:00"));
        assert!(before("2026-02-08T10:00Z", "2026-02-08T11:00+00:30"));
        assert!(before("2026-02-07", "2026-02-08T13:00Z"));
        for (a, b) in [
            ("2026-02-08", "2026-02-08"),
            ("2026-02-08", "2026-02-09T11:00Z"),
            ("2026-02-08T23:00Z", "2026-02-09"),
            ("10:00", "2026-02-09"),
        ] {
            assert!(!before(a, b), "{a} {b}");
        }
    }

    #[test]
    fn a_time_takes_its_day_from_the_heading() {
        let day = Stamp::parse("2026-02-07").unwrap();
        assert_eq!(Stamp::parse("17:04").unwrap().joined(Some(&day)).to_string(), "2026-02-07T17:04");
    }
}

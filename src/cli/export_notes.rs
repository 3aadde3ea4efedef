//! What exports into other formats leave out, said on standard error.

use super::output::Streams;
use crate::emit::Unmapped;
use std::collections::BTreeMap;

/// Says of what became nothing, or less than it is, how much and why; each of it with `--verbose`.
pub(super) fn tell(lists: &[(&[Unmapped], &str)], streams: &mut Streams<'_>) {
    for (list, what) in lists {
        let mut reasons: BTreeMap<(&str, String), usize> = BTreeMap::new();
        for one in *list {
            *reasons.entry((&one.reason, one.event_type.to_string())).or_default() += 1;
            streams
                .note(&format!("{}: {} `{}` {what}: {}", one.path, one.event_type, one.subject, one.reason));
        }
        for ((reason, kind), count) in reasons {
            streams.remark(&format!("{count} {kind} {what}: {reason}"));
        }
    }
}

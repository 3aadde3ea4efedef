//! Which units have changed their order.

use super::{Change, Slots};
use crate::history::unit::UnitKind;
use std::collections::HashMap;

/// Marks the fewest units that must have moved, among those of one kind that stayed in their document and whose
/// order means something.
pub(super) fn mark(changes: &mut [Change<'_>], slots: &Slots) {
    let mut runs: HashMap<(usize, UnitKind), Vec<(usize, usize)>> = HashMap::new();
    for (at, change) in changes.iter().enumerate() {
        let Some((before, after)) = change.both().filter(|_| change.moved.is_none()) else { continue };
        if before.policy.is_closed() {
            runs.entry((slots.of(after), after.kind)).or_default().push((at, after.span.start));
        }
    }
    for run in runs.values() {
        let places: Vec<usize> = run.iter().map(|(_, place)| *place).collect();
        for (kept, (at, _)) in rising(&places).into_iter().zip(run) {
            if !kept && let Some(change) = changes.get_mut(*at) {
                change.reordered = true;
            }
        }
    }
}

/// Marks a longest part of the numbers that rises from the first to the last.
fn rising(numbers: &[usize]) -> Vec<bool> {
    let mut kept = vec![false; numbers.len()];
    if numbers.is_sorted() {
        kept.fill(true);
        return kept;
    }
    // `ends[n]` is where the lowest end of a rising part of n + 1 numbers stands.
    let mut ends: Vec<usize> = Vec::new();
    let mut previous: Vec<Option<usize>> = vec![None; numbers.len()];
    for (at, number) in numbers.iter().enumerate() {
        let len = ends.partition_point(|&end| numbers[end] < *number);
        previous[at] = len.checked_sub(1).and_then(|l| ends.get(l)).copied();
        match ends.get_mut(len) {
            Some(end) => *end = at,
            None => ends.push(at),
        }
    }
    let mut next = ends.last().copied();
    while let Some(at) = next {
        kept[at] = true;
        next = previous[at];
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moved(numbers: &[usize]) -> Vec<usize> {
        let kept = rising(numbers);
        numbers.iter().zip(kept).filter(|(_, kept)| !kept).map(|(n, _)| *n).collect()
    }

    #[test]
    fn the_fewest_have_moved() {
        assert!(moved(&[]).is_empty());
        assert!(moved(&[1, 2, 3]).is_empty());
        assert_eq!(moved(&[2, 3, 4, 1]), [1]);
        assert_eq!(moved(&[4, 1, 2, 3]), [4]);
        assert_eq!(moved(&[3, 2, 1]).len(), 2);
        assert_eq!(moved(&[1, 5, 2, 3, 4, 6]), [5]);
    }
}

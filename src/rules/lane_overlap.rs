//! `lane-overlap`: a path that two lanes of different owners hold.

use super::context::{Context, Draft};
use super::shared::charter::{Charter, charters};
use super::shared::glob::Glob;
use super::shared::lanes::{Lane, Owner, lanes};
use super::shared::naming::{list, quoted};
use super::shared::wording::short;
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::text::Spanned;
use compact_str::CompactString;
use std::collections::{BTreeSet, HashMap, HashSet};

pub const META: RuleMeta = RuleMeta {
    id: "lane-overlap",
    severity: Severity::Error,
    altitude: Altitude::Snapshot,
    summary: "Two lanes of different owners hold the same path",
    sources: &["PROTOCOL_CORE 3", "SESSION_CHARTER 3"],
    docs: "\
## What it does
Compares the paths and patterns of lanes that belong to different participants, and names a path that both hold.
`*` and `?` stay within a name, `**` crosses folders, `[a-z]` and `{a,b}` are understood, and a folder means all that
lies in it. Shared and append-only lanes, lanes without paths, lanes that exclude some of their files in words, and
lanes whose owner is open are not compared.

## Why
Each file has exactly one owner. Where two lanes overlap, two agents may edit the same file at the same time, each
of them rightly.

## Example
```text
| Lane   | Owner   | Files/Scope            |
|--------|---------|------------------------|
| Parser | agent-a | `src/**`               |
| Docs   | agent-b | `docs/**`, `src/*.md`  |
```

## How to mend
Narrow one of the two until no path fits both, or make the path a lane of its own with one owner. A maintainer's
decision has to say so in the log.
",
};

pub fn check(context: &mut Context<'_>) {
    for charter in charters(context.session) {
        judge(context, &charter);
    }
}

/// A path or pattern of a lane.
struct Claim<'l> {
    lane: usize,
    owners: &'l BTreeSet<String>,
    path: &'l Spanned<CompactString>,
    glob: Glob,
}

fn judge<'a>(context: &mut Context<'a>, charter: &Charter<'a>) {
    let document = charter.document;
    let lanes = lanes(context, charter);
    let claims = claims(&lanes);
    let mut seen: HashSet<(usize, usize)> = HashSet::new();
    for (one, other) in neighbours(&claims) {
        let (Some(one), Some(other)) = (claims.get(one), claims.get(other)) else { continue };
        let (first, second) = if one.lane < other.lane { (one, other) } else { (other, one) };
        let pair = (first.lane, second.lane);
        if first.lane == second.lane || !first.owners.is_disjoint(second.owners) || seen.contains(&pair) {
            continue;
        }
        let (Some(a), Some(b)) = (lanes.get(first.lane), lanes.get(second.lane)) else { continue };
        let proof = first.glob.common(&second.glob).filter(|path| a.keeps(path) && b.keeps(path));
        let Some(proof) = proof else { continue };
        seen.insert(pair);
        let of = |lane: &Lane<'_>, claim: &Claim<'_>| {
            let owners: Vec<String> = claim.owners.iter().map(|o| short(o)).collect();
            format!("{} of {}", quoted(lane.name()), list(&owners))
        };
        let proof = quoted(&proof);
        let message = format!("the lanes {} and {} overlap: both hold {proof}", of(a, first), of(b, second));
        let help = format!(
            "narrow {} or {} until no path fits both, or give {proof} a lane with one owner",
            quoted(first.path),
            quoted(second.path)
        );
        let draft = Draft::new(document, second.path.span, message, help).about(b.name()).field(a.name());
        context.report(draft.related(document, first.path.span, format!("the lane {}", of(a, first))));
    }
}

fn claims<'l>(lanes: &'l [Lane<'_>]) -> Vec<Claim<'l>> {
    let mut claims = Vec::new();
    for (index, lane) in lanes.iter().enumerate() {
        let Owner::Of(owners) = &lane.owner else { continue };
        if !lane.row.exact {
            continue;
        }
        for path in &lane.paths {
            claims.extend(Glob::new(path).map(|glob| Claim { lane: index, owners, path, glob }));
        }
    }
    claims
}

/// Pairs of claims of which one begins with all that the other says before its first wildcard. No other two can
/// meet.
fn neighbours(claims: &[Claim<'_>]) -> Vec<(usize, usize)> {
    let mut heads: Vec<(Vec<String>, usize)> = Vec::new();
    for (index, claim) in claims.iter().enumerate() {
        heads.extend(claim.glob.literal_prefixes().map(|prefix| (prefix, index)));
    }
    heads.sort_by_key(|(prefix, index)| (prefix.len(), *index));
    let mut above: HashMap<&[String], Vec<usize>> = HashMap::new();
    let mut pairs = Vec::new();
    for (prefix, index) in &heads {
        for depth in 0..=prefix.len() {
            let found = prefix.get(..depth).and_then(|head| above.get(head));
            pairs.extend(found.into_iter().flatten().map(|other| (*other, *index)));
        }
        above.entry(prefix.as_slice()).or_default().push(*index);
    }
    pairs
}

#[cfg(test)]
mod tests {
    use crate::rules::Surroundings;
    use crate::rules::testing::{Listed, findings, findings_in, messages};

    fn charter(rows: &[&str]) -> String {
        let rows: String = rows.iter().map(|r| format!("{r}\n")).collect();
        format!(
            "# Session Charter\n\n| Role | Agent |\n|---|---|\n| Maintainer | Jo |\n| Author | agent-a |\n| Author | agent-b |\n\n\
             | Lane | Owner | Files/Scope |\n|---|---|---|\n{rows}"
        )
    }

    fn found(rows: &[&str]) -> Vec<String> {
        messages("lane-overlap", "SESSION_CHARTER.md", &charter(rows))
    }

    #[test]
    fn two_owners_and_one_path() {
        let rows = ["| Code | agent-a | `lib/`, `src/**` |", "| Docs | agent-b | `docs/**`, `**/*.md` |"];
        assert_eq!(
            found(&rows),
            ["12: the lanes `Code` of agent-a and `Docs` of agent-b overlap: both hold `lib/a.md`"]
        );
        let text = charter(&rows);
        let one = &findings("lane-overlap", &[("SESSION_CHARTER.md", &text)])[0];
        assert_eq!(&text[one.span.start..one.span.end], "**/*.md");
        assert_eq!(&text[one.related[0].span.start..one.related[0].span.end], "lib/");
    }

    #[test]
    fn one_finding_a_pair_of_lanes() {
        let rows =
            ["| A | agent-a | `src/**`, `docs/**` |", "| B | agent-b | `src/a.rs`, `src/b.rs`, `docs/` |"];
        assert_eq!(found(&rows).len(), 1);
        assert_eq!(
            found(&["| A | agent-a | `a.md` |", "| B | agent-b | `a.md` |", "| M | Maintainer | `*.md` |"])
                .len(),
            3
        );
    }

    #[test]
    fn what_is_shared_or_open_or_the_same_owners_may_overlap() {
        for row in [
            "| Shared (append-only) | agent-b | `src/**` |",
            "| All | both | `src/**` |",
            "| Open | TBD | `src/**` |",
            "| Mine too | Agent-A (model) | `src/**` |",
            "| Ours | agent-a + agent-b | `src/**` |",
            "| Later | Maintainer-assigned | `src/**` |",
            "| Half | agent-b | `src/**` (excluding `src/lib.rs`) |",
            "| Rest | agent-b | `src/**`, `!src/lib.rs` |",
            "| Rest | agent-b | src/**, !src/ |",
            "| Task | agent-b | `src-task` |",
            "| Words | agent-b | all of src/ that is left |",
            "| Elsewhere | agent-b | `/src/lib.rs`, `~/src/lib.rs`, `../src/lib.rs` |",
            "| Template | agent-b | `<src/path>` |",
        ] {
            assert!(found(&["| Code | agent-a | `src/lib.rs`, `src-task` |", row]).is_empty(), "{row}");
        }
    }

    #[test]
    fn a_list_without_code_marks_counts_when_it_is_only_paths() {
        assert_eq!(
            found(&["| A | agent-a | src/**, Cargo.toml |", "| B | agent-b | `src/lib.rs` |"]).len(),
            1
        );
        assert!(found(&["| A | agent-a | the src/ folder |", "| B | agent-b | `src/lib.rs` |"]).is_empty());
    }

    #[test]
    fn a_bare_word_is_a_folder_when_there_is_one() {
        let text = charter(&["| A | agent-a | `client` |", "| B | agent-b | `client/api.rs` |"]);
        let files = Listed(&["client", "client/api.rs"]);
        let around = Surroundings { as_of: None, files: Some(&files) };
        assert_eq!(findings_in("lane-overlap", &[("SESSION_CHARTER.md", &text)], around).len(), 1);
        assert!(messages("lane-overlap", "SESSION_CHARTER.md", &text).is_empty());
    }

    #[test]
    fn a_thousand_lanes_are_compared_where_they_can_meet() {
        let rows: Vec<String> = (0..1000)
            .map(|n| format!("| L{n} | agent-{} | `src/m{n}/**`, `docs/m{n}.md` |", n % 2))
            .collect();
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        assert!(found(&rows).is_empty());
    }
}

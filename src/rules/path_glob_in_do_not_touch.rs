//! `path-glob-in-do-not-touch`: a path that must not be touched is a pattern or a folder.

use super::envelope_context::{EnvelopeContext, EnvelopeDraft, Opened};
use crate::finding::{Altitude, RuleMeta, Severity};
use serde_json::Value;

pub const META: RuleMeta = RuleMeta {
    id: "path-glob-in-do-not-touch",
    severity: Severity::Warning,
    altitude: Altitude::Snapshot,
    summary: "A path that must not be touched is a pattern or a folder",
    sources: &["CROSS_SQUAD_MESSAGE The Ten Envelope Types"],
    docs: "\
## What it does
Reports entries of `do_not_touch` that are patterns (`*`, `?`, `[a-z]`, `{a,b}`, a leading `!`) or end with a slash.
Brackets that belong to the name of a file, such as `app/[id]/page.tsx`, are fine.

## Why
The paths are compared literally: a pattern is equal to no path, so it protects nothing, and nobody notices.

## Example
```json
{\"do_not_touch\": [\"migrations/*.sql\", \"secrets/\"]}
```

## How to mend
Name each file.
",
};

pub fn check(context: &mut EnvelopeContext<'_>, opened: &Opened<'_>) {
    let paths = opened.value.get("do_not_touch").and_then(Value::as_array);
    for (index, path) in paths.into_iter().flatten().enumerate() {
        let Some(path) = path.as_str() else { continue };
        let what = if is_pattern(path) {
            "a pattern"
        } else if path.ends_with('/') {
            "a folder"
        } else {
            continue;
        };
        let pointer = format!("/do_not_touch/{index}");
        let message = format!("{pointer} is {what}, and paths are compared literally");
        let help = "name each file that must not be touched";
        context.report(EnvelopeDraft::new(opened.file, opened.envelope, &pointer, message, help));
    }
}

fn is_pattern(path: &str) -> bool {
    let holds = |open: char, close: char, is: fn(&str) -> bool| {
        path.split(open).skip(1).any(|rest| rest.split_once(close).is_some_and(|(inside, _)| is(inside)))
    };
    // `[id]` and `[...slug]` are names of files; `[a-z]` and `[!a]` are none.
    let class = |inside: &str| {
        let is_range =
            |w: &[u8]| w[1] == b'-' && w[0].is_ascii_alphanumeric() && w[2].is_ascii_alphanumeric();
        let ranges = |inside: &[u8]| {
            inside.chunks_exact(3).remainder().is_empty() && inside.chunks_exact(3).all(is_range)
        };
        inside.starts_with(['!', '^']) || (!inside.is_empty() && ranges(inside.as_bytes()))
    };
    path.contains(['*', '?'])
        || path.starts_with('!')
        || holds('[', ']', class)
        || holds('{', '}', |inside| inside.contains(','))
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{envelope, envelope_messages};
    use serde_json::json;

    fn found(path: &str) -> usize {
        let text = envelope("HANDOFF", 1, &json!({"do_not_touch": ["a.md", path]}));
        envelope_messages("path-glob-in-do-not-touch", &[("a.json", &text)]).len()
    }

    #[test]
    fn patterns_and_folders_are_found() {
        for path in [
            "*",
            "migrations/*.sql",
            "a?.md",
            "v[0-9].md",
            "v[a-z0-9].md",
            "[!a].md",
            "{a,b}.md",
            "!a.md",
            "secrets/",
        ] {
            assert_eq!(found(path), 1, "{path}");
        }
    }

    #[test]
    fn what_the_path_says_is_not_repeated() {
        let text = envelope("HANDOFF", 1, &json!({"do_not_touch": ["notes of bob@example.org *"]}));
        let found = envelope_messages("path-glob-in-do-not-touch", &[("a.json", &text)]);
        assert!(
            found[0].ends_with("/do_not_touch/0 is a pattern, and paths are compared literally"),
            "{found:?}"
        );
    }

    #[test]
    fn names_of_files_are_fine() {
        for path in [
            "app/[id]/page.tsx",
            "app/[...slug]/page.tsx",
            "app/[[...slug]].tsx",
            "{name}/a.md",
            ".env",
            "a-b/c_d.md",
            "",
            "app/[a-b-c]/x",
        ] {
            assert_eq!(found(path), 0, "{path}");
        }
    }
}

use super::*;
use globset::{GlobBuilder, GlobMatcher};

fn common(a: &str, b: &str) -> Option<String> {
    let (a, b) = (Glob::new(a).unwrap(), Glob::new(b).unwrap());
    let (there, back) = (a.common(&b), b.common(&a));
    assert_eq!(there.is_some(), back.is_some());
    there
}

#[test]
fn what_overlaps_has_a_path_to_prove_it() {
    for (a, b, path) in [
        ("src/**", "src/parser/*.rs", "src/parser/a.rs"),
        ("src/**", "**/*.md", "src/a.md"),
        ("docs/", "docs/api.md", "docs/api.md"),
        ("docs", "docs/*.md", "docs/a.md"),
        ("docs/**", "docs/**", "docs/a"),
        ("./docs/a.md", "docs//a.md", "docs/a.md"),
        ("src/{lexer,parser}.rs", "src/p*", "src/parser.rs"),
        ("src/[a-m]*.rs", "src/[k-z]?.rs", "src/ka.rs"),
        ("a*b", "*ab*", "ab"),
        ("**/test/**", "src/**/*_test.rs", "src/test/a_test.rs"),
        ("*", "?", "a"),
        ("[!a]x", "[!b]x", "Ax"),
        ("src/[[]x", "src/\\[x", "src/[x"),
    ] {
        assert_eq!(common(a, b).as_deref(), Some(path), "{a} {b}");
    }
}

#[test]
fn what_lies_apart_does_not() {
    for (a, b) in [
        ("src/**", "docs/**"),
        ("src/*", "src/parser/**"),
        ("src/*.rs", "src/*.md"),
        ("docs", "docs-old/a.md"),
        ("*.md", "docs/a.md"),
        ("src/[a-f]*", "src/[g-z]*"),
        ("src/{a,b}/**", "src/{c,d}/**"),
        ("/src/**", "src/**"),
        ("a?", "a"),
        ("Src/a", "src/a"),
    ] {
        assert_eq!(common(a, b), None, "{a} {b}");
    }
}

#[test]
fn what_is_no_pattern_is_none() {
    let long = "a".repeat(513);
    let deep = "a/".repeat(70);
    let wide = "{a,b,c,d,e,f,g,h,i}{a,b,c,d,e,f,g,h,i}";
    for text in ["", " ", "../x", "a/../b", &long, &deep, wide] {
        assert!(Glob::new(text).is_none(), "{text}");
    }
    assert!(Glob::new("a{b").is_some() && Glob::new("a[b").is_some() && Glob::new("a}b\\").is_some());
}

#[test]
fn a_doubt_speaks_for_a_generous_pattern() {
    let holds = |pattern: &str, path: &str| {
        Glob::generous(pattern).unwrap().common(&Glob::exact(path).unwrap()).is_some()
    };
    assert!(holds("src/*", "src/parser/deep.rs"));
    assert!(holds("*.md", "docs/a.md"));
    assert!(holds("WORKLOG.md", "session/WORKLOG.md"));
    assert!(!holds("src/*", "docs/a.md"));
    assert!(!holds("docs/*.md", "other/docs/a.md"));
}

/// Against an independent implementation, over all short paths of two letters.
#[test]
fn the_answer_is_that_of_trying_every_path() {
    let parts = ["a", "b", "*", "a*", "*b", "?", "**", "[!a]", "{a,ab}"];
    let mut patterns: Vec<String> = parts.iter().map(|p| (*p).to_owned()).collect();
    for first in parts {
        patterns.extend(parts.iter().map(|p| format!("{first}/{p}")));
        patterns.extend(parts.iter().map(|p| format!("{first}/{p}/*")));
        patterns.extend(parts.iter().map(|p| format!("**/{first}/{p}")));
    }
    let names = ["a", "b", "aa", "ab", "ba", "bb"];
    let mut paths: Vec<String> = names.iter().map(|n| (*n).to_owned()).collect();
    let mut last = paths.clone();
    for _ in 0..3 {
        last = last.iter().flat_map(|p| names.map(|n| format!("{p}/{n}"))).collect();
        paths.extend(last.iter().cloned());
    }
    let matcher = |text: &str| -> GlobMatcher {
        GlobBuilder::new(text).literal_separator(true).build().unwrap().compile_matcher()
    };
    let matchers: Vec<GlobMatcher> = patterns.iter().map(|p| matcher(p)).collect();
    let matched: Vec<Vec<bool>> =
        matchers.iter().map(|m| paths.iter().map(|p| m.is_match(p)).collect()).collect();
    // A path without a wildcard at its end means its content, too, which the other side does not know.
    let globs: Vec<Glob> = patterns.iter().map(|p| Glob::exact(p).unwrap()).collect();
    let mut both = 0;
    for (i, a) in globs.iter().enumerate() {
        for (j, b) in globs.iter().enumerate().skip(i) {
            let tried = paths.iter().zip(&matched[i]).zip(&matched[j]).find(|((_, x), y)| **x && **y);
            let proof = a.common(b);
            assert_eq!(
                tried.is_some(),
                proof.is_some(),
                "{} {}: {tried:?} {proof:?}",
                patterns[i],
                patterns[j]
            );
            if let Some(proof) = proof {
                both += 1;
                assert!(matchers[i].is_match(&proof) && matchers[j].is_match(&proof), "{proof}");
            }
        }
    }
    assert!(both > 1000, "{both}");
}

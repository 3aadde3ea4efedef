//! Whatever the documents and spans, every format renders.

use super::Format;
use super::Style;
use super::testing::{Fixture, finding, in_revision, related};
use crate::finding::Severity;
use proptest::prelude::*;
use std::ops::Range;

/// Text of the pieces that make trouble, in any order.
fn text() -> impl Strategy<Value = String> {
    let pieces = prop_oneof![
        4 => any::<String>(),
        4 => "[a-z]{0,9}",
        4 => Just("\n".to_owned()),
        2 => Just("\r\n".to_owned()),
        1 => Just("\r".to_owned()),
        1 => Just("\t".to_owned()),
        1 => Just("::error::x".to_owned()),
        1 => Just("##[error]".to_owned()),
        1 => Just("\u{feff}\u{1b}[0m\u{202e}\0".to_owned()),
        1 => Just("\u{fffe}\u{ffff}]]>&<\u{1fffe}".to_owned()),
        1 => Just("世界e\u{301}👩\u{200d}🚀".to_owned()),
        1 => Just("long ".repeat(100)),
    ];
    prop::collection::vec(pieces, 0..12).prop_map(|pieces| pieces.concat())
}

fn span() -> impl Strategy<Value = Range<usize>> {
    let offset = || prop_oneof![8 => 0..200usize, 1 => 0..2_000usize, 1 => any::<usize>()];
    (offset(), offset()).prop_map(|(start, end)| start..end)
}

type Parts = (Range<usize>, String, String, Vec<(bool, Range<usize>, String)>);

fn parts() -> impl Strategy<Value = Parts> {
    (span(), text(), text(), prop::collection::vec((any::<bool>(), span(), text()), 0..12))
}

fn fixture(path: &str, document: &str, findings: Vec<Parts>) -> Fixture {
    let mut fixture = Fixture::new(&[(path, document)]);
    for (span, message, help, others) in findings {
        let mut one = finding("rule-id", Severity::Error, path, span, &message);
        one.help = help;
        let to_related = |(here, span, message): (bool, Range<usize>, String)| {
            let path = if here { path } else { "elsewhere.md" };
            if span.start % 2 == 0 {
                related(path, span, &message)
            } else {
                in_revision(path, document, span, &message)
            }
        };
        one.related = others.into_iter().map(to_related).collect();
        fixture.waived.push(one.clone());
        fixture.findings.push(one);
    }
    fixture
}

proptest! {
    #[test]
    fn every_format_renders_anything(
        path in text(),
        document in text(),
        findings in prop::collection::vec(parts(), 0..4),
        width in 0..200usize,
    ) {
        let fixture = fixture(&path, &document, findings);
        for &format in Format::ALL {
            let written = fixture.render_styled(format, Style { color: false, width });
            prop_assert!(written.ends_with('\n'));
            for line in written.split_terminator('\n') {
                let commands = format == Format::Github && is_annotation(line);
                prop_assert!(commands || !line.trim_start().starts_with("::"), "{format}: {line:?}");
                prop_assert!(!line.contains("##["), "{format}: {line:?}");
                prop_assert!(!line.contains(super::sanitize::is_unseen), "{format}: {line:?}");
            }
        }
        let concise = fixture.render(Format::Concise);
        prop_assert_eq!(concise.lines().count(), fixture.findings.len() + 1);
        let json: serde_json::Value = serde_json::from_str(&fixture.render(Format::Json)).unwrap();
        prop_assert_eq!(json["findings"].as_array().map(Vec::len), Some(fixture.findings.len()));
        for line in fixture.render(Format::Jsonl).lines() {
            prop_assert!(serde_json::from_str::<serde_json::Value>(line).is_ok());
        }
        for format in [Format::Sarif, Format::Gitlab] {
            prop_assert!(serde_json::from_str::<serde_json::Value>(&fixture.render(format)).is_ok());
        }
        let written = fixture.render(Format::Junit);
        prop_assert!(roxmltree::Document::parse(&written).is_ok(), "{written:?}");
        let junit = quick_junit::Report::deserialize_from_str(&written).unwrap();
        prop_assert_eq!(junit.failures, fixture.findings.len());
    }
}

/// Whether the runner reads a line as the annotation that is meant: a place that is not forged by what the line quotes.
fn is_annotation(line: &str) -> bool {
    let Some((command, _)) =
        line.strip_prefix("::error title=worklint (rule-id),file=").and_then(|rest| rest.split_once("::"))
    else {
        return line.starts_with("::notice title=worklint::");
    };
    let names: Vec<&str> = command.split(',').skip(1).filter_map(|p| p.split('=').next()).collect();
    matches!(names.as_slice(), ["line", "endLine"] | ["line", "endLine", "col", "endColumn"])
}

/// Takes minutes if the work for a finding grows with its document.
#[test]
fn ten_thousand_findings_render() {
    let document = "a line of the log\n".repeat(10_000);
    let mut fixture = Fixture::new(&[("a.md", &document)]);
    fixture.findings = (0..10_000)
        .map(|n| finding("rule-id", Severity::Error, "a.md", n * 18..n * 18 + 4, "it is wrong"))
        .collect();
    for &format in Format::ALL {
        assert!(fixture.render(format).lines().count() > 10_000, "{format}");
    }
}

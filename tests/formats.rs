//! Every format of `check` over one run with none, one and many findings, and over text that would break it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

use comrak::nodes::NodeValue;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use worklint::report::Format;

/// A mailbox in which `wrong` messages have a date that is none.
fn mailbox(wrong: usize, date: &str) -> String {
    let mut text = String::from("# Mailbox\n\n## Active Messages\n");
    for n in 0..wrong.max(1) {
        let date = if n < wrong { date } else { "2026-03-01" };
        let _ = write!(
            text,
            "\n### MSG-20260301-{n:03}\n\n**From:** agent-a -> agent-b\n**Date:** {date}\n**Type:** request\n\
             **Priority:** P2\n**Status:** unread\n**Subject:** Read me\n",
        );
    }
    text
}

fn command(dir: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_worklint"));
    command.args(["check", "--only", "timestamp-malformed"]).args(args).current_dir(dir).env_clear();
    command
}

fn check(dir: &Path, args: &[&str]) -> Output {
    command(dir, args).output().unwrap()
}

fn folder(wrong: usize, date: &str) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("MAILBOX.md"), mailbox(wrong, date)).unwrap();
    dir
}

/// How many findings a reader of the format sees.
fn count(format: Format, out: &str) -> usize {
    let json = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
    match format {
        Format::Human => out.matches("warning[timestamp-malformed]").count(),
        Format::Concise => out.lines().filter(|l| l.contains(": warning[")).count(),
        Format::Json => json(out)["findings"].as_array().unwrap().len(),
        Format::Jsonl => out.lines().map(json).filter(|l| l.get("rule").is_some()).count(),
        Format::Github => {
            let annotated = out.lines().filter(|l| l.starts_with("::warning ")).count();
            assert!(annotated <= 10);
            annotated + out.lines().filter(|l| l.contains(": warning[")).count()
        }
        Format::Sarif => json(out)["runs"][0]["results"].as_array().unwrap().len(),
        Format::Gitlab => json(out).as_array().unwrap().len(),
        Format::Junit => quick_junit::Report::deserialize_from_str(out).unwrap().skipped,
    }
}

#[test]
fn every_format_tells_all_findings_with_the_same_exit_code() {
    for wrong in [0, 1, 25, 500] {
        let dir = folder(wrong, "some day");
        for &format in Format::ALL {
            let output = check(dir.path(), &["--format", format.as_str()]);
            let out = String::from_utf8(output.stdout).unwrap();
            assert_eq!(count(format, &out), wrong, "{format}");
            assert_eq!(output.status.code(), Some(0), "{format}");
            let strict = check(dir.path(), &["--format", format.as_str(), "--fail-on", "warning"]);
            assert_eq!(strict.status.code(), Some(i32::from(wrong > 0)), "{format}");
            let missing = check(dir.path(), &["no.md", "--format", format.as_str()]);
            assert_eq!(missing.status.code(), Some(2), "{format}");
            let explained = String::from_utf8(missing.stdout).unwrap();
            let silent = matches!(format, Format::Human | Format::Concise);
            assert_eq!(explained.contains("no.md: no such file or folder"), !silent, "{format}: {explained}");
        }
    }
}

#[test]
fn hostile_text_breaks_no_format() {
    let long = format!("some day\n::error::{} ]]>", "word ".repeat(2_000));
    for date in
        ["::error::x%0A", "\u{1b}[31mred\u{202e}", "]]> &amp; 12", "no \u{fffe}\u{ffff}\u{fdd0} day", &long]
    {
        let dir = folder(1, date);
        for &format in Format::ALL {
            let output = check(dir.path(), &["--format", format.as_str()]);
            let out = String::from_utf8(output.stdout).unwrap();
            assert_eq!(count(format, &out), 1, "{format} {date:.40}: {out:.400}");
            assert!(!out.contains(['\u{1b}', '\u{202e}', '\u{fffe}', '\u{ffff}', '\u{fdd0}']), "{format}");
            if format == Format::Junit {
                // Stricter than what wrote it.
                roxmltree::Document::parse(&out).unwrap();
            }
            let commands = out.lines().filter(|l| l.trim_start().starts_with("::")).count();
            assert_eq!(commands, usize::from(format == Format::Github), "{format}: {out}");
        }
    }
}

#[test]
fn a_reader_that_stops_reading_is_no_error() {
    let dir = folder(500, "some day");
    for &format in Format::ALL {
        let mut child = command(dir.path(), &["--format", format.as_str()])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{format}");
        assert_eq!(output.status.code(), Some(0), "{format}");
    }
}

#[test]
fn the_summary_of_a_job_is_appended_and_holds_text_only() {
    let hostile = "x|*b*[a](https://b)<img src=x> @someone _i_ ~~s~~ \\|";
    let dir = folder(1, hostile);
    let summary = dir.path().join("summary.md");
    fs::write(&summary, "before\n\n").unwrap();
    let output =
        command(dir.path(), &["--format", "github"]).env("GITHUB_STEP_SUMMARY", &summary).output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    let markdown = fs::read_to_string(&summary).unwrap();
    assert!(markdown.starts_with("before\n\n## worklint\n"), "{markdown}");

    let mut options = comrak::Options::default();
    options.extension.table = true;
    options.extension.autolink = true;
    options.extension.strikethrough = true;
    let arena = comrak::Arena::new();
    let root = comrak::parse_document(&arena, &markdown, &options);
    let (mut text, mut cells) = (String::new(), 0);
    for node in root.descendants() {
        match &node.data.borrow().value {
            NodeValue::Text(part) => text.push_str(part),
            NodeValue::TableCell => cells += 1,
            NodeValue::HtmlInline(html) => assert_eq!(html, "<br>"),
            NodeValue::Code(code) => assert_eq!(code.literal, "timestamp-malformed"),
            NodeValue::Link(_)
            | NodeValue::Image(_)
            | NodeValue::Emph
            | NodeValue::Strikethrough
            | NodeValue::HtmlBlock(_) => {
                panic!("markup in {markdown}");
            }
            _ => {}
        }
    }
    assert_eq!(cells, 8, "{markdown}");
    assert!(text.contains(hostile), "{text}");
}

#[test]
fn a_summary_that_cannot_be_written_changes_no_verdict() {
    let dir = folder(0, "");
    let output = command(dir.path(), &["--format", "github"])
        .env("GITHUB_STEP_SUMMARY", dir.path().join("no/such/folder"))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot write the job's summary"));
}

#[test]
fn nobody_is_sent_to_a_summary_that_is_not_there() {
    let dir = folder(25, "some day");
    let (page, nowhere) = (dir.path().join("summary.md"), dir.path().join("no/such/folder"));
    for (summary, written) in [(Some(page), true), (Some(nowhere), false), (None, false)] {
        let mut command = command(dir.path(), &["--format", "github"]);
        if let Some(summary) = &summary {
            command.env("GITHUB_STEP_SUMMARY", summary);
        }
        let out = String::from_utf8(command.output().unwrap().stdout).unwrap();
        assert!(out.contains("::notice title=worklint::15 more findings in the log of this step"), "{out}");
        assert_eq!(out.contains("summary"), written, "{out}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn what_cannot_be_written_is_said() {
    let dir = folder(1, "some day");
    let full = || fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    for (args, what) in [
        (&["check"][..], "cannot write the report: No space left"),
        (&["check", "--format", "sarif"], "cannot write the report: No space left"),
        (&["export", "--to", "events"], "cannot write the export: No space left"),
        (&["rules"], "cannot write to standard output: No space left"),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_worklint"));
        let output = command.args(args).current_dir(dir.path()).env_clear().stdout(full()).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{args:?}: {said}");
        assert!(said.contains(what), "{args:?}: {said}");
    }
}

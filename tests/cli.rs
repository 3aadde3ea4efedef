//! The command line: exit codes, streams, standard input, configuration, and files that are no documents.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

mod support;

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use support::project::{command, folder, worklint};

const GOOD: &str = "# Worklog\n\n## Session 1 — 2026-03-01\n\n### agent-a: first\n\n2026-03-01 — Words.\n";
const LYING: &str = "# Mailbox\n\n## Inbox Snapshot\n\n| Agent | Unread | Oldest unread | Needs response by |\n\
    |---|---|---|---|\n| agent-b | 0 | none | none |\n\n## Active Messages\n\n### MSG-20260301-001\n\n\
    **From:** agent-a -> agent-b\n**Date:** 2026-03-01\n**Type:** request\n**Priority:** P0\n**Status:** unread\n\
    **Subject:** Read me\n";

fn out(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn err(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn code(output: &Output) -> i32 {
    output.status.code().unwrap()
}

#[test]
fn clean_is_0_findings_are_1_and_the_format_does_not_matter() {
    let (good, bad) = (folder(&[("WORKLOG.md", GOOD)]), folder(&[("MAILBOX.md", LYING)]));
    for format in ["human", "concise", "json", "jsonl"] {
        assert_eq!(code(&worklint(good.path(), &["check", "--format", format])), 0, "{format}");
        assert_eq!(code(&worklint(bad.path(), &["check", "--format", format])), 1, "{format}");
    }
}

#[test]
fn fail_on_and_the_rule_flags_decide() {
    let bad = folder(&[("MAILBOX.md", LYING)]);
    let run = |args: &[&str]| code(&worklint(bad.path(), &[&["check"], args].concat()));
    assert_eq!(run(&["--only", "inbox-count-wrong"]), 1);
    assert_eq!(run(&["--only", "inbox-count-wrong", "--warn", "inbox-count-wrong"]), 0);
    assert_eq!(
        run(&["--only", "inbox-count-wrong", "--warn", "inbox-count-wrong", "--fail-on", "warning"]),
        1
    );
    assert_eq!(run(&["--allow", "all"]), 0);
    assert_eq!(run(&["--deny", "inbox-count-wrong", "--allow", "all"]), 1);
}

#[test]
fn an_unknown_rule_is_2_with_a_suggestion() {
    let good = folder(&[("WORKLOG.md", GOOD)]);
    let output = worklint(good.path(), &["check", "--allow", "inbox-count-wron"]);
    assert_eq!(code(&output), 2);
    assert!(err(&output).contains("did you mean inbox-count-wrong"), "{}", err(&output));
    assert_eq!(code(&worklint(good.path(), &["explain", "nothing"])), 2);
}

#[test]
fn nothing_to_check_is_2() {
    let empty = folder(&[("README.md", "# Readme\n")]);
    for args in [&["check"][..], &["check", "README.md"], &["check", "no.md"], &["export", "--to", "events"]]
    {
        let output = worklint(empty.path(), args);
        assert_eq!((code(&output), out(&output).as_str()), (2, ""), "{args:?}");
        assert!(!err(&output).is_empty());
    }
}

#[test]
fn json_is_always_one_document() {
    let bad = folder(&[("MAILBOX.md", LYING)]);
    let report: serde_json::Value =
        serde_json::from_str(&out(&worklint(bad.path(), &["check", "--format", "json"]))).unwrap();
    assert_eq!(report["version"], 1);
    assert_eq!(report["findings"][0]["path"], "MAILBOX.md");
    let failed = worklint(bad.path(), &["check", "no.md", "--format", "json"]);
    let failure: serde_json::Value = serde_json::from_str(&out(&failed)).unwrap();
    assert_eq!(code(&failed), 2);
    assert!(failure["error"]["message"].as_str().unwrap().contains("no.md"), "{failure}");
}

#[test]
fn json_fits_its_schema() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("grammar/schemas/report.schema.json");
    let schema: serde_json::Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    let schema = jsonschema::validator_for(&schema).unwrap();
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let good = folder(&[("WORKLOG.md", GOOD)]);
    for output in [
        worklint(&fixtures, &["check", "--format", "json"]),
        worklint(good.path(), &["check", "--format", "json"]),
        worklint(good.path(), &["check", "no.md", "--format", "json"]),
    ] {
        let report: serde_json::Value = serde_json::from_str(&out(&output)).unwrap();
        let errors: Vec<String> = schema.iter_errors(&report).map(|e| e.to_string()).collect();
        assert!(errors.is_empty(), "{errors:#?}");
    }
}

#[test]
fn standard_input_needs_a_name() {
    let dir = folder(&[]);
    let run = |args: &[&str], input: &str| {
        let mut child = command(dir.path(), args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // A run that fails early does not read its input.
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        child.wait_with_output().unwrap()
    };
    assert_eq!(code(&run(&["check", "-"], GOOD)), 2);
    assert_eq!(code(&run(&["check", "-", "--stdin-filename", "docs/WORKLOG.md"], GOOD)), 0);
    let output = run(&["check", "-", "--stdin-filename", "docs/MAILBOX.md"], LYING);
    assert_eq!(code(&output), 1);
    assert!(out(&output).starts_with("docs/MAILBOX.md:7:"), "{}", out(&output));
    assert_eq!(code(&run(&["check", "--stdin-filename", "WORKLOG.md"], GOOD)), 2);
}

#[test]
fn a_link_where_a_document_should_be_is_named_and_the_rest_is_checked() {
    let dir = folder(&[("MAILBOX.md", LYING), ("real.md", GOOD)]);
    #[cfg(unix)]
    std::os::unix::fs::symlink("real.md", dir.path().join("WORKLOG.md")).unwrap();
    let output = worklint(dir.path(), &["check"]);
    assert_eq!(code(&output), 2);
    assert!(err(&output).contains("WORKLOG.md: a symbolic link"), "{}", err(&output));
    assert!(out(&output).contains("inbox-count-wrong"), "{}", out(&output));
    let report = out(&worklint(dir.path(), &["check", "--format", "json"]));
    let report: serde_json::Value = serde_json::from_str(&report).unwrap();
    assert_eq!(report["problems"][0], "WORKLOG.md: a symbolic link stands where a document should be");
}

#[test]
fn a_path_with_a_newline_stays_on_its_line() {
    let dir = folder(&[("a\nb/MAILBOX.md", LYING)]);
    let output = worklint(dir.path(), &["check", "--format", "concise", "--only", "inbox-count-wrong"]);
    assert_eq!(out(&output).lines().count(), 2, "{}", out(&output));
}

#[test]
fn the_configuration_is_read_and_its_mistakes_are_2() {
    let dir = folder(&[("MAILBOX.md", LYING), ("worklint.yaml", "rules:\n  inbox-count-wrong: warning\n")]);
    let only = ["check", "--only", "inbox-count-wrong"];
    assert_eq!(code(&worklint(dir.path(), &only)), 0);
    assert_eq!(code(&worklint(dir.path(), &[&only[..], &["--no-config"]].concat())), 1);
    fs::write(dir.path().join("worklint.yaml"), "rulez: {}\n").unwrap();
    let output = worklint(dir.path(), &only);
    assert_eq!(code(&output), 2);
    assert!(err(&output).contains("worklint.yaml:1") && err(&output).contains("rules"), "{}", err(&output));
    fs::write(dir.path().join("worklint.yaml"), "rules:\n  no-such-rule: off\n").unwrap();
    assert_eq!(code(&worklint(dir.path(), &only)), 2);
}

#[test]
fn verbose_says_which_dialect_and_why_on_stderr() {
    let dir = folder(&[("WORKLOG.md", "# Log\n\n## 2026-03-01 first\n\nx\n"), ("a/WORKLOG.md", GOOD)]);
    let output = worklint(dir.path(), &["check", "-v"]);
    assert!(
        err(&output).contains("WORKLOG.md: dated-log log, named WORKLOG.md, and 1 of its lines"),
        "{}",
        err(&output)
    );
    assert!(err(&output).contains("a/WORKLOG.md: turnfile log"), "{}", err(&output));
    assert!(!out(&output).contains("dated-log"));
}

#[test]
fn a_pinned_file_and_a_dialect_of_ones_own_are_read() {
    let dialect = "dialect: own\nsummary: s\ndocuments:\n  - role: log\n    files: [JOURNAL.md]\n    entries:\n      heads:\n        \
        - {levels: [1], pattern: '^Day (?<day>\\d+): (?<title>.*)$'}\n";
    let dir = folder(&[
        ("JOURNAL.md", "# Day 1: begin\n\nx\n\n# Day 2: go on\n\ny\n"),
        ("notes/other.txt", "# Day 3: elsewhere\n\nz\n"),
        ("tools/own.yaml", dialect),
        ("worklint.yaml", "dialects: [tools/own.yaml]\ndocuments:\n  notes/*.txt: own\n"),
    ]);
    let output = worklint(dir.path(), &["export", "--to", "events"]);
    assert_eq!(out(&output).matches("\"entry.posted\"").count(), 3, "{}{}", out(&output), err(&output));
}

#[test]
fn an_export_can_be_written_checked_and_is_never_put_over_something_else() {
    let dir = folder(&[("WORKLOG.md", GOOD), ("README.md", "# Readme\n")]);
    let run = |args: &[&str]| worklint(dir.path(), &[&["export", "--to", "events"], args].concat());
    assert_eq!(code(&run(&["--check", "events.jsonl"])), 2);
    assert_eq!(code(&run(&["--out", "events.jsonl"])), 0);
    assert_eq!(code(&run(&["--check", "events.jsonl"])), 0);
    fs::write(dir.path().join("WORKLOG.md"), format!("{GOOD}\n### agent-b: second\n\nMore.\n")).unwrap();
    let stale = run(&["--check", "events.jsonl"]);
    assert_eq!(code(&stale), 1);
    assert!(
        out(&stale).contains("events.jsonl is stale: 0 lines are no longer right, 1 are missing"),
        "{}",
        out(&stale)
    );
    assert_eq!(code(&run(&["--out", "events.jsonl"])), 0);
    assert_eq!(code(&run(&["--check", "events.jsonl"])), 0);
    assert_eq!(code(&run(&["--out", "README.md"])), 2);
    assert_eq!(fs::read_to_string(dir.path().join("README.md")).unwrap(), "# Readme\n");
}

#[test]
fn an_export_is_the_same_from_any_folder() {
    let dir = folder(&[
        ("a/b/WORKLOG.md", GOOD),
        ("a/b/MAILBOX.md", LYING),
        (".git/HEAD", "ref: refs/heads/main\n"),
    ]);
    let here = worklint(dir.path(), &["export", "--to", "events"]);
    let below = worklint(&dir.path().join("a/b"), &["export", "--to", "events"]);
    let named =
        worklint(&dir.path().join("a"), &["export", "--to", "events", "b/MAILBOX.md", "b/WORKLOG.md"]);
    assert!(out(&here).contains("\"path\":\"a/b/WORKLOG.md\""));
    assert_eq!(out(&here), out(&below));
    assert_eq!(out(&here), out(&named));
}

#[test]
fn an_archive_alone_is_understood() {
    let card = LYING.split("### ").nth(1).unwrap();
    let dir = folder(&[("MAILBOX_ARCHIVE.md", &format!("# Mailbox Archive\n\n---\n\n### {card}"))]);
    let output = worklint(dir.path(), &["export", "--to", "events"]);
    assert_eq!(out(&output).matches("\"message.sent\"").count(), 1);
}

#[test]
fn renamed_headings_hide_no_lying_counter() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/documents/renamed-headings");
    let output = worklint(&dir, &["check"]);
    assert_eq!(code(&output), 1);
    assert!(out(&output).contains("error[inbox-count-wrong]"), "{}", out(&output));
    let alone = folder(&[("MAILBOX.md", "# Mailbox\n\n## Letters\n\n### Number 1\n\nDear agent-b,\n")]);
    assert_eq!(code(&worklint(alone.path(), &["check"])), 1);
}

#[test]
fn a_closed_pipe_is_no_panic() {
    let dir = folder(&[("MAILBOX.md", LYING)]);
    let mut child = command(dir.path(), &["export", "--to", "events"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((code(&output), err(&output).as_str()), (0, ""));
}

#[test]
fn the_rules_are_listed_for_programs_too() {
    let dir = folder(&[]);
    let listed: serde_json::Value =
        serde_json::from_str(&out(&worklint(dir.path(), &["rules", "--format", "json"]))).unwrap();
    let rules = listed.as_array().unwrap();
    assert_eq!(rules.len(), worklint::rules::RULES.len());
    for (listed, rule) in rules.iter().zip(worklint::rules::RULES) {
        let meta = &rule.meta;
        assert_eq!(listed["id"], meta.id);
        assert_eq!(listed["severity"], meta.severity.to_string());
        assert_eq!(listed["altitude"], meta.altitude.as_str());
        assert_eq!(listed["summary"], meta.summary);
        assert_eq!(listed["sources"], serde_json::json!(meta.sources));
    }
    assert!(rules.iter().any(|r| r["sources"].as_array().is_some_and(|s| !s.is_empty())));
}

#[test]
fn today_is_what_the_files_say_or_what_the_user_says() {
    let due = LYING.to_owned() + "**Response needed by:** 2026-03-05\n";
    let dir = folder(&[("MAILBOX.md", &due)]);
    let run = |args: &[&str]| {
        let args = [&["check", "--only", "response-overdue"], args].concat();
        out(&worklint(dir.path(), &args)).contains("response-overdue")
    };
    // The newest day in the files is the first of March, whenever this runs.
    assert!(!run(&[]));
    assert!(!run(&["--as-of", "2026-03-05"]));
    assert!(run(&["--as-of", "2026-03-06"]));
}

#[test]
fn the_strict_profile_knows_fewer_words() {
    let dir = folder(&[("MAILBOX.md", LYING)]);
    let run = || out(&worklint(dir.path(), &["check", "--only", "inbox-count-wrong"]));
    assert!(run().contains("inbox-count-wrong"), "{}", run());
    // The letter of the specification calls the first status `new`: `unread` is no word of it, and counts for nothing.
    fs::write(dir.path().join("worklint.yaml"), "profile: strict\n").unwrap();
    assert!(run().contains("No findings"), "{}", run());
    let day = worklint(dir.path(), &["check", "--as-of", "yesterday"]);
    assert_eq!(code(&day), 2);
    assert!(err(&day).contains("2026-01-31"), "{}", err(&day));
}

#[test]
fn a_shell_learns_the_commands_and_their_options() {
    let dir = folder(&[]);
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = out(&worklint(dir.path(), &["completions", shell]));
        assert!(script.contains("fail-on"), "{shell}: {script}");
    }
    // What bash itself makes of the script.
    fs::write(dir.path().join("worklint"), out(&worklint(dir.path(), &["completions", "bash"]))).unwrap();
    let complete = "source worklint; COMP_WORDS=(worklint check --format sa) COMP_CWORD=3; \
                    _worklint worklint sa --format; echo \"${COMPREPLY[@]}\"";
    let output = Command::new("bash").args(["-ec", complete]).current_dir(dir.path()).output().unwrap();
    assert_eq!(out(&output).trim(), "sarif", "{}", err(&output));
}

/// Every command, as it is called.
const COMMANDS: [&str; 12] = [
    "",
    "check",
    "export",
    "signal",
    "signal send",
    "signal list",
    "signal ack",
    "rules",
    "explain",
    "init",
    "completions",
    "man",
];

/// Runs a command by the words of its name, with more arguments.
fn run(dir: &Path, before: &[&str], command: &str, after: &[&str]) -> Output {
    worklint(dir, &[before, &command.split_whitespace().collect::<Vec<_>>(), after].concat())
}

#[test]
fn a_manual_page_is_about_the_program_or_one_command() {
    let dir = folder(&[]);
    for command in COMMANDS {
        let page = out(&run(dir.path(), &["man"], command, &[]));
        let name = ["worklint", command].join(" ").trim().replace(' ', "-");
        let version = format!(".TH {name} 1  \"worklint {}\"", env!("CARGO_PKG_VERSION"));
        assert!(page.contains(&version), "{command}: {page}");
        assert!(
            page.contains("\n.SH EXAMPLES\n.nf\n") && page.contains("\n.SH \"EXIT STATUS\"\n.nf\n"),
            "{page}"
        );
        assert!(!page.contains("EXTRA"), "{page}");
        // As other pages refer to it.
        for other in [name.as_str(), name.trim_start_matches("worklint-")] {
            assert_eq!(out(&worklint(dir.path(), &["man", other])), page, "{other}");
        }
    }
    let page = out(&worklint(dir.path(), &["man", "check"]));
    assert!(page.contains("fail\\-on") && page.contains("[OPTIONS] [PATH]..."), "{page}");
    // Each line of the examples is a line of the page.
    assert!(
        page.contains("\n  worklint check \\-\\-staged           what is about to be committed"),
        "{page}"
    );
    let page = out(&worklint(dir.path(), &["man", "signal"]));
    assert!(page.contains("worklint\\-signal\\-send(1)"), "{page}");
    for (args, said) in [
        (&["man", "chek"][..], "`chek` is no command"),
        (&["man", "signal", "sent"], "the commands are send, list, ack"),
        (&["man", "check", "now"], "`worklint check` has no commands of its own"),
    ] {
        let unknown = worklint(dir.path(), args);
        assert_eq!(code(&unknown), 2);
        assert!(err(&unknown).contains(said), "{}", err(&unknown));
    }
}

#[test]
fn every_command_has_help_that_fits() {
    let dir = folder(&[]);
    for command in COMMANDS {
        let help = out(&run(dir.path(), &[], command, &["--help"]));
        assert!(help.contains("Usage: worklint"), "{command}");
        // What is to be typed is on one line, however long.
        let lines = help.lines().filter(|line| !line.starts_with("Usage: "));
        let widest = lines.map(|l| l.chars().count()).max().unwrap();
        assert!(widest <= 100, "{command}: {widest}");
        // One layout for all: no command has more to say in the long help.
        assert_eq!(help, out(&run(dir.path(), &[], command, &["-h"])), "{command}");
        let end = help.split("\nExamples:\n").nth(1).unwrap_or_else(|| panic!("{command}: {help}"));
        assert!(end.contains("\nExit code: 0 "), "{command}: {end}");
        // A terminal of 80 columns breaks none of its lines.
        assert!(end.lines().all(|line| line.chars().count() <= 80), "{command}: {end}");
        let examples = end.split("\n\n").next().unwrap().replace("\\\n    ", "");
        for example in examples.lines() {
            assert!(example.starts_with("  worklint "), "{command}: {example}");
            assert!(command.is_empty() || example.contains(command), "{command}: {example}");
            // What it is about stands behind two spaces. `--help` is answered only when everything before it is understood.
            let line = example.trim().split("  ").next().unwrap().split(['<', '>', '|']).next().unwrap();
            let line = line.replacen("worklint", env!("CARGO_BIN_EXE_worklint"), 1);
            let output =
                Command::new("sh").args(["-c", &format!("{line} --help")]).env_clear().output().unwrap();
            assert_eq!(code(&output), 0, "{line}: {}", err(&output));
        }
    }
}

#[test]
fn options_stand_under_what_they_are_about() {
    let dir = folder(&[]);
    let help = out(&worklint(dir.path(), &["check", "--help"]));
    let under = |heading: &str| {
        let part =
            help.split(&format!("\n{heading}:\n")).nth(1).unwrap_or_else(|| panic!("{heading}: {help}"));
        part.split("\n\n").next().unwrap().to_owned()
    };
    for (heading, options) in [
        ("Options", &["--config", "--stdin-filename"][..]),
        ("What is compared", &["--staged", "--against", "--exact", "--head", "--history"]),
        ("Output", &["--format", "--fail-on"]),
        ("Repairs", &["--fix", "--diff"]),
        ("Rules", &["--deny", "--warn", "--allow", "--only", "--as-of"]),
        ("Global options", &["--verbose", "--quiet", "--color"]),
    ] {
        let part = under(heading);
        let found: Vec<&str> =
            part.lines().filter_map(|l| l.split_whitespace().find(|w| w.starts_with("--"))).collect();
        let lines = part.lines().filter(|l| l.trim_start().starts_with('-')).count();
        for option in options {
            assert!(found.contains(option), "{heading} {option}: {part}");
        }
        assert!(lines >= options.len() && lines <= options.len() + 3, "{heading}: {part}");
    }
    let help = out(&worklint(dir.path(), &["signal", "send", "--help"]));
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(help.contains("[possible values: directive, question, report, alert]"), "{help}");
    assert!(help.contains("--name-style <compact|dash>"), "{help}");
    assert!(
        out(&worklint(dir.path(), &["--help"])).contains("as events, signals to teams or envelopes"),
        "export writes all three"
    );
}

#[test]
fn files_are_looked_for_beside_the_documents_and_not_where_the_run_is_started() {
    let log = "# Worklog\n\n## Session 1 — 2026-03-01\n\n### agent-a: first\n\n```text\nHandoff: x\nOwner: agent-a\n\
        Status: In progress\nChanged files: src/here.rs, src/gone.rs\nNext owner: agent-b\n```\n";
    let dir = folder(&[("WORKLOG.md", log), ("src/here.rs", "")]);
    let path = dir.path().to_string_lossy().into_owned();
    let elsewhere = folder(&[("src/gone.rs", "")]);
    let args = ["check", "--only", "changed-file-missing", "--format", "concise"];
    for (cwd, target) in [(dir.path(), "."), (elsewhere.path(), path.as_str())] {
        for target in [target.to_owned(), format!("{target}/WORKLOG.md")] {
            let found = out(&worklint(cwd, &[&args[..], &[&target]].concat()));
            assert!(
                found.contains("`src/gone.rs` is not there") && !found.contains("here.rs"),
                "{target}: {found}"
            );
        }
    }
}

#[test]
fn files_are_looked_for_where_the_documents_lie() {
    let log =
        "# Worklog\n\nRules: [here](docs/rules.md), [there](docs/none.md)\n\n## Session 1 — 2026-01-31\n";
    let dir = folder(&[("WORKLOG.md", log), ("docs/rules.md", "Be kind.\n")]);
    let elsewhere = folder(&[("README.md", "")]);
    let path = dir.path().to_string_lossy().into_owned();
    let only = ["--only", "reference-unresolved", "--format", "concise"];
    for output in [
        worklint(dir.path(), &[&["check"], &only[..]].concat()),
        worklint(elsewhere.path(), &[&["check", &path], &only[..]].concat()),
        worklint(elsewhere.path(), &[&["check", &format!("{path}/WORKLOG.md")], &only[..]].concat()),
    ] {
        let out = out(&output);
        assert!(out.contains("`docs/none.md` is not there") && !out.contains("rules.md"), "{out}");
    }
}

//! `worklint signal`: sending, listing and acknowledging by hand, by one or by many at once.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;
use worklint::emit::signals::{Office, Roots, Way, acknowledge};
use worklint::model::signal::{Instant, LARGEST, PROTOCOL, Signal, SignalType, TeamId};
use worklint::signals::Place;

const AT: &str = "2026-03-02T09:30:00Z";

fn squads() -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    for team in ["a", "b", "meta"] {
        fs::create_dir(dir.path().join(team)).unwrap();
    }
    dir
}

fn signal(dir: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_worklint"));
    command.arg("signal").args(args).current_dir(dir).env_clear().output().unwrap()
}

fn send(dir: &Path, more: &[&str]) -> Output {
    let fixed = ["send", "--from", "a", "--to", "b", "--timestamp", AT];
    signal(dir, &[&fixed[..], more].concat())
}

fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn err(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn code(output: &Output) -> i32 {
    output.status.code().unwrap()
}

fn files(dir: &Path) -> Vec<String> {
    fn walk(root: &Path, dir: &Path, out: &mut Vec<String>) {
        for entry in fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(root, &path, out);
            } else {
                out.push(path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/"));
            }
        }
    }
    let mut out = Vec::new();
    walk(dir, dir, &mut out);
    out.sort();
    out
}

const QUESTION: [&str; 6] = ["--type", "question", "--subject", "Which format?", "--body", "Please say."];

#[test]
fn a_signal_lies_in_both_boxes_and_is_what_the_specification_says() {
    let dir = squads();
    let sent = send(dir.path(), &QUESTION);
    assert_eq!(code(&sent), 0, "{}", err(&sent));
    let name = "2026-03-02T093000Z-question-which-format.json";
    let (inbox, outbox) =
        (format!("b/.squad/signals/inbox/{name}"), format!("a/.squad/signals/outbox/{name}"));
    assert_eq!(files(dir.path()), [outbox.clone(), inbox.clone()]);
    let text = fs::read_to_string(dir.path().join(&inbox)).unwrap();
    assert_eq!(text, fs::read_to_string(dir.path().join(outbox)).unwrap());
    let id = out(&sent).trim().to_owned();
    assert_eq!(id.as_bytes()[14], b'4', "{id}");
    let wanted = format!(
        "{{\n  \"id\": \"{id}\",\n  \"timestamp\": \"2026-03-02T09:30:00.000Z\",\n  \"from\": \"a\",\n  \"to\": \"b\",\n  \
         \"type\": \"question\",\n  \"subject\": \"Which format?\",\n  \"body\": \"Please say.\",\n  \
         \"protocol\": \"file-signal-v1\"\n}}\n"
    );
    assert_eq!(text, wanted);
}

#[test]
fn the_body_comes_from_standard_input() {
    let dir = squads();
    let args =
        ["signal", "send", "--from", "a", "--to", "b", "--type", "report", "--subject", "s", "--body", "-"];
    let mut child = Command::new(env!("CARGO_BIN_EXE_worklint"))
        .args(args)
        .current_dir(dir.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all("Line 1\nLine 2 \u{1f980}\n".as_bytes()).unwrap();
    assert!(child.wait_with_output().unwrap().status.success());
    let listed = signal(dir.path(), &["list", "--format", "jsonl"]);
    let listed: Value = serde_json::from_str(&out(&listed)).unwrap();
    assert_eq!(listed["body"], "Line 1\nLine 2 \u{1f980}\n");
}

#[test]
fn what_a_check_would_refuse_is_not_sent() {
    let dir = squads();
    let with = |changes: &[(&str, &str)]| {
        let mut args = BTreeMap::from([
            ("--from", "a"),
            ("--to", "b"),
            ("--type", "report"),
            ("--subject", "s"),
            ("--body", "b"),
        ]);
        args.extend(changes.iter().copied());
        let args: Vec<&str> = args.into_iter().flat_map(|(name, value)| [name, value]).collect();
        signal(dir.path(), &[&["send"], &args[..]].concat())
    };
    for (changes, why) in [
        (("--to", "../b"), "no name of a team"),
        (("--to", "/b"), "no name of a team"),
        (("--to", "con"), "no name of a team"),
        (("--to", "nobody"), "there is no team nobody"),
        (("--from", "B"), "no name of a team"),
        (("--type", "progress"), "[possible values: directive, question, report, alert]"),
        (("--subject", " "), "the subject is empty"),
        (("--subject", "a\nb"), "more than one line"),
        (("--body", "\n"), "the body is empty"),
        (("--timestamp", "a/b"), "date, time and zone"),
        (("--timestamp", "2026-03-02"), "date, time and zone"),
    ] {
        let refused = with(&[changes]);
        assert_eq!(code(&refused), 2, "{changes:?}");
        assert!(err(&refused).contains(why), "{changes:?}: {}", err(&refused));
    }
    assert!(files(dir.path()).is_empty());
    assert_eq!(code(&with(&[("--subject", "../../../x")])), 0);
    assert!(files(dir.path()).iter().all(|path| path.ends_with("-report-x.json")));
}

#[test]
fn a_signal_is_acknowledged_once_and_the_time_never_moves() {
    let dir = squads();
    let id = out(&send(dir.path(), &QUESTION)).trim().to_owned();
    let before =
        fs::read(dir.path().join("b/.squad/signals/inbox/2026-03-02T093000Z-question-which-format.json"));
    let first = signal(dir.path(), &["ack", &id, "--timestamp", "2026-03-02T10:00:00Z"]);
    assert_eq!(code(&first), 0, "{}", err(&first));
    let path = "b/.squad/signals/inbox/2026-03-02T093000Z-question-which-format.json";
    let second = signal(dir.path(), &["ack", path, "--timestamp", "2026-03-03T10:00:00Z"]);
    assert_eq!(code(&second), 0);
    assert!(err(&second).contains("acknowledged before: 2026-03-02T10:00:00.000Z"), "{}", err(&second));
    let ack = fs::read_to_string(dir.path().join(format!("{path}.ack"))).unwrap();
    assert_eq!(ack, "{\n  \"acknowledged\": true,\n  \"acknowledged_at\": \"2026-03-02T10:00:00.000Z\"\n}\n");
    assert_eq!(fs::read(dir.path().join(path)).unwrap(), before.unwrap(), "the signal is left as it is");
    // The sender sees it too.
    let outbox = out(&signal(dir.path(), &["list", "--box", "outbox"]));
    assert!(outbox.contains("[acknowledged 2026-03-02T10:00:00.000Z]"), "{outbox}");
}

#[test]
fn an_ack_of_nothing_in_particular_is_refused() {
    let dir = squads();
    send(dir.path(), &QUESTION);
    let copy = "a/.squad/signals/outbox/2026-03-02T093000Z-question-which-format.json";
    let inbox = dir.path().join("b/.squad/signals/inbox");
    fs::write(inbox.join("torn.json"), "{\"id\": \"t\",").unwrap();
    for (named, why) in [
        ("2026", "no inbox holds"),
        ("", "no inbox holds"),
        (copy, "lies in no inbox"),
        ("b/.squad/signals/inbox/torn.json", "ends in the middle"),
    ] {
        let refused = signal(dir.path(), &["ack", named]);
        assert_eq!(code(&refused), 2, "{named}");
        assert!(err(&refused).contains(why), "{named}: {}", err(&refused));
    }
    for (name, team) in [("1.json", "b"), ("2.json", "meta")] {
        let inbox = dir.path().join(team).join(".squad/signals/inbox");
        fs::create_dir_all(&inbox).unwrap();
        fs::write(inbox.join(name), "{\"id\": \"same\"}").unwrap();
    }
    let several = signal(dir.path(), &["ack", "same"]);
    assert!(code(&several) == 2 && err(&several).contains("2 signals have the id"), "{}", err(&several));
    assert_eq!(code(&signal(dir.path(), &["ack", "same", "--team", "meta"])), 0);
    assert!(dir.path().join("meta/.squad/signals/inbox/2.json.ack").exists());
}

#[test]
fn signals_are_listed_by_time_whatever_their_shape_and_name() {
    let dir = squads();
    let inbox = dir.path().join("b/.squad/signals/inbox");
    fs::create_dir_all(&inbox).unwrap();
    let old = |id: &str, ts: &str| {
        format!(
            "{{\"id\":\"{id}\",\"ts\":\"{ts}\",\"from\":\"meta-squad\",\"type\":\"report\",\"subject\":\"s\",\"body\":\"b\"}}"
        )
    };
    fs::write(inbox.join("2026-03-02T09-00-00-000Z-report-s.json"), old("3", "2026-03-02T09:00:00.001Z"))
        .unwrap();
    fs::write(inbox.join("1772442000000-report-s.json"), old("2", "2026-03-02T09:00:00Z")).unwrap();
    fs::write(inbox.join("z.json"), old("1", "2026-03-02T09:00:00.000Z")).unwrap();
    fs::write(inbox.join("a.json"), "{\"type\":\"report\",\"subject\":\"no id\"}").unwrap();
    fs::write(inbox.join("torn.json"), "{").unwrap();
    fs::write(
        inbox.join("in-place.json"),
        old("4", "2026-03-03T01:00:00+02:00").replace('}', ",\"acknowledged\":true}"),
    )
    .unwrap();
    send(dir.path(), &QUESTION);
    let ids = |args: &[&str]| -> Vec<Value> {
        let output = signal(dir.path(), &[&["list", "--format", "json"], args].concat());
        assert_eq!(code(&output), 1, "one file is torn");
        assert!(err(&output).contains("torn.json: not listed"), "{}", err(&output));
        let list: Value = serde_json::from_str(&out(&output)).unwrap();
        list.as_array().unwrap().iter().map(|s| s["id"].clone()).collect()
    };
    let all = ids(&[]);
    assert_eq!(all.len(), 6);
    assert_eq!(all[0], Value::Null);
    assert_eq!(all[1..4], ["1", "2", "3"].map(Value::from));
    assert_eq!(all[5], "4", "by the time, not by its text");
    assert_eq!(ids(&["--since", "2026-03-02T09:00:00.001Z"]).len(), 3);
    assert_eq!(ids(&["--type", "question"]).len(), 1);
    assert_eq!(ids(&["--from", "meta-squad"]).len(), 4);
    assert_eq!(ids(&["--unacknowledged"]).len(), 5);
    let nothing = signal(dir.path(), &["list", "--team", "a"]);
    assert_eq!((code(&nothing), out(&nothing).as_str()), (0, ""));
    let lines = out(&signal(dir.path(), &["list"]));
    assert!(lines.contains("2026-03-02T09:00:00.000Z  report     meta-squad -> -  s  [new]  1\n"), "{lines}");
}

#[cfg(unix)]
#[test]
fn nothing_that_may_be_a_signal_is_left_out_in_silence() {
    let dir = squads();
    send(dir.path(), &QUESTION);
    let inbox = dir.path().join("b/.squad/signals/inbox");
    fs::create_dir(inbox.join("old")).unwrap();
    for name in ["old/below.json", "old/below.json.ack", "half.json.tmp"] {
        fs::write(inbox.join(name), "{").unwrap();
    }
    let list = || signal(dir.path(), &["list"]);
    let listed = list();
    assert_eq!(code(&listed), 1, "{}", err(&listed));
    assert_eq!(err(&listed).matches("not listed").count(), 1, "{}", err(&listed));
    assert!(err(&listed).contains("old/below.json: not listed: lies in a folder"), "{}", err(&listed));
    fs::remove_dir_all(inbox.join("old")).unwrap();
    assert_eq!(code(&list()), 0, "what is half written is no signal yet");
    fs::File::create(inbox.join("large.json")).unwrap().set_len(LARGEST + 1).unwrap();
    std::os::unix::fs::symlink("/dev/zero", inbox.join("link.json")).unwrap();
    assert!(Command::new("mkfifo").arg(inbox.join("pipe.json")).status().unwrap().success());
    let listed = list();
    assert_eq!((code(&listed), out(&listed).lines().count()), (1, 1));
    for why in [
        "large.json: not listed: cannot be read: 16777217 bytes",
        "link.json: not listed: is a symbolic link",
        "pipe.json: not listed: is no regular file",
    ] {
        assert!(err(&listed).contains(why), "{why}: {}", err(&listed));
    }
    assert_eq!(code(&signal(dir.path(), &["list", "--box", "outbox"])), 0, "another box");
}

#[test]
fn a_team_that_is_not_there_is_named() {
    let dir = squads();
    send(dir.path(), &QUESTION);
    let refused = signal(dir.path(), &["list", "--team", "nobody"]);
    assert_eq!(code(&refused), 2);
    assert!(err(&refused).contains("there is no team nobody"), "{}", err(&refused));
    assert!(err(&refused).contains("are a, b"), "{}", err(&refused));
    // One that nobody has written to yet is there.
    assert_eq!(code(&signal(dir.path(), &["list", "--team", "meta"])), 0);
}

/// Puts something where an acknowledgement belongs.
type Spoil<'a> = &'a dyn Fn(&Path);

#[test]
fn what_acknowledges_nothing_is_no_ack() {
    let name = "2026-03-02T093000Z-question-which-format.json";
    let spoilt: [(&str, Spoil<'_>); 5] = [
        ("says no", &|path| {
            fs::write(path, "{\"acknowledged\": false, \"acknowledged_at\": \"2026-03-02T10:00:00Z\"}")
                .unwrap();
        }),
        ("empty", &|path| fs::write(path, "").unwrap()),
        ("without a time", &|path| fs::write(path, "{\"acknowledged\": true}").unwrap()),
        ("a folder", &|path| fs::create_dir(path).unwrap()),
        #[cfg(unix)]
        ("a link to nothing", &|path| std::os::unix::fs::symlink("nowhere", path).unwrap()),
        #[cfg(not(unix))]
        ("no JSON", &|path| fs::write(path, "{").unwrap()),
    ];
    for (what, spoil) in spoilt {
        let dir = squads();
        let id = out(&send(dir.path(), &QUESTION)).trim().to_owned();
        let path = format!("b/.squad/signals/inbox/{name}");
        spoil(&dir.path().join(format!("{path}.ack")));
        for args in [&["list"][..], &["list", "--unacknowledged"]] {
            let listed = out(&signal(dir.path(), args));
            assert!(listed.contains("[new]") && listed.contains(&id), "{what}: {listed}");
        }
        let outbox = out(&signal(dir.path(), &["list", "--box", "outbox"]));
        assert!(outbox.contains("[new]"), "{what}: {outbox}");
        for named in [&id, &path] {
            let refused = signal(dir.path(), &["ack", named]);
            assert_eq!(code(&refused), 2, "{what}: {}", err(&refused));
            let why = format!("{name}.ack cannot be read as an acknowledgement");
            assert!(err(&refused).contains(&why), "{what}: {}", err(&refused));
        }
        // What is there is left as it is.
        assert_eq!(files(dir.path()).iter().filter(|f| f.ends_with(".json")).count(), 2, "{what}");
    }
}

#[test]
fn nobody_acknowledges_what_was_not_sent_yet() {
    let dir = squads();
    let id = out(&send(dir.path(), &QUESTION)).trim().to_owned();
    let refused = signal(dir.path(), &["ack", &id, "--timestamp", "2020-01-01T00:00:00Z"]);
    assert!(
        code(&refused) == 2 && err(&refused).contains("was sent at 2026-03-02T09:30:00.000Z"),
        "{}",
        err(&refused)
    );
    assert_eq!(files(dir.path()).len(), 2);
    // A clock that goes wrong keeps nobody from saying that he has read it.
    let later = ["--type", "report", "--subject", "s", "--body", "b", "--timestamp", "9000-01-01T00:00:00Z"];
    let sent = signal(dir.path(), &[&["send", "--from", "a", "--to", "b"], &later[..]].concat());
    let told = signal(dir.path(), &["ack", out(&sent).trim()]);
    assert!(code(&told) == 0 && err(&told).contains("one of the two clocks is wrong"), "{}", err(&told));
}

#[test]
fn a_message_that_nobody_would_read_is_not_sent() {
    let dir = squads();
    let args =
        ["signal", "send", "--from", "a", "--to", "b", "--type", "report", "--subject", "s", "--body", "-"];
    let mut child = Command::new(env!("CARGO_BIN_EXE_worklint"))
        .args(args)
        .current_dir(dir.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Six bytes of JSON each.
    child.stdin.take().unwrap().write_all(&[1; 3_000_000]).unwrap();
    let refused = child.wait_with_output().unwrap();
    assert_eq!(code(&refused), 2);
    assert!(err(&refused).contains("the message is too large: 18000"), "{}", err(&refused));
    assert!(files(dir.path()).is_empty());
}

#[test]
fn a_root_that_is_not_there_is_named() {
    let dir = squads();
    let refused = signal(dir.path(), &["list", "--root", "nowhere"]);
    assert!(code(&refused) == 2 && err(&refused).contains("nowhere: no such folder"), "{}", err(&refused));
}

/// How many signals are sent together; `WORKLINT_STRESS` says otherwise. To put a file onto a disk takes its time, so
/// there are few where no folder in memory is at hand.
fn many() -> usize {
    let said = std::env::var("WORKLINT_STRESS").ok().and_then(|n| n.parse().ok());
    said.unwrap_or(if Path::new(MEMORY).is_dir() { 10_000 } else { 640 })
}

const WORKERS: usize = 16;

/// A folder that lies in memory.
const MEMORY: &str = "/dev/shm";

/// One of the processes of the next test; started on its own it does nothing.
#[test]
fn worker() {
    let (Some(dir), Ok(number)) = (std::env::var_os("WORKLINT_WORKER_DIR"), std::env::var("WORKLINT_WORKER"))
    else {
        return;
    };
    let (dir, number) = (PathBuf::from(dir), number.parse::<usize>().unwrap());
    let (from, to): (TeamId, TeamId) = (["a", "b"][number % 2].parse().unwrap(), "meta".parse().unwrap());
    let inbox = dir.join("meta/.squad/signals/inbox");
    for n in 0..many() / WORKERS {
        // All at one time and with one subject: every name is wanted by everybody.
        let signal = Signal {
            id: format!("{number}-{n}"),
            timestamp: Instant::parse(AT).unwrap(),
            from: from.clone(),
            to: to.clone(),
            kind: SignalType::Report,
            subject: "Same".to_owned(),
            body: "x".repeat(n % 40 * 100),
            protocol: PROTOCOL,
        };
        let boxes = [(&from, Place::Outbox), (&to, Place::Inbox)];
        let mut office = Office::open(Roots::new(dir.clone(), []), boxes).unwrap();
        let done = office.deliver(&signal, None, Way::default()).unwrap();
        office.close().unwrap();
        let name = done.written[1].file_name().unwrap().to_str().unwrap().to_owned();
        let at = Instant::parse(&format!("2026-03-02T10:{:02}:00Z", number)).unwrap();
        acknowledge(&inbox, &name, at).unwrap();
        // And whatever of the others lies there.
        if let Some(other) = fs::read_dir(&inbox)
            .unwrap()
            .map(|e| e.unwrap().path())
            .find(|p| p.extension().is_some_and(|e| e == "json"))
        {
            acknowledge(&inbox, other.file_name().unwrap().to_str().unwrap(), at).unwrap();
        }
    }
}

/// What somebody has seen who looks into the inbox again and again.
#[derive(Default)]
struct Poller {
    acks: BTreeMap<PathBuf, Vec<u8>>,
    signals: BTreeMap<PathBuf, String>,
    /// How far the acks were looked at again.
    again: usize,
}

impl Poller {
    /// Looks at all that is new, and at some of what is not, whole.
    fn look(&mut self, inbox: &Path, again: usize) {
        for entry in fs::read_dir(inbox).into_iter().flatten() {
            let path = entry.unwrap().path();
            let name = path.to_str().unwrap();
            if name.ends_with(".json") && !self.signals.contains_key(&path) {
                let signal: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
                self.signals.insert(path, signal["id"].as_str().unwrap().to_owned());
            } else if name.ends_with(".ack") && !self.acks.contains_key(&path) {
                let bytes = fs::read(&path).unwrap();
                assert!(serde_json::from_slice::<Value>(&bytes).unwrap()["acknowledged"].as_bool().unwrap());
                self.acks.insert(path, bytes);
            }
        }
        for (path, bytes) in self.acks.iter().skip(self.again).take(again) {
            assert_eq!(&fs::read(path).unwrap(), bytes, "an ack time moved");
        }
        self.again = if self.again + again < self.acks.len() { self.again + again } else { 0 };
    }

    /// How many signals, different ids and acks.
    fn seen(&self) -> (usize, usize, usize) {
        let ids: BTreeSet<&String> = self.signals.values().collect();
        (self.signals.len(), ids.len(), self.acks.len())
    }
}

#[test]
fn many_processes_at_once_lose_tear_and_double_nothing() {
    let memory = Path::new(MEMORY);
    let dir = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() }.unwrap();
    for team in ["a", "b", "meta"] {
        fs::create_dir(dir.path().join(team)).unwrap();
    }
    let inbox = dir.path().join("meta/.squad/signals/inbox");
    let start = |number: usize| {
        Command::new(std::env::current_exe().unwrap())
            .args(["worker", "--exact"])
            .env("WORKLINT_WORKER_DIR", dir.path())
            .env("WORKLINT_WORKER", number.to_string())
            .stdout(Stdio::null())
            .spawn()
            .unwrap()
    };
    let mut workers: Vec<_> = (0..WORKERS).map(start).collect();
    let mut poller = Poller::default();
    while workers.iter_mut().any(|worker| worker.try_wait().unwrap().is_none()) {
        poller.look(&inbox, 200);
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    assert!(workers.iter_mut().all(|worker| worker.wait().unwrap().success()));
    poller.again = 0;
    poller.look(&inbox, usize::MAX);
    let sent = many() / WORKERS * WORKERS;
    assert_eq!(poller.seen(), (sent, sent, sent), "signals, different ids, acks");
    let all = files(dir.path());
    assert_eq!(all.len(), sent * 3);
    for path in all.iter().filter(|p| p.starts_with("meta/") && p.ends_with(".json")) {
        let name = path.rsplit('/').next().unwrap();
        let copies = ["a", "b"].map(|team| dir.path().join(format!("{team}/.squad/signals/outbox/{name}")));
        let own = fs::read(dir.path().join(path)).unwrap();
        assert!(copies.iter().any(|copy| fs::read(copy).is_ok_and(|bytes| bytes == own)), "{path}");
    }
}

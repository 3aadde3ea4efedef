//! Delivery on a real disk: nothing is overwritten, nothing is doubled, and whatever is missing is completed.

use super::*;
use crate::emit::signals::{Roots, bytes};
use crate::model::signal::{LARGEST, PROTOCOL, SignalType};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

fn team(name: &str) -> TeamId {
    name.parse().unwrap()
}

fn signal(id: &str, to: &str, subject: &str) -> Signal {
    Signal {
        id: id.to_owned(),
        timestamp: Instant::parse("2026-03-02T09:30:00Z").unwrap(),
        from: team("a"),
        to: team(to),
        kind: SignalType::Report,
        subject: subject.to_owned(),
        body: "Body.".to_owned(),
        protocol: PROTOCOL,
    }
}

fn teams(signals: &[Signal]) -> Vec<(&TeamId, Place)> {
    signals.iter().flat_map(|s| [(&s.from, Place::Outbox), (&s.to, Place::Inbox)]).collect()
}

/// Delivers all, as an export does.
fn deliver(dir: &Path, signals: &[(Signal, Option<Instant>)], way: Way) -> Delivered {
    let plain: Vec<Signal> = signals.iter().map(|(s, _)| s.clone()).collect();
    let roots = Roots::new(dir.to_owned(), []);
    let mut office = Office::open(roots, teams(&plain)).unwrap();
    office.look(teams(&plain).into_iter().map(|(team, _)| team)).unwrap();
    let mut all = Delivered::default();
    for (signal, acked) in signals {
        all.add(office.deliver(signal, *acked, way).unwrap());
    }
    office.close().unwrap();
    all
}

/// All files below a folder and what they hold.
fn tree(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    fn walk(root: &Path, dir: &Path, out: &mut BTreeMap<String, Vec<u8>>) {
        for entry in fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(root, &path, out);
            } else {
                let name = path.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/");
                out.insert(name, fs::read(&path).unwrap());
            }
        }
    }
    let mut out = BTreeMap::new();
    walk(dir, dir, &mut out);
    out
}

const OUT: &str = "a/.squad/signals/outbox/2026-03-02T093000Z-report";
const IN: &str = "b/.squad/signals/inbox/2026-03-02T093000Z-report";

#[test]
fn both_copies_are_the_same_and_the_second_time_nothing_happens() {
    let dir = tempfile::tempdir().unwrap();
    let at = Instant::parse("2026-03-02T10:00:00Z");
    let one = [(signal("1", "b", "Done"), at)];
    let first = deliver(dir.path(), &one, Way::default());
    assert_eq!((first.written.len(), first.acked), (2, 1));
    let files = tree(dir.path());
    let names: Vec<&str> = files.keys().map(String::as_str).collect();
    assert_eq!(
        names,
        [&format!("{OUT}-done.json"), &format!("{IN}-done.json"), &format!("{IN}-done.json.ack")]
    );
    assert_eq!(files[&format!("{OUT}-done.json")], bytes(&one[0].0).unwrap());
    assert_eq!(files[&format!("{OUT}-done.json")], files[&format!("{IN}-done.json")]);
    assert_eq!(
        String::from_utf8_lossy(&files[&format!("{IN}-done.json.ack")]),
        "{\n  \"acknowledged\": true,\n  \"acknowledged_at\": \"2026-03-02T10:00:00.000Z\"\n}\n"
    );
    let second = deliver(dir.path(), &one, Way::default());
    assert_eq!((second.written.len(), second.present, second.acked, second.acked_before), (0, 2, 0, 1));
    let later = [(signal("1", "b", "Done"), Instant::parse("2027-01-01T00:00:00Z"))];
    deliver(dir.path(), &later, Way::default());
    assert_eq!(tree(dir.path()), files, "an acknowledgement never moves");
}

#[test]
fn one_name_for_several_signals_is_never_one_file() {
    let dir = tempfile::tempdir().unwrap();
    let three = ["1", "2", "3"].map(|id| (signal(id, "b", "🦀"), None));
    deliver(dir.path(), &three, Way::default());
    let files = tree(dir.path());
    assert_eq!(files.len(), 6, "{:?}", files.keys());
    let outbox: Vec<&str> = files.keys().filter_map(|k| k.strip_prefix(OUT)).collect();
    let inbox: Vec<&str> = files.keys().filter_map(|k| k.strip_prefix(IN)).collect();
    assert_eq!(outbox, inbox);
    assert!(outbox.contains(&"-untitled.json") && outbox.contains(&"-untitled-d4735e3a.json"), "{outbox:?}");
    deliver(dir.path(), &three, Way::default());
    assert_eq!(tree(dir.path()), files);
}

#[test]
fn a_name_that_something_else_has_is_left_to_it() {
    let dir = tempfile::tempdir().unwrap();
    let inbox = dir.path().join("b/.squad/signals/inbox");
    fs::create_dir_all(&inbox).unwrap();
    let taken = inbox.join("2026-03-02T093000Z-report-done.json");
    fs::write(&taken, "not even JSON").unwrap();
    deliver(dir.path(), &[(signal("1", "b", "Done"), None)], Way::default());
    assert_eq!(fs::read_to_string(taken).unwrap(), "not even JSON");
    let files = tree(dir.path());
    let suffixed = |start: &str| files.contains_key(&format!("{start}-done-6b86b273.json"));
    assert!(suffixed(OUT) && suffixed(IN), "{:?}", files.keys());
}

#[test]
fn a_signal_that_was_archived_is_not_delivered_again() {
    let dir = tempfile::tempdir().unwrap();
    let one = [(signal("1", "b", "Done"), Instant::parse("2026-03-02T10:00:00Z"))];
    deliver(dir.path(), &one, Way::default());
    let signals = dir.path().join("b/.squad/signals");
    fs::rename(signals.join("inbox"), signals.join("archive")).unwrap();
    let before = tree(dir.path());
    assert_eq!(deliver(dir.path(), &one, Way::default()).present, 2);
    assert_eq!(tree(dir.path()), before);
}

#[test]
fn a_signal_that_says_something_else_by_now_is_told_and_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    deliver(dir.path(), &[(signal("1", "b", "Done"), None)], Way::default());
    let before = tree(dir.path());
    let changed = Signal { body: "Other.".to_owned(), ..signal("1", "b", "Done") };
    let told = deliver(dir.path(), &[(changed, None)], Way::default());
    assert_eq!((told.differing.len(), told.written.len()), (2, 0));
    assert_eq!(tree(dir.path()), before);
}

#[test]
fn what_cannot_be_read_is_not_delivered_a_second_time() {
    let dir = tempfile::tempdir().unwrap();
    let one = [(signal("1", "b", "Done"), Instant::parse("2026-03-02T10:00:00Z"))];
    deliver(dir.path(), &one, Way::default());
    // Too large to be read: nobody knows whether it is the signal.
    let inbox = dir.path().join(format!("{IN}-done.json"));
    fs::OpenOptions::new().write(true).open(&inbox).unwrap().set_len(LARGEST + 1).unwrap();
    let before: Vec<String> = tree(dir.path()).into_keys().collect();
    let told = deliver(dir.path(), &one, Way::default());
    assert_eq!((told.written.len(), told.acked, told.refused.len()), (0, 0, 1));
    assert_eq!(told.refused[0].0, inbox);
    assert_eq!(tree(dir.path()).into_keys().collect::<Vec<_>>(), before);
    // Others are delivered all the same, and also one that was put into the archive is known.
    let other = [(signal("2", "b", "Else"), None)];
    assert_eq!(deliver(dir.path(), &other, Way::default()).written.len(), 2);
    let archive = dir.path().join("b/.squad/signals/archive");
    fs::create_dir(&archive).unwrap();
    fs::rename(&inbox, archive.join(inbox.file_name().unwrap())).unwrap();
    assert_eq!(deliver(dir.path(), &one, Way::default()).refused.len(), 1);
}

#[test]
fn what_nobody_would_read_is_not_written() {
    let dir = tempfile::tempdir().unwrap();
    let body = "\u{1}".repeat(usize::try_from(LARGEST / 6).unwrap());
    let large = Signal { body, ..signal("1", "b", "Done") };
    let plain = [large.clone()];
    let mut office = Office::open(Roots::new(dir.path().to_owned(), []), teams(&plain)).unwrap();
    let refused = office.deliver(&large, None, Way::default());
    assert!(matches!(refused, Err(DeliveryError::TooLarge(_))), "{refused:?}");
    assert!(tree(dir.path()).is_empty());
}

#[test]
fn an_ack_that_acknowledges_nothing_is_told_and_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    let one = [(signal("1", "b", "Done"), Instant::parse("2026-03-02T10:00:00Z"))];
    deliver(dir.path(), &[(one[0].0.clone(), None)], Way::default());
    let ack = dir.path().join(format!("{IN}-done.json.ack"));
    fs::write(&ack, "{\"acknowledged\": false}").unwrap();
    let told = deliver(dir.path(), &one, Way::default());
    assert_eq!((told.acked, told.acked_before, &told.refused[0].0), (0, 0, &ack));
    let mut closed = Office::closed(Roots::new(dir.path().to_owned(), []));
    closed.look([&team("a"), &team("b")]).unwrap();
    assert_eq!(closed.deliver(&one[0].0, one[0].1, Way::default()).unwrap().refused.len(), 1);
    assert_eq!(fs::read_to_string(&ack).unwrap(), "{\"acknowledged\": false}");
}

#[test]
fn only_the_outbox_and_only_in_words_when_asked() {
    let dir = tempfile::tempdir().unwrap();
    let way = Way { outbox_only: true, style: NameStyle::Dash };
    let one = [(signal("1", "b", "Done"), Instant::parse("2026-03-02T10:00:00Z"))];
    deliver(dir.path(), &one, way);
    let files = tree(dir.path());
    let names: Vec<&str> = files.keys().map(String::as_str).collect();
    assert_eq!(names, ["a/.squad/signals/outbox/2026-03-02T09-30-00-000Z-report-done.json"]);
    let mut closed = Office::closed(Roots::new(dir.path().to_owned(), []));
    closed.look([&team("a"), &team("b")]).unwrap();
    let told = closed.deliver(&one[0].0, one[0].1, Way::default()).unwrap();
    assert_eq!((told.present, told.missing), (1, 2), "a copy and an acknowledgement");
    assert_eq!(tree(dir.path()), files);
}

#[cfg(unix)]
#[test]
fn a_box_that_is_a_link_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let elsewhere = tempfile::tempdir().unwrap();
    for link in ["b", "b/.squad", "b/.squad/signals", "b/.squad/signals/inbox"] {
        let base = dir.path().join(link.replace('/', "_"));
        let at = base.join(link);
        fs::create_dir_all(at.parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(elsewhere.path(), &at).unwrap();
        let one = [signal("1", "b", "Done")];
        let refused = Office::open(Roots::new(base, []), teams(&one));
        assert!(
            matches!(refused, Err(DeliveryError::NoFolder(ref path)) if *path == at),
            "{link}: {refused:?}"
        );
    }
    assert_eq!(fs::read_dir(elsewhere.path()).unwrap().count(), 0);
}

/// Signals with subjects and times that often meet.
fn signals() -> impl Strategy<Value = Vec<(Signal, Option<Instant>)>> {
    let subject = prop::sample::select(vec!["Done", "done!", "../../x", "🦀", "", "a/b", "\0", "NUL"]);
    let to = prop::sample::select(vec!["b", "c", "meta"]);
    let one = (subject, to, any::<bool>());
    prop::collection::vec(one, 1..9).prop_map(|list| {
        let at = Instant::parse("2026-03-02T10:00:00Z");
        let numbered = list.into_iter().enumerate();
        numbered
            .map(|(n, (subject, to, acked))| (signal(&n.to_string(), to, subject), at.filter(|_| acked)))
            .collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    /// Each file appears whole or not at all, so what a run leaves that was ended in the middle is the first of
    /// its files, and perhaps a temporary one.
    #[test]
    fn a_run_that_was_ended_anywhere_is_completed_by_the_next(signals in signals(), ended in 0usize..28) {
        let whole = tempfile::tempdir().unwrap();
        let done = deliver(whole.path(), &signals, Way::default());
        let wanted = tree(whole.path());
        prop_assert_eq!(wanted.len(), signals.len() * 2 + signals.iter().filter(|(_, a)| a.is_some()).count());
        let mut order = Vec::new();
        for path in &done.written {
            order.push(path.clone());
            let ack = PathBuf::from(format!("{}{ACK_EXTENSION}", path.display()));
            order.extend(ack.exists().then_some(ack));
        }
        let broken = tempfile::tempdir().unwrap();
        let outbox = broken.path().join("a/.squad/signals/outbox");
        fs::create_dir_all(&outbox).unwrap();
        fs::write(outbox.join(".worklint-half.tmp"), "{\"id\":").unwrap();
        for path in order.iter().take(ended) {
            let copy = broken.path().join(path.strip_prefix(whole.path()).unwrap());
            fs::create_dir_all(copy.parent().unwrap()).unwrap();
            fs::copy(path, copy).unwrap();
        }
        deliver(broken.path(), &signals, Way::default());
        prop_assert_eq!(tree(broken.path()), wanted);
    }

    #[test]
    fn every_file_lies_in_a_box(signals in signals()) {
        let dir = tempfile::tempdir().unwrap();
        deliver(dir.path(), &signals, Way::default());
        for path in tree(dir.path()).keys() {
            let parts: Vec<&str> = path.split('/').collect();
            prop_assert!(matches!(parts.as_slice(), [_, ".squad", "signals", "inbox" | "outbox", _]), "{}", path);
        }
    }
}

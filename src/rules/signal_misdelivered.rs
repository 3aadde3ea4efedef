//! `signal-misdelivered`: a signal lies in the inbox of another team than the one it is for.

use super::shared::naming::quoted;
use super::signal_context::{SignalContext, SignalDraft};
use crate::finding::{Altitude, RuleMeta, Severity};
use crate::signals::Place;

pub const META: RuleMeta = RuleMeta {
    id: "signal-misdelivered",
    severity: Severity::Error,
    altitude: Altitude::Snapshot,
    summary: "A signal lies in the inbox of another team than the one it is for",
    sources: &["SIGNAL_PROTOCOL Reading Signals"],
    docs: "\
## What it does
Compares `to` of each signal in an inbox with the team whose inbox it is: the folder that holds `.squad`, the sender of
what lies in its outbox, or what `signals` in the configuration says. An inbox of several signals that are all for one
and the same team that is nowhere else is taken for that team's.

## Why
A team reads what is addressed to it and leaves the rest. The team that lies here drops the signal, and the one that it
is for never sees it.

## Example
```text
agent-a/.squad/signals/inbox/2026-03-02T093000Z-directive-build.json   with \"to\": \"agent-b\"
```

## How to mend
Move the file into the inbox of the team that it is for. If this is that team under another name, say so under `signals`
in `worklint.yaml`: `roots: {TEAM: FOLDER}`.
",
};

pub fn check(context: &mut SignalContext<'_>) {
    for (index, folder) in context.folders() {
        for (file, reading) in folder.signals(Place::Inbox) {
            let Some(to) = reading.to.as_ref().filter(|to| !context.post.belongs(index, to)) else {
                continue;
            };
            let own = context.post.name(index).map_or_else(|| "another team".to_owned(), quoted);
            let message = format!("the signal is for {} and lies in the inbox of {own}", quoted(to));
            let help = match context.post.folder_of(to).and_then(|at| context.post.folders.get(at)) {
                Some(there) => format!("move it to {}/{}", there.path, Place::Inbox.as_str()),
                None => format!(
                    "move it into the inbox of {}, or name this team under `signals` in worklint.yaml",
                    quoted(to)
                ),
            };
            context.report(SignalDraft::new(file, to.span, message, help).field("/to"));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::signal_messages;

    const RULE: &str = "signal-misdelivered";

    fn to(team: &str) -> String {
        format!("{{\"id\":\"{team}\",\"to\":\"{team}\"}}")
    }

    #[test]
    fn a_signal_for_another_team_is_found() {
        let (a, b) = (to("a"), to("b"));
        let found = signal_messages(
            RULE,
            &[
                ("a/.squad/signals/inbox/1.json", &a),
                ("a/.squad/signals/inbox/2.json", &b),
                ("b/.squad/signals/inbox/3.json", &b),
                ("b/.squad/signals/archive/4.json", &a),
            ],
        );
        assert_eq!(
            found,
            ["a/.squad/signals/inbox/2.json:1:16: the signal is for `b` and lies in the inbox of `a`"]
        );
    }

    #[test]
    fn a_team_that_goes_by_another_name_throughout_is_no_error() {
        let x = to("x");
        assert!(
            signal_messages(
                RULE,
                &[("a/.squad/signals/inbox/1.json", &x), ("a/.squad/signals/inbox/2.json", &x)]
            )
            .is_empty()
        );
        let from = "{\"from\":\"x\"}";
        assert!(
            signal_messages(
                RULE,
                &[("a/.squad/signals/inbox/1.json", &x), ("a/.squad/signals/outbox/2.json", from)]
            )
            .is_empty()
        );
        assert!(signal_messages(RULE, &[(".squad/signals/inbox/1.json", &x)]).is_empty());
        let meta = to("meta-squad");
        assert!(signal_messages(RULE, &[("meta/.squad/signals/inbox/1.json", &meta)]).is_empty());
    }
}

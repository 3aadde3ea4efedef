use super::*;
use crate::text::Span;
use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::BTreeSet;

fn id(n: u128) -> Uuid {
    Uuid::from_u128(n << 96)
}

/// An envelope; the parent 0 is none.
fn one(n: u128, parent: u128, workflow: u128) -> Value {
    let parent = if parent == 0 { Value::Null } else { json!(id(parent).to_string()) };
    let created = format!("2026-03-02T09:{:02}:00Z", n % 60);
    json!({"id": id(n).to_string(), "type": "PRD", "parent_id": parent,
        "workflow_id": id(workflow).to_string(), "created_at": created})
}

fn read(values: &[Value]) -> Vec<Envelope> {
    let source = |line| Source { path: "a".into(), span: Span::new(line, line), line };
    (1..).zip(values).map(|(line, value)| Envelope::of(value, source(line))).collect()
}

/// A line a node: how deep it stands, the number in its id, how it follows, and its faults.
fn said(values: &[Value], selection: Selection) -> Vec<String> {
    let envelopes = read(values);
    let trace = Story::of(&envelopes, []).trace(selection);
    let mut lines = Vec::new();
    for workflow in &trace.workflows {
        let faults: Vec<&str> = workflow.faults.iter().map(|at| trace.faults[*at].rule).collect();
        let number = workflow.id.map_or(0, |id| id.as_u128() >> 96);
        lines.push(format!("workflow {number} {}", faults.join(" ")).trim_end().to_owned());
        for node in &trace.nodes[workflow.nodes.clone()] {
            let number = node.id().map_or(0, |id| id.as_u128() >> 96);
            let missing = if node.envelope().is_none() { " missing" } else { "" };
            let edge = node.edge.map(|edge| format!(" {edge}")).unwrap_or_default();
            let faults: String =
                node.faults.iter().map(|at| format!(" {}", trace.faults[*at].rule)).collect();
            lines.push(format!("{}{number}{missing}{edge}{faults}", " ".repeat(node.depth + 1)));
        }
    }
    lines
}

#[test]
fn what_follows_stands_below_in_the_order_of_time() {
    let values = [one(5, 1, 90), one(3, 1, 90), one(4, 3, 90), one(1, 0, 90), one(6, 0, 91)];
    let all = ["workflow 90", " 1", "  3 parent", "   4 parent", "  5 parent", "workflow 91", " 6"];
    assert_eq!(said(&values, Selection::All), all);
    let mut turned = values.to_vec();
    turned.reverse();
    assert_eq!(said(&turned, Selection::All), all);
    assert_eq!(said(&values, Selection::From(id(3))), ["workflow 90", " 3", "  4 parent"]);
    assert_eq!(said(&values, Selection::Why(id(4))), ["workflow 90", " 1", "  3 parent", "   4 parent"]);
}

#[test]
fn every_fault_shows_where_it_is() {
    let values = [
        one(2, 80, 90),
        one(3, 80, 91),
        one(11, 13, 92),
        one(12, 11, 92),
        one(13, 12, 92),
        one(14, 11, 92),
        one(20, 0, 93),
        one(21, 0, 93),
        one(22, 20, 94),
        one(21, 20, 93),
        one(50, 0, 95),
        one(40, 50, 95),
    ];
    assert_eq!(
        said(&values, Selection::All),
        [
            "workflow 90",
            " 80 missing parent-missing",
            "  2 parent",
            "workflow 91",
            " 80 missing parent-missing",
            "  3 parent",
            "workflow 92",
            " 11 parent parent-cycle child-before-parent",
            "  12 parent",
            "   13 parent",
            "  14 parent",
            "workflow 93 several-roots",
            " 20",
            "  21 parent envelope-id-duplicate",
            " 21",
            "workflow 94",
            " 22 parent parent-in-other-workflow",
            "workflow 95",
            " 50",
            "  40 parent child-before-parent",
        ]
    );
}

#[test]
fn a_circle_is_opened_where_it_is_entered() {
    let values = [one(11, 13, 92), one(12, 11, 92), one(13, 12, 92), one(14, 14, 92)];
    assert_eq!(
        said(&values, Selection::From(id(12))),
        ["workflow 92", " 12 parent parent-cycle", "  13 parent", "   11 parent child-before-parent"]
    );
    let why = said(&values, Selection::Why(id(13)));
    assert_eq!(why.len(), 4, "{why:?}");
    assert_eq!(said(&values, Selection::Why(id(14))), ["workflow 92", " 14 parent parent-cycle"]);
}

#[test]
fn what_is_missing_can_be_asked_for_and_a_copy_is_shown_once() {
    let values = [one(2, 80, 90), one(3, 2, 90), one(4, 0, 90)];
    let below = ["workflow 90", " 80 missing parent-missing", "  2 parent", "   3 parent"];
    assert_eq!(said(&values, Selection::From(id(80))), below);
    assert_eq!(said(&values, Selection::Why(id(3))), below);
    assert_eq!(said(&values, Selection::Why(id(80))), Vec::<String>::new());
    let mut envelopes = read(&[one(1, 0, 90), one(2, 1, 90), one(1, 0, 90)]);
    envelopes[2].source.path = "b".into();
    let trace = Story::of(&envelopes, []).trace(Selection::All);
    assert_eq!((trace.envelopes(), trace.nodes[0].copies.len(), trace.faults.len()), (2, 1, 0));
}

#[test]
fn of_other_files_only_causes_are_shown() {
    let (asked, others) =
        (read(&[one(3, 2, 90)]), read(&[one(1, 0, 90), one(2, 1, 90), one(4, 1, 90), one(5, 0, 90)]));
    let story = Story::of(&asked, &others);
    let numbers = |trace: Trace<'_>| {
        trace.nodes.iter().filter_map(|n| Some(n.id()?.as_u128() >> 96)).collect::<Vec<_>>()
    };
    assert_eq!(numbers(story.trace(Selection::All)), [1, 2, 3]);
    assert_eq!(story.trace(Selection::All).faults, []);
    assert_eq!(numbers(story.trace(Selection::From(id(1)))), [1, 2, 3, 4]);
}

#[test]
fn a_handoff_shows_what_it_hands_over() {
    let mut handoff = one(3, 1, 90);
    handoff["type"] = json!("HANDOFF");
    handoff["payload_envelope_id"] = json!(id(2).to_string());
    let values = [one(1, 0, 90), one(2, 1, 90), handoff.clone()];
    let envelopes = read(&values);
    let trace = Story::of(&envelopes, []).trace(Selection::All);
    assert_eq!(trace.nodes[2].payload, Some(1));
    assert_eq!(said(&values, Selection::Why(id(3))).len(), 4);
    handoff["payload_envelope_id"] = json!(id(3).to_string());
    assert_eq!(said(&[one(1, 0, 90), handoff.clone()], Selection::All)[2], "  3 parent handoff-self-payload");
    handoff["payload_envelope_id"] = json!(id(7).to_string());
    assert_eq!(said(&[one(1, 0, 90), handoff], Selection::All)[2], "  3 parent handoff-payload-missing");
}

#[test]
fn what_cannot_be_read_is_shown_all_the_same() {
    let bare = json!({"type": "PRD"});
    let mut broken = one(1, 0, 90);
    broken["parent_id"] = json!("MSG-1");
    assert_eq!(
        said(&[bare, broken], Selection::All),
        ["workflow 90", " 1 envelope-schema", "workflow 0", " 0"]
    );
}

#[test]
fn an_id_is_found_or_something_like_it_is() {
    let envelopes = read(&[one(0x3b0e_2c0a, 0x7b0e_2c0a, 90)]);
    let story = Story::of(&envelopes, []);
    assert_eq!(story.find("3b"), Ok(id(0x3b0e_2c0a)));
    assert_eq!(story.find("7"), Ok(id(0x7b0e_2c0a)));
    assert_eq!(story.find("3b0e2c1a"), Err(Unknown::NotThere(vec![id(0x3b0e_2c0a), id(0x7b0e_2c0a)])));
    assert_eq!(story.find("MSG-1"), Err(Unknown::NotThere(vec![])));
}

#[test]
fn a_circle_and_a_comb_of_a_hundred_thousand_take_no_time_to_speak_of() {
    const MANY: u128 = 100_000;
    let template = &read(&[one(1, 0, 1_000_000)])[0];
    let many = |parent: fn(u128) -> u128| -> Vec<Envelope> {
        let linked = |n| {
            let parent = Some(parent(n)).filter(|parent| *parent > 0).map(id);
            Envelope { id: Some(id(n)), parent, is_root: parent.is_none(), ..template.clone() }
        };
        (1..=MANY).map(linked).collect()
    };
    let (comb, circle) = (many(|n| (n - 1) & !1), many(|n| if n == 1 { MANY } else { n - 1 }));
    for envelopes in [circle, comb] {
        let story = Story::of(&envelopes, []);
        let trace = story.trace(Selection::All);
        assert_eq!(trace.envelopes(), 100_000);
        assert!(trace.faults.iter().all(|fault| fault.message.len() < 200));
        assert!(story.trace(Selection::Why(id(MANY))).envelopes() >= 50_000);
        assert!(story.trace(Selection::From(id(1))).envelopes() > 0);
    }
}

proptest! {
    /// Whatever refers to whatever, each envelope stands in the tree once, below what stands above it.
    #[test]
    fn nothing_is_lost_and_nothing_is_shown_twice(
        links in prop::collection::vec((1u128..10, 0u128..12, 90u128..93), 0..12),
        from in 1u128..12,
    ) {
        let values: Vec<Value> = links.iter().map(|(n, parent, workflow)| one(*n, *parent, *workflow)).collect();
        let envelopes = read(&values);
        let story = Story::of(&envelopes, []);
        for selection in [Selection::All, Selection::From(id(from)), Selection::Why(id(from))] {
            let trace = story.trace(selection);
            let lines: Vec<usize> = trace.nodes.iter().filter_map(|n| Some(n.envelope()?.source.line)).collect();
            let once: BTreeSet<usize> = lines.iter().copied().collect();
            prop_assert_eq!(once.len(), lines.len());
            if selection == Selection::All {
                prop_assert_eq!(lines.len(), envelopes.len());
            }
            for (at, node) in trace.nodes.iter().enumerate() {
                prop_assert!(node.above.is_none_or(|above| above < at && trace.nodes[above].depth + 1 == node.depth));
            }
            let shown: usize = trace.workflows.iter().map(|workflow| workflow.nodes.len()).sum();
            prop_assert_eq!(shown, trace.nodes.len());
        }
    }
}

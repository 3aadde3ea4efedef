//! Which heads come back out of blocks that hide them.

use super::*;

/// Asserts the kinds of all lines and what was left open.
#[track_caller]
fn expect(source: &str, kinds: &str, open: &[(usize, Option<usize>)]) {
    let (found, unclosed) = verdict(source);
    assert_eq!((found.as_str(), unclosed.as_slice()), (kinds, open), "\n{source}");
}

/// Entries with one fence each; a `!` instead of the fence's `.` leaves out its close.
fn entries(info: &str, blank: bool, closes: &str) -> String {
    let gap = if blank { "\n" } else { "" };
    let entry = |(at, close): (usize, char)| {
        let end = if close == '!' { "" } else { "```\n" };
        format!("## MSG-{at}\n{gap}```{info}\nbody\n{end}{gap}")
    };
    closes.chars().enumerate().map(entry).collect()
}

/// Lines of heads that the scanner leaves in the open.
fn heads(source: &str) -> usize {
    let text = Text::from(source);
    let scan = scan_log(&text);
    let open = |l: &&Line| {
        matches!(l.kind, LineKind::Heading(2)) || text.slice(l.content()).starts_with("Message ID")
    };
    scan.lines
        .iter()
        .filter(open)
        .filter(|l| !matches!(l.kind, LineKind::FenceBody | LineKind::Comment))
        .count()
}

#[test]
fn every_head_survives_unclosed_fences_with_info_strings() {
    for closes in ["...", "!..", ".!.", "..!", "!!.", "!.!", ".!!", "!!!", "!.!.!!."] {
        for blank in [true, false] {
            let source = entries("text", blank, closes);
            let lines: Vec<_> = source.lines().enumerate().filter(|(_, l)| *l == "```text").collect();
            let left_open: Vec<_> = scan_of(&source).unclosed.iter().map(|u| u.line).collect();
            let wanted = closes.chars().zip(&lines).filter(|(c, _)| *c == '!').map(|(_, l)| l.0);
            assert_eq!(left_open, wanted.collect::<Vec<_>>(), "{closes}\n{source}");
            assert_eq!(heads(&source), closes.len(), "{closes}\n{source}");
        }
    }
}

#[test]
fn every_head_survives_one_unclosed_bare_fence() {
    for closes in ["...", "!..", ".!.", "..!", ".", "!", "!.", ".!", "!.!", "....!...", "!...!.."] {
        for blank in [true, false] {
            let source = entries("", blank, closes);
            assert_eq!(heads(&source), closes.len(), "{closes}\n{source}");
            let missing = closes.chars().filter(|c| *c == '!').count();
            assert_eq!(scan_of(&source).unclosed.len(), missing, "{closes}\n{source}");
        }
    }
}

#[test]
fn every_head_survives_unclosed_bare_fences_in_a_row_if_blank_lines_surround_them() {
    for closes in ["!!", "!!.", ".!!", "!!!", "!!..", "!.!!!."] {
        let source = entries("", true, closes);
        assert_eq!(heads(&source), closes.len(), "{closes}\n{source}");
    }
}

#[test]
fn a_close_that_is_shaped_like_an_opener_is_one() {
    expect("```\na\n## B\n\n```\nb\n", "(c#_(c", &[(0, Some(2)), (4, None)]);
    expect("```\na\n## B\n\n```\n\nb\n", "(ccc)_t", &[]);
    expect("```\na\n## B\n```\nb\n", "(cc)t", &[]);
}

#[test]
fn what_separates_the_entries_is_scanned_again() {
    let source = "## A\n```text\nbody\n\n---\n\n## B\n";
    expect(source, "#(c_-_#", &[(1, Some(6))]);
}

#[test]
fn a_head_may_be_a_plain_line() {
    let source =
        "Message ID: MSG-1\n\n```\nbody\n\nMessage ID: MSG-2\n\n```\nbody\n```\n\nMessage ID: MSG-3\n";
    expect(source, "t_(c_t_(c)_t", &[(2, Some(5))]);
}

#[test]
fn an_open_fence_without_a_head_runs_to_the_end() {
    expect("## A\n```text\nbody\n\n# other\n", "#(ccc", &[(1, None)]);
}

#[test]
fn the_marker_is_reported() {
    let text = Text::from("## A\n  ~~~~text\nbody\n");
    let unclosed = scan_log(&text).unclosed[0];
    assert_eq!((text.slice(unclosed.span), unclosed.what), ("~~~~", UnclosedKind::Fence));
}

#[test]
fn a_template_that_starts_with_a_head_stays_code() {
    let source = "Use this:\n\n```\n## MSG-0\nMessage ID: x\n```\n\n## MSG-1\n\n```text\nbody\n```\n";
    expect(source, "t_(cc)_#_(c)", &[]);
}

#[test]
fn a_template_with_an_introduction_stays_code() {
    let source = "```\nTemplate:\n\n## MSG-0\nbody\n```\n\n## MSG-1\n\n```\nbody\n```\n";
    expect(source, "(cccc)_#_(c)", &[]);
    expect("```md\nTemplate:\n## MSG-0\n```\n\n```text\nx\n```\n", "(cc)_(c)", &[]);
}

#[test]
fn two_templates_in_a_row_stay_code() {
    let two = "```\nFirst:\n## MSG-0\n```\n\nor\n\n```\nSecond:\n## MSG-0\n```\n\n## MSG-1\ntext\n";
    expect(two, "(cc)_t_(cc)_#t", &[]);
    expect("```\n## A\n```\n```\n## B\n```\n", "(c)(c)", &[]);
}

#[test]
fn a_template_of_four_backticks_may_hold_fences_of_three() {
    let source = "````md\nTemplate:\n\n## MSG-0\n\n```text\nbody\n```\n````\n\n## MSG-1\n\n```text\nx\n```\n";
    expect(source, "(ccccccc)_#_(c)", &[]);
}

#[test]
fn a_template_of_four_backticks_is_not_out_of_step_with_an_open_fence_of_three() {
    let source = "````\nTemplate:\n## MSG-0\n````\ntext\n```\nbody\n\n## MSG-1\n";
    expect(source, "(cc)t(c_#", &[(5, Some(8))]);
}

#[test]
fn tildes_around_backticks_stay_code() {
    let source = "~~~\nTemplate:\n## MSG-0\n```text\nbody\n```\n~~~\n\n```\nx\n```\n";
    expect(source, "(ccccc)_(c)", &[]);
}

#[test]
fn a_template_may_be_the_last_thing_in_a_file() {
    expect("## A\n\n```\nTemplate:\n## B\n```\n", "#_(cc)", &[]);
    expect("## A\n\n```\nTemplate:\n## B\n```", "#_(cc)", &[]);
}

#[test]
fn a_quoted_head_in_one_of_two_fences_of_an_entry_stays_code() {
    let source = "## A\n```\nsays\n## B\n```\n\nand\n\n```\nx\n```\n\n## C\n```\nx\n```\n";
    expect(source, "#(cc)_t_(c)_#(c)", &[]);
}

#[test]
fn an_entry_after_an_open_fence_may_have_several_fences() {
    let source = "## A\n```\na\n\n## B\n```\nb\n```\ntext\n```\nc\n```\n";
    expect(source, "#(c_#(c)t(c)", &[(1, Some(4))]);
    let source = "## A\n```\na\n\n## B\n```\nb\n```\ntext\n```rust\nc\n```\n";
    expect(source, "#(c_#(c)t(c)", &[(1, Some(4))]);
}

#[test]
fn the_stray_close_of_an_entry_whose_first_fence_was_left_open_hides_no_head() {
    let source = "## A\n\n```\na\n\ntext\n\n```\nb\n```\n\n## B\n\n```\nc\n```\n\n## C\n";
    expect(source, "#_(cccc)t(_#_(c)_#", &[(9, Some(11))]);
}

#[test]
fn an_open_fence_with_an_info_string_before_a_bare_one() {
    let source = "## A\n```text\na\n\n## B\n```\nb\n```\n\n## C\n```\nc\n```\n";
    expect(source, "#(c_#(c)_#(c)", &[(1, Some(4))]);
}

#[test]
fn the_close_of_a_fence_in_a_list_item_of_the_next_entry_is_not_taken() {
    let source = "## A\n```text\na\n\n## B\n- note\n  ```text\n  b\n  ```\n";
    expect(source, "#(c_#t(c)", &[(1, Some(4))]);
}

#[test]
fn a_fence_in_a_list_item_hides_only_what_lies_in_the_item() {
    expect("- ```\n## A\n```\nx\n```\n", "(#(c)", &[(0, None)]);
}

#[test]
fn an_open_comment_gives_its_head_back() {
    expect("<!-- note\n\n---\n\n## A\ntext\n", "!_-_#t", &[(0, Some(4))]);
    expect("<!-- note\ntext\n", "!!", &[(0, None)]);
}

#[test]
fn a_comment_that_ends_in_a_later_comment_was_left_open() {
    expect("<!-- note\n## A\n\n<!-- other -->\n", "!#_!", &[(0, Some(1))]);
    expect("<!-- note\n## A <!-- id: 1 -->\n", "!#", &[(0, Some(1))]);
}

#[test]
fn a_closed_comment_may_hold_a_template() {
    expect("<!-- Template:\n## A\n-->\n## B\n<!-- x -->\n", "!!!#!", &[]);
    expect("<!--\n## A -->\ntext\n", "!!t", &[]);
}

#[test]
fn other_html_that_needs_an_end_gives_its_head_back() {
    expect("<pre>\nx\n## A\n", "<<#", &[(0, Some(2))]);
    expect("<pre>\nx\n## A\n</pre>\n", "<<<<", &[]);
    let text = Text::from("<?x\n## A\n");
    assert_eq!(scan_log(&text).unclosed[0].what, UnclosedKind::Html);
}

#[test]
fn a_comment_that_holds_an_open_fence_is_just_a_comment() {
    expect("<!--\n```\n-->\n## A\n", "!!!#", &[]);
    expect("```\n<!--\n```\n## A\n", "(c)#", &[]);
}

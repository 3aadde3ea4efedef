//! What comrak cannot say: offsets, depths, lazy lines, front matter, and the deviations in tables.

use super::*;

fn lines(source: &str) -> Vec<(char, u16, u8, bool, bool)> {
    let scan = scan_of(source);
    scan.lines.iter().map(|l| (letter(l.kind), l.offset, l.depth, l.item, l.lazy)).collect()
}

#[test]
fn an_empty_text_has_one_blank_line() {
    assert_eq!(kinds(""), "_");
    assert_eq!(kinds("\n"), "_");
}

#[test]
fn offsets_point_at_the_first_byte_of_the_block() {
    assert_eq!(
        lines("  ## a\n- - ```\n    x\n    ```\n\t> q\n1.  b\n"),
        [
            ('#', 2, 0, false, false),
            ('(', 4, 2, true, false),
            ('c', 4, 2, false, false),
            (')', 4, 2, false, false),
            ('>', 1, 2, false, false),
            ('t', 4, 1, true, false),
        ]
    );
}

#[test]
fn fence_bodies_lose_the_indentation_of_their_fence_only() {
    let offsets: Vec<_> = lines("  ```\n    x\n x\n  ```\n").iter().map(|l| l.1).collect();
    assert_eq!(offsets, [2, 2, 1, 2]);
}

#[test]
fn a_byte_order_mark_is_part_of_the_first_offset() {
    assert_eq!(lines("\u{feff}# a\n"), [('#', 3, 0, false, false)]);
    assert_eq!(kinds("\u{feff}---\na: b\n---\n"), "yyy");
}

#[test]
fn all_line_ends_end_lines() {
    assert_eq!(kinds("# a\r\rt\r\n```\nx\r```"), "#_t(c)");
}

#[test]
fn text_goes_on_lazily_after_an_item_and_a_quote() {
    assert_eq!(lines("- a\nb\n\nc\n")[1], ('t', 0, 1, false, true));
    assert_eq!(lines("- a\nb\n\nc\n")[3], ('t', 0, 0, false, false));
    assert_eq!(lines("> a\n b\n")[1], ('t', 1, 0, false, true));
    assert_eq!(lines("> # a\nb\n")[1], ('t', 0, 0, false, false));
    assert_eq!(lines("> ```\n> a\nb\n")[2], ('t', 0, 0, false, false));
    assert_eq!(lines("- > a\nb\n")[1], ('t', 0, 1, false, true));
}

#[test]
fn a_fence_ends_with_its_item() {
    let (kinds, open) = verdict("- a\n  ```text\n  code\n## MSG-1\n\ntext\n");
    assert_eq!((kinds.as_str(), open), ("t(c#_t", vec![(1, None)]));
}

#[test]
fn quotes_are_not_looked_into() {
    let (kinds, open) = verdict("> ```\n> ## MSG-1\n> - a\n## MSG-2\n");
    assert_eq!((kinds.as_str(), open), (">>>#", vec![]));
    assert!(!lines("> - a\n")[0].3);
}

#[test]
fn an_empty_item_is_a_blank_line_with_a_marker() {
    assert_eq!(lines("-\n  a\n"), [('_', 1, 1, true, false), ('t', 2, 1, false, false)]);
    assert_eq!(lines("-\n\n  a\n")[2], ('t', 2, 0, false, false));
}

#[test]
fn the_underline_is_marked_and_its_text_stays_text() {
    assert_eq!(kinds("a\nb\n===\nc\n---\n---\n"), "tt=t=-");
}

#[test]
fn front_matter_is_asked_for_and_comes_first() {
    let source = "---\ntitle: x\n---\n# a\n";
    assert_eq!(kinds(source), "yyy#");
    let text = Text::from(source);
    let plain = scan(&text, &ScanOptions { front_matter: false, is_head: &is_head });
    assert_eq!(plain.lines.iter().map(|l| letter(l.kind)).collect::<String>(), "-t=#");
    assert_eq!(kinds("# a\n---\ntitle: x\n---\n"), "#-t=");
}

#[test]
fn a_log_that_starts_with_a_break_has_no_front_matter() {
    assert_eq!(kinds("---\nMessage ID: MSG-1\nStatus: done\n---\n"), "-tt=");
    assert_eq!(kinds("---\n\nSome words.\n\n---\n"), "-_t_-");
}

#[test]
fn a_table_takes_the_last_line_of_a_paragraph_and_goes_on_to_a_blank_line() {
    assert_eq!(kinds("intro\n| a | b |\n|---|---|\n| 1 | 2 |\nno pipe\n\ntext\n"), "t^:||_t");
    assert_eq!(kinds("a | b\n-|-\n1 | 2\n# h\n"), "^:|#");
    assert_eq!(kinds("- | a |\n  |---|\n  | 1 |\n"), "^:|");
}

#[test]
fn a_delimiter_row_of_the_wrong_length_makes_a_table_if_it_starts_with_a_pipe() {
    assert_eq!(kinds("| a | b | c |\n|---|---|\n| 1 | 2 | 3 |\n"), "^:|");
    assert_eq!(kinds("a | b | c\n-|-\n1 | 2 | 3\n"), "ttt");
    assert_eq!(kinds("no pipe\n|---|---|\n"), "tt");
}

#[test]
fn html_blocks_end_at_their_marker_or_at_a_blank_line() {
    assert_eq!(kinds("<!-- a\n\nb -->\nt\n"), "!!!t");
    assert_eq!(kinds("<div>\na\n\nt\n"), "<<_t");
    assert_eq!(kinds("<pre>\n\na</pre>\nt\n"), "<<<t");
    assert_eq!(kinds("t\n<a>\n\n<a>\nb\n"), "tt_<<");
}

#[test]
fn hostile_nesting_is_cut_off() {
    let scan = scan_of(&format!("{}x\n{}y\n", "- ".repeat(3_000), "> ".repeat(3_000)));
    assert!(scan.lines.iter().all(|line| line.depth <= 200));
}

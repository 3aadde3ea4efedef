//! HTML blocks: the seven start conditions of CommonMark and their ends.

use super::tag::is_lone_tag;
use memchr::memmem;

/// The start condition of an HTML block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum HtmlKind {
    /// 1: an element whose content is raw text.
    Raw,
    /// 2: a comment.
    Comment,
    /// 3: a processing instruction.
    Instruction,
    /// 4: a declaration.
    Declaration,
    /// 5: a CDATA section.
    Cdata,
    /// 6: a tag that is known to be a block.
    Block,
    /// 7: any other tag, alone on its line.
    Other,
}

const RAW: [&[u8]; 4] = [b"pre", b"script", b"style", b"textarea"];

/// Tags of start condition 6, sorted.
#[rustfmt::skip]
const BLOCK: [&[u8]; 62] = [
    b"address", b"article", b"aside", b"base", b"basefont", b"blockquote", b"body", b"caption", b"center",
    b"col", b"colgroup", b"dd", b"details", b"dialog", b"dir", b"div", b"dl", b"dt", b"fieldset",
    b"figcaption", b"figure", b"footer", b"form", b"frame", b"frameset", b"h1", b"h2", b"h3", b"h4", b"h5",
    b"h6", b"head", b"header", b"hr", b"html", b"iframe", b"legend", b"li", b"link", b"main", b"menu",
    b"menuitem", b"nav", b"noframes", b"ol", b"optgroup", b"option", b"p", b"param", b"search", b"section",
    b"summary", b"table", b"tbody", b"td", b"tfoot", b"th", b"thead", b"title", b"tr", b"track", b"ul",
];

impl HtmlKind {
    /// The HTML block that `rest` (a line from its first visible byte) starts, with its marker's length.
    pub(super) fn start(rest: &[u8], in_paragraph: bool) -> Option<(Self, usize)> {
        let after = rest.strip_prefix(b"<")?;
        match after.first()? {
            b'!' => declaration(after),
            b'?' => Some((HtmlKind::Instruction, 2)),
            b'/' | b'A'..=b'Z' | b'a'..=b'z' => tag(after, in_paragraph),
            _ => None,
        }
    }

    /// Whether only an end marker closes the block, and no blank line.
    pub(super) const fn needs_end(self) -> bool {
        !matches!(self, HtmlKind::Block | HtmlKind::Other)
    }

    /// Where the first end marker in `bytes` starts.
    pub(super) fn find_end(self, bytes: &[u8]) -> Option<usize> {
        match self {
            HtmlKind::Raw => memmem::find_iter(bytes, b"</").find(|&at| {
                let tag = bytes.get(at + 2..).unwrap_or_default();
                RAW.iter().any(|name| starts_with(tag, name) && tag.get(name.len()) == Some(&b'>'))
            }),
            HtmlKind::Comment => memmem::find(bytes, b"-->"),
            HtmlKind::Instruction => memmem::find(bytes, b"?>"),
            HtmlKind::Declaration => memchr::memchr(b'>', bytes),
            HtmlKind::Cdata => memmem::find(bytes, b"]]>"),
            HtmlKind::Block | HtmlKind::Other => None,
        }
    }
}

fn declaration(after: &[u8]) -> Option<(HtmlKind, usize)> {
    let name = after.strip_prefix(b"!")?;
    if name.starts_with(b"--") {
        Some((HtmlKind::Comment, 4))
    } else if starts_with(name, b"[CDATA[") {
        Some((HtmlKind::Cdata, 9))
    } else if name.first()?.is_ascii_alphabetic() {
        Some((HtmlKind::Declaration, 2))
    } else {
        None
    }
}

fn tag(after: &[u8], in_paragraph: bool) -> Option<(HtmlKind, usize)> {
    let closing = after.strip_prefix(b"/");
    let name = closing.unwrap_or(after);
    let len = name.iter().take_while(|b| b.is_ascii_alphanumeric()).count();
    let (name, tail) = name.split_at_checked(len)?;
    let marker = 1 + usize::from(closing.is_some()) + len;
    let ends = matches!(tail.first(), None | Some(b'>' | b' ' | b'\t' | 0x0b | 0x0c));
    if closing.is_none() && ends && is_one_of(name, &RAW) {
        Some((HtmlKind::Raw, marker))
    } else if (ends || tail.starts_with(b"/>")) && is_one_of(name, &BLOCK) {
        Some((HtmlKind::Block, marker))
    } else if !in_paragraph && is_lone_tag(after) {
        Some((HtmlKind::Other, marker))
    } else {
        None
    }
}

fn starts_with(bytes: &[u8], prefix: &[u8]) -> bool {
    bytes.get(..prefix.len()).is_some_and(|b| b.eq_ignore_ascii_case(prefix))
}

fn is_one_of(name: &[u8], names: &[&[u8]]) -> bool {
    let lower = name.iter().map(u8::to_ascii_lowercase);
    // No name is longer than ten bytes; the comparison stops at the first difference.
    names.binary_search_by(|known| known.iter().copied().cmp(lower.clone())).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(line: &str) -> Option<HtmlKind> {
        HtmlKind::start(line.as_bytes(), false).map(|(kind, _)| kind)
    }

    #[test]
    fn the_table_of_block_tags_is_sorted() {
        assert!(BLOCK.is_sorted() && RAW.is_sorted());
    }

    #[test]
    fn all_seven_start_conditions_are_known() {
        assert_eq!(kind("<PRE>x"), Some(HtmlKind::Raw));
        assert_eq!(kind("<!-- x"), Some(HtmlKind::Comment));
        assert_eq!(kind("<?php"), Some(HtmlKind::Instruction));
        assert_eq!(kind("<!DOCTYPE html>"), Some(HtmlKind::Declaration));
        assert_eq!(kind("<![CDATA["), Some(HtmlKind::Cdata));
        assert_eq!(kind("</details>"), Some(HtmlKind::Block));
        assert_eq!(kind("<hr/>"), Some(HtmlKind::Block));
        assert_eq!(kind("<a href='x' b=c d>  "), Some(HtmlKind::Other));
        assert_eq!(kind("</x-y >"), Some(HtmlKind::Other));
    }

    #[test]
    fn what_is_no_complete_tag_is_text() {
        for no in ["<", "<1>", "<https://a.b>", "<a href=>", "<a b='c>", "<a>x", "<divx", "<a/b>", "<a\"b\">"]
        {
            assert_eq!(kind(no), None, "{no}");
        }
    }

    #[test]
    fn only_the_seventh_cannot_interrupt_a_paragraph() {
        assert_eq!(HtmlKind::start(b"<a>", true), None);
        assert_eq!(HtmlKind::start(b"<p>", true), Some((HtmlKind::Block, 2)));
    }

    #[test]
    fn ends_are_found() {
        assert_eq!(HtmlKind::Raw.find_end(b"a </b> </Style>"), Some(7));
        assert_eq!(HtmlKind::Comment.find_end(b"<!-->"), Some(2));
        assert_eq!(HtmlKind::Block.find_end(b"</div>"), None);
    }
}

//! HTML tags that stand alone on their line.

/// Whether `after` (a line without its `<`) is one complete open or closing tag and white space.
pub(super) fn is_lone_tag(after: &[u8]) -> bool {
    let tail = match after.strip_prefix(b"/") {
        Some(name) => tag_name(name).map(skip_space).and_then(|t| t.strip_prefix(b">")),
        None => tag_name(after).and_then(attributes),
    };
    tail.is_some_and(|t| t.iter().all(|b| matches!(b, b' ' | b'\t' | 0x0c)))
}

fn tag_name(bytes: &[u8]) -> Option<&[u8]> {
    bytes.first().filter(|b| b.is_ascii_alphabetic())?;
    let len = bytes.iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'-').count();
    bytes.get(len..)
}

/// What follows the attributes and the `>` of an open tag.
fn attributes(mut bytes: &[u8]) -> Option<&[u8]> {
    loop {
        let tail = skip_space(bytes);
        if let Some(end) = tail.strip_prefix(b"/").unwrap_or(tail).strip_prefix(b">") {
            return Some(end);
        }
        let &name = tail.first()?;
        if tail.len() == bytes.len() || !(name.is_ascii_alphabetic() || matches!(name, b'_' | b':')) {
            return None;
        }
        let len = tail.iter().take_while(|b| b.is_ascii_alphanumeric() || b":._-".contains(b)).count();
        bytes = tail.get(len..)?;
        if let Some(value) = skip_space(bytes).strip_prefix(b"=") {
            bytes = attribute_value(skip_space(value))?;
        }
    }
}

fn attribute_value(bytes: &[u8]) -> Option<&[u8]> {
    match *bytes.first()? {
        quote @ (b'"' | b'\'') => {
            let value = bytes.get(1..)?;
            value.get(memchr::memchr(quote, value)? + 1..)
        }
        _ => {
            let len = bytes.iter().take_while(|b| !b" \t\x0b\x0c\"'=<>`".contains(b)).count();
            if len == 0 { None } else { bytes.get(len..) }
        }
    }
}

fn skip_space(bytes: &[u8]) -> &[u8] {
    let len = bytes.iter().take_while(|b| matches!(b, b' ' | b'\t' | 0x0b | 0x0c)).count();
    bytes.get(len..).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_complete_tag_with_any_attributes_is_one() {
        for yes in ["a>", "a/>", "a b>", "a b = 'c\"' _d=e :f />  ", "/a >", "x-y>"] {
            assert!(is_lone_tag(yes.as_bytes()), "{yes}");
        }
    }

    #[test]
    fn anything_else_is_not() {
        for no in ["a", "a>x", "a b='c>", "a b=>", "a'b'>", "a /b>", "/a b>", "1>", "a b='c'd>", "http://x>"]
        {
            assert!(!is_lone_tag(no.as_bytes()), "{no}");
        }
    }
}

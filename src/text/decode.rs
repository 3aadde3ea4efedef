//! Bytes to text, without losing a byte's place.

/// What is wrong with a byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DefectKind {
    /// Part of no valid UTF-8 sequence.
    NotUtf8,
    /// A NUL byte.
    Nul,
}

/// A run of defective bytes of one kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ByteDefect {
    /// What is wrong.
    pub kind: DefectKind,
    /// Offset of the first byte of the run.
    pub offset: usize,
    /// Number of bytes in the run.
    pub len: usize,
    /// The first byte's value.
    pub byte: u8,
}

/// Decodes `bytes`; the result is exactly as long as the input.
pub(super) fn decode(mut bytes: Vec<u8>) -> (String, Vec<ByteDefect>) {
    let mut defects = Vec::new();
    let nuls: Vec<usize> = memchr::memchr_iter(0, &bytes).collect();
    for offset in nuls {
        push(&mut defects, ByteDefect { kind: DefectKind::Nul, offset, len: 1, byte: 0 });
    }
    // Nearly every file is valid, and looking once is enough to know.
    bytes = match String::from_utf8(bytes) {
        Ok(text) => return (text, defects),
        Err(error) => error.into_bytes(),
    };
    let mut from = 0;
    while let Err(error) = std::str::from_utf8(&bytes[from..]) {
        let start = from + error.valid_up_to();
        let len = error.error_len().unwrap_or(bytes.len() - start);
        push(&mut defects, ByteDefect { kind: DefectKind::NotUtf8, offset: start, len, byte: bytes[start] });
        bytes[start..start + len].fill(b'?');
        from = start + len;
    }
    defects.sort_by_key(|d| d.offset);
    // The loop above ends only when the rest is valid, so the lossy branch never copies.
    let text =
        String::from_utf8(bytes).unwrap_or_else(|e| String::from_utf8_lossy(e.as_bytes()).into_owned());
    (text, defects)
}

fn push(defects: &mut Vec<ByteDefect>, next: ByteDefect) {
    match defects.last_mut() {
        Some(last) if last.kind == next.kind && last.offset + last.len == next.offset => last.len += next.len,
        _ => defects.push(next),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_survive_bad_bytes() {
        let (text, defects) = decode(b"a\xff\xfeb\0c\xe2\x82".to_vec());
        assert_eq!(text, "a??b\0c??");
        let seen: Vec<_> = defects.iter().map(|d| (d.kind, d.offset, d.len)).collect();
        assert_eq!(seen, [(DefectKind::NotUtf8, 1, 2), (DefectKind::Nul, 4, 1), (DefectKind::NotUtf8, 6, 2)]);
    }
}

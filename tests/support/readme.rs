//! Parts of the README that are made.

/// Compares what stands between two markers with what should, or writes it.
pub fn hold(start: &str, end: &str, wanted: &str) {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let text = std::fs::read_to_string(&path).unwrap().replace("\r\n", "\n");
    let from = text.find(start).unwrap_or_else(|| panic!("no {start}")) + start.len();
    let to = from + text[from..].find(end).unwrap_or_else(|| panic!("no {end}"));
    let wanted = format!("\n{wanted}");
    if std::env::var_os("WORKLINT_UPDATE_README").is_some() {
        std::fs::write(&path, format!("{}{wanted}{}", &text[..from], &text[to..])).unwrap();
    } else {
        assert_eq!(&text[from..to], wanted, "run WORKLINT_UPDATE_README=1 cargo test");
    }
}

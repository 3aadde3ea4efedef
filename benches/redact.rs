//! How fast texts are redacted, in megabytes a second: what is ordinary, and what drives matchers that go back
//! and forth into quadratic time. `cargo bench --bench redact` prints the table; no line of it may be much slower
//! for 4 MB than for 1 MB.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]
#![allow(missing_docs)]

use std::hint::black_box;
use std::time::Instant;
use worklint::squad::redact::{Profile, Redactor};

const TEXTS: [(&str, &str); 8] = [
    ("prose", "Step 12 reads the part and answers the message; see the notes for why. "),
    ("a.a.a.", "a.a.a."),
    ("a@a.", "a@a."),
    ("addresses", "bob@example.org, "),
    ("read read", "read "),
    ("read post", "read post "),
    ("digits", "4111 "),
    ("wide", "ｂｏｂ　ａｔ　ｅｘａｍｐｌｅ. "),
];

fn main() {
    println!("{:<8} {:<10} {:>10} {:>10}", "profile", "text", "1 MB", "4 MB");
    for profile in [Profile::Strict, Profile::Compat] {
        let redactor = Redactor::of(profile).unwrap();
        for (name, piece) in TEXTS {
            let speeds = [1_000_000, 4_000_000].map(|bytes| {
                let text = piece.repeat(bytes / piece.len());
                let start = Instant::now();
                black_box(redactor.redact(&text, false));
                text.len() as f64 / 1e6 / start.elapsed().as_secs_f64()
            });
            println!("{profile:<8} {name:<10} {:>5.0} MB/s {:>5.0} MB/s", speeds[0], speeds[1]);
        }
    }
}

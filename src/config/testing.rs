//! What the tests of the configuration's keys have in common.

use super::Config;
use std::path::Path;

/// Reads a configuration.
pub fn parse(source: &str) -> Result<Config, String> {
    Config::parse(Path::new("worklint.yaml"), source.as_bytes()).map_err(|why| why.to_string())
}

/// Sees to it that each of these is refused at its line, in words that hold these.
pub fn assert_refused(cases: &[(&str, usize, &str)]) {
    for (source, line, why) in cases {
        let error = parse(source).unwrap_err();
        assert!(error.contains(&format!("worklint.yaml:{line}:")) && error.contains(why), "{error}");
    }
}

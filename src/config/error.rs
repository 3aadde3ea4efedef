//! Why a configuration cannot be used, in words for the person who wrote it.

use crate::grammar::GrammarError;
use crate::text::Position;
use thiserror::Error;

/// Why a configuration cannot be used.
#[derive(Debug, Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("{file}: cannot read the configuration: {why}")]
    Unreadable {
        /// The file.
        file: String,
        /// The system's words.
        why: std::io::Error,
    },
    /// The file says something that a configuration cannot say.
    #[error("{file}{}: {why}", at(*.place))]
    Invalid {
        /// The file.
        file: String,
        /// Where in it, when that is known.
        place: Option<Position>,
        /// What is wrong and what is expected.
        why: String,
    },
    /// A dialect file that it names cannot be used.
    #[error("{why} (named in {file}{})", at(*.place))]
    Dialect {
        /// The configuration file.
        file: String,
        /// Where it names the dialect, when that is known.
        place: Option<Position>,
        /// What is wrong with the dialect.
        why: GrammarError,
    },
    /// A dialect of the program itself is wrong, which a test excludes.
    #[error("{0}")]
    BuiltIn(GrammarError),
    /// There is a file that means to be the configuration and is not read, because of its name.
    #[error("{file}: nothing reads a configuration of this name: rename it to {}", super::FILE_NAME)]
    Misnamed {
        /// The file.
        file: String,
    },
}

fn at(place: Option<Position>) -> String {
    place.map_or_else(String::new, |p| format!(":{}:{}", p.line, p.column))
}

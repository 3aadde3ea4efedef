//! The names of the output formats.

use std::fmt;
use std::str::FromStr;

/// How a report is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// Source excerpts with marked spans, for a terminal.
    Human,
    /// One line per finding.
    Concise,
    /// One JSON document.
    Json,
    /// One JSON value per line.
    Jsonl,
    /// Annotations of GitHub Actions.
    Github,
    /// SARIF 2.1.0.
    Sarif,
    /// GitLab's code quality report.
    Gitlab,
    /// JUnit XML.
    Junit,
}

impl Format {
    /// Every format, in the order in which help texts list them.
    pub const ALL: &'static [Format] = &[
        Format::Human,
        Format::Concise,
        Format::Json,
        Format::Jsonl,
        Format::Github,
        Format::Sarif,
        Format::Gitlab,
        Format::Junit,
    ];

    /// The name used on the command line.
    pub const fn as_str(self) -> &'static str {
        match self {
            Format::Human => "human",
            Format::Concise => "concise",
            Format::Json => "json",
            Format::Jsonl => "jsonl",
            Format::Github => "github",
            Format::Sarif => "sarif",
            Format::Gitlab => "gitlab",
            Format::Junit => "junit",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Self, UnknownFormat> {
        Format::ALL
            .iter()
            .copied()
            .find(|format| format.as_str() == name)
            .ok_or_else(|| UnknownFormat { name: name.to_owned() })
    }
}

/// A name that is no [`Format`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownFormat {
    name: String,
}

impl fmt::Display for UnknownFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown format {:?}; one of", self.name)?;
        for (i, format) in Format::ALL.iter().enumerate() {
            write!(f, "{} {format}", if i == 0 { "" } else { "," })?;
        }
        Ok(())
    }
}

impl std::error::Error for UnknownFormat {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_is_read_back_from_its_name() {
        for &format in Format::ALL {
            assert_eq!(format.to_string().parse(), Ok(format));
        }
    }

    #[test]
    fn an_unknown_name_lists_the_known_ones() {
        let error = "xml\n".parse::<Format>().unwrap_err();
        let all = "human, concise, json, jsonl, github, sarif, gitlab, junit";
        assert_eq!(error.to_string(), format!(r#"unknown format "xml\n"; one of {all}"#));
    }
}

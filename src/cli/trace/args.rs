//! The arguments of `worklint trace`.

use crate::cli::args::{FailOn, Input};
use crate::squad::redact::Profile;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// Arguments of `trace`.
#[derive(Debug, Args)]
#[command(after_help = "\
Envelopes are read from the files that hold some; without any, they are what the documents give, as export --to
squad makes them. An ID may be shortened as long as no other one begins like it.

Examples:
  worklint trace out/squad.jsonl                 what follows from what, workflow by workflow
  worklint trace docs                            the same, from the documents of a folder
  worklint trace out/squad.jsonl --why 3b0e2c0a  how it came to that
  worklint trace out/squad.jsonl --from 3b0e2c0a what came of it
  worklint trace docs --format mermaid           a diagram, for a fence of that name
  worklint trace docs --replay out/squad.jsonl   whether the documents still say what was exported

Exit code: 0 nothing wrong with what is shown, 1 a fault at or above --fail-on or a file that is not read to its
end, 2 could not trace. With --replay: 0 all the same, 1 some are not, 2 could not compare")]
pub struct TraceArgs {
    /// Which envelopes or documents
    #[command(flatten)]
    pub input: Input,
    /// Show this envelope and what follows from it
    #[arg(long, value_name = "ID", conflicts_with = "why")]
    pub from: Option<String>,
    /// Show this envelope and what it follows from
    #[arg(long, value_name = "ID")]
    pub why: Option<String>,
    /// How it is shown
    #[arg(long, value_name = "human|json|mermaid|dot", hide_possible_values = true, default_value = "human")]
    pub format: TraceFormat,
    /// The mildest fault that fails the trace
    #[arg(long, value_name = "error|warning|info", hide_possible_values = true, default_value = "warning")]
    pub fail_on: FailOn,
    /// Compare the envelopes that the documents give with those of this file or folder
    #[arg(long, value_name = "FILE|DIR", conflicts_with_all = ["from", "why", "fail_on"])]
    pub replay: Option<PathBuf>,
    /// From documents: the session id, as in the export
    #[arg(long, value_name = "ID")]
    pub session: Option<String>,
    /// From documents: what is taken out of the texts, as in the export [default: as
    /// configured, else strict]
    #[arg(long, value_name = "PROFILE")]
    pub redaction: Option<Profile>,
}

/// How a trace is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum TraceFormat {
    /// A tree for people
    Human,
    /// One JSON document
    Json,
    /// A mermaid flowchart
    Mermaid,
    /// A graph for Graphviz
    Dot,
}

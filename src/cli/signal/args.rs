//! The command line of `worklint signal`.

use crate::cli::args::{ConfigArgs, one_of};
use crate::model::signal::{Instant, NameStyle, SignalType, TeamId};
use crate::signals::Place;
use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;

/// What to do with signals.
#[derive(Debug, Subcommand)]
#[command(after_help = "\
Examples:
  worklint signal list --team agent-a --unacknowledged
  worklint signal ack 6f1c2d6e-0f5b-4a53-9d0a-6d1f5e0c7b11
  worklint signal send --from meta --to agent-a --type directive \\
    --subject 'Build the parser' --body - < task.md

Exit code: 0 done, 1 some files cannot be read as signals, 2 not done")]
pub enum SignalCommand {
    /// Send a signal: into the sender's outbox and the receiver's inbox
    Send(SendArgs),
    /// List signals, oldest first
    List(ListArgs),
    /// Acknowledge a signal
    Ack(AckArgs),
}

/// Where the teams are.
#[derive(Debug, Args)]
pub struct Where {
    /// The folder that holds those of the teams
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub root: PathBuf,
    /// Which configuration
    #[command(flatten)]
    pub configuration: ConfigArgs,
}

/// Arguments of `signal send`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  worklint signal send --from meta --to agent-a --type directive \\
    --subject 'Build the parser' --body - < task.md
  worklint signal send --root squads --from agent-a --to meta --type alert \\
    --subject 'Build failed' --body 'See CI.'

Prints the id of the signal.

Exit code: 0 sent, 2 not sent")]
pub struct SendArgs {
    /// The sending team
    #[arg(long, value_name = "TEAM")]
    pub from: TeamId,
    /// The receiving team
    #[arg(long, value_name = "TEAM")]
    pub to: TeamId,
    /// What kind of message it is
    #[arg(
        long = "type",
        value_name = "TYPE",
        value_parser = one_of::<SignalType>(SignalType::ALL.map(SignalType::as_str))
    )]
    pub kind: SignalType,
    /// Short summary, one line
    #[arg(long, value_name = "TEXT")]
    pub subject: String,
    /// The message; `-` reads it from standard input
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub body: String,
    /// When it was created, with its zone [default: now]
    #[arg(long, value_name = "TIME", value_parser = parse_instant)]
    pub timestamp: Option<Instant>,
    /// Write no inbox, for teams that fetch from the outboxes of the others
    #[arg(long)]
    pub outbox_only: bool,
    /// How the file's name writes the time: compact (2026-03-02T093000Z) or dash (2026-03-02T09-30-00-000Z)
    #[arg(
        long,
        value_name = "compact|dash",
        value_parser = one_of::<NameStyle>(["compact", "dash"]),
        hide_possible_values = true,
        default_value_t
    )]
    pub name_style: NameStyle,
    /// Where the teams are
    #[command(flatten)]
    pub place: Where,
}

/// Arguments of `signal list`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  worklint signal list --team agent-a --unacknowledged
  worklint signal list --box outbox --type alert --since 2026-03-01
  worklint signal list --root squads --format jsonl

Exit code: 0 listed, 1 some files cannot be read as signals, 2 could not list")]
pub struct ListArgs {
    /// Signals in the boxes of this team; without it, of every team
    #[arg(long, value_name = "TEAM")]
    pub team: Option<String>,
    /// Which box
    #[arg(long, value_name = "inbox|outbox|archive", hide_possible_values = true, default_value = "inbox")]
    pub r#box: BoxName,
    /// Only signals that nobody acknowledged
    #[arg(long)]
    pub unacknowledged: bool,
    /// Only signals of this type
    #[arg(
        long = "type",
        value_name = "TYPE",
        value_parser = one_of::<SignalType>(SignalType::ALL.map(SignalType::as_str))
    )]
    pub kind: Option<SignalType>,
    /// Only signals of this sender
    #[arg(long, value_name = "TEAM")]
    pub from: Option<String>,
    /// Only signals from this time on: a day, or a time with its zone
    #[arg(long, value_name = "TIME", value_parser = parse_since)]
    pub since: Option<Instant>,
    /// How they are listed: one a line for people, one JSON array, or one JSON object a line
    #[arg(long, value_name = "human|json|jsonl", hide_possible_values = true, default_value = "human")]
    pub format: SignalFormat,
    /// Where the teams are
    #[command(flatten)]
    pub place: Where,
}

/// Arguments of `signal ack`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  worklint signal ack 6f1c2d6e-0f5b-4a53-9d0a-6d1f5e0c7b11
  worklint signal ack --root squads --team agent-a \\
    6f1c2d6e-0f5b-4a53-9d0a-6d1f5e0c7b11

The second time it is told when it was acknowledged first.

Exit code: 0 acknowledged, now or before; 2 not acknowledged")]
pub struct AckArgs {
    /// The id of the signal, or its file in an inbox
    #[arg(value_name = "ID|FILE")]
    pub signal: String,
    /// The receiving team, where an id alone does not say which signal is meant
    #[arg(long, value_name = "TEAM")]
    pub team: Option<String>,
    /// When it was acknowledged, with its zone [default: now]
    #[arg(long, value_name = "TIME", value_parser = parse_instant)]
    pub timestamp: Option<Instant>,
    /// Where the teams are
    #[command(flatten)]
    pub place: Where,
}

/// A box of a team.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum BoxName {
    /// Messages sent to the team
    Inbox,
    /// Messages sent by the team
    Outbox,
    /// Messages that are done with
    Archive,
}

impl BoxName {
    /// As the reader of folders calls it.
    pub const fn place(self) -> Place {
        match self {
            BoxName::Inbox => Place::Inbox,
            BoxName::Outbox => Place::Outbox,
            BoxName::Archive => Place::Archive,
        }
    }
}

/// How signals are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SignalFormat {
    /// One line a signal
    Human,
    /// One array
    Json,
    /// One JSON object a line
    Jsonl,
}

fn parse_instant(text: &str) -> Result<Instant, String> {
    Instant::parse(text).ok_or_else(|| "write date, time and zone, like 2026-01-31T10:00:00Z".to_owned())
}

fn parse_since(text: &str) -> Result<Instant, String> {
    let instant = Instant::parse(text).or_else(|| Instant::of(&crate::model::Stamp::parse(text)?));
    instant.ok_or_else(|| "write a day like 2026-01-31, or a time like 2026-01-31T10:00:00Z".to_owned())
}

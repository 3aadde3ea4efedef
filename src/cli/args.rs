//! The command line.

use super::signal::SignalCommand;
use super::trace::TraceArgs;
use crate::emit::events::EventFormat;
use crate::finding::Severity;
use crate::model::Stamp;
use crate::model::signal::NameStyle;
use crate::report::Format;
use crate::squad::redact::Profile as RedactionProfile;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use std::error::Error;
use std::path::PathBuf;
use std::str::FromStr;

/// Linter and compiler for the markdown files through which people and AI agents coordinate work
#[derive(Debug, Parser)]
#[command(
    name = "worklint",
    version,
    max_term_width = 100,
    disable_help_subcommand = true,
    after_help = "\
Examples:
  worklint check                      check every coordination file here
  worklint explain inbox-count-wrong  say what a rule is about, and how to mend
  worklint export --to events         write what the files say, one event a line
  worklint init --dry-run             show how it would be set up here

Exit code: 0 all is well, 1 something was found, 2 it could not be done"
)]
pub struct Cli {
    /// What to do
    #[command(subcommand)]
    pub command: Command,
    /// Flags of every command
    #[command(flatten)]
    pub global: Global,
}

/// Flags of every command.
#[derive(Debug, Args)]
#[command(next_help_heading = "Global options")]
pub struct Global {
    /// Say on stderr what was read, as what, and why
    #[arg(short, long, global = true)]
    pub verbose: bool,
    /// Print nothing but findings and errors
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub quiet: bool,
    /// When to colour [env: NO_COLOR, FORCE_COLOR, CLICOLOR_FORCE]
    #[arg(
        long,
        global = true,
        value_name = "auto|always|never",
        hide_possible_values = true,
        default_value = "auto"
    )]
    pub color: When,
}

/// When to do something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum When {
    /// When the output is a terminal
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Check coordination files and report what is wrong with them
    Check(CheckArgs),
    /// Write what coordination files say, as events, signals to teams or envelopes between squads
    Export(ExportArgs),
    /// Show which envelope follows from which
    Trace(TraceArgs),
    /// Send, list and acknowledge signals
    #[command(subcommand)]
    Signal(SignalCommand),
    /// List the rules with the severities that they have by default
    Rules(RulesArgs),
    /// Explain a rule: what it does, why, an example, and how to mend
    #[command(after_help = "\
Examples:
  worklint explain inbox-count-wrong
  worklint explain entry-removed

Exit code: 0 explained, 2 there is no such rule")]
    Explain {
        /// Id of the rule, such as inbox-count-wrong
        #[arg(value_name = "RULE")]
        rule: String,
    },
    /// Set worklint up in this repository
    Init(InitArgs),
    /// Print the completion script of a shell
    #[command(after_help = "\
Examples:
  worklint completions bash \\
    > ~/.local/share/bash-completion/completions/worklint
  worklint completions zsh > ~/.zfunc/_worklint
  worklint completions fish > ~/.config/fish/completions/worklint.fish

zsh looks in ~/.zfunc when that is in its $fpath.

Exit code: 0 printed, 2 there is no such shell")]
    Completions {
        /// Name of the shell
        #[arg(value_name = "SHELL")]
        shell: Shell,
    },
    /// Print the manual page
    #[command(after_help = "\
Examples:
  worklint man | man -l -
  worklint man signal send | man -l -
  worklint man check > ~/.local/share/man/man1/worklint-check.1

Exit code: 0 printed, 2 there is no such command")]
    Man {
        /// The command that the page is about, such as `signal send`; without one, worklint itself
        #[arg(value_name = "COMMAND")]
        command: Vec<String>,
    },
}

/// Which documents, and how they are read.
#[derive(Debug, Clone, Args)]
pub struct Input {
    /// Files and folders; without any, every document of the repository. `-` reads standard input
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// The name under which standard input is read, with `-`
    #[arg(long, value_name = "NAME")]
    pub stdin_filename: Option<PathBuf>,
    /// Which configuration
    #[command(flatten)]
    pub configuration: ConfigArgs,
}

/// Which configuration is read.
#[derive(Debug, Clone, Args)]
pub struct ConfigArgs {
    /// Read this configuration instead of worklint.yaml at the repository's root
    #[arg(long, value_name = "FILE", conflicts_with = "no_config")]
    pub config: Option<PathBuf>,
    /// Read no configuration
    #[arg(long)]
    pub no_config: bool,
}

/// Arguments of `check`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  worklint check                    every coordination file of the repository
  worklint check docs/WORKLOG.md    one file
  worklint check --staged           what is about to be committed: for a hook
  worklint check --against main     what a branch did: for a pull request
  worklint check --history          what each commit did, merges included
  worklint check --format json      for programs
  worklint check --fix --diff       what --fix would change
  worklint check - --stdin-filename WORKLOG.md < draft.md

Exit code: 0 clean, 1 findings at or above --fail-on, 2 could not check.
With --fix, what is left counts. With --fix --diff: 0 nothing to change,
1 something to change, 2 could not check")]
pub struct CheckArgs {
    /// Which documents
    #[command(flatten)]
    pub input: Input,
    /// Which states are compared
    #[command(flatten)]
    pub compare: Compare,
    /// How findings are printed [default: human on a terminal, else concise]
    #[arg(long, value_name = "FORMAT", value_parser = one_of::<Format>(Format::ALL.iter().map(|f| f.as_str())), help_heading = "Output")]
    pub format: Option<Format>,
    /// The mildest severity that fails the check
    #[arg(
        long,
        value_name = "error|warning|info",
        hide_possible_values = true,
        default_value = "error",
        help_heading = "Output"
    )]
    pub fail_on: FailOn,
    /// Make the inbox and the open queue follow the cards where these say what belongs there, and report the rest
    #[arg(long, conflicts_with_all = ["staged", "against", "history"], help_heading = "Repairs")]
    pub fix: bool,
    /// With --fix: print the changes as a unified diff, write nothing, and report nothing
    #[arg(long, requires = "fix", conflicts_with = "format", help_heading = "Repairs")]
    pub diff: bool,
    /// Which rules, and how bad
    #[command(flatten)]
    pub selection: Selection,
    /// The day that counts as today [default: the newest one in each session's documents]
    #[arg(long, value_name = "DATE", value_parser = parse_day, help_heading = "Rules")]
    pub as_of: Option<Stamp>,
    /// Take envelopes as the reference program does: other keys are passed over, and values that it turns into what
    /// they should be are taken
    #[arg(long, help_heading = "Rules")]
    pub lenient: bool,
}

/// What is checked, and what it is compared with. Without any of these: the working tree, with the commit that is
/// checked out.
#[derive(Debug, Args)]
#[command(next_help_heading = "What is compared")]
pub struct Compare {
    /// Check what is about to be committed: the index, compared with the commit that is checked out. What an entry has to
    /// say is asked of new entries alone
    #[arg(long, conflicts_with_all = ["against", "history"])]
    pub staged: bool,
    /// Check the commit that is checked out, compared with its merge base with REV. `auto` is what pre-commit, GitHub
    /// Actions or GitLab CI say. What an entry has to say is asked of new entries alone
    #[arg(long, value_name = "REV", conflicts_with = "history")]
    pub against: Option<String>,
    /// Compare with REV itself instead of the merge base
    #[arg(long, requires = "against")]
    pub exact: bool,
    /// Check this commit instead of the one that is checked out
    #[arg(long, value_name = "REV", requires = "against")]
    pub head: Option<String>,
    /// Check each commit of a range such as v1..main that touches a document, compared with each of its parents
    /// [default: all that lead to the commit that is checked out]
    #[arg(long, value_name = "RANGE", num_args = 0..=1, default_missing_value = "")]
    pub history: Option<String>,
}

fn parse_day(text: &str) -> Result<Stamp, String> {
    let stamp = Stamp::parse(text).filter(Stamp::has_date);
    stamp.ok_or_else(|| {
        "write a day like 2026-01-31, with a time like 2026-01-31T10:00Z if it matters".to_owned()
    })
}

/// Arguments of `init`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  worklint init --dry-run        show what would be written
  worklint init                  write worklint.yaml with what is found here
  worklint init --gitattributes  the same, and settle the documents' line ends
  worklint init --hook           the same, and check each commit from now on

Nothing that is there already is overwritten.

Exit code: 0 all is in place, 2 something is left to do")]
pub struct InitArgs {
    /// Add lines to .gitattributes that give the documents the same line ends on every system
    #[arg(long)]
    pub gitattributes: bool,
    /// Install a hook that checks what is about to be committed [default: pre-commit where the repository uses it,
    /// else git]
    #[arg(
        long,
        value_name = "git|pre-commit",
        hide_possible_values = true,
        num_args = 0..=1,
        require_equals = true
    )]
    pub hook: Option<Option<HookKind>>,
    /// Print what would be written, and write nothing
    #[arg(long)]
    pub dry_run: bool,
}

/// What runs a hook.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum HookKind {
    /// git itself
    Git,
    /// The hook framework pre-commit
    PreCommit,
}

/// Arguments of `rules`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  worklint rules                all rules, each with its severity
  worklint rules --format json  for programs

Exit code: 0 listed")]
pub struct RulesArgs {
    /// How they are listed; json is for programs
    #[arg(long, value_name = "human|json", hide_possible_values = true, default_value = "human")]
    pub format: ListFormat,
}

/// How a list is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ListFormat {
    /// A table for people
    Human,
    /// One JSON array
    Json,
}

/// Takes one of some words, and offers them in help, errors and completions.
pub fn one_of<T>(words: impl IntoIterator<Item = &'static str>) -> impl TypedValueParser<Value = T>
where
    T: FromStr<Err: Into<Box<dyn Error + Send + Sync>>> + Clone + Send + Sync + 'static,
{
    PossibleValuesParser::new(words).try_map(|word| word.parse::<T>())
}

/// The mildest severity that makes a check fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum FailOn {
    /// Errors only
    Error,
    /// Warnings and errors
    Warning,
    /// Anything
    Info,
}

impl FailOn {
    /// As a severity.
    pub const fn severity(self) -> Severity {
        match self {
            FailOn::Error => Severity::Error,
            FailOn::Warning => Severity::Warning,
            FailOn::Info => Severity::Info,
        }
    }
}

/// Severities given on the command line; they win over the configuration. A rule's name wins over `all`, deny
/// over warn, and warn over allow.
#[derive(Debug, Args)]
#[command(next_help_heading = "Rules")]
pub struct Selection {
    /// Report a rule's findings as errors; `all` for every rule
    #[arg(long, value_name = "RULE", action = clap::ArgAction::Append)]
    pub deny: Vec<String>,
    /// Report a rule's findings as warnings; `all` for every rule
    #[arg(long, value_name = "RULE", action = clap::ArgAction::Append)]
    pub warn: Vec<String>,
    /// Do not run a rule; `all` for every rule
    #[arg(long, value_name = "RULE", action = clap::ArgAction::Append)]
    pub allow: Vec<String>,
    /// Run only this rule, even if it is switched off; may be given several times
    #[arg(long, value_name = "RULE", action = clap::ArgAction::Append)]
    pub only: Vec<String>,
}

/// Arguments of `export`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  worklint export --to events                one event a line, oldest first
  worklint export --to events --out log.json
  worklint export --to events --check events.jsonl
  worklint export --to signals --out squads  into squads/TEAM/.squad/signals
  worklint export --to squad --out out.jsonl one envelope a line, oldest first

Exit code: 0 written or up to date, 1 a stale file was found by --check,
2 could not export, or not all of it")]
pub struct ExportArgs {
    /// Which documents
    #[command(flatten)]
    pub input: Input,
    /// What to write
    #[arg(long, value_name = "events|signals|squad", hide_possible_values = true)]
    pub to: Projection,
    /// jsonl, one event a line, or json, one array [default: by the file's name, else jsonl]. With signals, and with
    /// squad and --out, json prints a summary
    #[arg(long, value_name = "FORMAT", value_parser = one_of::<EventFormat>(["jsonl", "json"]), hide_possible_values = true)]
    pub format: Option<EventFormat>,
    /// Write into this file, `-` is standard output; with signals the folder that holds those of the teams; with squad
    /// a .jsonl or .json file, or a folder that gets a folder for each workflow and a file for each envelope
    #[arg(long, value_name = "FILE|DIR", conflicts_with = "check")]
    pub out: Option<PathBuf>,
    /// Compare with this file or folder instead of writing, and exit with 1 when it is stale
    #[arg(long, value_name = "FILE|DIR")]
    pub check: Option<PathBuf>,
    /// Session id for events whose source names none
    #[arg(long, value_name = "ID")]
    pub session: Option<String>,
    /// With signals: write no inbox, for teams that fetch from the outboxes of the others
    #[arg(long)]
    pub outbox_only: bool,
    /// With signals: how a file's name writes the time, compact (2026-03-02T093000Z) or dash
    /// (2026-03-02T09-30-00-000Z)
    #[arg(
        long,
        value_name = "compact|dash",
        value_parser = one_of::<NameStyle>(["compact", "dash"]),
        hide_possible_values = true,
        default_value_t
    )]
    pub name_style: NameStyle,
    /// With squad: what is taken out of the texts; compat is the nine classes of the specification [default: as
    /// configured, else strict]
    #[arg(
        long,
        value_name = "strict|compat",
        value_parser = one_of::<RedactionProfile>(["strict", "compat"]),
        hide_possible_values = true
    )]
    pub redaction: Option<RedactionProfile>,
}

/// What an export makes of the documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Projection {
    /// Events in the envelope of the communications protocol
    Events,
    /// File signals
    Signals,
    /// Envelopes between squads
    Squad,
}

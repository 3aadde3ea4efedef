//! The command line: wires the layers together, alone prints, and sets the exit code.

mod args;
mod auto;
mod baseline;
mod check;
mod compare;
mod envelope_changes;
mod envelope_files;
mod envelope_packs;
mod export;
mod export_notes;
mod export_signals;
mod export_squad;
mod export_summary;
mod failure;
mod fix;
mod history;
mod identity;
mod init;
mod load;
mod manual;
mod output;
mod progress;
mod projections;
mod rules;
mod signal;
mod signal_changes;
mod signal_folders;
mod target;
mod trace;
mod worktree;

use args::{Cli, Command};
use clap::Parser;
use output::{Streams, wants_color};
use std::io::{IsTerminal, stderr, stdin, stdout};
use std::process::ExitCode;

/// Columns when nobody says how wide the terminal is.
const DEFAULT_WIDTH: usize = 80;

/// Runs the program.
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    let is_terminal = stdout().is_terminal();
    let width = terminal_size::terminal_size().map(|(w, _)| usize::from(w.0)).filter(|w| *w > 0);
    let width = width.unwrap_or(DEFAULT_WIDTH);
    let mut streams = Streams {
        stdin: &mut stdin().lock(),
        out: &mut stdout().lock(),
        err: &mut stderr().lock(),
        cwd: std::env::current_dir().unwrap_or_default(),
        color: wants_color(&cli.global, is_terminal),
        quiet: cli.global.quiet,
        verbose: cli.global.verbose,
        is_terminal,
        shows_progress: stderr().is_terminal() && !cli.global.quiet,
        width,
        failed: false,
    };
    let code = match &cli.command {
        Command::Check(args) => check::check(args, &mut streams),
        Command::Export(args) => export::export(args, &mut streams),
        Command::Trace(args) => trace::trace(args, &mut streams),
        Command::Signal(command) => signal::signal(command, &mut streams),
        Command::Rules(args) => rules::rules(args, &mut streams),
        Command::Explain { rule } => rules::explain(rule, &mut streams),
        Command::Init(args) => init::init(args, &mut streams),
        Command::Completions { shell } => manual::completions(*shell, &mut streams),
        Command::Man { command } => manual::man(command, &mut streams),
    };
    if streams.failed { ExitCode::from(2) } else { code }
}

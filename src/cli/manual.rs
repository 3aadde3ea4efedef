//! `worklint completions` and `worklint man`: what a shell and `man` are to know of the command line.

use super::args::Cli;
use super::failure::Failure;
use super::output::Streams;
use clap::{Command, CommandFactory};
use clap_complete::{Shell, generate};
use clap_mangen::Man;
use std::process::ExitCode;

/// Prints the completion script of a shell.
pub fn completions(shell: Shell, streams: &mut Streams<'_>) -> ExitCode {
    let mut script = Vec::new();
    generate(shell, &mut Cli::command(), "worklint", &mut script);
    streams.out_text(&String::from_utf8_lossy(&script));
    ExitCode::SUCCESS
}

/// Prints the manual page of the program, or of one of its commands.
pub fn man(command: Option<&str>, streams: &mut Streams<'_>) -> ExitCode {
    let mut page = Vec::new();
    match command_of(command).and_then(|command| Ok(Man::new(command).render(&mut page)?)) {
        Ok(()) => {
            streams.out_text(&String::from_utf8_lossy(&page));
            ExitCode::SUCCESS
        }
        Err(failure) => streams.fail(&failure),
    }
}

fn command_of(name: Option<&str>) -> Result<Command, Failure> {
    // Building fills in what commands share: the global options, and the name with which they are called.
    let mut all = Cli::command();
    all.build();
    let Some(name) = name else { return Ok(all) };
    let known: Vec<&str> = all.get_subcommands().map(Command::get_name).collect();
    let unknown = Failure::with_help(
        format!("`{name}` is no command"),
        format!("the commands are {}", known.join(", ")),
    );
    let command = all.find_subcommand(name).ok_or(unknown)?;
    // A page is called by one word: worklint-check(1).
    let page = format!("worklint-{name}");
    Ok(command.clone().display_name(page))
}

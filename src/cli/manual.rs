//! `worklint completions` and `worklint man`: what a shell and `man` are to know of the command line.

use super::args::Cli;
use super::failure::Failure;
use super::output::Streams;
use clap::builder::Resettable;
use clap::{Command, CommandFactory};
use clap_complete::{Shell, generate};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};
use std::process::ExitCode;

/// Prints the completion script of a shell.
pub fn completions(shell: Shell, streams: &mut Streams<'_>) -> ExitCode {
    let mut script = Vec::new();
    generate(shell, &mut Cli::command(), "worklint", &mut script);
    streams.out_text(&String::from_utf8_lossy(&script));
    ExitCode::SUCCESS
}

/// Prints the manual page of the program, or of one of its commands: `signal send`, or `signal-send` as other pages
/// refer to it.
pub fn man(command: &[String], streams: &mut Streams<'_>) -> ExitCode {
    match command_of(&command.join("-")).and_then(|command| Ok(page(command)?)) {
        Ok(page) => {
            streams.out_text(&page);
            ExitCode::SUCCESS
        }
        Err(failure) => streams.fail(&failure),
    }
}

/// A command by the words of its name with `-` between them; the program itself by none.
fn command_of(name: &str) -> Result<Command, Failure> {
    // Building fills in what commands share: the global options, and the name with which they are called.
    let mut command = Cli::command();
    command.build();
    let name = name.strip_prefix("worklint").map_or(name, |rest| rest.trim_start_matches('-'));
    for word in name.split('-').filter(|word| !word.is_empty()) {
        let Some(found) = command.find_subcommand(word) else {
            let known: Vec<&str> = command.get_subcommands().map(Command::get_name).collect();
            let help = match known.as_slice() {
                [] => {
                    format!("`{}` has no commands of its own", command.get_bin_name().unwrap_or("worklint"))
                }
                known => format!("the commands are {}", known.join(", ")),
            };
            return Err(Failure::with_help(format!("`{word}` is no command"), help));
        };
        command = found.clone();
    }
    Ok(command)
}

/// The page. Its synopsis is that of the help, and what stands at the end of the help keeps its lines and columns.
fn page(mut command: Command) -> std::io::Result<String> {
    let usage = command.render_usage().to_string();
    let usage = usage.trim_start_matches("Usage:").trim().to_owned();
    let end = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let command = command.override_usage(usage).after_help(Resettable::Reset);
    let mut page = Vec::new();
    Man::new(command).source(concat!("worklint ", env!("CARGO_PKG_VERSION"))).render(&mut page)?;
    let mut page = String::from_utf8_lossy(&page).into_owned();
    for part in end.split("\n\n") {
        page.push_str(&section(part).to_roff());
    }
    Ok(page)
}

fn section(part: &str) -> Roff {
    let (heading, text) = match (part.strip_prefix("Examples:\n"), part.strip_prefix("Exit code: ")) {
        (Some(examples), _) => ("EXAMPLES", examples),
        (_, Some(codes)) => ("EXIT STATUS", codes),
        _ => ("NOTES", part),
    };
    let mut section = Roff::new();
    section.control("SH", [heading]).control("nf", []);
    for line in text.lines() {
        section.text([roman(line)]);
    }
    section.control("fi", []);
    section
}

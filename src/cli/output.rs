//! Where output goes: findings and exports to stdout, everything else to stderr.

use super::args::{Global, When};
use super::failure::Failure;
use crate::report::{Style, one_line};
use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::ExitCode;

/// The streams of a run, and how to use them.
pub struct Streams<'a> {
    /// Standard input.
    pub stdin: &'a mut dyn Read,
    /// Standard output.
    pub out: &'a mut dyn Write,
    /// Standard error.
    pub err: &'a mut dyn Write,
    /// The folder in which the run takes place.
    pub cwd: PathBuf,
    /// Whether standard output is a terminal.
    pub is_terminal: bool,
    /// Whether somebody watches standard error who wants to see how far a long run is.
    pub shows_progress: bool,
    /// Width of the terminal, in columns.
    pub width: usize,
    /// Whether to colour.
    pub color: bool,
    /// Whether to say nothing but findings and errors.
    pub quiet: bool,
    /// Whether to say what is done.
    pub verbose: bool,
    /// Whether something that was to be said could not be written.
    pub failed: bool,
}

impl Streams<'_> {
    /// How human output looks.
    pub const fn style(&self) -> Style {
        Style { color: self.color, width: self.width }
    }

    /// Writes text to standard output. Whoever has closed it does not want it; what cannot be written otherwise makes
    /// the run fail.
    pub fn out_text(&mut self, text: &str) {
        let written = self.out.write_all(text.as_bytes()).and_then(|()| self.out.flush());
        if let Err(why) = unless_closed(written) {
            self.complain(&format!("cannot write to standard output: {why}"));
            self.failed = true;
        }
    }

    /// Says something on standard error when `--verbose` asks for it.
    pub fn note(&mut self, text: &str) {
        if self.verbose {
            let _ = writeln!(self.err, "note: {}", one_line(text));
        }
    }

    /// Says on standard error what was done.
    pub fn tell(&mut self, text: &str) {
        if !self.quiet {
            let _ = writeln!(self.err, "{}", one_line(text));
        }
    }

    /// Says on standard error what a reader should know of a run that is fine.
    pub fn remark(&mut self, text: &str) {
        if !self.quiet {
            let _ = writeln!(self.err, "worklint: {}", one_line(text));
        }
    }

    /// Says what is wrong on standard error.
    pub fn complain(&mut self, text: &str) {
        let _ = writeln!(self.err, "worklint: {}", one_line(text));
    }

    /// Says why the run could not do what it was asked, and gives its exit code.
    pub fn fail(&mut self, failure: &Failure) -> ExitCode {
        for line in failure.message.lines() {
            self.complain(line);
        }
        if let Some(help) = &failure.help {
            let _ = writeln!(self.err, "  help: {}", one_line(help));
        }
        ExitCode::from(2)
    }
}

/// A reader who has closed the pipe has seen enough: that is no error.
pub fn unless_closed(written: std::io::Result<()>) -> std::io::Result<()> {
    match written {
        Err(why) if why.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

/// Whether to colour: the flag, then the environment, then the terminal.
pub fn wants_color(global: &Global, is_terminal: bool) -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|v| !v.is_empty());
    match global.color {
        When::Always => true,
        When::Never => false,
        When::Auto if set("NO_COLOR") => false,
        When::Auto if set("FORCE_COLOR") => true,
        When::Auto if std::env::var_os("CLICOLOR_FORCE").is_some_and(|v| !v.is_empty() && v != "0") => true,
        When::Auto => is_terminal && std::env::var_os("TERM").is_none_or(|t| t != "dumb"),
    }
}

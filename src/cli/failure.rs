//! Why a run could not do what it was asked: exit code 2, in words for people.

use std::fmt;

/// A run that failed.
#[derive(Debug)]
pub struct Failure {
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
}

impl Failure {
    /// A failure that cannot be helped in one line.
    pub fn new(message: impl fmt::Display) -> Self {
        Failure { message: message.to_string(), help: None }
    }

    /// A failure and its cure.
    pub fn with_help(message: impl fmt::Display, help: impl fmt::Display) -> Self {
        Failure { message: message.to_string(), help: Some(help.to_string()) }
    }
}

impl<E: std::error::Error> From<E> for Failure {
    fn from(error: E) -> Self {
        Failure::new(error)
    }
}

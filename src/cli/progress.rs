//! How far a long run is: one line on standard error that is written over, for whoever watches it.

use super::output::Streams;
use std::io::Write;
use std::time::{Duration, Instant};

/// Whatever is done sooner needs no progress.
const PATIENCE: Duration = Duration::from_secs(1);

/// Between two lines.
const PAUSE: Duration = Duration::from_millis(100);

/// Counts commits on standard error when it is a terminal and the run takes longer than a second. The line is gone when
/// the run ends, however it ends.
pub struct Progress<'a> {
    err: Option<&'a mut dyn Write>,
    all: usize,
    begun: Instant,
    shown: Option<Instant>,
}

impl<'a> Progress<'a> {
    /// A count of so many commits.
    pub fn new(streams: &'a mut Streams<'_>, all: usize) -> Self {
        let err: &mut dyn Write = &mut *streams.err;
        Progress { err: streams.shows_progress.then_some(err), all, begun: Instant::now(), shown: None }
    }

    /// Says that so many commits are done.
    pub fn step(&mut self, done: usize) {
        if self.err.is_some() {
            self.step_at(done, Instant::now());
        }
    }

    fn step_at(&mut self, done: usize, now: Instant) {
        let is_due = match self.shown {
            None => now.duration_since(self.begun) >= PATIENCE,
            Some(shown) => now.duration_since(shown) >= PAUSE,
        };
        let Some(err) = self.err.as_mut().filter(|_| is_due) else { return };
        // A terminal that is gone wants to see nothing.
        let _ = write!(err, "\rworklint: {done} of {} commits judged\x1b[K", self.all);
        let _ = err.flush();
        self.shown = Some(now);
    }
}

impl Drop for Progress<'_> {
    fn drop(&mut self) {
        if let (Some(err), Some(_)) = (self.err.as_mut(), self.shown) {
            let _ = write!(err, "\r\x1b[K");
            let _ = err.flush();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(seconds: &[f64], watched: bool) -> String {
        let mut err = Vec::new();
        let begun = Instant::now();
        let mut progress = Progress { err: None, all: 5_000, begun, shown: None };
        if watched {
            progress.err = Some(&mut err);
        }
        for (done, seconds) in seconds.iter().enumerate() {
            progress.step_at(done, begun + Duration::from_secs_f64(*seconds));
        }
        drop(progress);
        String::from_utf8(err).unwrap()
    }

    #[test]
    fn a_short_run_and_one_that_nobody_watches_say_nothing() {
        assert_eq!(written(&[0.0, 0.5, 0.99], true), "");
        assert_eq!(written(&[0.0, 5.0, 9.0], false), "");
    }

    #[test]
    fn a_long_run_writes_over_one_line_and_takes_it_away() {
        let line = |done: usize| format!("\rworklint: {done} of 5000 commits judged\x1b[K");
        assert_eq!(written(&[0.5, 1.0, 1.05, 1.2], true), format!("{}{}\r\x1b[K", line(1), line(3)));
    }
}

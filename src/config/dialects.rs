//! The dialects of a run: those of the program, and over them the user's own.

use super::error::ConfigError;
use super::file::{Config, FILE_NAME, invalid};
use super::words::nearest;
use crate::grammar::Catalog;
use crate::grammar::yaml::Problem;
use crate::text::Position;
use std::path::Path;

impl Config {
    /// The dialects: those of the program, and over them the user's own.
    ///
    /// # Errors
    /// When a dialect file is wrong, two of them have one name, or a file is pinned to a dialect that is none.
    pub fn catalog(&self) -> Result<Catalog, ConfigError> {
        let mut catalog = Catalog::built_in().map_err(ConfigError::BuiltIn)?;
        let mut own: Vec<String> = Vec::new();
        for written in &self.dialects {
            catalog.add_file(&self.folder().join(written)).map_err(|why| ConfigError::Dialect {
                file: self.file().display().to_string(),
                place: self.find(&[written]),
                why,
            })?;
            // The catalog puts what is added last.
            let name = catalog.dialects().last().map(|d| d.dialect.clone()).unwrap_or_default();
            if own.contains(&name) {
                let why = format!("`{written}`: another file of this list holds the dialect `{name}` too");
                return Err(self.wrong(&[written], &why));
            }
            own.push(name);
        }
        self.check_pins(&catalog)?;
        Ok(catalog.under(self.profile))
    }

    fn check_pins(&self, catalog: &Catalog) -> Result<(), ConfigError> {
        let known: Vec<&str> = catalog.dialects().iter().map(|d| d.dialect.as_str()).collect();
        let Some(pin) = self.pins.iter().find(|pin| !known.contains(&pin.dialect.as_str())) else {
            return Ok(());
        };
        let (glob, dialect) = (&pin.written, &pin.dialect);
        let near = nearest(dialect, &known).map_or_else(String::new, |k| format!("did you mean `{k}`? "));
        let all = known.join(", ");
        let why =
            format!("`{glob}` is pinned to `{dialect}`, which is no dialect: {near}the dialects are {all}");
        Err(self.wrong(&[glob, dialect], &why))
    }

    fn file(&self) -> &Path {
        self.path().unwrap_or(Path::new(FILE_NAME))
    }

    fn wrong(&self, words: &[&str], why: &str) -> ConfigError {
        invalid(self.file(), Problem::new(self.find(words), why))
    }

    /// The first line that says all of these. The words were understood long before it turned out that they
    /// do not fit the world, and YAML's values do not know where they stood.
    fn find(&self, words: &[&str]) -> Option<Position> {
        let says = |line: &str| !line.trim_start().starts_with('#') && words.iter().all(|w| line.contains(w));
        let (line, text) = self.source.lines().enumerate().find(|(_, line)| says(line))?;
        let before = &text[..text.find(words.first()?)?];
        Some(Position { line: line + 1, column: before.chars().count() + 1 })
    }
}

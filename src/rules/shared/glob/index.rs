//! Many patterns, asked for those that a path fits.

use super::Glob;
use std::collections::{HashMap, HashSet};

/// Patterns by what they say before their first wildcard, each with a value.
#[derive(Debug, Default)]
pub struct Index<T> {
    by_prefix: HashMap<String, Vec<(Glob, T)>>,
    /// Names that mean a file or a folder wherever it lies.
    by_name: HashMap<String, Vec<T>>,
}

impl<T: Copy> Index<T> {
    /// An index of nothing.
    pub fn new() -> Self {
        Index { by_prefix: HashMap::new(), by_name: HashMap::new() }
    }

    /// Adds a pattern.
    pub fn add(&mut self, glob: &Glob, value: T) {
        let prefixes: HashSet<String> = glob.literal_prefixes().map(|p| p.join("/")).collect();
        for prefix in prefixes {
            self.by_prefix.entry(prefix).or_default().push((glob.clone(), value));
        }
    }

    /// Adds a pattern with every doubt in its favour, as [`Glob::generous`] has it.
    pub fn add_generous(&mut self, pattern: &str, value: T) {
        let name = pattern.trim_start_matches("./").trim_end_matches('/');
        if name.contains(['/', '*', '?', '[', '{', '\\']) {
            if let Some(glob) = Glob::generous(pattern) {
                self.add(&glob, value);
            }
        } else {
            self.by_name.entry(name.to_owned()).or_default().push(value);
        }
    }

    /// The values of the patterns that name a path. The path holds no wildcards; one that is none finds nothing.
    pub fn find(&self, path: &str) -> Vec<T> {
        let Some(exact) = Glob::exact(path) else { return Vec::new() };
        let Some(names) = exact.literal_prefixes().next() else { return Vec::new() };
        let mut out: Vec<T> = names.iter().filter_map(|n| self.by_name.get(n)).flatten().copied().collect();
        for depth in 0..=names.len() {
            let prefix = names.get(..depth).unwrap_or_default().join("/");
            let near = self.by_prefix.get(&prefix).into_iter().flatten();
            out.extend(near.filter(|(glob, _)| glob.common(&exact).is_some()).map(|(_, value)| *value));
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_finds_the_patterns_that_name_it() {
        let mut index = Index::new();
        for (value, pattern) in
            ["src/**", "src/a.rs", "**/*.rs", "docs", "{src,docs}/a.*"].into_iter().enumerate()
        {
            index.add(&Glob::new(pattern).unwrap(), value);
        }
        let found = |path: &str| {
            let mut found = index.find(path);
            found.sort_unstable();
            found
        };
        assert_eq!(found("src/a.rs"), [0, 1, 2, 4]);
        assert_eq!(found("docs/a.md"), [3, 4]);
        assert_eq!(found("a.md"), [0usize; 0]);
        assert_eq!(found("../a.rs"), [0usize; 0]);
    }

    #[test]
    fn a_generous_pattern_finds_what_lies_below_it() {
        let mut index = Index::new();
        for (value, pattern) in ["WORKLOG.md", "src/*", "*.md"].into_iter().enumerate() {
            index.add_generous(pattern, value);
        }
        assert_eq!(index.find("session/WORKLOG.md"), [0, 2]);
        assert_eq!(index.find("src/deep/a.rs"), [1]);
    }
}

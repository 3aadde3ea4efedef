//! Commits, read from their objects: what git's log would say, and nothing that the user's configuration changes.

use crate::finding::Revision;
use std::sync::Arc;

/// A commit.
#[derive(Debug, Clone)]
pub struct Commit {
    /// Its id, author and date.
    pub revision: Arc<Revision>,
    /// The id of its tree.
    pub tree: String,
    /// The ids of its parents, the first one first.
    pub parents: Vec<String>,
    /// The address of its author.
    pub mail: String,
    /// Its message.
    pub message: String,
}

impl Commit {
    /// Reads a commit object. None when the bytes are none.
    pub fn parse(id: &str, bytes: &[u8]) -> Option<Self> {
        let text = String::from_utf8_lossy(bytes);
        let (head, message) = text.split_once("\n\n").unwrap_or((&text, ""));
        let mut tree = None;
        let mut parents = Vec::new();
        let (mut author, mut mail, mut date) = (String::new(), String::new(), String::new());
        for line in head.lines() {
            match line.split_once(' ') {
                Some(("tree", id)) => tree = Some(id.to_owned()),
                Some(("parent", id)) => parents.push(id.to_owned()),
                Some(("author", who)) if author.is_empty() => (author, mail, date) = signature(who),
                _ => {}
            }
        }
        let revision = Arc::new(Revision { commit: id.to_owned(), author, date });
        Some(Commit { revision, tree: tree?, parents, mail, message: message.to_owned() })
    }

    /// The id.
    pub fn id(&self) -> &str {
        &self.revision.commit
    }
}

/// `Name <mail> seconds zone` as name, address and RFC 3339 date.
fn signature(line: &str) -> (String, String, String) {
    let (name, rest) = line.split_once('<').unwrap_or((line, ""));
    let (mail, stamp) = rest.rsplit_once("> ").unwrap_or((rest.trim_end_matches('>'), ""));
    let (seconds, zone) = stamp.split_once(' ').unwrap_or((stamp, "+0000"));
    let date = seconds.parse().ok().and_then(|seconds| rfc3339(seconds, zone)).unwrap_or_default();
    (name.trim().to_owned(), mail.trim().to_owned(), date)
}

fn rfc3339(seconds: i64, zone: &str) -> Option<String> {
    let digits: i32 = zone.get(1..5)?.parse().ok()?;
    let offset = (digits / 100 * 60 + digits % 100) * 60;
    let offset = if zone.starts_with('-') { -offset } else { offset };
    let offset = jiff::tz::Offset::from_seconds(offset).ok()?;
    let time = offset.to_datetime(jiff::Timestamp::from_second(seconds).ok()?);
    let zone = if digits == 0 { "Z".to_owned() } else { format!("{}:{}", &zone[..3], &zone[3..5]) };
    Some(format!("{}{zone}", time.strftime("%Y-%m-%dT%H:%M:%S")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_commit_object_is_read() {
        let object = "tree 1111\nparent 2222\nparent 3333\nauthor A B <a@b> 1772366400 +0530\n\
            committer C <c@d> 1772366401 +0000\ngpgsig -----BEGIN\n parent 9\n -----END\n\nSubject\n\nBody\n";
        let commit = Commit::parse("0000", object.as_bytes()).unwrap();
        assert_eq!(commit.parents, ["2222", "3333"]);
        assert_eq!((commit.tree.as_str(), commit.message.as_str()), ("1111", "Subject\n\nBody\n"));
        assert_eq!((commit.revision.author.as_str(), commit.mail.as_str()), ("A B", "a@b"));
        assert_eq!(commit.revision.date, "2026-03-01T17:30:00+05:30");
    }

    #[test]
    fn a_broken_signature_is_no_panic() {
        for line in
            ["", "x", "A <a> z", "A <a> 1", "A <a> 1 +", "<a> 99999999999999999 +0000", "A <a> 1 ü000"]
        {
            signature(line);
        }
        assert_eq!(signature("<> 0 -0330").2, "1969-12-31T20:30:00-03:30");
    }
}

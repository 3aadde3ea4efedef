//! Acknowledgements (signal protocol, "Acknowledgment"): a file beside the signal, written once and never changed.

use super::bytes;
use super::mailbox::{DeliveryError, Mailbox, io_at};
use crate::model::signal::{ACK_EXTENSION, Ack, Instant};
use crate::signals::{AckReading, RawKind, disk};
use std::path::Path;

/// What came of an acknowledgement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Acked {
    /// It was written.
    Written,
    /// There was one, of this time.
    Already(Instant),
    /// Something lies there that acknowledges nothing, and why.
    Broken(String),
}

/// The folders that lead to a box.
const WAY: [&str; 2] = ["signals", ".squad"];

/// Acknowledges the signal in a file of an inbox. Of several that do so at once, one writes, and the others learn
/// of it.
///
/// # Errors
/// When the inbox is no folder, and when the system refuses.
pub fn acknowledge(inbox: &Path, signal: &str, at: Instant) -> Result<Acked, DeliveryError> {
    let above = inbox.ancestors().skip(1).zip(WAY);
    let way = above.take_while(|(path, name)| path.file_name().is_some_and(|own| own == *name));
    for path in std::iter::once(inbox).chain(way.map(|(path, _)| path)) {
        if !std::fs::symlink_metadata(path).is_ok_and(|found| found.is_dir()) {
            return Err(DeliveryError::NoFolder(path.to_owned()));
        }
    }
    let mut inbox = Mailbox::open(inbox.to_owned())?;
    let acked = put_ack(&mut inbox, signal, at)?;
    inbox.sync()?;
    Ok(acked)
}

/// The same in an inbox that is open.
pub(super) fn put_ack(inbox: &mut Mailbox, signal: &str, at: Instant) -> Result<Acked, DeliveryError> {
    let name = format!("{signal}{ACK_EXTENSION}");
    let content = bytes(&Ack::at(at))?;
    if inbox.is_free(&name) && inbox.put(&name, &content)? {
        return Ok(Acked::Written);
    }
    let path = inbox.at(&name);
    let found = std::fs::symlink_metadata(&path).map_err(io_at(&path))?;
    Ok(match disk::read(&path, found.file_type()) {
        Some(RawKind::Text(text)) => already(&AckReading::of(&text)),
        Some(RawKind::Unreadable(why)) => Acked::Broken(why),
        _ => Acked::Broken("it is no file".to_owned()),
    })
}

/// What a file says that lies where an acknowledgement belongs.
pub(super) fn already(ack: &AckReading) -> Acked {
    let wrong = || ack.faults.first().map_or("it acknowledges nothing", |fault| &*fault.message).to_owned();
    ack.seen().map_or_else(|| Acked::Broken(wrong()), Acked::Already)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn what_acknowledges_nothing_is_no_earlier_ack() {
        let dir = tempfile::tempdir().unwrap();
        let at = Instant::parse("2026-03-02T10:00:00Z").unwrap();
        for (n, text) in ["", "{}", "{\"acknowledged\":false,\"acknowledged_at\":\"2026-03-02T09:00:00Z\"}"]
            .into_iter()
            .enumerate()
        {
            let name = format!("{n}.json");
            fs::write(dir.path().join(format!("{name}.ack")), text).unwrap();
            let told = acknowledge(dir.path(), &name, at).unwrap();
            assert!(matches!(told, Acked::Broken(_)), "{text}: {told:?}");
        }
        fs::create_dir(dir.path().join("folder.json.ack")).unwrap();
        assert_eq!(
            acknowledge(dir.path(), "folder.json", at).unwrap(),
            Acked::Broken("it is no file".to_owned())
        );
        assert_eq!(acknowledge(dir.path(), "x.json", at).unwrap(), Acked::Written);
        assert_eq!(acknowledge(dir.path(), "x.json", at).unwrap(), Acked::Already(at));
    }

    #[cfg(unix)]
    #[test]
    fn no_ack_goes_through_a_link() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir_all(dir.path().join("real/signals/inbox")).unwrap();
        std::os::unix::fs::symlink("real", dir.path().join(".squad")).unwrap();
        let refused = acknowledge(
            &dir.path().join(".squad/signals/inbox"),
            "x.json",
            Instant::parse("2026-03-02T10:00:00Z").unwrap(),
        );
        assert!(
            matches!(refused, Err(DeliveryError::NoFolder(ref path)) if path.ends_with(".squad")),
            "{refused:?}"
        );
    }
}

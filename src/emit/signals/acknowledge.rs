//! Acknowledgements (signal protocol, "Acknowledgment"): a file beside the signal, written once and never changed.

use super::bytes;
use super::mailbox::{DeliveryError, Mailbox};
use crate::model::signal::{ACK_EXTENSION, Ack, Instant};
use crate::signals::AckReading;
use crate::text::Text;
use std::path::Path;

/// What came of an acknowledgement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Acked {
    /// It was written.
    Written,
    /// There was one; when, where that can be read.
    Already(Option<Instant>),
}

/// Acknowledges the signal in a file of an inbox. Of several that do so at once, one writes, and the others learn
/// of it.
///
/// # Errors
/// When the inbox is no folder, and when the system refuses.
pub fn acknowledge(inbox: &Path, signal: &str, at: Instant) -> Result<Acked, DeliveryError> {
    if !std::fs::symlink_metadata(inbox).is_ok_and(|found| found.is_dir()) {
        return Err(DeliveryError::NoFolder(inbox.to_owned()));
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
    let written = std::fs::read(inbox.at(&name)).ok();
    Ok(Acked::Already(written.and_then(|bytes| AckReading::of(&Text::from_bytes(bytes)).at)))
}

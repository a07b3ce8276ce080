//! Which session of a file goes on: the one that the newest reset on the way back began.
//!
//! Never looks at a dead branch.

use base::SessionId;
use base::disk::DiskError;

use crate::Payload;
use crate::path::Path;
use crate::reader::TranscriptFile;

/// The session that the newest reset began; `None` where there was none, and the header's goes on.
pub(crate) fn newest_part(file: &TranscriptFile) -> Result<Option<SessionId>, DiskError> {
    let mut path = Path::from_leaf(file);
    let mut next = None;
    while let Some(line) = path.next()? {
        if let Some(Payload::Reset(reset)) = line.entry.as_ref().map(|entry| &entry.payload)
            && reset.begins(next.as_ref())
        {
            return Ok(Some(reset.session.clone()));
        }
        next = line.entry;
    }
    Ok(None)
}

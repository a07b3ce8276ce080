//! Takes in what the owner writes into `DREAMS.md` while a chat or a service runs.
//!
//! Decides nothing: the desk reads the file and applies the decisions.

use std::future::pending;
use std::time::Duration;

use memory::FileError;
use memory::WorkspaceEvent;
use memory::candidates::{
    Access, CandidateId, MemoryTxn, MemoryTxnError, Reviewed, is_nothing_known,
};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::{Instant, sleep_until};

use crate::runtime::HomeAccess;

/// When to look again: a removed block counts only once it has been missing for two seconds, and a locked desk is free
/// again by then.
const AGAIN: Duration = Duration::from_millis(2_500);

/// The decisions that `DREAMS.md` contained.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Edits {
    /// The owner's decisions, which have been applied.
    pub taken: Reviewed,
    /// Candidates whose block has an unknown status.
    pub unclear: Vec<CandidateId>,
    /// The name of the copy of a file that could not be read whole.
    pub kept: Option<String>,
}

/// The result of a look at `DREAMS.md`.
pub type EditsNews = Result<Edits, MemoryTxnError>;

impl Edits {
    /// The decisions that a desk found in `DREAMS.md` when it was opened.
    pub fn found_by(desk: &MemoryTxn<'_>) -> Self {
        Self {
            taken: desk.taken_in().clone(),
            unclear: desk.unclear().to_vec(),
            kept: desk.kept_dreams().map(str::to_owned),
        }
    }

    /// Whether there is nothing to report.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// Applies the owner's decisions in `DREAMS.md`.
///
/// # Errors
///
/// [`MemoryTxnError`]; nothing was applied.
pub fn take_in_edits(home: &HomeAccess) -> EditsNews {
    look(home).map(|(edits, _)| edits)
}

/// Also returns whether a block is missing, which counts as a rejection later.
fn look(home: &HomeAccess) -> Result<(Edits, bool), MemoryTxnError> {
    if is_nothing_known(&home.workspace)? {
        return Ok((Edits::default(), false));
    }
    let desk = home.desk(Access::Write)?;
    let mut pending = desk.state().pending.iter();
    let is_missing = pending.any(|own| own.missing_since.is_some());
    Ok((Edits::found_by(&desk), is_missing))
}

/// Looks at `DREAMS.md` whenever it was saved.
pub struct EditsWatch {
    home: HomeAccess,
    tell: UnboundedSender<()>,
    heard: UnboundedReceiver<()>,
    again_at: Option<Instant>,
    /// The unknown statuses that were reported.
    unclear: Vec<CandidateId>,
}

impl EditsWatch {
    /// Looks first at what was saved before.
    pub fn begin(home: HomeAccess) -> Self {
        let (tell, heard) = unbounded_channel();
        Self {
            home,
            tell,
            heard,
            again_at: Some(Instant::now()),
            unclear: Vec::new(),
        }
    }

    /// A listener for the changes of the workspace.
    pub fn listener(&self) -> impl Fn(&WorkspaceEvent) + Send + use<> {
        let tell = self.tell.clone();
        move |event| {
            if event.concerns_candidates() {
                // The receiver may be gone already.
                tell.send(()).unwrap_or_default();
            }
        }
    }

    /// Waits for decisions of the owner, and applies them.
    pub async fn next(&mut self) -> EditsNews {
        loop {
            let again_at = self.again_at;
            let again = async {
                match again_at {
                    Some(at) => sleep_until(at).await,
                    None => pending().await,
                }
            };
            tokio::select! {
                _ = self.heard.recv() => {}
                () = again => {}
            }
            self.again_at = None;
            let (mut edits, is_missing) = match look(&self.home) {
                Ok(found) => found,
                Err(MemoryTxnError::File(FileError::Locked { .. } | FileError::Busy(_))) => {
                    (Edits::default(), true)
                }
                Err(error) => return Err(error),
            };
            self.again_at = is_missing.then(|| Instant::now() + AGAIN);
            let unclear = edits.unclear.clone();
            if std::mem::replace(&mut self.unclear, unclear) == edits.unclear {
                edits.unclear.clear();
            }
            if !edits.is_empty() {
                return Ok(edits);
            }
        }
    }
}

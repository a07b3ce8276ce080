//! What refusals have shown of a model's window, kept in a file for later runs.
//!
//! Never believes a window larger than the one that is set.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use base::disk::{DiskError, read_all, replace};
use base::{Disk, TokenCount};
use serde::{Deserialize, Serialize};

/// A longer file is not ours.
const FILE_BYTES_MAX: u64 = 1 << 12;

/// What is known of the window of the model that answers the owner.
#[derive(Debug, Default)]
pub struct KnownWindow {
    place: Option<(Arc<dyn Disk>, PathBuf)>,
    known: Mutex<Option<WindowRecord>>,
}

/// A window that a refusal has shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct WindowRecord {
    /// The model, for another one has another window.
    model: String,
    /// The window that was set then: whoever changes it wants another one tried.
    set: u64,
    /// The window, in tokens of the provider.
    window: u64,
}

impl KnownWindow {
    /// What is known, kept in a file.
    pub fn at(disk: Arc<dyn Disk>, path: PathBuf) -> Self {
        let bytes = read_all(&*disk, &path, FILE_BYTES_MAX);
        let known = bytes
            .ok()
            .and_then(|bytes| serde_json::from_slice(&bytes).ok());
        Self {
            place: Some((disk, path)),
            known: Mutex::new(known),
        }
    }

    /// The window of this model where `set` is what was set, and never more.
    pub(crate) fn of(&self, model: &str, set: TokenCount) -> TokenCount {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let known = known.as_ref().filter(|it| it.is_of(model, set));
        known.map_or(set, |it| set.min(TokenCount(it.window)))
    }

    /// Keeps a window that a refusal has shown; whether it is smaller than what was known.
    ///
    /// # Errors
    ///
    /// [`DiskError`] where the file cannot be written; the window holds for this process then.
    pub(crate) fn learn(
        &self,
        model: &str,
        set: TokenCount,
        window: TokenCount,
    ) -> Result<bool, DiskError> {
        if window >= self.of(model, set) {
            return Ok(false);
        }
        let learned = WindowRecord {
            model: model.to_owned(),
            set: set.0,
            window: window.0,
        };
        let line = serde_json::to_string(&learned).unwrap_or_default();
        *self.known.lock().unwrap_or_else(PoisonError::into_inner) = Some(learned);
        if let Some((disk, path)) = &self.place {
            if let Some(directory) = path.parent() {
                disk.create_dir(directory)?;
            }
            replace(&**disk, path, format!("{line}\n").as_bytes())?;
        }
        Ok(true)
    }
}

impl WindowRecord {
    fn is_of(&self, model: &str, set: TokenCount) -> bool {
        self.model == model && self.set == set.0
    }
}

#[cfg(test)]
mod known_window_tests {
    use std::path::Path;

    use base::disk::MemoryDisk;

    use super::*;

    #[test]
    fn a_window_is_known_in_later_runs_and_only_of_this_model_and_setting() {
        let disk: Arc<dyn Disk> = Arc::new(MemoryDisk::new());
        let open = || {
            KnownWindow::at(
                Arc::clone(&disk),
                Path::new("/state/window.json").to_owned(),
            )
        };
        let set = TokenCount(200_000);
        let here = open();
        assert_eq!(here.of("m", set), set);
        assert!(here.learn("m", set, TokenCount(12_000)).unwrap());
        assert!(!here.learn("m", set, TokenCount(13_000)).unwrap());
        for known in [here, open()] {
            assert_eq!(known.of("m", set), TokenCount(12_000));
            assert_eq!(known.of("other", set), set);
            assert_eq!(known.of("m", TokenCount(32_000)), TokenCount(32_000));
        }
    }

    #[test]
    fn a_file_that_says_nothing_is_as_none() {
        let disk: Arc<dyn Disk> = Arc::new(MemoryDisk::new());
        let path = Path::new("/state/window.json");
        disk.create_dir(Path::new("/state")).unwrap();
        replace(&*disk, path, b"{").unwrap();
        let known = KnownWindow::at(disk, path.to_owned());
        assert_eq!(known.of("m", TokenCount(9)), TokenCount(9));
    }
}

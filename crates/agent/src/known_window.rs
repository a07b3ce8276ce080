//! Remembers the window size that a refused request revealed, in a file for later runs.
//!
//! Never exceeds the configured window.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use base::disk::{DiskError, read_all, replace};
use base::{Disk, TokenCount};
use serde::{Deserialize, Serialize};

/// Size limit of the file; a longer one is not ours.
const FILE_BYTES_MAX: u64 = 1 << 12;

/// The learned window of the primary model.
#[derive(Debug, Default)]
pub struct KnownWindow {
    place: Option<(Arc<dyn Disk>, PathBuf)>,
    known: Mutex<Option<WindowRecord>>,
}

/// A learned window.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct WindowRecord {
    /// The model that it belongs to.
    model: String,
    /// The configured window at that time; the record is void once the setting changes.
    set: u64,
    /// The learned window, in the provider's tokens.
    window: u64,
}

impl KnownWindow {
    /// Loads the record from this file, and saves new ones to it.
    pub fn at(disk: Arc<dyn Disk>, path: PathBuf) -> Self {
        let bytes = read_all(&*disk, &path, FILE_BYTES_MAX);
        let known = bytes.map(|bytes| serde_json::from_slice(&bytes).ok());
        Self {
            place: Some((disk, path)),
            known: Mutex::new(known.unwrap_or_default()),
        }
    }

    /// The learned window of this model, or `set` (the configured one) if that is smaller or nothing was learned.
    pub(crate) fn of(&self, model: &str, set: TokenCount) -> TokenCount {
        let known = base::locked(&self.known);
        let is_of = |it: &&WindowRecord| it.model == model && it.set == set.0;
        let known = known.as_ref().filter(is_of);
        known.map_or(set, |it| set.min(TokenCount(it.window)))
    }

    /// Records a window; returns whether it is smaller than the known one.
    ///
    /// # Errors
    ///
    /// [`DiskError`] if the file cannot be written; the window then holds for this process only.
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
        *base::locked(&self.known) = Some(learned);
        if let Some((disk, path)) = &self.place {
            if let Some(directory) = path.parent() {
                disk.create_dir(directory)?;
            }
            replace(&**disk, path, format!("{line}\n").as_bytes())?;
        }
        Ok(true)
    }
}

#[cfg(test)]
mod known_window_tests {
    use std::path::Path;

    use base::disk::MemoryDisk;

    use super::*;

    #[test]
    fn learned_window_persists_for_its_model_and_setting() {
        let disk: Arc<dyn Disk> = Arc::new(MemoryDisk::new());
        let open = || KnownWindow::at(Arc::clone(&disk), "/state/window.json".into());
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
    fn unreadable_window_file_counts_as_missing() {
        let disk: Arc<dyn Disk> = Arc::new(MemoryDisk::new());
        let path = Path::new("/state/window.json");
        disk.create_dir(Path::new("/state")).unwrap();
        replace(&*disk, path, b"{").unwrap();
        let known = KnownWindow::at(disk, path.to_owned());
        assert_eq!(known.of("m", TokenCount(9)), TokenCount(9));
    }
}

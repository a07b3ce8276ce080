//! Publishes and hydrates derived directories, such as the index, as immutable objects named by their hash.
//!
//! Copies files byte for byte without interpreting them. A directory is hydrated when it is first accessed.

use std::path::{Path, PathBuf};

use base::Disk;
use base::disk::{DiskError, read_all};
use base::is_in;

use super::head::{FileParts, ObjectPart};
use super::leased::HeldHome;
use super::objects::OBJECT_BYTES_MAX;
use crate::HomesError;

/// The outcome of hydrating a directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hydration {
    /// The directory is on this machine, if it was ever published.
    Done,
    /// One of its objects is damaged.
    Damaged,
}

impl HeldHome {
    /// Uploads the files of a local directory and folds them into the head. Does nothing if the directory was not
    /// accessed.
    pub(crate) fn publish_directory(&self, directory: &str) -> Result<(), HomesError> {
        let outcome = base::locked(&self.hydrated).get(directory).copied();
        let mut log = self.log();
        self.check_going(&log)?;
        let known: Vec<String> = match outcome {
            None => return Ok(()),
            Some(Hydration::Done) => log.head.objects.keys().cloned().collect(),
            // All objects are stored again, even those with the same content.
            Some(Hydration::Damaged) => Vec::new(),
        };
        let known = |hash: &str| known.iter().find(|object| object.ends_with(hash)).cloned();
        let mut published = Vec::new();
        for (below, path) in files_below(&*self.local, &self.root, directory)? {
            let bytes = read_all(&*self.local, &path, u64::MAX)?;
            let mut parts = Vec::new();
            for piece in bytes.chunks(OBJECT_BYTES_MAX) {
                let object = match known(&self.objects.requests.hash(piece)) {
                    Some(object) => object,
                    None => self.objects.store(log.head.epoch, piece)?,
                };
                let len = piece.len() as u64;
                parts.push(ObjectPart { object, at: 0, len });
            }
            let stat = self.local.stat(&path)?.and_then(|stat| stat.modified_at);
            let modified_at = stat.map_or(0, |at| at.timestamp_micros());
            published.push((below, FileParts { parts, modified_at }));
        }
        log.published.push((directory.to_owned(), published));
        self.fold(&mut log)
    }

    /// Downloads the derived directory that contains a path, unless this was done before. Other threads wait
    /// meanwhile.
    ///
    /// A damaged directory counts as missing, because it can be rebuilt. A home without a lease has no derived
    /// directories.
    pub(crate) fn hydrate_above(&self, below: &str) -> Result<(), HomesError> {
        let mut derived = self.layout.derived.iter();
        let Some(directory) = derived.find(|directory| is_in(below, directory)) else {
            return Ok(());
        };
        let mut hydrated = base::locked(&self.hydrated);
        if hydrated.contains_key(directory) || self.lease().is_none() {
            return Ok(());
        }
        let outcome = match self.hydrate_directory(directory) {
            Err(HomesError::Damaged { .. }) => Hydration::Damaged,
            done => done.map(|()| Hydration::Done)?,
        };
        hydrated.insert(directory, outcome);
        Ok(())
    }

    /// Downloads a published directory. Writes to `DIRECTORY.hydrating` and renames, so that a crash leaves no partial
    /// directory.
    fn hydrate_directory(&self, directory: &str) -> Result<(), HomesError> {
        let lines: Vec<(String, FileParts)> = {
            let log = self.log();
            self.check_going(&log)?;
            let all = log
                .head
                .derived
                .iter()
                .filter(|(path, _)| is_in(path, directory));
            all.map(|(path, line)| (path.clone(), line.clone()))
                .collect()
        };
        let target = self.root.join(directory);
        if lines.is_empty() || self.local.stat(&target)?.is_some() {
            return Ok(());
        }
        let parts = lines.iter().flat_map(|(_, line)| &line.parts);
        let objects: Vec<&str> = parts.map(|part| part.object.as_str()).collect();
        self.objects.fetch_each(&objects)?;
        let beside = self.root.join(format!("{directory}.hydrating"));
        if self.local.stat(&beside)?.is_some() {
            self.local.remove_tree(&beside)?;
        }
        self.local.create_dir(&beside)?;
        for (path, line) in &lines {
            let below = path
                .strip_prefix(directory)
                .unwrap_or(path)
                .trim_start_matches('/');
            let path = beside.join(below);
            if let Some(parent) = path.parent() {
                self.local.create_dir(parent)?;
            }
            self.local.append(&path, &[])?;
            for part in &line.parts {
                self.check_going(&self.log())?;
                let bytes = self.objects.read_parts(std::slice::from_ref(part))?;
                self.local.append(&path, &bytes)?;
            }
        }
        // The check comes first because the next holder on this machine uses the same directory.
        let log = self.log();
        self.check_going(&log)?;
        Ok(self.local.rename(&beside, &target)?)
    }
}

/// All files below `directory`: paths relative to `root` and full paths, sorted.
fn files_below(
    disk: &dyn Disk,
    root: &Path,
    directory: &str,
) -> Result<Vec<(String, PathBuf)>, DiskError> {
    let mut found = Vec::new();
    let mut waiting = vec![directory.to_owned()];
    while let Some(directory) = waiting.pop() {
        for name in disk.list(&root.join(&directory))? {
            let Some(name) = name.to_str() else {
                continue;
            };
            let below = format!("{directory}/{name}");
            let path = root.join(&below);
            match disk.stat(&path)? {
                Some(stat) if stat.is_dir => waiting.push(below),
                Some(_) => found.push((below, path)),
                None => {}
            }
        }
    }
    found.sort();
    Ok(found)
}

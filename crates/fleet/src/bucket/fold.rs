//! Folds the log into the head: moves bytes from records into objects, then swaps the head once.
//!
//! Deletes only objects that the new head does not reference, and never a bar.

use std::collections::{BTreeMap, BTreeSet};

use base::is_in;
use uuid::Uuid;

use super::head::{FileParts, HomeHead, ObjectPart, object_key, record_key};
use super::leased::{HeldHome, Log};
use super::objects::OBJECT_BYTES_MAX;
use super::requests::Etag;
use super::tree::{Inode, content};
use crate::{HomeName, HomesError};

/// Number of records after the head from which a fold swaps the head even if the records change nothing.
const BARS_MAX: u64 = 16;

/// Only parts up to this size are merged with the bytes after them. This keeps the number of parts per file small.
const SMALL_PART_BYTES: u64 = 1024 * 1024;

/// Parts and length of each file by path, and size of each object by name.
type PackedFiles = (
    BTreeMap<String, (Vec<ObjectPart>, u64)>,
    BTreeMap<String, u64>,
);

/// Packs the bytes of files into objects.
struct Packing<'a> {
    home: &'a HeldHome,
    epoch: u64,
    pack: Vec<u8>,
    /// Ranges of the current pack (file, offset, length); they become parts once the pack is stored.
    waiting: Vec<(String, u64, u64)>,
    files: BTreeMap<String, (Vec<ObjectPart>, u64)>,
    objects: BTreeMap<String, u64>,
}

impl HeldHome {
    /// Swaps the head for one that covers all records. `log` must be the log of this home.
    pub(crate) fn fold(&self, log: &mut Log) -> Result<(), HomesError> {
        self.check_going(log)?;
        let folded = self.fold_unless_lost(log);
        log.stop_on_failure(folded)?;
        // The same bytes get the same object name, so an object in the garbage list may be in use again.
        let home = self.objects.home();
        let live: BTreeSet<String> = (log.head.objects.keys())
            .map(|own| object_key(home, own))
            .collect();
        log.garbage.retain(|key| !live.contains(key));
        // If this fails, the next fold tries again.
        self.objects.requests.requests.remove(&log.garbage)?;
        log.garbage.clear();
        Ok(())
    }

    /// Like [`Self::fold`], but includes changes that were never synced.
    pub(crate) fn fold_all(&self, log: &mut Log) -> Result<(), HomesError> {
        if self.tree().take_as_logged() {
            // No record describes the change, so a random value distinguishes it from any other change.
            log.version = log.version.after(Uuid::now_v7().as_bytes());
        }
        self.fold(log)
    }

    fn fold_unless_lost(&self, log: &mut Log) -> Result<(), HomesError> {
        let is_new = log.version != log.head.version()
            || !log.published.is_empty()
            || log.next - log.head.folded > BARS_MAX;
        if !is_new {
            return Ok(());
        }
        let (files, directories) = {
            let tree = self.tree();
            (tree.logged_files.clone(), tree.logged_directories.clone())
        };
        let (packed, objects) = self.pack(&log.head, &files)?;
        let line = |(path, inode): (&String, &Inode)| {
            let line = FileParts {
                parts: packed
                    .get(path)
                    .map_or_else(Vec::new, |(parts, _)| parts.clone()),
                modified_at: content(inode).modified_at,
            };
            (path.clone(), line)
        };
        let mut head = HomeHead {
            folded: log.next - 1,
            version: log.version.number,
            history: log.version.history.clone(),
            files: files.iter().map(line).collect(),
            directories,
            objects,
            ..log.head.clone()
        };
        log.tell_published(&mut head);
        let used: BTreeSet<String> = head.used().into_keys().map(str::to_owned).collect();
        head.objects.retain(|object, _| used.contains(object));
        let Some(etag) = self.objects.swap_head(&head, Some(&log.etag))? else {
            return Err(self.lose(log));
        };
        for (path, (parts, len)) in packed {
            if let Some(inode) = files.get(&path) {
                content(inode).fold(parts, len);
            }
        }
        log.go_on_from(self.objects.home(), head, etag);
        Ok(())
    }

    /// Stores bytes that are not in an object yet, and repacks wasteful objects. Returns the new parts of all files
    /// and the sizes of all objects.
    fn pack(
        &self,
        head: &HomeHead,
        files: &BTreeMap<String, Inode>,
    ) -> Result<PackedFiles, HomesError> {
        let mut packing = Packing {
            home: self,
            epoch: head.epoch,
            pack: Vec::new(),
            waiting: Vec::new(),
            files: BTreeMap::new(),
            objects: head.objects.clone(),
        };
        let wasteful = wasteful(head);
        for (path, inode) in files {
            packing.add(path, inode, &wasteful)?;
        }
        packing.flush()?;
        Ok((packing.files, packing.objects))
    }
}

impl Log {
    /// Lists the published directories in the next head.
    fn tell_published(&mut self, head: &mut HomeHead) {
        for (directory, files) in std::mem::take(&mut self.published) {
            head.derived.retain(|path, _| !is_in(path, &directory));
            let parts = files.iter().flat_map(|(_, line)| &line.parts);
            head.objects
                .extend(parts.map(|part| (part.object.clone(), part.len)));
            head.derived.extend(files);
        }
    }

    /// Adopts the new head. Records and objects that only the previous head needed become garbage.
    fn go_on_from(&mut self, home: &HomeName, head: HomeHead, etag: Etag) {
        let records =
            (self.head.folded + 1..=head.folded).filter(|number| !self.bars.contains(number));
        self.garbage
            .extend(records.map(|number| record_key(home, number)));
        let former = self.head.objects.keys();
        let dropped = former.filter(|object| !head.objects.contains_key(*object));
        self.garbage
            .extend(dropped.map(|object| object_key(home, object)));
        self.head = head;
        self.etag = etag;
        self.n_bytes = 0;
    }
}
/// Objects with less than half of their bytes in use, sorted by name.
fn wasteful(head: &HomeHead) -> Vec<String> {
    let used = head.used();
    let is_wasteful = |(object, size): &(&String, &u64)| {
        used.get(object.as_str())
            .is_none_or(|used| used * 2 < **size)
    };
    head.objects
        .iter()
        .filter(is_wasteful)
        .map(|(object, _)| object.clone())
        .collect()
}

impl Packing<'_> {
    /// Keeps the leading parts of a file, and packs the rest of its durable bytes.
    fn add(&mut self, path: &str, inode: &Inode, wasteful: &[String]) -> Result<(), HomesError> {
        let (mut parts, new, len) = {
            let content = content(inode);
            let len = content.durable_len();
            let n_new =
                usize::try_from(len.saturating_sub(content.parts_len)).unwrap_or(usize::MAX);
            let new = content.tail.get(..n_new).unwrap_or_default().to_vec();
            (content.parts.clone(), new, len)
        };
        let is_wasteful = |part: &ObjectPart| wasteful.binary_search(&part.object).is_ok();
        let from = match parts.iter().position(is_wasteful) {
            Some(first) => first,
            None if new.is_empty() => parts.len(),
            None => first_small(&parts, new.len() as u64),
        };
        let mut bytes = self
            .home
            .objects
            .read_parts(parts.get(from..).unwrap_or_default())?;
        bytes.extend_from_slice(&new);
        parts.truncate(from);
        self.files.insert(path.to_owned(), (parts, len));
        for bytes in bytes.chunks(OBJECT_BYTES_MAX) {
            if self.pack.len() + bytes.len() > OBJECT_BYTES_MAX {
                self.flush()?;
            }
            let at = self.pack.len() as u64;
            self.pack.extend_from_slice(bytes);
            self.waiting.push((path.to_owned(), at, bytes.len() as u64));
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<(), HomesError> {
        if self.pack.is_empty() {
            return Ok(());
        }
        let object = self.home.objects.store(self.epoch, &self.pack)?;
        self.objects.insert(object.clone(), self.pack.len() as u64);
        self.pack.clear();
        for (path, at, len) in self.waiting.drain(..) {
            let object = object.clone();
            let (parts, _) = self.files.entry(path).or_default();
            parts.push(ObjectPart { object, at, len });
        }
        Ok(())
    }
}

/// Index of the first trailing part to merge with the new bytes. A part is merged while it is at most twice as long
/// as everything after it, so that the number of small parts stays logarithmic in the file length.
fn first_small(parts: &[ObjectPart], n_new: u64) -> usize {
    let (mut from, mut n_after) = (parts.len(), n_new);
    for (at, part) in parts.iter().enumerate().rev() {
        if part.len > 2 * n_after || part.len > SMALL_PART_BYTES {
            break;
        }
        (from, n_after) = (at, n_after + part.len);
    }
    from
}

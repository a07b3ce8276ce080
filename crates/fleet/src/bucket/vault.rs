//! Object storage in a directory of this machine (a vault), which contains encrypted homes.
//!
//! Each object is a file. A lock per home makes conditional writes atomic across processes.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use async_trait::async_trait;
use base::disk::{
    DiskError, Lock, LockError, by_process, create_dir, create_parent, read_some, remove, replace,
    replace_through, temporary_of,
};
use base::{Disk, Timestamp, VAULT_MARKER, content_hash};
use futures_util::stream::BoxStream;
use futures_util::{StreamExt, TryStreamExt, stream};
use object_store::path::Path as Key;
use object_store::{
    Attributes, CopyOptions, Error, Extensions, GetOptions, GetResult, GetResultPayload,
    ListResult, MultipartUpload, ObjectMeta, ObjectStore, PutMode, PutMultipartOptions, PutOptions,
    PutPayload, PutResult, Result,
};
use serde::{Deserialize, Serialize};
use tokio::task::spawn_blocking;
use uuid::Uuid;

use super::requests::READ_BYTES_MAX;

/// The format that this program writes; it rejects all others.
const FORMAT: u32 = 1;

/// Maximum size of a marker in bytes.
const MARKER_BYTES_MAX: u64 = 1024;

/// Files that are not objects: a lock and, in the directory of a home, the object that is being written.
const LOCK: &str = ".lock";
const TEMPORARY: &str = ".tmp";

/// How long to wait for another process that is writing to the same home.
const PATIENCE: Duration = Duration::from_secs(10);

/// The objects in a directory that [`create_vault`] made.
#[derive(Debug, Clone)]
pub(super) struct Vault {
    disk: Arc<dyn Disk>,
    root: PathBuf,
    /// The id in the marker when the vault was first used.
    id: Arc<OnceLock<String>>,
}

/// Content of the file that makes a directory a vault.
#[derive(Debug, Serialize, Deserialize)]
struct Marker {
    format: u32,
    /// Distinguishes this vault from another one that takes its place.
    id: String,
}

impl Vault {
    pub(super) fn new(disk: Arc<dyn Disk>, root: &Path) -> Self {
        Self {
            disk,
            root: root.to_owned(),
            id: Arc::default(),
        }
    }

    /// Runs blocking work outside the thread of the requests.
    async fn run<T: Send + 'static>(
        &self,
        act: impl FnOnce(&Self) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let own = self.clone();
        let done = spawn_blocking(move || act(&own)).await;
        done.map_err(|source| failed(io::Error::other(source)))?
    }

    /// Fails if the directory is no longer this vault, for example after its disk was unmounted. Nothing may be
    /// written then.
    fn check_there(&self) -> Result<()> {
        let reason = match marker_of(&*self.disk, &self.root).map_err(failed)? {
            Some(marker) if *self.id.get_or_init(|| marker.id.clone()) == marker.id => {
                return Ok(());
            }
            Some(_) => "another vault has taken its place".to_owned(),
            None => format!("it has no {VAULT_MARKER}: its disk may not be mounted"),
        };
        let failure = io::Error::other(reason);
        Err(failed(DiskError::on("use the vault", &self.root)(failure)))
    }

    /// Fails if a link leads from a path elsewhere. A vault may come from an untrusted source.
    fn refuse_links(&self, act: &'static str, path: &Path) -> Result<(), DiskError> {
        let below = path.strip_prefix(&self.root).unwrap_or(path);
        if self.disk.resolve(path)? == self.disk.resolve(&self.root)?.join(below) {
            return Ok(());
        }
        let reason = "a link is in its place or above it";
        let failure = io::Error::new(io::ErrorKind::InvalidInput, reason);
        Err(DiskError::on(act, path)(failure))
    }

    fn put(&self, at: &Key, bytes: &[u8], mode: &PutMode) -> Result<PutResult> {
        self.check_there()?;
        let path = self.path(at);
        let home = self.home_of(at);
        for path in [&path, &home.join(LOCK), &home.join(TEMPORARY)] {
            self.refuse_links("write", path).map_err(failed)?;
        }
        // Only the first object of a home, its key, creates the directory. Otherwise a home without a key could
        // appear.
        if *mode == PutMode::Create && path.parent() == Some(&home) {
            create_dir(&*self.disk, &home).map_err(failed)?;
        } else if self.disk.stat(&home).map_err(failed)?.is_none() {
            return Err(failed(DiskError::not_found("write", &path)));
        }
        let _lock = locked(&*self.disk, &home.join(LOCK)).map_err(failed)?;
        match mode {
            PutMode::Create if self.disk.stat(&path).map_err(failed)?.is_some() => {
                return Err(Error::AlreadyExists {
                    path: at.to_string(),
                    source: "another process created it".into(),
                });
            }
            PutMode::Update(known) if self.etag(&path)? != known.e_tag => {
                return Err(Error::Precondition {
                    path: at.to_string(),
                    source: "another process changed it".into(),
                });
            }
            PutMode::Create | PutMode::Update(_) | PutMode::Overwrite => {}
        }
        self.replace(&home, &path, bytes).map_err(failed)?;
        Ok(PutResult {
            e_tag: Some(content_hash(bytes)),
            version: None,
            extensions: Extensions::default(),
        })
    }

    fn replace(&self, home: &Path, path: &Path, bytes: &[u8]) -> Result<(), DiskError> {
        create_parent(&*self.disk, path)?;
        replace_through(&*self.disk, (&home.join(TEMPORARY), path), bytes)
    }

    /// The etag of an object: the hash of its content.
    fn etag(&self, path: &Path) -> Result<Option<String>> {
        let found = read_some(&*self.disk, path, READ_BYTES_MAX).map_err(failed)?;
        Ok(found.map(|bytes| content_hash(&bytes)))
    }

    fn get(&self, at: &Key, options: &GetOptions) -> Result<GetResult> {
        let found = read_some(&*self.disk, &self.path(at), READ_BYTES_MAX).map_err(failed)?;
        let Some(bytes) = found else {
            self.check_there()?;
            return Err(Error::NotFound {
                path: at.to_string(),
                source: "there is no such file".into(),
            });
        };
        let len = bytes.len() as u64;
        // Only the objects directly in the directory of a home are swapped. Hashing the others would take time.
        let is_swapped = at.parts_count() == 2;
        let meta = ObjectMeta {
            e_tag: is_swapped.then(|| content_hash(&bytes)),
            ..meta_of(at.clone(), len)
        };
        options.check_preconditions(&meta)?;
        let bytes = bytes.into();
        Ok(GetResult {
            payload: GetResultPayload::Stream(stream::once(async { Ok(bytes) }).boxed()),
            meta,
            range: 0..len,
            attributes: Attributes::default(),
            extensions: Extensions::default(),
        })
    }

    fn delete(&self, at: &Key) -> Result<()> {
        self.check_there()?;
        let path = self.path(at);
        let removed = self.refuse_links("remove", &path);
        removed
            .and_then(|()| remove(&*self.disk, &path))
            .map_err(failed)
    }

    /// The objects and directories directly below a prefix. Only objects whose keys sort after `after` are included.
    fn listing(&self, prefix: &Key, after: Option<&Key>) -> Result<ListResult> {
        self.check_there()?;
        let directory = self.path(prefix);
        let mut listing = ListResult {
            common_prefixes: Vec::new(),
            objects: Vec::new(),
            extensions: Extensions::default(),
        };
        for name in self.disk.list(&directory).map_err(failed)? {
            // Files with other names are not objects.
            let key = name.to_str().filter(|name| !name.contains('.'));
            let key = key.and_then(|name| Key::parse(format!("{prefix}/{name}")).ok());
            // A log has many old records, but only later ones are asked for.
            let Some(key) = key.filter(|key| after.is_none_or(|after| key > after)) else {
                continue;
            };
            match self.disk.stat(&directory.join(&name)).map_err(failed)? {
                Some(stat) if stat.is_dir => listing.common_prefixes.push(key),
                Some(stat) => listing.objects.push(ObjectMeta {
                    last_modified: stat.modified_at.unwrap_or(Timestamp::UNIX_EPOCH),
                    ..meta_of(key, stat.len)
                }),
                None => {}
            }
        }
        Ok(listing)
    }

    /// The objects at any depth below a prefix. Only keys that sort after `after`, or whose directory does, are
    /// included.
    fn objects(&self, prefix: Key, after: Option<&Key>) -> Result<Vec<ObjectMeta>> {
        let mut objects = Vec::new();
        let mut waiting = vec![prefix];
        while let Some(prefix) = waiting.pop() {
            let listing = self.listing(&prefix, after)?;
            objects.extend(listing.objects);
            waiting.extend(listing.common_prefixes);
        }
        Ok(objects)
    }

    fn listed(
        &self,
        prefix: Option<&Key>,
        after: Option<Key>,
    ) -> BoxStream<'static, Result<ObjectMeta>> {
        let (own, prefix) = (self.clone(), prefix.cloned().unwrap_or_default());
        let listed = async move {
            own.run(move |own| own.objects(prefix, after.as_ref()))
                .await
        };
        let objects = stream::once(listed).map_ok(|all| stream::iter(all.into_iter().map(Ok)));
        objects.try_flatten().boxed()
    }

    fn path(&self, at: &Key) -> PathBuf {
        self.root.join(at.as_ref())
    }

    /// The directory of the home that an object belongs to.
    fn home_of(&self, at: &Key) -> PathBuf {
        let first = at.parts().next();
        first.map_or_else(|| self.root.clone(), |part| self.root.join(part.as_ref()))
    }
}

/// Whether a directory is a vault.
///
/// # Errors
///
/// [`DiskError`], of kind [`io::ErrorKind::InvalidData`] if it is a vault of an unsupported format.
pub fn is_vault(disk: &dyn Disk, directory: &Path) -> Result<bool, DiskError> {
    Ok(marker_of(disk, directory)?.is_some())
}

fn marker_of(disk: &dyn Disk, directory: &Path) -> Result<Option<Marker>, DiskError> {
    let path = directory.join(VAULT_MARKER);
    let Some(bytes) = read_some(disk, &path, MARKER_BYTES_MAX)? else {
        return Ok(None);
    };
    let marker = serde_json::from_slice(&bytes).ok();
    let marker = marker.filter(|marker: &Marker| marker.format == FORMAT);
    marker.map(Some).ok_or_else(|| {
        let reason = "it is damaged, or of a newer version of openclaw";
        DiskError::on("use", &path)(io::Error::new(io::ErrorKind::InvalidData, reason))
    })
}

/// Fails unless a directory is missing, empty, or a vault.
///
/// # Errors
///
/// [`DiskError`], of kind [`io::ErrorKind::DirectoryNotEmpty`] if it contains other files.
pub fn check_new_vault(disk: &dyn Disk, directory: &Path) -> Result<(), DiskError> {
    let marker = Path::new(VAULT_MARKER);
    // Files of another process that is creating the vault, or that was killed while it did.
    let own = [marker, &temporary_of(marker), Path::new(LOCK)];
    let is_foreign = |name: &PathBuf| !own.contains(&name.as_path());
    let names = disk.list(directory)?;
    if is_vault(disk, directory)? || !names.iter().any(is_foreign) {
        return Ok(());
    }
    let failure = io::Error::new(io::ErrorKind::DirectoryNotEmpty, "it is not empty");
    Err(DiskError::on("make a vault of", directory)(failure))
}

/// Makes a missing or empty directory a vault; leaves an existing vault as it is.
///
/// # Errors
///
/// Those of [`check_new_vault`].
pub fn create_vault(disk: &dyn Disk, directory: &Path) -> Result<(), DiskError> {
    check_new_vault(disk, directory)?;
    if is_vault(disk, directory)? {
        return Ok(());
    }
    create_dir(disk, directory)?;
    disk.make_private(directory)?;
    let _lock = locked(disk, &directory.join(LOCK))?;
    // Another process may have created the vault meanwhile.
    if is_vault(disk, directory)? {
        return Ok(());
    }
    let marker = Marker {
        format: FORMAT,
        id: Uuid::now_v7().to_string(),
    };
    let path = directory.join(VAULT_MARKER);
    let bytes = serde_json::to_vec(&marker).map_err(io::Error::from);
    replace(disk, &path, &bytes.map_err(DiskError::on("write", &path))?)
}

/// Takes a lock. Other processes hold it only while they write, so the wait is short.
fn locked(disk: &dyn Disk, path: &Path) -> Result<Lock, DiskError> {
    disk.lock(path, PATIENCE).map_err(|error| match error {
        LockError::Disk(error) => error,
        LockError::Held { pid, .. } => {
            let reason = format!("it is held{}", by_process(pid));
            DiskError::on("lock", path)(io::Error::new(io::ErrorKind::ResourceBusy, reason))
        }
    })
}

/// Metadata of an object. Only a listing includes the modification time.
fn meta_of(location: Key, size: u64) -> ObjectMeta {
    ObjectMeta {
        location,
        last_modified: Timestamp::UNIX_EPOCH,
        size,
        e_tag: None,
        version: None,
    }
}

fn failed(source: impl std::error::Error + Send + Sync + 'static) -> Error {
    Error::Generic {
        store: "vault",
        source: Box::new(source),
    }
}

fn unsupported<T>() -> Result<T> {
    Err(Error::NotSupported {
        source: "a vault only creates, swaps, reads, lists and deletes objects".into(),
    })
}

impl fmt::Display for Vault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "vault {}", self.root.display())
    }
}

#[async_trait]
impl ObjectStore for Vault {
    async fn put_opts(
        &self,
        at: &Key,
        payload: PutPayload,
        options: PutOptions,
    ) -> Result<PutResult> {
        let (at, bytes) = (at.clone(), payload.as_ref().concat());
        self.run(move |own| own.put(&at, &bytes, &options.mode))
            .await
    }

    /// Reads a whole object. Only the conditions in the options have an effect.
    async fn get_opts(&self, at: &Key, options: GetOptions) -> Result<GetResult> {
        let at = at.clone();
        self.run(move |own| own.get(&at, &options)).await
    }

    fn delete_stream(
        &self,
        keys: BoxStream<'static, Result<Key>>,
    ) -> BoxStream<'static, Result<Key>> {
        let own = self.clone();
        let deleted = keys.and_then(move |key| {
            let own = own.clone();
            async move {
                let at = key.clone();
                own.run(move |own| own.delete(&at)).await.map(|()| key)
            }
        });
        deleted.boxed()
    }

    fn list(&self, prefix: Option<&Key>) -> BoxStream<'static, Result<ObjectMeta>> {
        self.listed(prefix, None)
    }

    fn list_with_offset(
        &self,
        prefix: Option<&Key>,
        offset: &Key,
    ) -> BoxStream<'static, Result<ObjectMeta>> {
        self.listed(prefix, Some(offset.clone()))
    }

    async fn list_with_delimiter(&self, prefix: Option<&Key>) -> Result<ListResult> {
        let prefix = prefix.cloned().unwrap_or_default();
        self.run(move |own| own.listing(&prefix, None)).await
    }

    async fn put_multipart_opts(
        &self,
        _: &Key,
        _: PutMultipartOptions,
    ) -> Result<Box<dyn MultipartUpload>> {
        unsupported()
    }

    async fn copy_opts(&self, _: &Key, _: &Key, _: CopyOptions) -> Result<()> {
        unsupported()
    }
}

#[cfg(test)]
#[path = "vault_tests.rs"]
mod tests;

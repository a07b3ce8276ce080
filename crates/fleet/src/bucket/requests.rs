//! Blocking requests to a bucket: create, swap by etag, read, list, delete.
//!
//! Works with keys and bytes only; counts requests.

use std::collections::BTreeMap;
use std::future::Future;
use std::sync::{Arc, Mutex, MutexGuard, mpsc};

use base::disk::DiskError;
use futures_util::{StreamExt, TryStreamExt, stream};
use object_store::path::Path as Key;
use object_store::{
    Error, GetResult, ObjectMeta, ObjectStore, ObjectStoreExt, PutMode, PutOptions, PutPayload,
    UpdateVersion,
};
use tokio::runtime::{Builder, Runtime};

use crate::HomesError;

/// Maximum number of concurrent requests of one call.
const AT_ONCE: usize = 16;

/// Maximum number of attempts for a write that fails without a definite response.
const N_TRIES: usize = 3;

/// The version of an object, which is the condition of a swap.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Etag(UpdateVersion);

/// Size of the largest object that is read, in bytes. The head of a home with a million files is smaller.
pub(super) const READ_BYTES_MAX: u64 = 256 * 1024 * 1024;

/// Rejects an oversized object before its body is read into memory.
fn within_bounds(got: GetResult) -> Result<GetResult, Error> {
    if got.meta.size <= READ_BYTES_MAX {
        return Ok(got);
    }
    let reason = format!("an object of {} bytes is too large", got.meta.size);
    Err(Error::Generic {
        store: "bucket",
        source: reason.into(),
    })
}

/// Outcome of a conditional write.
#[derive(Debug)]
pub(crate) enum Written {
    Done(Etag),
    /// The object exists already, or has another etag.
    Refused,
}

/// Number of requests, and number of bytes transferred.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RequestCounts {
    /// Attempts to write an object, including those that the bucket refused.
    pub puts: u64,
    /// Objects read.
    pub gets: u64,
    /// Pages of listings, at 1,000 keys per page.
    pub lists: u64,
    /// Objects deleted.
    pub deletes: u64,
    /// Bytes sent in objects.
    pub bytes_up: u64,
    /// Bytes read from objects.
    pub bytes_down: u64,
}

/// A bucket, or only its keys below a prefix.
#[derive(Debug)]
pub(crate) struct Requests {
    store: Arc<dyn ObjectStore>,
    prefix: String,
    /// A runtime of its own, so that a task of another runtime can block on a request.
    runtime: Option<Runtime>,
    counts: Mutex<RequestCounts>,
}

impl Requests {
    pub(crate) fn new(store: Arc<dyn ObjectStore>, prefix: &str) -> Result<Self, HomesError> {
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("bucket")
            .enable_all()
            .build()
            .map_err(|error| HomesError::Address {
                address: store.to_string(),
                reason: error.to_string(),
            })?;
        Ok(Self {
            store,
            prefix: prefix.trim_matches('/').to_owned(),
            runtime: Some(runtime),
            counts: Mutex::default(),
        })
    }

    pub(crate) fn counts(&self) -> MutexGuard<'_, RequestCounts> {
        base::locked(&self.counts)
    }

    /// Replaces the object if it has this etag; without an etag, creates it.
    ///
    /// An attempt that failed without a response may still have been stored, and the bucket then refuses the next
    /// attempt. After a refusal, the caller must therefore compare the stored object with the bytes that it wrote.
    /// Failures of a disk are not retried: after a failed sync, a retry would find the object and treat it as
    /// durable.
    pub(crate) fn swap(
        &self,
        key: &str,
        bytes: Vec<u8>,
        etag: Option<&Etag>,
    ) -> Result<Written, HomesError> {
        let mode = etag.map_or(PutMode::Create, |etag| PutMode::Update(etag.0.clone()));
        let payload = PutPayload::from(bytes);
        let mut failure = None;
        for _ in 0..N_TRIES {
            self.counts().puts += 1;
            self.counts().bytes_up += payload.content_length() as u64;
            let (store, at) = (Arc::clone(&self.store), self.key(key));
            let (payload, options) = (payload.clone(), PutOptions::from(mode.clone()));
            match self.wait(async move { store.put_opts(&at, payload, options).await })? {
                Ok(put) => return Ok(Written::Done(Etag(put.into()))),
                Err(Error::AlreadyExists { .. } | Error::Precondition { .. }) => {
                    return Ok(Written::Refused);
                }
                Err(error) => {
                    let error = failed("write", key)(error);
                    if matches!(error, HomesError::Disk(_)) {
                        return Err(error);
                    }
                    failure = Some(error);
                }
            }
        }
        failure.map_or(Ok(Written::Refused), Err)
    }

    /// Reads an object and its etag; `None` if it does not exist.
    pub(crate) fn read(&self, key: &str) -> Result<Option<(Vec<u8>, Etag)>, HomesError> {
        let (store, at) = (Arc::clone(&self.store), self.key(key));
        let read = self.wait(async move {
            let got = within_bounds(store.get(&at).await?)?;
            let version = UpdateVersion {
                e_tag: got.meta.e_tag.clone(),
                version: got.meta.version.clone(),
            };
            Ok((got.bytes().await?.to_vec(), Etag(version)))
        })?;
        self.counts().gets += 1;
        match read {
            Ok((bytes, etag)) => {
                self.counts().bytes_down += bytes.len() as u64;
                Ok(Some((bytes, etag)))
            }
            Err(Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(failed("read", key)(error)),
        }
    }

    /// Reads objects concurrently; returns them in the order of `keys`.
    pub(crate) fn read_each(&self, keys: &[String]) -> Result<Vec<Option<Vec<u8>>>, HomesError> {
        let asked: Vec<_> = keys
            .iter()
            .map(|key| (Arc::clone(&self.store), self.key(key)))
            .collect();
        let reading = stream::iter(asked).map(|(store, at)| async move {
            match store.get(&at).await {
                Ok(got) => Ok(Some(within_bounds(got)?.bytes().await?.to_vec())),
                Err(Error::NotFound { .. }) => Ok(None),
                Err(error) => Err(error),
            }
        });
        let read: Result<Vec<_>, Error> = self.wait(reading.buffered(AT_ONCE).try_collect())?;
        self.counts().gets += keys.len() as u64;
        let all = read.map_err(failed("read", keys.first().map_or("", String::as_str)))?;
        let n_bytes: usize = all.iter().flatten().map(Vec::len).sum();
        self.counts().bytes_down += n_bytes as u64;
        Ok(all)
    }

    /// The keys in a directory that sort after `after`, in order, with sizes in bytes.
    pub(crate) fn list(
        &self,
        directory: &str,
        after: Option<&str>,
    ) -> Result<Vec<(String, u64)>, HomesError> {
        let found = self.listed(directory, after)?;
        let mut keys: Vec<(String, u64)> = found
            .into_iter()
            .map(|object| (self.below(object.location.as_ref()), object.size))
            .collect();
        keys.sort();
        Ok(keys)
    }

    /// The size, time and etag of each object in a directory, by key, as a listing shows them. They change whenever
    /// somebody writes the object.
    pub(crate) fn looks(&self, directory: &str) -> Result<BTreeMap<String, String>, HomesError> {
        let found = self.listed(directory, None)?.into_iter();
        let looks = found.map(|object| {
            let (size, at) = (object.size, object.last_modified.timestamp_micros());
            let etag = object.e_tag.unwrap_or_default();
            let key = self.below(object.location.as_ref());
            (key, format!("{size} {at} {etag}"))
        });
        Ok(looks.collect())
    }

    fn listed(&self, directory: &str, after: Option<&str>) -> Result<Vec<ObjectMeta>, HomesError> {
        let (store, at) = (Arc::clone(&self.store), self.key(directory));
        let after = after.map(|after| self.key(after));
        let listed: Result<Vec<_>, Error> = self.wait(async move {
            let listing = match &after {
                Some(after) => store.list_with_offset(Some(&at), after),
                None => store.list(Some(&at)),
            };
            listing.try_collect().await
        })?;
        let found = listed.map_err(failed("list", directory))?;
        self.counts().lists += 1 + found.len() as u64 / 1000;
        Ok(found)
    }

    /// Names of the directories directly below the prefix.
    pub(crate) fn directories(&self) -> Result<Vec<String>, HomesError> {
        let (store, at) = (Arc::clone(&self.store), self.key(""));
        let listed = self.wait(async move { store.list_with_delimiter(Some(&at)).await })?;
        self.counts().lists += 1;
        let found = listed.map_err(failed("list", &self.prefix))?;
        let prefixes = found.common_prefixes.iter();
        Ok(prefixes.map(|it| self.below(it.as_ref())).collect())
    }

    /// Deletes objects; ignores missing ones.
    pub(crate) fn remove(&self, keys: &[String]) -> Result<(), HomesError> {
        if keys.is_empty() {
            return Ok(());
        }
        let at: Vec<_> = keys.iter().map(|key| Ok(self.key(key))).collect();
        let store = Arc::clone(&self.store);
        self.counts().deletes += keys.len() as u64;
        let removed: Vec<_> = self.wait(async move {
            store
                .delete_stream(stream::iter(at).boxed())
                .collect()
                .await
        })?;
        for outcome in removed {
            match outcome {
                Ok(_) | Err(Error::NotFound { .. }) => {}
                Err(error) => {
                    return Err(failed("remove", keys.first().map_or("", String::as_str))(
                        error,
                    ));
                }
            }
        }
        Ok(())
    }

    fn key(&self, below: &str) -> Key {
        // The parts are already percent-encoded.
        let joined = if self.prefix.is_empty() {
            below.to_owned()
        } else {
            format!("{}/{below}", self.prefix)
        };
        Key::parse(&joined).unwrap_or_else(|_| Key::from(joined))
    }

    fn below(&self, key: &str) -> String {
        let rest = key.strip_prefix(self.prefix.as_str()).unwrap_or(key);
        rest.trim_start_matches('/').to_owned()
    }

    /// Runs a request on the client's runtime and blocks until it has finished.
    fn wait<T: Send + 'static>(
        &self,
        ask: impl Future<Output = T> + Send + 'static,
    ) -> Result<T, HomesError> {
        let (tell, told) = mpsc::sync_channel(1);
        if let Some(runtime) = &self.runtime {
            runtime.spawn(async move {
                // Fails only if the caller stopped waiting.
                tell.send(ask.await).ok();
            });
        }
        told.recv().map_err(|_| HomesError::Address {
            address: self.store.to_string(),
            reason: "the bucket client stopped; this is a bug".to_owned(),
        })
    }
}

impl Drop for Requests {
    /// May run inside an async task, where waiting for the runtime would panic.
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

fn failed(act: &'static str, key: &str) -> impl FnOnce(Error) -> HomesError {
    let key = key.to_owned();
    move |error| {
        let Error::Generic { store, source } = error else {
            return HomesError::Store {
                act,
                key,
                source: error,
            };
        };
        match source.downcast::<DiskError>() {
            // The storage of a vault is a disk, so its errors are disk errors.
            Ok(error) => HomesError::Disk(*error),
            Err(source) => HomesError::Store {
                act,
                key,
                source: Error::Generic { store, source },
            },
        }
    }
}

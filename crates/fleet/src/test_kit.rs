//! A bucket that runs a hook before each request, for tests of failures and concurrent changes.
//!
//! Never used by the program itself.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use futures_util::stream::BoxStream;
use futures_util::{StreamExt, stream};
use object_store::path::Path;
use object_store::{
    CopyOptions, Error, GetOptions, GetResult, ListResult, MultipartUpload, ObjectMeta,
    ObjectStore, PutMultipartOptions, PutOptions, PutPayload, PutResult, Result,
};

/// The kind of a request to a bucket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RequestKind {
    /// An object is written.
    Put,
    /// An object is read, or objects are listed.
    Get,
    /// An object is deleted.
    Delete,
}

/// The fate of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The request takes effect and is answered.
    Go,
    /// The request never arrives.
    Lost,
    /// The request takes effect, but the response is lost.
    AnswerLost,
}

type Hook = dyn Fn(RequestKind, &str) -> Verdict + Send + Sync;

/// A bucket with a hook before its requests.
#[derive(Clone)]
pub struct HookedStore {
    below: Arc<dyn ObjectStore>,
    hook: Arc<Hook>,
}

impl HookedStore {
    /// The bucket `below`; `hook` decides the fate of each request.
    pub fn new(
        below: Arc<dyn ObjectStore>,
        hook: impl Fn(RequestKind, &str) -> Verdict + Send + Sync + 'static,
    ) -> Self {
        Self {
            below,
            hook: Arc::new(hook),
        }
    }

    fn ask(&self, kind: RequestKind, key: &Path) -> Verdict {
        (self.hook)(kind, key.as_ref())
    }
}

fn unreachable() -> Error {
    Error::Generic {
        store: "hooked",
        source: "the bucket cannot be reached".into(),
    }
}

impl fmt::Debug for HookedStore {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("HookedStore(..)")
    }
}

impl fmt::Display for HookedStore {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "hooked {}", self.below)
    }
}

#[async_trait]
impl ObjectStore for HookedStore {
    async fn put_opts(
        &self,
        at: &Path,
        payload: PutPayload,
        options: PutOptions,
    ) -> Result<PutResult> {
        match self.ask(RequestKind::Put, at) {
            Verdict::Go => self.below.put_opts(at, payload, options).await,
            Verdict::Lost => Err(unreachable()),
            Verdict::AnswerLost => {
                drop(self.below.put_opts(at, payload, options).await);
                Err(unreachable())
            }
        }
    }

    async fn put_multipart_opts(
        &self,
        at: &Path,
        options: PutMultipartOptions,
    ) -> Result<Box<dyn MultipartUpload>> {
        self.below.put_multipart_opts(at, options).await
    }

    async fn get_opts(&self, at: &Path, options: GetOptions) -> Result<GetResult> {
        match self.ask(RequestKind::Get, at) {
            Verdict::Go => self.below.get_opts(at, options).await,
            Verdict::Lost | Verdict::AnswerLost => Err(unreachable()),
        }
    }

    fn delete_stream(
        &self,
        keys: BoxStream<'static, Result<Path>>,
    ) -> BoxStream<'static, Result<Path>> {
        let own = self.clone();
        let asked = keys.map(move |key| {
            let key = key?;
            match own.ask(RequestKind::Delete, &key) {
                Verdict::Go | Verdict::AnswerLost => Ok(key),
                Verdict::Lost => Err(unreachable()),
            }
        });
        self.below.delete_stream(asked.boxed())
    }

    fn list(&self, prefix: Option<&Path>) -> BoxStream<'static, Result<ObjectMeta>> {
        match self.ask(RequestKind::Get, prefix.unwrap_or(&Path::ROOT)) {
            Verdict::Go => self.below.list(prefix),
            Verdict::Lost | Verdict::AnswerLost => {
                stream::once(async { Err(unreachable()) }).boxed()
            }
        }
    }

    async fn list_with_delimiter(&self, prefix: Option<&Path>) -> Result<ListResult> {
        self.below.list_with_delimiter(prefix).await
    }

    async fn copy_opts(&self, from: &Path, to: &Path, options: CopyOptions) -> Result<()> {
        self.below.copy_opts(from, to, options).await
    }
}

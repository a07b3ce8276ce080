//! A model that writes down what another one is asked and answers.
//!
//! Changes neither the request nor the reply.

use std::path::PathBuf;
use std::sync::Arc;

use base::disk::append;
use base::model::{Model, ModelError, ModelProfile, ReplyEvent, ReplyStream, Request};
use base::{Disk, disk::DiskError};
use futures_util::{StreamExt, stream};

use super::format::{Exchange, Pieces};

/// Where a trace is written.
#[derive(Debug)]
struct TraceFile {
    disk: Arc<dyn Disk>,
    path: PathBuf,
}

/// Another model, with a trace of its exchanges.
#[derive(Debug)]
pub struct RecordingModel {
    inner: Arc<dyn Model>,
    file: TraceFile,
}

impl RecordingModel {
    /// Records another model at the end of a file, which is made if need be.
    ///
    /// # Errors
    ///
    /// [`DiskError`] where the file cannot be written.
    pub fn new(
        inner: Arc<dyn Model>,
        disk: Arc<dyn Disk>,
        path: PathBuf,
    ) -> Result<Self, DiskError> {
        append(disk.as_ref(), &path, b"")?;
        let file = TraceFile { disk, path };
        Ok(Self { inner, file })
    }
}

/// One exchange under way; it is written when it ends or is dropped.
struct Underway<'a> {
    model: &'a RecordingModel,
    request: &'a Request,
    stream: ReplyStream<'a>,
    pieces: Pieces,
}

impl Underway<'_> {
    async fn next(&mut self) -> Option<Result<ReplyEvent, ModelError>> {
        let piece = self.stream.next().await?;
        self.pieces.push(piece.clone());
        Some(piece)
    }
}

impl Drop for Underway<'_> {
    fn drop(&mut self) {
        let exchange = Exchange::new(&self.model.profile(), self.request, &self.pieces);
        let TraceFile { disk, path } = &self.model.file;
        // That the file can be written was tried at the beginning; a reply never fails for its trace.
        append(disk.as_ref(), path, &exchange.to_line()).ok();
    }
}

impl Model for RecordingModel {
    fn profile(&self) -> ModelProfile {
        self.inner.profile()
    }

    fn stream<'a>(&'a self, request: &'a Request) -> ReplyStream<'a> {
        let underway = Underway {
            model: self,
            request,
            stream: self.inner.stream(request),
            pieces: Vec::new(),
        };
        let pieces = stream::unfold(underway, |mut underway| async move {
            let piece = underway.next().await?;
            Some((piece, underway))
        });
        pieces.boxed()
    }
}

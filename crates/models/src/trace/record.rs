//! A model that records the exchanges of another one.
//!
//! Changes neither requests nor replies.

use std::path::PathBuf;
use std::sync::Arc;

use base::disk::append;
use base::model::{Model, ModelProfile, ReplyStream, Request};
use base::{Disk, disk::DiskError};
use futures_util::{StreamExt, stream};

use super::format::{Exchange, TracePieces};

/// A model whose exchanges are appended to a trace.
#[derive(Debug)]
pub struct RecordingModel {
    inner: Arc<dyn Model>,
    disk: Arc<dyn Disk>,
    path: PathBuf,
}

impl RecordingModel {
    /// Records another model at the end of a file, which is created if missing.
    pub fn new(
        inner: Arc<dyn Model>,
        disk: Arc<dyn Disk>,
        path: PathBuf,
    ) -> Result<Self, DiskError> {
        append(disk.as_ref(), &path, b"")?;
        Ok(Self { inner, disk, path })
    }
}

/// An exchange in progress; written when it ends or is dropped.
struct Underway<'a> {
    model: &'a RecordingModel,
    request: &'a Request,
    stream: ReplyStream<'a>,
    pieces: TracePieces,
}

impl Drop for Underway<'_> {
    fn drop(&mut self) {
        let exchange = Exchange::new(&self.model.profile(), self.request, &self.pieces);
        let RecordingModel { disk, path, .. } = self.model;
        // `new` has checked that the file is writable; a trace error must not fail a reply.
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
            let piece = underway.stream.next().await?;
            underway.pieces.push(piece.clone());
            Some((piece, underway))
        });
        pieces.boxed()
    }
}

//! Tracks the use of a home in a fleet, from a request until its response is sent.
//!
//! Only counts; closes nothing.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};

use axum::body::{Body, Bytes, HttpBody};
use hyper::body::{Frame, SizeHint};

use super::home_slot::{HomeSlot, milliseconds};

/// The kind of use, which decides the counter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum UseKind {
    Request,
    Stream,
}

/// Marks a home as in use until the guard is dropped.
pub(super) struct UseGuard {
    slot: Arc<HomeSlot>,
    kind: UseKind,
}

impl UseGuard {
    pub(super) fn of(slot: &Arc<HomeSlot>, kind: UseKind) -> Self {
        let slot = Arc::clone(slot);
        let guard = Self { slot, kind };
        guard.count().fetch_add(1, Ordering::SeqCst);
        guard
    }

    pub(super) fn turned_into(self, kind: UseKind) -> Self {
        Self::of(&self.slot, kind)
    }

    fn count(&self) -> &AtomicUsize {
        match self.kind {
            UseKind::Request => &self.slot.n_requests,
            UseKind::Stream => &self.slot.n_streams,
        }
    }
}

impl Drop for UseGuard {
    fn drop(&mut self) {
        let now = milliseconds(&*self.slot.clock);
        self.slot.used_at.store(now, Ordering::SeqCst);
        self.count().fetch_sub(1, Ordering::SeqCst);
    }
}

/// A response body that keeps its home marked as in use until the body is sent or dropped.
pub(super) struct InUse {
    body: Body,
    _in_use: UseGuard,
}

impl InUse {
    pub(super) fn new(body: Body, in_use: UseGuard) -> Self {
        Self {
            body,
            _in_use: in_use,
        }
    }
}

impl HttpBody for InUse {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

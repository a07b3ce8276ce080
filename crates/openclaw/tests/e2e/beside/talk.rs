//! A conversation with a model whose notes and summaries wait at a gate that the test opens.
//!
//! Does not check anything itself; the tests do.

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use agent::{
    Event, JobExecution, Jobs, Models, PollOutcome, Runtime, finish_jobs, poll_jobs, run_turn,
};
use base::disk::{Disk, MemoryDisk};
use base::model::{
    Extractor, Model, ModelError, ModelProfile, Purpose, ReplyEvent, ReplyStream, Request,
};
use base::{FixedClock, Message, TokenCount};
use compaction::WindowEvent;
use futures_util::{StreamExt, stream};
use models::OfflineEngine;
use session::{Entry, LineContent, Payload, SessionName, View};
use tokio::sync::Semaphore;

use crate::in_process::runtime;
use crate::pipeline::Answer;

/// The time on the clock of the executor after which a model is given up.
pub(super) const DEADLINE: Duration = Duration::from_mins(3);

/// More permits than any test uses.
const ALL: usize = 1 << 20;

type Rule = dyn Fn(&Request) -> Answer + Send + Sync;

/// A model that answers by a rule; requests that are not for the owner wait at the gate first.
pub(super) struct Gated {
    rule: Box<Rule>,
    concurrency: usize,
    summarises: bool,
    gate: Semaphore,
    asked: Mutex<Vec<Request>>,
    /// Replies that come before those of the rule.
    replies: Mutex<VecDeque<Vec<ReplyEvent>>>,
}

impl Gated {
    pub(super) fn new(rule: impl Fn(&Request) -> Answer + Send + Sync + 'static) -> Self {
        Self {
            rule: Box::new(rule),
            concurrency: 2,
            summarises: true,
            gate: Semaphore::new(0),
            asked: Mutex::default(),
            replies: Mutex::default(),
        }
    }

    /// The same double, which serves one call at a time.
    pub(super) fn one_at_a_time(self) -> Self {
        Self {
            concurrency: 1,
            ..self
        }
    }

    /// The same double, which never answers a request for a summary.
    pub(super) fn never_summarising(self) -> Self {
        Self {
            summarises: false,
            ..self
        }
    }

    /// Lets this number of pieces of work finish.
    pub(super) fn let_through(&self, n_pieces: usize) {
        self.gate.add_permits(n_pieces);
    }

    /// Lets all work pass until the gate is shut.
    pub(super) fn open(&self) {
        self.gate.add_permits(ALL);
    }

    pub(super) fn shut(&self) {
        self.gate.forget_permits(usize::MAX);
    }

    /// The next replies to the owner.
    pub(super) fn will_reply(&self, replies: impl IntoIterator<Item = Vec<ReplyEvent>>) {
        self.replies.lock().unwrap().extend(replies);
    }

    /// The requests to it since the last call.
    pub(super) fn take_asked(&self) -> Vec<Request> {
        std::mem::take(&mut *self.asked.lock().unwrap())
    }

    pub(super) fn n_asked(&self, purpose: Purpose) -> usize {
        let asked = self.asked.lock().unwrap();
        asked.iter().filter(|it| it.purpose == purpose).count()
    }

    async fn answer(&self, request: &Request) -> Vec<Result<ReplyEvent, ModelError>> {
        self.asked.lock().unwrap().push(request.clone());
        if request.purpose == Purpose::Chat {
            let reply = self.replies.lock().unwrap().pop_front();
            if let Some(pieces) = reply {
                return pieces.into_iter().map(Ok).collect();
            }
        } else {
            self.gate.acquire().await.unwrap().forget();
        }
        if request.purpose == Purpose::Summarise && !self.summarises {
            return std::future::pending().await;
        }
        match (self.rule)(request) {
            Ok(pieces) => pieces.into_iter().map(Ok).collect(),
            Err(error) => vec![Err(error)],
        }
    }
}

impl fmt::Debug for Gated {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("gated")
    }
}

impl Model for Gated {
    fn profile(&self) -> ModelProfile {
        ModelProfile {
            name: "gated".into(),
            context_window: None,
            concurrency: self.concurrency,
            only_quotes: false,
        }
    }

    fn stream<'a>(&'a self, request: &'a Request) -> ReplyStream<'a> {
        let pieces = async move { stream::iter(self.answer(request).await) };
        Box::pin(stream::once(pieces).flatten())
    }
}

/// A process that talks in the sessions of a disk.
pub(super) struct Talk {
    pub(super) disk: Arc<dyn Disk>,
    pub(super) model: Arc<Gated>,
    pub(super) clock: Arc<FixedClock>,
    pub(super) runtime: Runtime,
}

impl Extractor for Gated {}

impl Talk {
    /// With the program's own engine as the fallback.
    pub(super) fn new(disk: &Arc<dyn Disk>, model: Gated, window: u64) -> Self {
        let clock = Arc::new(FixedClock::new("2026-04-20T08:00:00Z".parse().unwrap()));
        let model = Arc::new(model);
        let mut runtime = runtime(
            disk,
            Arc::clone(&clock) as _,
            Arc::clone(&model) as _,
            TokenCount(window),
        );
        let offline = Arc::new(OfflineEngine::new(runtime.home.timezone));
        runtime.engine.models = Models::new(Arc::clone(&model) as _, offline);
        runtime.jobs = Arc::new(Jobs::new(JobExecution::Background, DEADLINE));
        Self {
            disk: Arc::clone(disk),
            model,
            clock,
            runtime,
        }
    }

    /// On a separate disk.
    pub(super) fn alone(model: Gated, window: u64) -> Self {
        Self::new(&(Arc::new(MemoryDisk::new()) as _), model, window)
    }

    /// The same with another fallback engine.
    pub(super) fn with_offline(mut self, offline: Arc<dyn Extractor>) -> Self {
        self.runtime.engine.models.offline = offline;
        self
    }

    /// Sends a message in the main session, a minute after the last one.
    pub(super) async fn say(&self, text: &str) -> Vec<Event> {
        self.say_in(&main(), Message::user(text)).await
    }

    pub(super) async fn say_in(&self, name: &SessionName, message: Message) -> Vec<Event> {
        self.clock.advance(Duration::from_mins(1));
        let mut events = Vec::new();
        let mut on_event = |event| events.push(event);
        let turn = run_turn(&self.runtime, name, message, &mut on_event);
        turn.await.unwrap();
        events
    }

    /// Applies finished work to the session.
    pub(super) fn tend(&self) -> (PollOutcome, Vec<Event>) {
        let mut events = Vec::new();
        let tended = poll_jobs(&self.runtime, &main(), &mut |event| events.push(event));
        (tended.unwrap(), events)
    }

    /// Lets all work finish, and adds the results to the session.
    pub(super) async fn work(&self) -> Vec<Event> {
        self.work_in(&main()).await
    }

    pub(super) async fn work_in(&self, name: &SessionName) -> Vec<Event> {
        let mut events = Vec::new();
        let mut on_event = |event| events.push(event);
        self.model.open();
        let finished = finish_jobs(&self.runtime, name, &mut on_event).await;
        self.model.shut();
        finished.unwrap();
        events
    }

    pub(super) fn has_job(&self) -> bool {
        self.runtime.jobs.has_job(&main())
    }

    pub(super) fn view(&self, name: &SessionName) -> View {
        let limit = self.runtime.resume_limit();
        self.runtime.home.sessions.read(name, limit).unwrap().view
    }

    /// Every entry of a session, including those of dead branches.
    pub(super) fn entries(&self, name: &SessionName) -> Vec<Entry> {
        let lines = self.runtime.home.sessions.lines(name).unwrap();
        let entries = lines.filter_map(|line| match line.unwrap().content {
            LineContent::Entry(entry) => Some(entry),
            LineContent::Header(_) | LineContent::ShortMeta(_) | LineContent::Damaged { .. } => {
                None
            }
        });
        entries.collect()
    }

    pub(super) fn n_compactions(&self) -> usize {
        let entries = self.entries(&main());
        let is_one = |entry: &&Entry| matches!(entry.payload, Payload::Compaction(_));
        entries.iter().filter(is_one).count()
    }
}

pub(super) fn main() -> SessionName {
    "main".parse().unwrap()
}

/// A text of about this many tokens that is different for each number.
pub(super) fn message(number: usize, n_tokens: usize) -> String {
    let line = format!("Item {number} of the list: the crate in row {number} weighs 12 kg. ");
    line.repeat(n_tokens * 4 / line.len() + 1)
}

/// The sizes at which compactions began, as they were reported.
pub(super) fn starts(events: &[Event]) -> Vec<TokenCount> {
    let start = |event: &Event| {
        if let Event::Window(WindowEvent::CompactStarted {
            current_context_tokens,
            ..
        }) = event
        {
            Some(*current_context_tokens)
        } else {
            None
        }
    };
    events.iter().filter_map(start).collect()
}

/// How many of the compactions that were begun changed nothing; each ends once before the next begins.
pub(super) fn n_dropped(events: &[Event]) -> usize {
    let mut is_begun = false;
    let mut n_dropped = 0;
    for event in events {
        if matches!(event, Event::Window(WindowEvent::CompactStarted { .. })) {
            assert!(
                !is_begun,
                "a start before the end of the one before: {events:?}"
            );
            is_begun = true;
        }
        let is_dropped = matches!(event, Event::Window(WindowEvent::CompactDropped { .. }));
        if is_dropped || matches!(event, Event::Window(WindowEvent::CompactEnded { .. })) {
            assert!(is_begun, "an end without a start: {events:?}");
            is_begun = false;
            n_dropped += usize::from(is_dropped);
        }
    }
    assert!(!is_begun, "a start without an end: {events:?}");
    n_dropped
}

/// The rungs of the compactions that took effect.
pub(super) fn rungs(events: &[Event]) -> Vec<&'static str> {
    let rung = |event: &Event| {
        if let Event::Window(WindowEvent::CompactEnded { rung, .. }) = event {
            Some(rung.as_str())
        } else {
            None
        }
    };
    events.iter().filter_map(rung).collect()
}

/// Whether one of the warnings contains these words.
pub(super) fn warns(events: &[Event], words: &str) -> bool {
    let holds = |event: &Event| matches!(event, Event::Warning(text) if text.contains(words));
    events.iter().any(holds)
}

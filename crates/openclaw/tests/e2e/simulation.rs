//! Long conversations with a model whose notes and summaries take time, on a simulated clock.
//!
//! Nothing here waits for real: when all are idle the clock moves to the next moment at which somebody
//! wanted to be woken.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use agent::{Event, JobExecution, Jobs, Models, Runtime, run_turn};
use base::disk::MemoryDisk;
use base::model::{
    Extractor, Model, ModelError, ModelProfile, Purpose, ReplyEvent, ReplyStream, Request,
};
use base::{
    Clock, Message, NOTHING_TO_FLUSH, StopReason, Timestamp, TokenCount, Usage, estimate_text,
};
use compaction::{Strategy, Tiered, WindowEvent};
use futures_util::stream;
use models::OfflineEngine;
use tokio::time::Instant;

use crate::in_process::{runtime, tokens_of};

/// How the model answers a request for a summary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mood {
    Summarises,
    Hangs,
    Fails,
    Babbles,
    Leaks,
    Bloats,
}

const MOODS: [Mood; 6] = [
    Mood::Summarises,
    Mood::Hangs,
    Mood::Fails,
    Mood::Babbles,
    Mood::Leaks,
    Mood::Bloats,
];

/// How long notes and summaries take, and how long a reply.
const WORK: Duration = Duration::from_mins(1);
const REPLY: Duration = Duration::from_secs(2);

/// The time after which openclaw stops waiting for a model.
const DEADLINE: Duration = Duration::from_mins(3);

/// The time for which the owner reads the reply; now and then the owner does something else.
const PAUSE: Duration = Duration::from_secs(40);
const REST: Duration = Duration::from_mins(10);

const N_MESSAGES: usize = 36;

const WINDOW: TokenCount = TokenCount(16_000);

/// A clock that advances only while all tasks wait.
#[derive(Debug)]
struct IdleClock {
    started: Instant,
    day: Timestamp,
}

impl Clock for IdleClock {
    fn now(&self) -> Timestamp {
        self.day + self.monotonic()
    }

    fn monotonic(&self) -> Duration {
        self.started.elapsed()
    }
}

/// A model that serves this many calls at a time.
#[derive(Debug)]
struct Slow {
    mood: Mood,
    concurrency: usize,
    /// Tokens of the provider for a hundred estimated ones.
    percent: u64,
    /// One permit per call.
    calls: tokio::sync::Semaphore,
    /// Each request with the room for its reply.
    asked: Mutex<Vec<(Purpose, TokenCount)>>,
}

impl Slow {
    fn new(mood: Mood, concurrency: usize) -> Self {
        Self {
            mood,
            concurrency,
            percent: 100,
            calls: tokio::sync::Semaphore::new(concurrency),
            asked: Mutex::default(),
        }
    }

    fn tokens(&self, request: &Request) -> TokenCount {
        tokens_of(request).percent(self.percent)
    }

    async fn answer(&self, request: &Request) -> Result<Vec<ReplyEvent>, ModelError> {
        let tokens = self.tokens(request);
        let whole = tokens + request.output_max;
        self.asked.lock().unwrap().push((request.purpose, whole));
        let _permit = self.calls.acquire().await.unwrap();
        let after = |pause| tokio::time::sleep_until(Instant::now() + pause);
        let text = match request.purpose {
            Purpose::Chat | Purpose::Consolidate => {
                after(REPLY).await;
                "Understood, I have put that on the list. ".repeat(20)
            }
            Purpose::Flush => {
                after(WORK).await;
                self.notes()?
            }
            Purpose::Summarise => {
                after(WORK).await;
                self.summary(request).await?
            }
        };
        let usage = Usage {
            input: tokens,
            output: estimate_text(&text),
            ..Usage::default()
        };
        let done = ReplyEvent::Done {
            stop: StopReason::Stop,
            usage: Some(usage),
        };
        Ok(vec![ReplyEvent::Text(text), done])
    }

    fn notes(&self) -> Result<String, ModelError> {
        if self.mood == Mood::Fails {
            return Err(unavailable());
        }
        Ok(NOTHING_TO_FLUSH.to_owned())
    }

    async fn summary(&self, request: &Request) -> Result<String, ModelError> {
        Ok(match self.mood {
            Mood::Summarises => "## Goals and Intent\n- The owner keeps a list.".to_owned(),
            Mood::Hangs => std::future::pending().await,
            Mood::Fails => return Err(unavailable()),
            Mood::Babbles => "la la la".to_owned(),
            Mood::Leaks => request.system.clone(),
            Mood::Bloats => "- everything is important and much more\n".repeat(3_000),
        })
    }
}

fn unavailable() -> ModelError {
    ModelError::Unavailable {
        model: "slow".into(),
        reason: "no route to host".into(),
    }
}

impl Model for Slow {
    fn profile(&self) -> ModelProfile {
        ModelProfile {
            name: "slow".into(),
            context_window: None,
            concurrency: self.concurrency,
            only_quotes: false,
        }
    }

    fn stream<'a>(&'a self, request: &'a Request) -> ReplyStream<'a> {
        let pieces = async move {
            match self.answer(request).await {
                Ok(pieces) => stream::iter(pieces.into_iter().map(Ok).collect::<Vec<_>>()),
                Err(error) => stream::iter(vec![Err(error)]),
            }
        };
        Box::pin(futures_util::StreamExt::flatten(stream::once(pieces)))
    }
}

impl Extractor for Slow {}

/// A conversation and what came of it.
struct Talk {
    model: Arc<Slow>,
    runtime: Runtime,
}

impl Talk {
    fn new(model: Slow, execution: JobExecution, strategy: Strategy) -> Self {
        let clock = IdleClock {
            started: Instant::now(),
            day: "2026-04-20T08:00:00Z".parse().unwrap(),
        };
        let model = Arc::new(model);
        let disk = Arc::new(MemoryDisk::new()) as _;
        let mut runtime = runtime(&disk, Arc::new(clock), Arc::clone(&model) as _, WINDOW);
        let offline = Arc::new(OfflineEngine::new(runtime.home.timezone));
        runtime.engine.models = Models::new(Arc::clone(&model) as _, offline);
        runtime.engine.settings.strategy = strategy;
        runtime.jobs = Arc::new(Jobs::new(execution, DEADLINE));
        Self { model, runtime }
    }

    /// Sends a message; returns how long the reply took, and what happened.
    async fn say(&self, text: String) -> (Duration, Vec<Event>) {
        let mut events = Vec::new();
        let mut on_event = |event| events.push(event);
        let started = Instant::now();
        let name = "main".parse().unwrap();
        let turn = run_turn(&self.runtime, &name, Message::user(text), &mut on_event);
        turn.await.unwrap();
        (started.elapsed(), events)
    }

    fn asked(&self) -> Vec<(Purpose, TokenCount)> {
        self.model.asked.lock().unwrap().clone()
    }

    fn largest(&self) -> TokenCount {
        let tokens = self.asked().into_iter().map(|(_, tokens)| tokens);
        tokens.max().unwrap()
    }
}

fn n_compactions(events: &[Event]) -> usize {
    let ended = |event: &&Event| matches!(event, Event::Window(WindowEvent::CompactEnded { .. }));
    events.iter().filter(ended).count()
}

fn message(number: usize) -> String {
    let line = format!("Item {number} of the list: the crate in row {number} weighs 12 kg. ");
    line.repeat(20)
}

/// Whether older messages left before the reply because the reserve was spent.
fn is_reserve_spent(runtime: &Runtime, events: &[Event]) -> bool {
    let most = runtime.engine.budget().background_max();
    events.iter().any(|event| {
        matches!(event, Event::Window(WindowEvent::CompactStarted { current_context_tokens, .. }) if *current_context_tokens > most)
    })
}

/// The outcome of a long conversation.
#[derive(Debug, PartialEq, Eq)]
struct Outcome {
    /// The longest delay that anything added to a reply.
    longest: Duration,
    n_compactions: usize,
    /// Replies before which the reserve was spent.
    n_spent: usize,
}

async fn talk(mood: Mood, concurrency: usize, strategy: Strategy) -> Outcome {
    let model = Slow::new(mood, concurrency);
    let talk = Talk::new(model, JobExecution::Background, strategy);
    let mut longest = Duration::ZERO;
    let mut n_spent = 0;
    let mut events = Vec::new();
    for number in 0..N_MESSAGES {
        let (took, happened) = talk.say(message(number)).await;
        longest = longest.max(took.saturating_sub(REPLY));
        n_spent += usize::from(is_reserve_spent(&talk.runtime, &happened));
        events.extend(happened);
        let pause = if number % 5 == 4 { REST } else { PAUSE };
        tokio::time::sleep_until(Instant::now() + pause).await;
    }
    assert!(talk.largest() <= WINDOW, "{mood:?}: {}", talk.largest());
    Outcome {
        longest,
        n_compactions: n_compactions(&events),
        n_spent,
    }
}

/// How often the reserve may be spent in a conversation: once if each message of the owner interrupts the model's work,
/// because the compaction is then made without the model.
fn n_spent_max(concurrency: usize) -> usize {
    usize::from(concurrency == 1)
}

#[tokio::test(start_paused = true)]
async fn i6_slow_summaries_do_not_delay_replies_and_requests_fit_window() {
    for strategy in [Strategy::Handoff, Strategy::Tiered(Tiered::default())] {
        for concurrency in [1, 2] {
            for mood in MOODS {
                let outcome = talk(mood, concurrency, strategy).await;
                let name = strategy.as_str();
                let what = format!("{name}, {mood:?} at {concurrency}: {outcome:?}");
                assert_eq!(outcome.longest, Duration::ZERO, "{what}");
                assert!(outcome.n_compactions >= 1, "{what}");
                assert!(outcome.n_spent <= n_spent_max(concurrency), "{what}");
            }
        }
    }
}

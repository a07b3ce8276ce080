//! Replays the owner's messages as turns, and measures how much longer than the reply each turn takes.
//!
//! Time is simulated: the executor's clock is paused, and advances only when all tasks wait.

use std::sync::Arc;
use std::time::Duration;

use agent::{JobExecution, Jobs, Models, Runtime, run_turn};
use base::disk::MemoryDisk;
use base::{Clock, Message, Timestamp, TokenCount, Tz};
use compaction::{Strategy, WindowSettings};
use models::OfflineEngine;
use session::StoredMessage;
use tokio::time::{Instant, sleep};

use super::measure::session_name;
use super::paced::{Paced, REPLY};
use super::talk::BenchTalk;
use crate::Result;
use crate::home::runtime;

/// How long the owner reads and thinks between turns.
const PAUSE: Duration = Duration::from_mins(1);

/// The deadline of a background job; the default in the settings.
const DEADLINE: Duration = Duration::from_mins(10);

/// The executor's clock, which advances only when all tasks wait.
#[derive(Debug)]
struct IdleClock {
    started: Instant,
}

impl Clock for IdleClock {
    fn now(&self) -> Timestamp {
        Timestamp::default() + self.monotonic()
    }

    fn monotonic(&self) -> Duration {
        self.started.elapsed()
    }
}

/// For each turn, how much longer than its reply it took.
pub(super) fn delays(
    talk: &BenchTalk,
    window: TokenCount,
    strategy: Strategy,
) -> Result<Vec<Duration>> {
    let executor = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()?;
    executor.block_on(async {
        let clock = Arc::new(IdleClock {
            started: Instant::now(),
        });
        let models = Models::new(
            Arc::new(Paced::new()),
            Arc::new(OfflineEngine::new(Tz::UTC)),
        );
        let settings = WindowSettings {
            context_window: window,
            strategy,
            ..WindowSettings::default()
        };
        let jobs = Jobs::new(JobExecution::Background, DEADLINE);
        let runtime = Runtime {
            jobs: Arc::new(jobs),
            ..runtime(&MemoryDisk::new(), clock, models, settings)
        };
        said(&runtime, talk).await
    })
}

async fn said(runtime: &Runtime, talk: &BenchTalk) -> Result<Vec<Duration>> {
    let name = session_name()?;
    let mut delays = Vec::new();
    for recorded in talk.recording.messages()? {
        let recorded = recorded?;
        if !matches!(recorded.message, Message::User { .. }) {
            // The recorded reply is appended after the simulated one, so that the window fills as in the recording.
            let stored = StoredMessage::new(recorded.message, recorded.origin);
            let sessions = &runtime.home.sessions;
            let mut turn = sessions.begin_turn(&name, runtime.resume_limit())?;
            turn.append_message(runtime.home.clock.now(), stored)?;
            continue;
        }
        let began = Instant::now();
        run_turn(runtime, &name, recorded.message, &mut |_| ()).await?;
        delays.push(began.elapsed().saturating_sub(REPLY));
        sleep(PAUSE).await;
    }
    Ok(delays)
}

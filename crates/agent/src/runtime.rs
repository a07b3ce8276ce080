//! The parts that a turn works with, put together once when the program starts.
//!
//! Decides nothing.

use std::sync::Arc;
use std::time::Duration;

use base::{Clock, Day, Disk, HomeLayout, Timestamp, TokenCount, Tz, day};
use compaction::{Budget, Scale, Settings};
use memory::Workspace;
use session::{ResumeLimit, SessionName, SessionStore, View};

use crate::hooks::Hooks;
use crate::jobs::{Execution, Jobs};
use crate::knowledge::Knowledge;
use crate::known_window::KnownWindow;
use crate::metered::Statistics;
use crate::models::Models;
use crate::sandbox::Sandbox;
use crate::summarise::Writers;
use crate::tools::access::{Forgetting, ToolAccess};

/// Windows of stored text that may lie behind one window of shown text: large messages are shown as head
/// and tail, and old tool results as a placeholder.
const WINDOWS_READ_MAX: u64 = 8;

/// How long a model may take for notes that are written beside a chat.
const BESIDE_MAX: Duration = Duration::from_mins(3);

/// The one session that sees what the owner keeps for themselves.
pub const PRIMARY_SESSION: &str = "main";

/// The share of a request for recalled passages, unless the owner sets another.
pub const RECALL_BUDGET: TokenCount = TokenCount(800);

/// What a turn works with.
#[derive(Debug, Clone)]
pub struct Runtime {
    /// The owner's files, the transcripts and the time.
    pub home: HomeAccess,
    /// The models and the window that they are asked within.
    pub engine: ChatEngine,
    /// What may be recalled and forgotten.
    pub memory: MemoryAccess,
    /// Work beside the conversations of this process.
    pub jobs: Arc<Jobs>,
    /// Tools besides those of memory.
    pub tools: ToolAccess,
    /// Set where nothing may be written.
    pub sandbox: Option<Sandbox>,
    /// The owner's commands around a compaction.
    pub hooks: Option<Arc<dyn Hooks>>,
    /// How long a message waits for its turn while another one is under way.
    pub turn_timeout: Duration,
}

/// The owner's files, the transcripts, and the clock that dates them.
#[derive(Debug, Clone)]
pub struct HomeAccess {
    /// Tells the time.
    pub clock: Arc<dyn Clock>,
    /// The owner's time zone.
    pub timezone: Tz,
    /// The transcripts.
    pub sessions: SessionStore,
    /// The owner's files.
    pub workspace: Arc<Workspace>,
}

impl HomeAccess {
    /// Access to the home that lies so on a disk.
    pub fn open(
        disk: &Arc<dyn Disk>,
        layout: &HomeLayout,
        clock: Arc<dyn Clock>,
        timezone: Tz,
    ) -> Self {
        let workspace = Workspace::new(Arc::clone(disk), layout.clone());
        Self {
            sessions: SessionStore::new(Arc::clone(disk), Arc::clone(&clock), layout.clone()),
            workspace: Arc::new(workspace),
            clock,
            timezone,
        }
    }
}

/// The models and the window that they are asked within.
#[derive(Debug, Clone)]
pub struct ChatEngine {
    /// The models, by purpose.
    pub models: Models,
    /// What the owner set about the window.
    pub settings: Settings,
    /// What refusals have shown of the window.
    pub known_window: Arc<KnownWindow>,
    /// What the replies of this process cost.
    pub statistics: Arc<Statistics>,
}

/// What may be recalled and forgotten.
#[derive(Debug, Clone)]
pub struct MemoryAccess {
    /// The searchable memory; `None` where nothing is recalled, as in a replay.
    pub knowledge: Option<Arc<Knowledge>>,
    /// The most that recalled passages take of a request.
    pub recall_budget: TokenCount,
    /// How something is forgotten; `None` where that is not possible.
    pub forgetting: Option<Arc<dyn Forgetting>>,
    /// Which sessions see what the owner keeps for themselves.
    pub private_sessions: PrivateSessions,
}

/// Which sessions see what the owner keeps for themselves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PrivateSessions {
    /// The primary one.
    Primary,
    /// All: nobody but the owner speaks here.
    All,
}

/// How far back a session is read at most with these settings.
pub fn resume_limit(settings: &Settings) -> ResumeLimit {
    let window = settings.context_window.0;
    ResumeLimit {
        tokens: TokenCount(window.saturating_mul(WINDOWS_READ_MAX)),
    }
}

impl Runtime {
    /// A runtime that recalls nothing, starts no job, calls no hook and waits for no turn.
    pub fn new(home: HomeAccess, models: Models, settings: Settings) -> Self {
        Self {
            home,
            engine: ChatEngine {
                models,
                settings,
                known_window: Arc::default(),
                statistics: Arc::default(),
            },
            memory: MemoryAccess {
                knowledge: None,
                recall_budget: RECALL_BUDGET,
                forgetting: None,
                private_sessions: PrivateSessions::Primary,
            },
            jobs: Arc::new(Jobs::never()),
            tools: ToolAccess::default(),
            sandbox: None,
            hooks: None,
            turn_timeout: Duration::ZERO,
        }
    }

    /// The same for work beside this one: it starts no job of its own, recalls and forgets nothing.
    #[must_use]
    pub fn beside(&self) -> Self {
        Self {
            engine: ChatEngine {
                statistics: Arc::default(),
                ..self.engine.clone()
            },
            memory: MemoryAccess {
                knowledge: None,
                forgetting: None,
                ..self.memory.clone()
            },
            jobs: Arc::new(Jobs::new(Execution::Inline, BESIDE_MAX)),
            tools: ToolAccess::default(),
            ..self.clone()
        }
    }

    /// Whether memory is for this session.
    pub fn is_primary(&self, name: &SessionName) -> bool {
        self.memory.private_sessions == PrivateSessions::All || name.as_str() == PRIMARY_SESSION
    }

    /// How far back a session is read at most, where no compaction completes its view before.
    pub fn resume_limit(&self) -> ResumeLimit {
        resume_limit(&self.engine.settings)
    }

    /// The models that write notes and summaries of a view.
    pub(crate) fn writers(&self, view: &View) -> Writers {
        let ChatEngine {
            models, settings, ..
        } = &self.engine;
        Writers::new(
            models.clone(),
            settings.context_window,
            self.engine.scale(view),
            self.jobs.timeout(),
        )
    }
}

impl HomeAccess {
    /// The owner's day.
    pub(crate) fn today(&self) -> Day {
        self.day(self.clock.now())
    }

    /// The owner's day at an instant.
    pub(crate) fn day(&self, at: Timestamp) -> Day {
        day(at, self.timezone)
    }
}

impl ChatEngine {
    /// The owner's settings, with a window no larger than refusals have shown it.
    pub fn settings_in_force(&self) -> Settings {
        let model = self.models.primary.profile().name;
        Settings {
            context_window: self.known_window.of(&model, self.settings.context_window),
            ..self.settings.clone()
        }
    }

    /// The division of the window before a provider has counted anything.
    pub fn budget(&self) -> Budget {
        Budget::new(&self.settings_in_force())
    }

    /// A provider's tokens for an estimated token, as far as the replies in a view show.
    pub(crate) fn scale(&self, view: &View) -> Scale {
        if self.models.is_offline() {
            Scale::ONE
        } else {
            Scale::learned(view)
        }
    }
}

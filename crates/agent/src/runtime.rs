//! What a turn works with, put together once by whoever starts the program.
//!
//! Decides nothing.

use std::sync::Arc;
use std::time::Duration;

use base::{Clock, TokenCount, Tz};
use compaction::{Budget, Scale, Settings};
use memory::Workspace;
use session::{ResumeLimit, SessionName, SessionStore, View};

use crate::{
    Background, Execution, Forgetting, Hooks, Knowledge, KnownWindow, Models, Sandbox, Statistics,
    ToolAccess,
};

/// Windows of stored text that may lie behind one window of shown text: large messages are shown as head
/// and tail, and old tool results as a placeholder.
const WINDOWS_READ_MAX: u64 = 8;

/// What a turn works with.
#[derive(Debug)]
pub struct Runtime {
    /// Tells the time.
    pub clock: Arc<dyn Clock>,
    /// Where the owner lives.
    pub timezone: Tz,
    /// The transcripts.
    pub sessions: SessionStore,
    /// The owner's files.
    pub workspace: Arc<Workspace>,
    /// Who answers.
    pub models: Models,
    /// What the owner set about the window.
    pub settings: Settings,
    /// What refusals have shown of the window.
    pub known_window: Arc<KnownWindow>,
    /// What memory can be asked; `None` where nothing is recalled, as in a replay.
    pub knowledge: Option<Arc<Knowledge>>,
    /// The most that recalled passages take of a request.
    pub recall_budget: TokenCount,
    /// What goes on beside the conversation.
    pub background: Background,
    /// How something is forgotten; `None` where that cannot be done.
    pub forgetting: Option<Arc<dyn Forgetting>>,
    /// Which tools there are besides those of memory.
    pub tools: ToolAccess,
    /// What is different where nothing may be written; `None` where everything may.
    pub sandbox: Option<Sandbox>,
    /// What the replies of this process cost.
    pub statistics: Statistics,
    /// What the owner wants called; `None` where that is nothing.
    pub hooks: Option<Arc<dyn Hooks>>,
    /// How long a message waits for its turn where another one is under way.
    pub turn_patience: Duration,
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

/// The one session that sees what the owner keeps for themselves.
pub const PRIMARY_SESSION: &str = "main";

/// What recalled passages take of a request where the owner has not said otherwise.
pub const RECALL_BUDGET: TokenCount = TokenCount(800);

/// How far back a session is read at most with these settings.
pub fn resume_limit(settings: &Settings) -> ResumeLimit {
    let window = settings.context_window.0;
    ResumeLimit {
        tokens: TokenCount(window.saturating_mul(WINDOWS_READ_MAX)),
    }
}

/// How long a model may take for notes that are written beside a chat.
const BESIDE_MAX: Duration = Duration::from_mins(3);

impl Runtime {
    /// The same for work beside this one: nothing of it begins in the background, and nothing is
    /// recalled or forgotten for it.
    #[must_use]
    pub fn beside(&self) -> Self {
        Self {
            clock: Arc::clone(&self.clock),
            timezone: self.timezone,
            sessions: self.sessions.clone(),
            workspace: Arc::clone(&self.workspace),
            models: self.models.clone(),
            settings: self.settings.clone(),
            known_window: Arc::clone(&self.known_window),
            knowledge: None,
            recall_budget: self.recall_budget,
            background: Background::new(Execution::Inline, BESIDE_MAX),
            forgetting: None,
            tools: ToolAccess::default(),
            sandbox: self.sandbox.clone(),
            statistics: Statistics::default(),
            hooks: self.hooks.clone(),
            turn_patience: self.turn_patience,
            private_sessions: self.private_sessions,
        }
    }

    /// Whether memory is for this session.
    pub fn is_primary(&self, name: &SessionName) -> bool {
        self.private_sessions == PrivateSessions::All || name.as_str() == PRIMARY_SESSION
    }

    /// What the owner set about the window, which is no larger than refusals have shown it.
    pub fn settings_in_force(&self) -> Settings {
        let model = self.models.primary.profile().name;
        Settings {
            context_window: self.known_window.of(&model, self.settings.context_window),
            ..self.settings.clone()
        }
    }

    /// How the window is shared out where nothing is known of what the provider counts.
    pub fn budget(&self) -> Budget {
        Budget::new(&self.settings_in_force())
    }

    /// What the provider counts for an estimated token, as far as the replies in a view teach.
    pub(crate) fn scale(&self, view: &View) -> Scale {
        if self.models.is_offline() {
            Scale::ONE
        } else {
            Scale::learned(view)
        }
    }

    /// Whether models write notes and summaries while the owner is answered.
    pub(crate) fn can_work_beside(&self) -> bool {
        self.models.can_work_beside()
    }

    /// How far back a session is read at most, where no compaction completes its view before.
    pub fn resume_limit(&self) -> ResumeLimit {
        resume_limit(&self.settings)
    }
}

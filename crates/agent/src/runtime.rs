//! The dependencies of a turn, assembled once when the program starts.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use base::{Clock, Day, Disk, HomeLayout, Invocation, Origin, Timestamp, TokenCount, Tz, day};
use compaction::{Budget, Scale, WindowSettings};
use memory::candidates::{Access, MemoryTxn, MemoryTxnError};
use memory::{FileError, Workspace};
use session::{Meta, ReadError, ResumeLimit, SessionName, SessionStore, View};

use crate::forgotten_words::{ForgottenCache, ForgottenWords};
use crate::hooks::Hooks;
use crate::jobs::slots::{JobExecution, Jobs};
use crate::knowledge::index::Knowledge;
use crate::knowledge::replaced::{ReplacedCache, ReplacedValues};
use crate::known_window::KnownWindow;
use crate::metered::Statistics;
use crate::models::Models;
use crate::sandbox::Sandbox;
use crate::take::NO_VIEW;
use crate::tools::access::ToolAccess;
use crate::writers::summarise::Writers;

/// How many windows of stored text one window of shown text may cover: large messages are shown as head and tail, and
/// old tool results as a placeholder.
const WINDOWS_READ_MAX: u64 = 8;

/// Time limit of a model that writes notes alongside a chat.
const BESIDE_MAX: Duration = Duration::from_mins(3);

/// The session that sees the owner's private memory.
pub const PRIMARY_SESSION: &str = "main";

/// Default token budget of recalled passages in a request.
pub const RECALL_BUDGET: TokenCount = TokenCount(800);

/// The dependencies of a turn.
#[derive(Debug, Clone)]
pub struct Runtime {
    /// The owner's files, the transcripts and the time.
    pub home: HomeAccess,
    /// The models and their context window.
    pub engine: ChatEngine,
    /// What a turn may recall and forget.
    pub memory: MemoryAccess,
    /// Background jobs of this process.
    pub jobs: Arc<Jobs>,
    /// Tools other than those of memory.
    pub tools: ToolAccess,
    /// Set if nothing may be written to disk.
    pub sandbox: Option<Sandbox>,
    /// The owner's commands that run before and after a compaction.
    pub hooks: Option<Arc<dyn Hooks>>,
    /// How long a message waits for its turn while another turn holds the session.
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
    /// The invocation that names this home in commands for the owner to type.
    pub invocation: Invocation,
    /// The values that `MEMORY.md` no longer states, as last read.
    replaced: Arc<ReplacedCache>,
    /// What the owner had forgotten of a session, as last read.
    forgotten: Arc<ForgottenCache>,
    /// For a home as it was: the home as it is now, with the tombstones of everything that was forgotten since.
    present: Option<Arc<Self>>,
}

impl HomeAccess {
    /// A home with these transcripts and files.
    pub fn new(
        (clock, timezone): (Arc<dyn Clock>, Tz),
        sessions: SessionStore,
        workspace: Arc<Workspace>,
    ) -> Self {
        Self {
            clock,
            timezone,
            sessions,
            workspace,
            invocation: Invocation::default(),
            replaced: Arc::default(),
            forgotten: Arc::default(),
            present: None,
        }
    }

    /// The home as it was, with these transcripts and files.
    pub(crate) fn in_past(
        &self,
        clock: Arc<dyn Clock>,
        sessions: SessionStore,
        workspace: Workspace,
    ) -> Self {
        let past = Self::new((clock, self.timezone), sessions, Arc::new(workspace));
        Self {
            present: Some(Arc::new(self.clone())),
            ..past.called(self.invocation.clone())
        }
    }

    /// The same, named like this in the commands that the owner is given to type.
    #[must_use]
    pub fn called(mut self, invocation: Invocation) -> Self {
        self.invocation = invocation;
        self
    }

    /// The same with other files of the owner.
    #[must_use]
    pub(crate) fn with_workspace(&self, workspace: Workspace) -> Self {
        let at = (Arc::clone(&self.clock), self.timezone);
        Self::new(at, self.sessions.clone(), Arc::new(workspace)).called(self.invocation.clone())
    }

    /// The values that `MEMORY.md` no longer states; read again only after a change.
    pub(crate) fn replaced(&self) -> Arc<ReplacedValues> {
        self.replaced.values(&self.workspace, self.timezone)
    }

    /// What the owner had forgotten of a session; read again only after a forget.
    ///
    /// # Errors
    ///
    /// The tombstones or the session cannot be read: it is then unknown what is forgotten.
    pub fn forgotten_words<E: From<FileError> + From<ReadError>>(
        &self,
        name: &SessionName,
    ) -> Result<Arc<ForgottenWords>, E> {
        if let Some(present) = &self.present {
            return present.forgotten_words(name);
        }
        self.forgotten
            .words((&self.sessions, &self.workspace), name)
    }

    /// Opens the home with this layout on `disk`.
    pub fn open(
        disk: &Arc<dyn Disk>,
        layout: &HomeLayout,
        clock: Arc<dyn Clock>,
        timezone: Tz,
    ) -> Self {
        let workspace = Workspace::new(Arc::clone(disk), layout.clone());
        let sessions = SessionStore::new(Arc::clone(disk), Arc::clone(&clock), layout.clone());
        Self::new((clock, timezone), sessions, Arc::new(workspace))
    }

    /// Opens long-term memory and the candidates in their current state.
    ///
    /// # Errors
    ///
    /// [`MemoryTxnError`] if a file cannot be read, or a review cannot be taken in.
    pub fn desk(&self, access: Access) -> Result<MemoryTxn<'_>, MemoryTxnError> {
        MemoryTxn::open(&self.workspace, self.clock.now(), access)
    }
}

/// The models and their context window.
#[derive(Debug, Clone)]
pub struct ChatEngine {
    /// The models, by purpose.
    pub models: Models,
    /// The owner's settings of the window.
    pub settings: WindowSettings,
    /// Window sizes learned from refused requests.
    pub known_window: Arc<KnownWindow>,
    /// Token counts of this process's replies.
    pub statistics: Arc<Statistics>,
}

/// What a turn may recall and forget.
#[derive(Debug, Clone)]
pub struct MemoryAccess {
    /// The searchable memory; `None` turns recall off, as in a replay.
    pub knowledge: Option<Arc<Knowledge>>,
    /// Token limit of recalled passages in a request.
    pub recall_budget: TokenCount,
    /// Which sessions see the owner's private memory.
    pub private_sessions: PrivateSessions,
}

/// Which sessions see the owner's private memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PrivateSessions {
    /// Only [`PRIMARY_SESSION`].
    Primary,
    /// Only [`PRIMARY_SESSION`], and every other session that is talked in records that others talk in it.
    Isolated,
    /// All: only the owner speaks here.
    All,
}

/// Limit of how far back a session is read under these settings.
pub fn resume_limit(settings: &WindowSettings) -> ResumeLimit {
    let window = settings.context_window.0;
    ResumeLimit {
        tokens: TokenCount(window.saturating_mul(WINDOWS_READ_MAX)),
    }
}

impl Runtime {
    /// A runtime without recall, background jobs, hooks, or a wait for busy sessions.
    pub fn new(home: HomeAccess, models: Models, settings: WindowSettings) -> Self {
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
                private_sessions: PrivateSessions::Primary,
            },
            jobs: Arc::new(Jobs::never()),
            tools: ToolAccess::default(),
            sandbox: None,
            hooks: None,
            turn_timeout: Duration::ZERO,
        }
    }

    /// A copy for background work: no recall, no jobs of its own.
    #[must_use]
    pub fn beside(&self) -> Self {
        Self {
            engine: ChatEngine {
                statistics: Arc::default(),
                ..self.engine.clone()
            },
            memory: MemoryAccess {
                knowledge: None,
                ..self.memory.clone()
            },
            jobs: Arc::new(Jobs::new(JobExecution::Inline, BESIDE_MAX)),
            tools: ToolAccess::default(),
            ..self.clone()
        }
    }

    /// Whether this session sees the owner's private memory. Other people may talk in any other session.
    pub fn is_primary(&self, name: &SessionName) -> bool {
        self.memory.private_sessions == PrivateSessions::All || name.as_str() == PRIMARY_SESSION
    }

    /// Who answers for the messages of the person in this session.
    pub(crate) fn speaker(&self, name: &SessionName) -> Origin {
        if self.is_primary(name) {
            Origin::Owner
        } else {
            Origin::Untrusted
        }
    }

    /// The runtime for a session in this state: an isolated session stays isolated, regardless of who opens it.
    #[must_use]
    pub fn for_session(&self, state: &Meta) -> Cow<'_, Self> {
        if !state.is_isolated || self.memory.private_sessions == PrivateSessions::Isolated {
            return Cow::Borrowed(self);
        }
        let mut isolated = self.clone();
        isolated.memory.private_sessions = PrivateSessions::Isolated;
        Cow::Owned(isolated)
    }

    /// The runtime for this session, as its transcript says who talks in it.
    ///
    /// # Errors
    ///
    /// [`ReadError`] if the transcript cannot be read.
    pub fn entering(self, name: &SessionName) -> Result<Self, ReadError> {
        match self.home.sessions.read(name, NO_VIEW) {
            Ok(read) => Ok(self.for_session(&read.state).into_owned()),
            Err(ReadError::NotFound(..) | ReadError::NotBegun(..)) => Ok(self),
            Err(error) => Err(error),
        }
    }

    /// Limit of how far back a session is read, unless a compaction completes its view earlier.
    pub fn resume_limit(&self) -> ResumeLimit {
        resume_limit(&self.engine.settings)
    }

    /// The writers of notes and summaries of a view.
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
    /// Today in the owner's time zone.
    pub fn today(&self) -> Day {
        self.day(self.clock.now())
    }

    /// The owner's day at an instant.
    pub(crate) fn day(&self, at: Timestamp) -> Day {
        day(at, self.timezone)
    }
}

impl ChatEngine {
    /// The owner's settings, with the window capped at the size learned from refusals.
    pub fn settings_in_force(&self) -> WindowSettings {
        let model = self.models.primary.profile().name;
        WindowSettings {
            context_window: self.known_window.of(&model, self.settings.context_window),
            ..self.settings.clone()
        }
    }

    /// The budget before a provider has reported any token counts.
    pub fn budget(&self) -> Budget {
        Budget::new(&self.settings_in_force())
    }

    /// The provider's tokens per estimated token, as learned from the replies in a view.
    pub(crate) fn scale(&self, view: &View) -> Scale {
        if self.models.is_offline() {
            Scale::ONE
        } else {
            Scale::learned(view)
        }
    }
}

//! Puts a request together and counts it as a whole.
//!
//! Reads the workspace and the view; writes nothing.

use base::model::{Purpose, Request};
use base::{Block, Message, TokenCount, day, estimate_text};
use compaction::{Budget, ContextUsage, Shown, show};
use memory::{Audience, WorkspaceError};
use session::{SessionName, View};

use super::{prefix, suffix};
use crate::Runtime;

/// The one session that sees what the owner keeps for themselves.
const PRIMARY_SESSION: &str = "main";

/// The part of the window that the recent logs may take: a sixteenth, and never more than this.
const LOGS_MAX: TokenCount = TokenCount(4_000);
const LOGS_WINDOW_PART: u64 = 16;

/// A request before it is sent, with its count.
#[derive(Debug, Clone, PartialEq)]
pub struct Context {
    /// The system prompt.
    pub system: String,
    /// What is shown of the conversation.
    pub shown: Shown,
    /// What is added for this request alone.
    pub suffix: String,
    /// Tokens of all of it.
    pub usage: ContextUsage,
    /// How the window is shared out.
    pub budget: Budget,
}

/// Shows a view with all that stands around it.
///
/// Memory files and logs are shown to the primary session alone.
///
/// # Errors
///
/// [`WorkspaceError`] where a workspace file cannot be read.
pub fn assemble(
    runtime: &Runtime,
    name: &SessionName,
    view: &View,
) -> Result<Context, WorkspaceError> {
    let budget = runtime.budget();
    let is_primary = name.as_str() == PRIMARY_SESSION;
    let mut files = runtime.workspace.prompt_files()?;
    files.retain(|file| is_primary || file.audience == Audience::EverySession);
    let system = prefix::render(&files);
    let now = runtime.clock.now();
    let logs = if is_primary {
        recent_logs(runtime, &budget)?
    } else {
        String::new()
    };
    let suffix = suffix::render(now, runtime.timezone, &logs);
    let shown = show(view, &runtime.settings, &budget);
    let usage = ContextUsage {
        prefix: estimate_text(&system),
        items: shown.tokens,
        suffix: estimate_text(&suffix),
    };
    Ok(Context {
        system,
        shown,
        suffix,
        usage,
        budget,
    })
}

fn recent_logs(runtime: &Runtime, budget: &Budget) -> Result<String, WorkspaceError> {
    let share = TokenCount(budget.window.0 / LOGS_WINDOW_PART).min(LOGS_MAX);
    let today = day(runtime.clock.now(), runtime.timezone);
    let logs = runtime.workspace.recent_logs(today, share)?;
    Ok(logs
        .into_iter()
        .map(|log| log.text)
        .collect::<Vec<_>>()
        .join("\n\n"))
}

impl Context {
    /// The whole request in tokens: the number that trigger, cut and effect check use.
    pub fn tokens(&self) -> TokenCount {
        self.usage.total()
    }

    /// The request for a reply; the suffix stands at the end of the newest user message.
    pub fn to_request(&self) -> Request {
        let mut messages = self.shown.messages();
        let newest = messages
            .iter_mut()
            .rfind(|it| matches!(it, Message::User { .. }));
        match newest {
            Some(message) => message.content_mut().push(Block::Text(self.suffix.clone())),
            None => messages.push(Message::user(self.suffix.clone())),
        }
        Request {
            purpose: Purpose::Chat,
            system: self.system.clone(),
            messages,
            excerpts: Vec::new(),
            tools: Vec::new(),
            output_max: self.output_max(),
        }
    }

    /// What the window has left for the reply where that is less than the reserve.
    fn output_max(&self) -> TokenCount {
        let left = self.budget.window.saturating_sub(self.tokens());
        self.budget.reserve.min(left)
    }
}

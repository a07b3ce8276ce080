//! Assembles a request and counts it as a whole. Writes nothing.

use std::sync::Arc;

use base::model::{
    ExtractorInput, Listing, Model, Purpose, ReplyFormat, Request, Sampling, ToolSpec,
};
use base::{Block, Message, TokenCount, estimate_text};
use compaction::{Budget, ContextUsage, Scale, Shown, WindowSettings, shorten_results, show};
use memory::{Audience, FileError, PromptFile, RecentLog};
use search::{SearchResult, Source};
use session::{SessionName, View};

use super::parts::{PromptPart, joined};
use super::prefix::Recalls;
use super::suffix::{Volatile, pauses};
use super::{prefix, suffix};
use crate::client::conversation::ClientConversation;
use crate::error::TurnError;
use crate::heartbeat::{CHECK_FILE, asks_for_check};
use crate::knowledge::said_by_memory::SaidByMemory;
use crate::knowledge::worth::{IN_CHAT, worth_showing};
use crate::models::Models;
use crate::runtime::Runtime;
use crate::tools::{spec, toolbox};
use crate::turn::recall::{self, Recall};

/// Limit of the recent logs, besides the window divided by [`LOGS_WINDOW_PART`].
const LOGS_MAX: TokenCount = TokenCount(4_000);
const LOGS_WINDOW_PART: u64 = 16;

/// A request to send, with its token counts.
#[derive(Debug, Clone, PartialEq)]
pub struct RequestContext {
    /// The system prompt.
    pub system: String,
    /// The tools that the reply may call.
    pub tools: Vec<ToolSpec>,
    /// The conversation as shown to the model.
    pub shown: Shown,
    /// Text for this request only.
    pub suffix: String,
    /// The recalled passages that it shows.
    pub(crate) recalled: Vec<SearchResult>,
    /// Recalled passages for the offline engine.
    pub evidence: ExtractorInput,
    /// Token counts of the whole request.
    pub usage: ContextUsage,
    /// The budget, in estimated tokens like all counts here.
    pub budget: Budget,
    /// The window, in the provider's tokens and as the owner set it.
    pub window: TokenCount,
    /// The size at which compaction begins, in the provider's tokens and as the owner set it.
    pub threshold: TokenCount,
    /// The provider's tokens per estimated token.
    pub scale: Scale,
    /// The owner's list of what to look at, if the newest message asks for a health check.
    pub(crate) check: Option<String>,
    /// Workspace files and logs that are shown only in part.
    pub cut_files: Vec<String>,
    pub(super) prefix_parts: Vec<PromptPart>,
    pub(crate) suffix_parts: Vec<PromptPart>,
    client: Option<Arc<ClientConversation>>,
}

/// Assembles the request for a view without what the owner had forgotten, and without recall.
///
/// Only sessions that see private memory get the memory files and logs.
pub fn assemble(
    runtime: &Runtime,
    name: &SessionName,
    view: &View,
) -> Result<RequestContext, TurnError> {
    assemble_with(runtime, name, view, &RequestExtras::default())
}

/// Inputs of a request besides the view.
#[derive(Debug, Clone, Default)]
pub(crate) struct RequestExtras {
    /// Passages recalled for the newest message.
    pub(crate) recall: Recall,
    /// The suffix of the turn, once its first request is answered: it stays the same, so that what the tools find or
    /// note changes nothing before it.
    pub(crate) suffix: Option<Vec<PromptPart>>,
    /// The window assumed since the provider refused a request as too large.
    pub(crate) window_max: Option<TokenCount>,
    /// Limit of each tool result, set if a smaller window did not help.
    pub(crate) results_max: Option<TokenCount>,
    /// The list from memory that answers the newest message, for an engine that only quotes.
    pub(crate) listing: Option<Listing>,
    /// The conversation of a client that keeps it itself, with its settings.
    pub(crate) client: Option<Arc<ClientConversation>>,
}

impl RequestExtras {
    /// A client's settings, without recall.
    pub(crate) fn of_client(client: Option<Arc<ClientConversation>>) -> Self {
        Self {
            client,
            ..Self::default()
        }
    }
}

/// Assembles the request for a view with recalled passages and other extras.
///
/// Scales the window, instead of the counts, by the provider's counts for earlier requests, so that trigger, cut and
/// effect check all use estimated tokens.
pub(crate) fn assemble_with(
    runtime: &Runtime,
    name: &SessionName,
    view: &View,
    extras: &RequestExtras,
) -> Result<RequestContext, TurnError> {
    let forgotten = runtime.home.forgotten_words::<TurnError>(name)?;
    assemble_shown(runtime, name, &forgotten.view_without(view), extras)
}

/// Assembles the request for a view that is shown as it is.
fn assemble_shown(
    runtime: &Runtime,
    name: &SessionName,
    view: &View,
    extras: &RequestExtras,
) -> Result<RequestContext, TurnError> {
    let recall = &extras.recall;
    let scale = runtime.engine.scale(view);
    let in_force = runtime.engine.settings_in_force();
    let mut settings = scale.settings(&in_force);
    if let Some(max) = extras.window_max {
        settings.context_window = settings.context_window.min(max);
    }
    let budget = Budget::new(&settings);
    let (window, threshold) = as_set(&in_force, &budget, scale, extras);
    let is_primary = runtime.is_primary(name);
    let (files, check) = shown_files(runtime, name, view)?;
    let recalls = if is_primary || runtime.memory.knowledge.is_some() {
        Recalls::Something
    } else {
        Recalls::Nothing
    };
    let client = extras.client.as_deref();
    let prefix_parts = prefix_of(&files, recalls, client);
    let system = joined(&prefix_parts);
    let said = SaidByMemory::in_text(&system, &runtime.home.workspace);
    let logs = is_primary.then(|| recent_logs(runtime, &budget, &said));
    let logs = logs.transpose()?.unwrap_or_default();
    let cut_files = cut_names(&files, &logs);
    let mut shown = show(view, &settings, &budget);
    if let Some(max) = extras.results_max {
        shorten_results(&mut shown, max);
    }
    let now = runtime.home.clock.now();
    let recalled = not_shown(recall, (&system, &said), &logs, &shown);
    let suffix_parts = extras.suffix.clone().unwrap_or_else(|| {
        suffix::parts(&Volatile {
            now,
            timezone: runtime.home.timezone,
            pauses: pauses(&view.items),
            logs: &logs,
            passages: &recalled,
            span: recall.span,
            reach: recall.reach,
        })
    });
    let suffix = joined(&suffix_parts);
    let tools = offered(runtime, name, client);
    let usage = ContextUsage {
        prefix: estimate_text(&system) + declared_tokens(&tools, client),
        items: shown.tokens,
        suffix: estimate_text(&suffix),
    };
    Ok(RequestContext {
        system,
        tools,
        shown,
        suffix,
        recalled,
        evidence: ExtractorInput {
            excerpts: recall.excerpts(now, runtime.home.timezone),
            reach: recall.reach,
            spellings: recall.spellings.clone(),
            listing: extras.listing.clone(),
        },
        usage,
        budget,
        window,
        threshold,
        scale,
        check,
        cut_files,
        prefix_parts,
        suffix_parts,
        client: extras.client.clone(),
    })
}

/// The files that a session sees, and the text of the check file if the newest message asks for it.
fn shown_files(
    runtime: &Runtime,
    name: &SessionName,
    view: &View,
) -> Result<(Vec<PromptFile>, Option<String>), FileError> {
    let is_primary = runtime.is_primary(name);
    let mut files = runtime.home.workspace.prompt_files()?;
    files.retain(|file| is_primary || file.audience == Audience::EverySession);
    // Show the check file only if the newest message asks for it, to save its tokens otherwise.
    files
        .retain(|file| file.name.as_str() != CHECK_FILE || asks_for_check(&view.items, &file.text));
    let check = files.iter().find(|file| file.name.as_str() == CHECK_FILE);
    let check = check.map(|file| file.text.clone());
    Ok((files, check))
}

/// The window and the threshold in the provider's tokens: exactly as the owner set them, unless the provider
/// refused that window or the threshold is one of estimated tokens.
fn as_set(
    in_force: &WindowSettings,
    budget: &Budget,
    scale: Scale,
    extras: &RequestExtras,
) -> (TokenCount, TokenCount) {
    let own = Budget::new(in_force);
    let scaled = |tokens| scale.to_provider(tokens);
    match extras.window_max {
        Some(_) => (scaled(budget.window), scaled(budget.threshold())),
        None if budget.strategy.has_estimated_threshold() => {
            (own.window, scaled(budget.threshold()))
        }
        None => (own.window, own.threshold()),
    }
}

/// The names of files and logs that are shown only in part.
fn cut_names(files: &[PromptFile], logs: &[RecentLog]) -> Vec<String> {
    let cut = files.iter().filter(|file| file.is_cut);
    let cut = cut.map(|file| &file.name);
    let cut_logs = logs.iter().filter(|log| log.is_cut).map(|log| &log.name);
    cut.chain(cut_logs).map(ToString::to_string).collect()
}

/// Size of the tools and the reply format in a request.
fn declared_tokens(tools: &[ToolSpec], client: Option<&ClientConversation>) -> TokenCount {
    let format = client.map_or(TokenCount::ZERO, ClientConversation::format_tokens);
    spec::tokens(tools) + format
}

/// The parts of the system prompt, with that of a client.
fn prefix_of(
    files: &[PromptFile],
    recalls: Recalls,
    client: Option<&ClientConversation>,
) -> Vec<PromptPart> {
    let mut parts = prefix::parts(files, recalls);
    parts.extend(client.and_then(part_of));
    parts
}

fn part_of(client: &ClientConversation) -> Option<PromptPart> {
    let text = client.text()?;
    let name = "client".to_owned();
    Some(PromptPart { name, text })
}

/// The tools that the reply may call; no client tools for a model that only quotes, since it calls none.
fn offered(
    runtime: &Runtime,
    name: &SessionName,
    client: Option<&ClientConversation>,
) -> Vec<ToolSpec> {
    let own = toolbox::specs(runtime, name);
    let calls = !runtime.engine.models.primary.profile().only_quotes;
    match client.filter(|_| calls) {
        Some(client) => client.offer(own),
        None => own,
    }
}

/// The latest daily logs, without what lines of memory in the same request say.
fn recent_logs(
    runtime: &Runtime,
    budget: &Budget,
    said: &SaidByMemory<'_>,
) -> Result<Vec<RecentLog>, FileError> {
    let home = &runtime.home;
    let share = TokenCount(budget.window.0 / LOGS_WINDOW_PART).min(LOGS_MAX);
    let mut logs = home.workspace.recent_logs(home.today(), share)?;
    if !logs.is_empty() {
        let replaced = runtime.home.replaced();
        for log in &mut logs {
            replaced.mark_log(log);
            said.remove_from(log);
        }
        logs.retain(RecentLog::has_text);
    }
    Ok(logs)
}

/// The recalled passages that are worth showing and that the request does not already show.
fn not_shown(
    recall: &Recall,
    (system, said): (&str, &SaidByMemory<'_>),
    logs: &[RecentLog],
    shown: &Shown,
) -> Vec<SearchResult> {
    if recall.found.is_empty() {
        return Vec::new();
    }
    let is_shown = |passage: &SearchResult| {
        let stands = match passage.source {
            Source::Memory => {
                let text = recall::shown_text(passage);
                system.contains(&*text) || logs.iter().any(|log| log.text.contains(&*text))
            }
            Source::Session => recall::shows(&shown.items, &passage.text),
        };
        stands || said.say(passage)
    };
    worth_showing(&recall.found, IN_CHAT, recall.budget, &is_shown)
}

impl RequestContext {
    /// Size of the whole request in estimated tokens, as trigger, cut and effect check use it.
    pub fn tokens(&self) -> TokenCount {
        self.usage.total()
    }

    /// Converts estimated tokens to the provider's, which are shown to people.
    pub fn to_provider(&self, estimate: TokenCount) -> TokenCount {
        self.scale.to_provider(estimate)
    }

    /// Builds the request; appends the suffix to the newest user message.
    pub fn to_request(&self) -> Request {
        let mut messages = self.shown.messages();
        let mut questions = messages
            .iter_mut()
            .filter(|it| matches!(it, Message::User { .. }));
        match questions.next_back() {
            Some(message) => message.content_mut().push(Block::Text(self.suffix.clone())),
            None => messages.push(Message::user(self.suffix.clone())),
        }
        // Providers refuse empty messages, such as a reply that was aborted before its first word.
        messages.retain(|it| !matches!(it, Message::Assistant(reply) if reply.content.is_empty()));
        Request {
            purpose: Purpose::Chat,
            system: self.system.clone(),
            messages,
            tools: self.tools.clone(),
            format: self.format().cloned(),
            output_max: self.output_max(),
            sampling: self
                .client
                .as_ref()
                .map_or(Sampling::Usual, |it| it.sampling),
        }
    }

    /// The models that may answer, in order. The offline engine cannot follow a reply format.
    pub(crate) fn answering<'m>(
        &self,
        models: &'m Models,
    ) -> impl Iterator<Item = &'m Arc<dyn Model>> {
        let has_form = self.format().is_some();
        let models = models.answering();
        models.filter(move |model| !has_form || !model.profile().only_quotes)
    }

    /// The reply format that a client asked for.
    fn format(&self) -> Option<&ReplyFormat> {
        self.client.as_ref()?.format.as_ref()
    }

    /// The reply limit: the reserve or the room left in the window, capped at the client's limit.
    fn output_max(&self) -> TokenCount {
        let left = self.budget.window.saturating_sub(self.tokens());
        let room = self.to_provider(self.budget.reserve.min(left));
        let wanted = self.client.as_ref().and_then(|client| client.output_max);
        wanted.map_or(room, |wanted| wanted.min(room))
    }
}

#[cfg(test)]
#[path = "assemble_tests.rs"]
mod tests;

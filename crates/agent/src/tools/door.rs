//! Memory for other programs: the tools of a chat, with the same origins, redaction and locks.
//!
//! Does not depend on a protocol. Text that a program writes has the origin `agent`, never `owner`.

use std::fmt::Debug;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use base::{Locator, LocatorError, TokenCount, counted, redact};
use memory::graph::GraphStore;
use memory::{FileLines, FileLinesError, Workspace, WorkspacePath};
use search::{Nearest, SearchOptions, SearchResult};
use serde::Deserialize;
use serde_json::json;

use super::answer::ToolReply;
use super::memory_search::{MemoryQuestion, unsearchable};
use super::{memory_get, memory_search, remember, session_expand};
use crate::fence::fenced_memory;
use crate::knowledge::index::Knowledge;
use crate::knowledge::said_by_memory::SaidByMemory;
use crate::knowledge::scope::{Repository, Viewer};
use crate::knowledge::session_source::SessionSource;
use crate::knowledge::worth::{FOR_PROGRAMS, worth_showing};
use crate::ops::{
    About, AddNote, AlreadyDecided, CandidateReply, Decide, DreamDecision, ExpandSession, Forget,
    ForgetPlanReply, Get, ListCandidates, OpContext, OpError, Operation, PlanForget, Search,
    SearchSource, ShowCandidate,
};
use crate::runtime::Runtime;
use crate::turn::recall::{self, FOUND_MAX};

/// Token limit of `MEMORY.md` at the beginning of a conversation.
const STANDING_MAX: TokenCount = TokenCount(1_000);

/// Limit of passages that one request forgets.
const FORGOTTEN_MAX: usize = 5;

/// Access to memory for another program.
#[derive(Debug)]
pub struct Door {
    runtime: Runtime,
    knowledge: Arc<Knowledge>,
    viewer: Viewer,
    /// Finds the repositories of the directories that a client works in.
    repositories: Option<Arc<dyn Repositories>>,
    pub(super) graph: GraphStore,
}

/// Finds the repository of a directory on this machine.
pub trait Repositories: Debug + Send + Sync {
    /// The repository; `None` if the directory is in none.
    fn at(&self, directory: &Path) -> Option<Repository>;
}

/// A plan that awaits consent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ForgetOffer {
    /// Identifies the plan.
    pub token: String,
    /// The question to the owner, with the passages.
    pub question: String,
    /// The passages for a model, each in a fence that names its place.
    pub plan: String,
}

/// A decision about a candidate that awaits consent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReviewOffer {
    /// The question to the owner.
    pub question: String,
    /// The command with which the owner decides the same.
    pub command: String,
}

/// A reminder that awaits consent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PromiseOffer {
    /// The question to the owner.
    pub question: String,
    /// The command with which the owner sets the same.
    pub command: String,
}

/// What a program proposes to the owner about a candidate.
#[derive(Debug, Clone, Deserialize)]
pub struct ReviewCandidate {
    id: String,
    decision: Verdict,
}

/// The verdicts that a program may propose: only those that the owner's answer covers.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Verdict {
    Accept,
    Reject,
}

impl From<Verdict> for DreamDecision {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Accept => Self::Accept,
            Verdict::Reject => Self::Reject,
        }
    }
}

/// A passage to fetch, by the id that a search gave it.
#[derive(Debug, Clone, Deserialize)]
pub struct FetchPlace {
    id: String,
}

impl Door {
    /// Opens memory for a program that works in the repository `here`, or in none; conversations of other
    /// repositories are hidden from it.
    pub fn new(runtime: Runtime, knowledge: Arc<Knowledge>, here: Option<Repository>) -> Self {
        Self {
            graph: GraphStore::new(Arc::clone(&runtime.home.workspace)),
            runtime,
            knowledge,
            viewer: Viewer::Program(here),
            repositories: None,
        }
    }

    /// Lets a client name the directories that it works in.
    #[must_use]
    pub fn finding(mut self, repositories: Option<Arc<dyn Repositories>>) -> Self {
        self.repositories = repositories;
        self
    }

    /// Memory for a client that works in these directories: in the repository of the first that is in one. `None` if
    /// that makes no difference.
    pub fn in_directories(&self, directories: &[PathBuf]) -> Option<Self> {
        let repositories = self.repositories.as_ref()?;
        if directories.is_empty() {
            return None;
        }
        let here = directories.iter().find_map(|it| repositories.at(it));
        let door = Self::new(self.runtime.beside(), Arc::clone(&self.knowledge), here);
        Some(door.finding(Some(Arc::clone(repositories))))
    }

    pub(super) fn runtime(&self) -> &Runtime {
        &self.runtime
    }

    pub(super) fn viewer(&self) -> &Viewer {
        &self.viewer
    }

    /// The owner's files.
    pub fn workspace(&self) -> &Workspace {
        &self.runtime.home.workspace
    }

    /// The context of an operation that the program asks for.
    pub fn context(&self) -> OpContext<'_> {
        let Runtime { home, engine, .. } = &self.runtime;
        OpContext::new(home, &engine.settings, &*self.knowledge, &self.viewer)
    }

    /// A command with these arguments for the owner to type.
    pub fn command(&self, arguments: &str) -> String {
        self.runtime.home.invocation.command(arguments)
    }

    /// Whether nothing may be written.
    pub fn is_read_only(&self) -> bool {
        self.runtime.sandbox.is_some()
    }

    /// Searches notes and conversations.
    pub fn search(&self, question: MemoryQuestion) -> ToolReply {
        memory_search::search_memory(question.into(), None, &self.context())
    }

    /// Searches conversations only.
    pub fn search_sessions(&self, question: MemoryQuestion) -> ToolReply {
        let search = Search {
            source: Some(SearchSource::Session),
            ..question.into()
        };
        memory_search::search_memory(search, None, &self.context())
    }

    /// Returns lines of a note, or messages of a conversation.
    pub fn get(&self, get: Get) -> ToolReply {
        memory_get::get_lines(get, &self.context())
    }

    /// Returns the messages that a summary replaced.
    pub fn expand(&self, expand: ExpandSession) -> ToolReply {
        session_expand::expand_session(expand, &self.context())
    }

    /// Writes a note into today's log, scoped to the program's repository.
    pub fn remember(&self, note: AddNote) -> ToolReply {
        remember::add_note(note, &self.context())
    }

    /// What memory says about the owner, as Markdown.
    pub fn about(&self) -> ToolReply {
        let reply = About::default().run(&self.context());
        let reply = reply.map_err(|error| format!("Memory cannot be read: {error}."))?;
        let mut lines = vec!["# About the owner".to_owned()];
        let mut theme = "";
        for line in &reply.lines {
            if line.theme != theme {
                theme = &line.theme;
                lines.push(format!("\n## {theme}\n"));
            }
            lines.push(format!("- {} ({})", line.text, line.place));
        }
        if reply.lines.is_empty() {
            lines.push("\nNothing is known yet.".to_owned());
        }
        Ok(lines.join("\n"))
    }

    /// Lists the candidates that wait for review.
    pub fn candidates(&self) -> ToolReply {
        let reply = ListCandidates::default().run(&self.context());
        let reply = reply.map_err(|error| format!("Candidates cannot be read: {error}."))?;
        let lines: Vec<String> = reply.candidates.iter().map(in_words).collect();
        if lines.is_empty() {
            return Ok("No candidates are waiting.".to_owned());
        }
        Ok(lines.join("\n"))
    }

    /// The question to the owner about a candidate that a program wants decided; changes nothing.
    pub fn plan_review(&self, review: &ReviewCandidate) -> Result<ReviewOffer, String> {
        let ReviewCandidate { id, decision } = review;
        let request = ShowCandidate {
            id: id.clone(),
            explain: false,
        };
        let own = request.run(&self.context());
        let own = own.map_err(|error| format!("{error}."))?;
        if !own.is_waiting() {
            return Err(format!("{} is already {}.", own.id, own.status));
        }
        let (question, verb) = match decision {
            Verdict::Accept => ("Keep this in MEMORY.md?", "accept"),
            Verdict::Reject => ("Reject this for good?", "reject"),
        };
        Ok(ReviewOffer {
            question: format!("{question}\n{}", in_words(&own)),
            command: self.command(&format!("dream {verb} {}", own.id)),
        })
    }

    /// Applies a decision on a candidate. Call it only once the owner has agreed.
    pub fn review(&self, review: ReviewCandidate) -> ToolReply {
        let ReviewCandidate { id, decision } = review;
        let done = Decide::about(id, decision.into()).run(&self.context());
        let done = done.map_err(|error| format!("The decision failed: {error}."))?;
        if let Some(AlreadyDecided { id, status }) = done.already.first() {
            return Err(format!("{id} is already {status}."));
        }
        let word = match decision {
            Verdict::Accept => "is now in MEMORY.md",
            Verdict::Reject => "is rejected for good",
        };
        let decided = done.ids.iter().zip(&done.findings);
        let told = decided.map(|(id, finding)| format!("{id} {word}: {}", redact(finding)));
        Ok(told.collect::<Vec<_>>().join("\n"))
    }

    /// Plans a forgetting; `None` if nothing matches.
    pub fn plan_forgetting(&self, what: &str) -> Result<Option<ForgetOffer>, String> {
        let request = PlanForget {
            what: what.to_owned(),
            limit: Some(FORGOTTEN_MAX),
            // The owner is shown these lines.
            remove_own_lines: true,
            ..PlanForget::default()
        };
        let plan = request.run(&self.context());
        let plan = plan.map_err(|error| format!("Nothing can be forgotten now: {error}."))?;
        Ok(plan.token.clone().map(|token| ForgetOffer {
            token,
            question: in_question(&plan),
            plan: super::forget::shown(&plan.items, plan.more),
        }))
    }

    /// Carries out a plan. Call it only once the owner has agreed.
    pub fn forget(&self, token: &str) -> ToolReply {
        let request = Forget {
            token: token.to_owned(),
            ..Forget::default()
        };
        match request.run(&self.context()) {
            Ok(done) => Ok(format!("It is forgotten; `{}` restores it.", done.undo)),
            Err(OpError::NoPlan) => {
                Err("No plan has this token: call forget with the words again.".to_owned())
            }
            Err(error) => Err(format!("It was not forgotten: {error}.")),
        }
    }

    /// Searches notes and conversations; returns JSON for clients that show results as links.
    pub fn search_places(&self, search: Search) -> ToolReply {
        let reply = search.run(&self.context()).map_err(unsearchable)?;
        let results: Vec<_> = reply.answer.results.iter().map(place_json).collect();
        Ok(json!({ "results": results }).to_string())
    }

    /// Returns a passage found by [`Door::search_places`], as JSON.
    pub fn fetch(&self, FetchPlace { id }: FetchPlace) -> ToolReply {
        let place: Locator = id
            .parse()
            .map_err(|error: LocatorError| format!("{error}."))?;
        let get = Get {
            path: id.clone(),
            ..Get::default()
        };
        let text = memory_get::get_lines(get, &self.context())?;
        let url = url_of(&id);
        Ok(json!({ "id": id, "title": place.path, "text": text, "url": url }).to_string())
    }

    /// Long-term memory for the beginning of a conversation; `None` if it is empty.
    pub fn standing_memory(&self) -> Result<Option<String>, String> {
        let workspace = &self.runtime.home.workspace;
        let held = memory_get::long_term_excerpt(&self.viewer, workspace, STANDING_MAX);
        let held = held.map_err(|error| format!("{error}."))?;
        Ok(held.map(|held| {
            let path = workspace.memory_path();
            let text = fenced_memory(path.as_str(), &held.text);
            format!("{text}{}", memory_get::more(held.n_lines, held.n_shown))
        }))
    }

    /// Returns a whole note.
    pub fn note(&self, path: &WorkspacePath) -> Result<FileLines, FileLinesError> {
        memory_get::lines_for(&self.viewer, &self.runtime.home.workspace, path, None)
    }

    /// Recalls passages for a program that answers a message in a conversation of its own, without what the conversation
    /// shows already; `None` if none surely bears on it.
    pub fn recalled(
        &self,
        message: &str,
        running: &dyn RunningConversation,
    ) -> Result<Option<String>, String> {
        let sessions = self.knowledge.sessions().paths();
        let sessions = sessions.map_err(|error| format!("Sessions cannot be listed: {error}."))?;
        let is_running = |path: &String| {
            SessionSource::name_of(path).is_some_and(|it| running.is_copy(it.as_str()))
        };
        let options = SearchOptions {
            limit: FOUND_MAX,
            is_message: true,
            nearest: Nearest::Always,
            hidden_documents: sessions.into_iter().filter(is_running).collect(),
            ..SearchOptions::default()
        };
        let knowledge = &self.knowledge;
        let answer = knowledge.search_as(&self.viewer, message, &options, &mut |_| {});
        let answer = answer.map_err(unsearchable)?;
        let workspace = &self.runtime.home.workspace;
        let memory = workspace.memory_path();
        // The program was shown it at the beginning of the conversation.
        let standing = self.standing_memory()?.unwrap_or_default();
        let said = SaidByMemory::in_text(&standing, workspace);
        let is_shown = |it: &SearchResult| {
            let text = recall::shown_text(it);
            it.path == memory.as_str() && standing.contains(&*text)
                || said.say(it)
                || running.shows(&text)
        };
        let budget = self.runtime.memory.recall_budget;
        let shown = worth_showing(&answer.results, FOR_PROGRAMS, budget, &is_shown);
        let parts = recall::rendered(&shown, answer.span);
        Ok((!parts.is_empty()).then(|| parts.join("\n")))
    }
}

/// A conversation of a program that calls a hook.
pub trait RunningConversation {
    /// Whether a session is a copy of it.
    fn is_copy(&self, session: &str) -> bool;

    /// Whether the model sees this text in it already.
    fn shows(&self, text: &str) -> bool;
}

/// The question to the owner about a plan.
fn in_question(plan: &ForgetPlanReply) -> String {
    let mut lines = vec!["Forget this?".to_owned()];
    lines.extend(plan.items.iter().map(|own| {
        let text = own.text.split_whitespace().collect::<Vec<_>>().join(" ");
        // Notes are items of lists.
        let text = text.strip_prefix("- ").unwrap_or(&text);
        format!("- {text} ({})", own.place())
    }));
    if plan.more > 0 {
        let more = counted(
            plan.more as u64,
            "more passage matches",
            "more passages match",
        );
        lines.push(format!("{more} and would stay."));
    }
    lines.join("\n")
}

fn in_words(own: &CandidateReply) -> String {
    let evidence = own.evidence.len();
    let because = own.because.as_deref().unwrap_or("the owner decides");
    format!(
        "{}: {} (for {}, from {}; evidence: {evidence}; waits because {because})",
        own.id, own.finding, own.section, own.day
    )
}

fn place_json(result: &SearchResult) -> serde_json::Value {
    let id = result.place().to_string();
    json!({ "id": id, "title": result.path, "text": redact(&result.text), "url": url_of(&id) })
}

fn url_of(id: &str) -> String {
    format!("openclaw:///{id}")
}

#[cfg(test)]
#[path = "door_tests.rs"]
mod tests;

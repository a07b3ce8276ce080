//! Memory for other programs: the tools of a chat, with the same origins, redaction and locks.
//!
//! Knows no protocol. What a program writes has the agent as its origin, never the owner.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use base::{EntryId, Locator, LocatorError, TokenCount, redact};
use memory::graph::GraphStore;
use memory::{
    FileLines, FileLinesError, ForgetPlan, OwnerLines, TextHash, Workspace, WorkspacePath,
};
use search::{Nearest, SearchOptions, SearchResult};
use serde::Deserialize;
use serde_json::json;

use super::answer::ToolReply;
use super::forget::places_of;
use super::memory_search::{MemoryQuestion, unsearchable};
use super::{memory_get, memory_search, remember, session_expand};
use crate::fence::fenced_memory;
use crate::knowledge::index::Knowledge;
use crate::knowledge::scope::{Repository, Viewer};
use crate::knowledge::session_source::SessionSource;
use crate::knowledge::worth::{FOR_PROGRAMS, worth_showing};
use crate::ops::{
    AddNote, AlreadyDecided, CandidateReply, Decide, DreamDecision, ExpandSession, Get,
    ListCandidates, OpContext, Operation, Search, SearchSource, ShowCandidate,
};
use crate::runtime::Runtime;
use crate::turn::recall::{self, FOUND_MAX};

/// Token limit of `MEMORY.md` at the beginning of a conversation.
const STANDING_MAX: TokenCount = TokenCount(1_000);

/// Limit of passages that one request forgets.
const FORGOTTEN_MAX: usize = 5;

/// Limit of plans that wait for the owner's consent; a further one evicts the oldest.
const PLANS_MAX: usize = 100;

/// Access to memory for another program.
#[derive(Debug)]
pub struct Door {
    runtime: Runtime,
    knowledge: Arc<Knowledge>,
    plans: Mutex<VecDeque<(String, ForgetPlan)>>,
    viewer: Viewer,
    pub(super) graph: GraphStore,
}

/// A plan that awaits consent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ForgetOffer {
    /// Identifies the plan.
    pub token: String,
    /// The passages to forget, each in a fence that names its place.
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

/// What a program proposes to the owner about a candidate.
#[derive(Debug, Clone, Deserialize)]
pub struct ReviewCandidate {
    id: String,
    decision: Verdict,
}

/// What a program may propose: nothing that the owner's answer would not cover.
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
        let graph = GraphStore::new(
            Arc::clone(&runtime.home.workspace),
            Arc::clone(&runtime.home.clock),
        );
        Self {
            graph,
            runtime,
            knowledge,
            plans: Mutex::default(),
            viewer: Viewer::Program(here),
        }
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

    /// Whether nothing may be written.
    pub fn is_read_only(&self) -> bool {
        self.runtime.sandbox.is_some()
    }

    /// Searches notes and conversations.
    pub fn search(&self, question: MemoryQuestion) -> ToolReply {
        memory_search::run(question.into(), None, &self.context())
    }

    /// Searches conversations only.
    pub fn search_sessions(&self, question: MemoryQuestion) -> ToolReply {
        let search = Search {
            source: Some(SearchSource::Session),
            ..question.into()
        };
        memory_search::run(search, None, &self.context())
    }

    /// Returns lines of a note, or messages of a conversation.
    pub fn get(&self, get: Get) -> ToolReply {
        memory_get::run(get, &self.context())
    }

    /// Returns the messages that a summary replaced.
    pub fn expand(&self, expand: ExpandSession) -> ToolReply {
        session_expand::run(expand, &self.context())
    }

    /// Writes a note into today's log, scoped to the program's repository.
    pub fn remember(&self, note: AddNote) -> ToolReply {
        remember::run(note, &self.context())
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

    /// What a program asks the owner to decide about a candidate; changes nothing.
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
            command: format!("openclaw dream {verb} {}", own.id),
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
        let found =
            self.knowledge
                .plan_question(what, FORGOTTEN_MAX, (&self.viewer, None), &mut |_| {});
        let mut plan = found.map_err(|error| format!("Nothing can be forgotten now: {error}."))?;
        plan.asked = TextHash::of(what);
        // The same text may stand in another repository; a program must not learn that.
        let at = self.context();
        plan.lines.retain(|it| !at.is_hidden(&it.place()));
        plan.entries.retain(|it| !at.is_hidden(&it.place()));
        let places = places_of(&plan);
        if places.is_empty() {
            return Ok(None);
        }
        let shown = super::forget::shown(&places, plan.n_more);
        // A token that could be computed would let a program confirm what the owner never saw.
        let token = EntryId::generate(self.runtime.home.clock.now()).to_string();
        let mut plans = base::locked(&self.plans);
        if plans.len() >= PLANS_MAX {
            plans.pop_front();
        }
        plans.push_back((token.clone(), plan));
        Ok(Some(ForgetOffer { token, plan: shown }))
    }

    /// Carries out a plan. Without proof that the owner saw it, leave the owner's own lines: they are only hidden from
    /// search and stay in the file.
    pub fn forget(&self, token: &str, owner_lines: OwnerLines) -> ToolReply {
        let mut plans = base::locked(&self.plans);
        let place = plans.iter().position(|(known, _)| known == token);
        let (_, plan) = place
            .and_then(|place| plans.remove(place))
            .ok_or("No plan has this token: call forget with the words again.")?;
        let done = self.knowledge.forget(&plan, owner_lines);
        done.map_err(|error| format!("It was not forgotten: {error}."))?;
        Ok(
            "It is forgotten; `openclaw memory forget --list` shows it, `--undo ID` restores it."
                .to_owned(),
        )
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
        let text = memory_get::run(get, &self.context())?;
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

    /// Recalls passages for a program that answers a message in `running`, a conversation of its own that it shows
    /// itself; `None` if none surely bears on it.
    pub fn recalled(
        &self,
        message: &str,
        running: &dyn Fn(&str) -> bool,
    ) -> Result<Option<String>, String> {
        let sessions = self.knowledge.sessions().paths();
        let sessions = sessions.map_err(|error| format!("Sessions cannot be listed: {error}."))?;
        let is_running =
            |path: &String| SessionSource::name_of(path).is_some_and(|it| running(it.as_str()));
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
        let memory = self.runtime.home.workspace.memory_path();
        let is_standing = |it: &SearchResult| it.path == memory.as_str();
        // The program was shown it at the beginning of the conversation.
        let standing = answer.results.iter().any(is_standing);
        let standing = standing
            .then(|| self.standing_memory())
            .transpose()?
            .flatten();
        let is_shown = |it: &SearchResult| {
            let mut standing = standing.iter();
            is_standing(it) && standing.any(|held| held.contains(&*recall::shown_text(it)))
        };
        let budget = self.runtime.memory.recall_budget;
        let shown = worth_showing(&answer.results, FOR_PROGRAMS, budget, &is_shown);
        let parts = recall::rendered(&shown, answer.span);
        Ok((!parts.is_empty()).then(|| parts.join("\n")))
    }
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

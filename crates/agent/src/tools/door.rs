//! What programs outside may ask of memory: the tools of a chat, with its origins, redaction and locks.
//!
//! Knows no protocol. What a program writes is the agent's, never the owner's.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use base::{Locator, LocatorError, redact, short_hash};
use memory::candidates::{Candidate, Desk, Review, Status};
use memory::{ForgetPlan, OwnerLines, SearchOptions, SearchResult, TextHash, Workspace};
use serde::Deserialize;
use serde_json::json;
use session::SessionName;

use super::forget::places_of;
use super::memory_search::{Scope, found, searched};
use super::toolbox::{Answer, read};
use super::{memory_get, remember, session_expand};
use crate::{Knowledge, PRIMARY_SESSION, Runtime};

/// Most passages that one request forgets.
const FORGOTTEN_MAX: usize = 5;

/// Plans that wait for the owner's word; the oldest makes room.
const PLANS_MAX: usize = 100;

/// Memory as other programs see it.
#[derive(Debug)]
pub struct Door {
    runtime: Runtime,
    knowledge: Arc<Knowledge>,
    plans: Mutex<BTreeMap<String, ForgetPlan>>,
}

/// What a request would forget.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ForgetOffer {
    /// Names the plan.
    pub token: String,
    /// The passages, between marks that say where each stands.
    pub plan: String,
}

#[derive(Deserialize)]
struct Reviewing {
    id: String,
    decision: Verdict,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Verdict {
    Accept,
    Reject,
}

#[derive(Deserialize)]
struct Expanding {
    session: Option<String>,
}

#[derive(Deserialize)]
struct Query {
    query: String,
}

#[derive(Deserialize)]
struct Fetch {
    id: String,
}

impl Door {
    /// Over the memory of a home.
    pub fn new(runtime: Runtime, knowledge: Arc<Knowledge>) -> Self {
        Self {
            runtime,
            knowledge,
            plans: Mutex::default(),
        }
    }

    /// The owner's files.
    pub fn workspace(&self) -> &Workspace {
        &self.runtime.workspace
    }

    /// Whether nothing may be written.
    pub fn is_read_only(&self) -> bool {
        self.runtime.sandbox.is_some()
    }

    /// Passages of notes and conversations.
    pub fn search(&self, arguments: &str) -> Answer {
        searched(&self.knowledge, arguments, Scope::All)
    }

    /// Passages of conversations.
    pub fn search_sessions(&self, arguments: &str) -> Answer {
        searched(&self.knowledge, arguments, Scope::Sessions)
    }

    /// Lines of a note, or messages of a conversation.
    pub fn get(&self, arguments: &str) -> Answer {
        memory_get::run(&self.runtime, &self.knowledge, arguments)
    }

    /// The messages that a summary stands for.
    pub fn expand(&self, arguments: &str) -> Answer {
        let Expanding { session } = read(arguments)?;
        let name = session.unwrap_or_else(|| PRIMARY_SESSION.to_owned());
        let name: SessionName = name.parse().map_err(|error| format!("{error}."))?;
        session_expand::run(&self.runtime, &name, arguments)
    }

    /// Notes one thing in the log of today.
    pub fn remember(&self, arguments: &str) -> Answer {
        remember::run(&self.runtime, None, arguments)
    }

    /// What waits for the owner's review.
    pub fn candidates(&self) -> Answer {
        let desk = self.desk(Review::LeaveAsIs)?;
        let lines: Vec<String> = desk.state().pending.iter().map(in_words).collect();
        if lines.is_empty() {
            return Ok("No candidate waits.".to_owned());
        }
        Ok(lines.join("\n"))
    }

    /// Carries out the owner's decision about a candidate.
    pub fn review(&self, arguments: &str) -> Answer {
        let Reviewing { id, decision } = read(arguments)?;
        let mut desk = self.desk(Review::TakeIn)?;
        let own = desk
            .meant(&id)
            .map_err(|error| format!("{error}."))?
            .clone();
        if own.status != Status::Pending {
            return Err(format!("{} is {} already.", own.id, own.status.as_str()));
        }
        let ids = [own.id.clone()];
        let (done, word) = match decision {
            Verdict::Accept => (desk.accept(&ids), "stands in MEMORY.md now"),
            Verdict::Reject => (desk.reject(&ids), "is rejected and does not come back"),
        };
        done.map_err(|error| format!("Nothing was decided: {error}."))?;
        Ok(format!("{} {word}: {}", own.id, own.finding))
    }

    /// Finds what would be forgotten; `None` where that is nothing.
    pub fn plan_forgetting(&self, what: &str) -> Result<Option<ForgetOffer>, String> {
        let found = self
            .knowledge
            .plan_question_without(what, FORGOTTEN_MAX, None, &mut |_| {});
        let mut plan = found.map_err(|error| format!("Nothing can be forgotten now: {error}."))?;
        plan.asked = TextHash::of(what);
        let places = places_of(&plan);
        if places.is_empty() {
            return Ok(None);
        }
        let shown = super::forget::shown(&places, plan.n_more);
        let token = short_hash(&format!("{what}\n{shown}"));
        let mut plans = self.plans.lock().unwrap_or_else(PoisonError::into_inner);
        if plans.len() >= PLANS_MAX {
            plans.pop_first();
        }
        plans.insert(token.clone(), plan);
        Ok(Some(ForgetOffer { token, plan: shown }))
    }

    /// Forgets what the owner agreed to when they were asked.
    pub fn forget_agreed(&self, token: &str) -> Answer {
        self.carry_out(token, OwnerLines::Remove)
    }

    /// Forgets a plan by its token. Nothing shows that the owner saw it, so that their own lines stay in the file,
    /// out of search.
    pub fn forget_planned(&self, token: &str) -> Answer {
        self.carry_out(token, OwnerLines::Leave)
    }

    fn carry_out(&self, token: &str, owner_lines: OwnerLines) -> Answer {
        let mut plans = self.plans.lock().unwrap_or_else(PoisonError::into_inner);
        let plan = plans
            .remove(token)
            .ok_or("There is no plan of this token: call forget with the words again.")?;
        let done = self.knowledge.forget(&plan, owner_lines);
        done.map_err(|error| format!("It was not forgotten: {error}."))?;
        Ok("It is forgotten; `openclaw memory forgotten` lists it and takes it back.".to_owned())
    }

    /// Passages as JSON, for clients that show them as links.
    pub fn search_places(&self, arguments: &str) -> Answer {
        let Query { query } = read(arguments)?;
        let answer = found(&self.knowledge, &query, &SearchOptions::default())?;
        let results: Vec<_> = answer.results.iter().map(place_json).collect();
        Ok(json!({ "results": results }).to_string())
    }

    /// A passage that [`Door::search_places`] named, as JSON.
    pub fn fetch(&self, arguments: &str) -> Answer {
        let Fetch { id } = read(arguments)?;
        let place: Locator = id
            .parse()
            .map_err(|error: LocatorError| format!("{error}."))?;
        let wanted = json!({
            "path": place.path, "startLine": place.start_line, "endLine": place.end_line,
        });
        let text = self.get(&wanted.to_string())?;
        let url = url_of(&id);
        Ok(json!({ "id": id, "title": place.path, "text": text, "url": url }).to_string())
    }

    fn desk(&self, review: Review) -> Result<Desk<'_>, String> {
        let now = self.runtime.clock.now();
        let desk = Desk::open(&self.runtime.workspace, now, review);
        desk.map_err(|error| format!("Candidates cannot be read: {error}."))
    }
}

fn in_words(own: &Candidate) -> String {
    let evidence = own.evidence.len();
    let because = own.staged_because.as_deref().unwrap_or("the owner decides");
    let finding = redact(&own.finding);
    format!(
        "{}: {finding} (for {}, of {}; evidence: {evidence}; waits because {because})",
        own.id, own.section, own.day
    )
}

fn place_json(result: &SearchResult) -> serde_json::Value {
    let id = Locator {
        path: result.path.clone(),
        start_line: result.start_line,
        end_line: result.end_line,
    };
    let id = id.to_string();
    json!({ "id": id, "title": result.path, "text": redact(&result.text), "url": url_of(&id) })
}

fn url_of(id: &str) -> String {
    format!("openclaw:///{id}")
}

#[cfg(test)]
#[path = "door_tests.rs"]
mod tests;

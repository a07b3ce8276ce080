//! The recall stage: what memory holds about the owner's message, for one turn.
//!
//! Stores where the passages stand, never what they say.

use base::model::{Excerpt, MemoryReach, Recalled, Spelling};
use base::{Block, Locator, Message, Timestamp, TokenCount, Tz, short_hash};
use memory::search::Degraded;
use memory::{IndexError, SearchAnswer, SearchOptions, SearchResult};
use models::{Matter, asks_about_owner, asks_for_own, matters_asked, names_asked};
use serde::Serialize;
use session::{Turn, View, ViewContent};

use crate::about_owner::{about_owner, left_out, not_shown};
use crate::event::{Event, OnEvent};
use crate::fence::{Fence, fenced};
use crate::kinds::Asked;
use crate::matter::{sought, telling_first, told_in};
use crate::renewal::{later_than, newest_first, renewals, told_by};
use crate::{Knowledge, Runtime, SessionSource, TurnError};

/// The program's word for the entry that keeps what was recalled.
pub const RECALL_TYPE: &str = "openclaw:recall";

/// Most passages of one turn; the budget binds before, unless they are very short.
const PASSAGES_MAX: usize = 20;

/// Never more of the window than this part of it.
const WINDOW_PART: u64 = 16;

/// So many names are looked for.
const NAMES_MAX: usize = 3;

/// What memory holds about a message, best first.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Recall {
    /// The passages.
    pub(crate) passages: Vec<SearchResult>,
    /// How much of memory was looked through.
    pub(crate) reach: MemoryReach,
    /// What the message asks for of the owner.
    pub(crate) matters: Vec<Matter>,
    /// What was taken for words of the message.
    pub(crate) spellings: Vec<Spelling>,
    /// Which words of each passage stand for which of the message.
    pub(crate) stands_for: Vec<Vec<Spelling>>,
}

/// Where a passage stands, as the transcript keeps it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct LocatorWire<'a> {
    path: &'a str,
    start_line: usize,
    end_line: usize,
    hash: String,
}

/// Searches memory for the message that was appended last, and keeps in the transcript what was found.
///
/// Whatever fails is told and stops nothing: a reply without memory is better than none.
///
/// # Errors
///
/// [`TurnError`] where the transcript cannot be written.
pub(crate) fn recall(
    runtime: &Runtime,
    turn: &mut Turn,
    text: &str,
    on_event: OnEvent<'_>,
) -> Result<Recall, TurnError> {
    let Some(knowledge) = &runtime.knowledge else {
        return Ok(Recall::default());
    };
    if runtime.is_primary(turn.name()) && asks_about_owner(text) {
        return recall_owner(runtime, turn, on_event);
    }
    let own_path = SessionSource::path_of(turn.name());
    let is_primary = runtime.is_primary(turn.name());
    let documents = if is_primary {
        Vec::new()
    } else {
        knowledge.sessions().documents_of(turn.name())
    };
    let options = SearchOptions {
        limit: PASSAGES_MAX,
        // What was said in a session is its own; notes and the other sessions are for the primary one.
        documents: documents.clone(),
        ..SearchOptions::default()
    };
    let answer = match knowledge.search(text, &options, &mut |_| {}) {
        Ok(answer) if is_primary => answer,
        Ok(answer) => about_these(answer, &documents),
        Err(error) => return Ok(Recall::failed(&error, on_event)),
    };
    let is_question = |it: &SearchResult| it.path == own_path && text.contains(&it.text);
    let is_own = |found: &SearchResult| {
        is_primary || found.path == own_path || shows(turn.view(), &found.text)
    };
    let is_shown = |it: &SearchResult| !is_question(it) && is_own(it);
    let mut found = answer.results;
    found.retain(is_shown);
    let matters = matters_asked(text);
    let known = if is_primary && !matters.is_empty() {
        noted(runtime, on_event)
    } else {
        Vec::new()
    };
    let search = Search {
        knowledge,
        options: &options,
        is_shown: &is_shown,
    };
    search.tell(&matters, &mut found, known, on_event);
    let mut asked = Asked::in_message(text);
    search.widen((text, &mut asked), &mut found, on_event);
    let passages = pack(newest_first(found), budget(runtime));
    let whole = if is_primary {
        MemoryReach::Whole
    } else {
        MemoryReach::Session
    };
    let recall = Recall {
        stands_for: stand_ins(&mut asked, &passages),
        passages,
        reach: reach(answer.degraded, whole),
        matters,
        spellings: answer.spellings,
    };
    let n_passages = recall.passages.len();
    if n_passages > 0 || answer.degraded.is_some() {
        on_event(Event::Recalled {
            n_passages,
            degraded: answer.degraded,
            unreadable: answer.unreadable,
        });
    }
    keep(runtime, turn, recall, on_event)
}

/// How more is looked for than the message says. Each of these is a search of its own, in every turn and for every
/// model: only a question for something of the owner is worth them.
struct Search<'a> {
    knowledge: &'a Knowledge,
    options: &'a SearchOptions,
    is_shown: &'a dyn Fn(&SearchResult) -> bool,
}

impl Search<'_> {
    /// Adds what tells these matters, found by the words in which that is told or among what is known, and puts it
    /// first; what ends it comes with it.
    fn tell(
        &self,
        matters: &[Matter],
        found: &mut Vec<SearchResult>,
        known: Vec<SearchResult>,
        on_event: OnEvent<'_>,
    ) {
        if matters.is_empty() {
            return;
        }
        let more = self.each(sought(matters), on_event).into_iter();
        let known = known.into_iter().filter(self.is_shown);
        let more: Vec<SearchResult> = more.chain(known).collect();
        for passage in &more {
            let is_new = found.iter().all(|it| place(it) != place(passage));
            if is_new && told_in(matters, passage).is_some() {
                found.push(passage.clone());
            }
        }
        *found = telling_first(matters, std::mem::take(found));
        let later = later_than(found, more);
        found.extend(later);
    }

    /// Adds what shares no word with a question for something of the owner and may answer it all the same.
    fn widen(
        &self,
        (text, asked): (&str, &mut Asked),
        found: &mut Vec<SearchResult>,
        on_event: OnEvent<'_>,
    ) {
        if !asks_for_own(text) {
            return;
        }
        self.kinds(asked, found, on_event);
        self.named((text, asked), found, on_event);
        self.renew(found, on_event);
    }

    /// Adds what names something of a kind that is asked for: a kayak, where a boat is.
    fn kinds(&self, asked: &mut Asked, found: &mut Vec<SearchResult>, on_event: OnEvent<'_>) {
        let words = asked.sought_kinds(found);
        let more = self.each(words.iter().map(String::as_str), on_event);
        let of_kind = |passage: &SearchResult| !asked.stands_for(&passage.text).is_empty();
        add_new(found, more.into_iter().filter(of_kind));
    }

    /// Adds what names whoever is asked about by the name that is told for them.
    fn named(
        &self,
        (text, asked): (&str, &mut Asked),
        found: &mut Vec<SearchResult>,
        on_event: OnEvent<'_>,
    ) {
        let stands = stand_ins(asked, found);
        let texts = found.iter().map(|passage| passage.text.as_str());
        let names = names_asked(text, texts.zip(stands.iter().map(Vec::as_slice)));
        let words = names.iter().take(NAMES_MAX).map(String::as_str);
        let more = self.each(words, on_event);
        add_new(found, more.into_iter());
    }

    /// Adds what was said later about the same, which may share no word with the question.
    fn renew(&self, found: &mut Vec<SearchResult>, on_event: OnEvent<'_>) {
        let words = told_by(found);
        let more = self.each(words.iter().map(String::as_str), on_event);
        let later = later_than(found, more);
        found.extend(later);
    }

    /// What is found by each of several searches, the same places as often as they are found.
    fn each<'w>(
        &self,
        words: impl Iterator<Item = &'w str>,
        on_event: OnEvent<'_>,
    ) -> Vec<SearchResult> {
        let mut found = Vec::new();
        for words in words {
            match self.knowledge.search(words, self.options, &mut |_| {}) {
                Ok(more) => found.extend(more.results.into_iter().filter(self.is_shown)),
                Err(error) => on_event(Event::Warning(format!("not all was recalled: {error}"))),
            }
        }
        found
    }
}

/// Which words of each passage stand for which of a message.
fn stand_ins(asked: &mut Asked, passages: &[SearchResult]) -> Vec<Vec<Spelling>> {
    let mut of = |passage: &SearchResult| asked.stands_for(&passage.text);
    passages.iter().map(&mut of).collect()
}

/// Adds the passages that are not there yet.
fn add_new(found: &mut Vec<SearchResult>, more: impl Iterator<Item = SearchResult>) {
    for passage in more {
        if found.iter().all(|it| place(it) != place(&passage)) {
            found.push(passage);
        }
    }
}

/// What is known about the owner as a whole takes the place of a search.
fn recall_owner(
    runtime: &Runtime,
    turn: &mut Turn,
    on_event: OnEvent<'_>,
) -> Result<Recall, TurnError> {
    let name = turn.name().clone();
    let mut warn = |warning| on_event(Event::Warning(warning));
    let about = about_owner(runtime, &name, &mut warn);
    let paths: Vec<String> = about.found.iter().map(|it| it.path.clone()).collect();
    let recall = Recall {
        passages: pack(about.found, budget(runtime)),
        reach: MemoryReach::Whole,
        ..Recall::default()
    };
    let mut rest = not_shown(&paths, &recall.passages);
    rest.extend(about.left_out);
    if let Some(notice) = left_out(&rest) {
        on_event(Event::Notice(notice));
    }
    let n_passages = recall.passages.len();
    if n_passages > 0 {
        on_event(Event::Recalled {
            n_passages,
            degraded: None,
            unreadable: Vec::new(),
        });
    }
    keep(runtime, turn, recall, on_event)
}

/// What the notes hold about the owner: what was said in the session is found by the searches, however long it is.
fn noted(runtime: &Runtime, on_event: OnEvent<'_>) -> Vec<SearchResult> {
    match runtime.workspace.about_owner() {
        Ok(about) => about.found.into_iter().collect(),
        Err(error) => {
            let warning = format!("not all that is known was read: {error}");
            on_event(Event::Warning(warning));
            Vec::new()
        }
    }
}

fn budget(runtime: &Runtime) -> TokenCount {
    let window_share = TokenCount(runtime.settings.context_window.0 / WINDOW_PART);
    runtime.recall_budget.min(window_share)
}

/// Keeps in the transcript where the passages stand.
fn keep(
    runtime: &Runtime,
    turn: &mut Turn,
    recall: Recall,
    on_event: OnEvent<'_>,
) -> Result<Recall, TurnError> {
    if recall.passages.is_empty() {
        return Ok(recall);
    }
    match recall.to_json() {
        Ok(data) => {
            turn.append_custom(runtime.clock.now(), RECALL_TYPE, data)?;
        }
        Err(error) => on_event(Event::Warning(format!("the recall was not kept: {error}"))),
    }
    Ok(recall)
}

/// Whether a view shows this in a message: a fork has copies of what stands in another session.
fn shows(view: &View, text: &str) -> bool {
    view.items.iter().any(|item| match &item.content {
        ViewContent::Message(message) => message.text().contains(text),
        ViewContent::Summary(_) => false,
    })
}

/// An answer from some documents: what else cannot be read takes nothing from it.
fn about_these(mut answer: SearchAnswer, documents: &[String]) -> SearchAnswer {
    answer.unreadable.retain(|path| documents.contains(path));
    answer.degraded = answer
        .degraded
        .filter(|it| *it != Degraded::Unreadable || !answer.unreadable.is_empty());
    answer
}

/// `whole` is what is reached where nothing is missing.
fn reach(degraded: Option<Degraded>, whole: MemoryReach) -> MemoryReach {
    match degraded {
        // Words alone were compared, but with all that memory holds.
        None
        | Some(
            Degraded::VectorsIncomplete | Degraded::EmbedderFailed | Degraded::EmbedderMissing,
        ) => whole,
        Some(Degraded::Stale | Degraded::BeingWritten | Degraded::NotWritable) => {
            MemoryReach::Behind
        }
        Some(Degraded::Unreadable) => MemoryReach::Partial,
    }
}

/// The passages that fit with their fences, best first; one that does not makes room for the next.
pub(crate) fn pack(
    found: impl IntoIterator<Item = SearchResult>,
    budget: TokenCount,
) -> Vec<SearchResult> {
    let mut left = budget;
    let fitting = found.into_iter().filter(|passage| {
        let needed = base::estimate_text(&render(passage));
        let fits = needed <= left;
        if fits {
            left = left.saturating_sub(needed);
        }
        fits
    });
    fitting.collect()
}

impl Recall {
    /// What is shown where the search failed: nothing, and that it failed.
    fn failed(error: &IndexError, on_event: OnEvent<'_>) -> Self {
        let warning = format!("memory was not searched for this message: {error}");
        on_event(Event::Warning(warning));
        Self {
            reach: MemoryReach::Failed,
            ..Self::default()
        }
    }

    /// The passages for an engine that extracts, with an instant in the day of each.
    pub(crate) fn excerpts(&self, now: Timestamp, timezone: Tz) -> Vec<Excerpt> {
        let stands_for = |idx| self.stands_for.get(idx).cloned().unwrap_or_default();
        let excerpt = |(idx, (passage, renewal)): (usize, (&SearchResult, _))| Excerpt {
            label: format!("r{}", idx + 1),
            entry: None,
            at: passage.day.map_or(now, |day| day.noon(timezone)),
            origin: passage.origin,
            message: spoken(passage),
            recalled: Some(Recalled {
                place: place(passage),
                day: passage.day,
                renewal,
                tells: told_in(&self.matters, passage),
                stands_for: stands_for(idx),
            }),
        };
        let standing = renewals(&self.passages);
        let passages = self.passages.iter().zip(standing);
        passages.enumerate().map(excerpt).collect()
    }

    fn to_json(&self) -> Result<String, serde_json::Error> {
        let wire: Vec<LocatorWire<'_>> = self
            .passages
            .iter()
            .map(|passage| LocatorWire {
                path: &passage.path,
                start_line: passage.start_line,
                end_line: passage.end_line,
                hash: short_hash(&passage.text),
            })
            .collect();
        serde_json::to_string(&wire)
    }
}

/// A passage between marks that say where it stands.
pub(crate) fn render(passage: &SearchResult) -> String {
    let source = place(passage).to_string();
    let fence = Fence {
        source: &source,
        day: passage.day,
        origin: Some(passage.origin),
    };
    match &passage.speaker {
        Some(speaker) => fenced(fence, &format!("{speaker}: {}", passage.text)),
        None => fenced(fence, &passage.text),
    }
}

pub(crate) fn place(passage: &SearchResult) -> Locator {
    Locator {
        path: passage.path.clone(),
        start_line: passage.start_line,
        end_line: passage.end_line,
    }
}

fn spoken(passage: &SearchResult) -> Message {
    let text = passage.text.clone();
    match passage.speaker.as_deref() {
        Some("assistant") => Message::assistant(text),
        Some("user") | None => Message::user(text),
        Some(name) => Message::User {
            content: vec![Block::Text(text)],
            name: Some(name.to_owned()),
        },
    }
}

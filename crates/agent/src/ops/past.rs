//! Answers as of a moment in the past: an operation runs on the home as it was then, rebuilt in memory.
//!
//! Writes nothing, and tells nothing that was forgotten since.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use base::dates::past_moment;
use base::disk::{FileStat, MemoryDisk};
use base::{Clock, Disk, Timestamp, counted, day, locked, time_of_day, with_causes};
use memory::{PastFlushes, PastWorkspace, past_workspace};
use schemars::JsonSchema;
use search::NoteSource;
use serde::Serialize;
use session::{PastPart, SessionName, SessionStore};

use super::error::{OpError, OpErrorKind};
use super::operation::{OpContext, instant};
use crate::knowledge::index::{IndexAccess, IndexPlace, Knowledge};
use crate::knowledge::session_source::SessionSource;
use crate::runtime::HomeAccess;

/// The name of the parameter.
pub(super) const AS_OF: &str = "asOf";

/// The moment of an answer, and what is left out of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PastReply {
    /// The moment: the answer shows what was known then.
    #[serde(serialize_with = "instant")]
    #[schemars(with = "String")]
    pub at: Timestamp,
    /// How often something was forgotten since; it stays forgotten.
    pub forgets_since: usize,
    /// What is left out because it is not known as it was then, each in one sentence.
    pub left_out: Vec<String>,
}

impl PastReply {
    /// The error for something that is not in the answer: it may have been there, if anything was forgotten since.
    fn told(&self, error: OpError) -> OpError {
        if self.forgets_since > 0 && error.kind() == OpErrorKind::NotFound {
            OpError::HiddenSince(error.to_string())
        } else {
            error
        }
    }

    /// For a model: the moment, and what is left out.
    pub(crate) fn in_words(&self) -> String {
        let at = self.at.format("%Y-%m-%d %H:%M UTC");
        let mut words = format!("What was known at {at}; what was forgotten since stays hidden.");
        for left_out in &self.left_out {
            words.extend([" ", left_out, "."]);
        }
        words
    }
}

/// What a question about the past touches: only that is rebuilt and warned about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PastScope<'s> {
    /// Everything, by a search.
    Search,
    /// The pages and lines of memory.
    Memory,
    /// A file of memory.
    Note(&'s str),
    /// A conversation.
    Session(&'s SessionName),
}

/// Size limit of the conversations that a search of the past reads.
const SEARCHED_BYTES_MAX: u64 = 64 * 1024 * 1024;

/// The number of conversations that a sentence names.
const NAMED_MAX: usize = 3;

/// Answers from the home as it is, or as it was at the moment that `as_of` names.
///
/// # Errors
///
/// [`OpError`], also if `as_of` names no moment that has passed, or one before the conversation that is asked about.
pub(super) fn answered<R>(
    as_of: Option<&str>,
    scope: PastScope<'_>,
    at: &OpContext<'_>,
    answer: impl FnOnce(&OpContext<'_>) -> Result<R, OpError>,
) -> Result<(R, Option<PastReply>), OpError> {
    let Some(text) = as_of else {
        return Ok((answer(at)?, None));
    };
    let moment = past_moment(text, at.home.clock.now(), at.home.timezone);
    let moment = moment.map_err(|error| OpError::invalid(AS_OF, error.to_string()))?;
    let past = match (scope, at.knowledge) {
        (PastScope::Search, Some(knowledge)) => {
            let key = (moment, state_of(at.home)?);
            let build = || PastHome::at(moment, scope, at);
            knowledge.pasts().at(key, build)?
        }
        (PastScope::Search, None)
        | (PastScope::Memory | PastScope::Note(_) | PastScope::Session(_), _) => {
            Arc::new(PastHome::at(moment, scope, at)?)
        }
    };
    let reply = answer(&OpContext {
        home: &past.home,
        knowledge: past.knowledge.as_ref(),
        ..*at
    });
    let reply = reply.map_err(|error| past.reply.told(error))?;
    Ok((reply, Some(past.reply.clone())))
}

/// The home as it was.
#[derive(Debug)]
pub(super) struct PastHome {
    home: HomeAccess,
    knowledge: Option<Knowledge>,
    reply: PastReply,
}

impl PastHome {
    fn at(moment: Timestamp, scope: PastScope<'_>, at: &OpContext<'_>) -> Result<Self, OpError> {
        let present = at.home;
        let cut = match scope {
            PastScope::Session(name) => past_session(name, moment, at)?,
            PastScope::Search => past_sessions(&present.sessions, moment, SEARCHED_BYTES_MAX)?,
            PastScope::Memory | PastScope::Note(_) => {
                past_sessions(&present.sessions, moment, u64::MAX)?
            }
        };
        let PastWorkspace {
            workspace,
            disk,
            gaps,
            n_forgets_since,
        } = past_workspace(&present.workspace, &cut.flushes, (moment, present.timezone))?;
        let clock: Arc<dyn Clock> = Arc::new(PastClock {
            moment,
            present: Arc::clone(&present.clock),
        });
        let sessions = present.sessions.on_disk(Arc::new(cut.disk));
        let home = present.in_past(Arc::clone(&clock), sessions, workspace);
        let knowledge = at.knowledge.map(|own| {
            let place = IndexPlace {
                disk,
                directory: PathBuf::new(),
            };
            let source = SessionSource::new(home.sessions.clone(), home.timezone);
            let workspace = Arc::clone(&home.workspace);
            let past = Knowledge::new(place, workspace, source, clock, IndexAccess::InMemory);
            past.with_embedder(own.embedder())
        });
        let gaps = gaps.into_iter().filter_map(|gap| match scope {
            PastScope::Search | PastScope::Memory => Some(gap),
            PastScope::Note(path) => gap.of_file(path),
            PastScope::Session(_) => None,
        });
        let gaps = gaps.map(|gap| gap.to_string());
        Ok(Self {
            home,
            knowledge,
            reply: PastReply {
                at: moment,
                forgets_since: n_forgets_since,
                left_out: gaps.chain(cut.left_out).collect(),
            },
        })
    }
}

/// The transcripts up to a moment, above the present ones.
struct PastSessions {
    disk: MemoryDisk,
    /// The flushes that had ended.
    flushes: PastFlushes,
    /// What is left out, each in one sentence.
    left_out: Vec<String>,
}

impl PastSessions {
    fn above(present: &SessionStore) -> Self {
        Self {
            disk: MemoryDisk::above(present.disk()),
            flushes: PastFlushes::default(),
            left_out: Vec::new(),
        }
    }

    fn leave_out(&mut self, path: &Path) -> Result<(), OpError> {
        Ok(self.disk.remove(path)?)
    }

    /// Cuts a transcript to the part of it that was there.
    fn cut(
        &mut self,
        present: &SessionStore,
        name: &SessionName,
        part: &PastPart,
    ) -> Result<(), OpError> {
        let path = present.path(name);
        let Some(end) = part.end else {
            return self.leave_out(&path);
        };
        if let Ok(id) = present.id(name) {
            let id = id.to_string();
            let spans = part.flushed.iter().map(|(first, last)| {
                let (first, last) = (first.to_string(), last.to_string());
                (id.clone(), first, last)
            });
            self.flushes.spans.extend(spans);
            self.flushes.sessions.insert(id);
        }
        Ok(self.disk.truncate(&path, end)?)
    }
}

/// One conversation up to a moment; the others are as they are.
fn past_session(
    name: &SessionName,
    moment: Timestamp,
    at: &OpContext<'_>,
) -> Result<PastSessions, OpError> {
    let present = &at.home.sessions;
    at.check_visible(&SessionSource::path_of(name))?;
    let part = present.part_at(name, moment)?;
    if let (None, Some(began_at)) = (part.end, part.began_at) {
        let zone = at.home.timezone;
        let began = format!("{} {}", day(began_at, zone), time_of_day(began_at, zone));
        return Err(OpError::BeganLater {
            session: name.to_string(),
            began: format!("{began} ({zone})"),
        });
    }
    let mut kept = PastSessions::above(present);
    kept.cut(present, name, &part)?;
    Ok(kept)
}

/// The conversations up to a moment: the ones that were changed last first, as long as they are within `bytes_max`.
fn past_sessions(
    present: &SessionStore,
    moment: Timestamp,
    bytes_max: u64,
) -> Result<PastSessions, OpError> {
    let mut kept = PastSessions::above(present);
    let disk = present.disk();
    let mut names = Vec::new();
    for name in present.names()? {
        let stat = disk.stat(&present.path(&name))?;
        names.push((stat.and_then(|stat| stat.modified_at), name));
    }
    names.sort_by(|one, other| other.cmp(one));
    let (mut n_bytes, mut too_many) = (0_u64, Vec::new());
    for (_, name) in names {
        let part = match present.part_at(&name, moment) {
            Ok(part) => part,
            Err(error) => {
                // Whole, it would tell what was said later.
                kept.leave_out(&present.path(&name))?;
                let why = with_causes(&error);
                kept.left_out.push(format!(
                    "left out: conversation {name}, which cannot be read: {why}"
                ));
                continue;
            }
        };
        let end = part.end.unwrap_or_default();
        if n_bytes.saturating_add(end) > bytes_max {
            kept.leave_out(&present.path(&name))?;
            too_many.push(name.to_string());
            continue;
        }
        n_bytes += end;
        kept.cut(present, &name, &part)?;
    }
    kept.left_out.extend(beyond_limit(&too_many));
    Ok(kept)
}

/// A sentence about the conversations that a search leaves out because of its limit.
fn beyond_limit(names: &[String]) -> Option<String> {
    let n_left_out = counted(names.len() as u64, "conversation", "conversations");
    let shown: Vec<&str> = names.iter().take(NAMED_MAX).map(|it| &**it).collect();
    let more = if names.len() > NAMED_MAX {
        " and others"
    } else {
        ""
    };
    (!names.is_empty()).then(|| {
        format!(
            "left out: {n_left_out}, because a search of the past reads at most {} MiB of them: {}{more}",
            SEARCHED_BYTES_MAX / 1024 / 1024,
            shown.join(", ")
        )
    })
}

/// The past that was searched last, for as long as the home stays as it is: the index of a past is built in memory, and
/// two are never there at once.
#[derive(Debug, Default)]
pub(crate) struct PastCache(Mutex<Option<KnownPast>>);

/// A past with its moment and the state of the home from which it was built.
type KnownPast = ((Timestamp, u64), Arc<PastHome>);

impl PastCache {
    fn at(
        &self,
        key: (Timestamp, u64),
        build: impl FnOnce() -> Result<PastHome, OpError>,
    ) -> Result<Arc<PastHome>, OpError> {
        let mut known = locked(&self.0);
        if let Some((_, past)) = known.as_ref().filter(|(own, _)| *own == key) {
            return Ok(Arc::clone(past));
        }
        // Before the new one is built, so that its memory is free.
        *known = None;
        let past = Arc::new(build()?);
        *known = Some((key, Arc::clone(&past)));
        Ok(past)
    }

    /// Drops the past that was searched last, because it contains what is removed for good.
    pub(crate) fn clear(&self) {
        *locked(&self.0) = None;
    }
}

/// A number that changes with every file from which a past is built.
fn state_of(home: &HomeAccess) -> Result<u64, OpError> {
    let mut state = DefaultHasher::new();
    let mut add = |path: &Path, stat: Option<FileStat>| {
        let stat = stat.map(|stat| (stat.len, stat.modified_at));
        (path, stat).hash(&mut state);
    };
    let (disk, layout) = (home.sessions.disk(), home.workspace.layout());
    for folder in [layout.sessions(), layout.dreams(), layout.preimages()] {
        for name in disk.list(&folder)? {
            let path = folder.join(name);
            add(&path, disk.stat(&path)?);
        }
    }
    add(&layout.tombstones(), disk.stat(&layout.tombstones())?);
    for note in home.workspace.notes().0 {
        add(Path::new(&note.path), Some(note.stat));
    }
    Ok(state.finish())
}

/// A clock that stands still at a moment. Only its deadlines run.
#[derive(Debug)]
struct PastClock {
    moment: Timestamp,
    present: Arc<dyn Clock>,
}

impl Clock for PastClock {
    fn now(&self) -> Timestamp {
        self.moment
    }

    fn monotonic(&self) -> Duration {
        self.present.monotonic()
    }
}

#[cfg(test)]
#[path = "past_tests.rs"]
mod tests;

#[cfg(test)]
#[path = "past_requests_tests.rs"]
mod requests_tests;

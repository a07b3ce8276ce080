//! How the state of dreams and a change under way are written as JSON.
//!
//! The only file that knows these records.

use std::collections::{BTreeMap, BTreeSet};

use base::{Day, Origin, Timestamp};
use serde::{Deserialize, Serialize};

use super::evidence::Evidence;
use super::model::{Beside, Candidate, CandidateId, FoundIn, Proposal, Signal, Status};
use super::pending::Change;
use super::state::{DreamDetail, DreamLogLine, DreamState, Outcome, SizeMark};

/// The version that this program writes.
pub(super) const VERSION: u32 = 1;

/// A record that cannot be used.
#[derive(Debug, thiserror::Error)]
pub(super) enum WireError {
    #[error("it has version {found}; this program knows {VERSION}")]
    TooNew { found: u32 },
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    #[error("{what} makes no sense")]
    Value { what: &'static str },
}

#[derive(Deserialize)]
struct Versioned {
    version: u32,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct StateWire {
    version: u32,
    sequence: u64,
    #[serde(default)]
    pending: Vec<CandidateWire>,
    #[serde(default)]
    history: Vec<CandidateWire>,
    #[serde(default)]
    rejected: BTreeSet<String>,
    #[serde(default)]
    consumed: BTreeMap<String, BTreeSet<String>>,
    #[serde(default)]
    backfilled: BTreeMap<String, u64>,
    #[serde(default)]
    fired: BTreeMap<String, String>,
    #[serde(default)]
    idle: BTreeMap<String, String>,
    #[serde(default)]
    log_size: Option<(String, u64)>,
    #[serde(default)]
    dreamt_at: Option<String>,
    #[serde(default)]
    log: Vec<LogWire>,
}

/// A line of the dream log; one without details is written without them, as before there were any.
#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum LogWire {
    Plain(String, String),
    Detailed(String, String, Vec<(String, String, Option<String>)>),
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct CandidateWire {
    id: String,
    finding: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    proposed_as: Option<String>,
    section: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    supersedes: Option<[String; 2]>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    retires: Option<[String; 2]>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    beside: Option<[String; 2]>,
    evidence: Vec<EvidenceWire>,
    origin: String,
    found_in: String,
    day: String,
    proposed_at: String,
    score: u32,
    #[serde(default)]
    signals: Vec<(String, u32, u32)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    staged_because: Option<String>,
    status: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    decided_at: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    decided_because: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    missing_since: Option<String>,
    #[serde(default)]
    is_shown: bool,
}

#[derive(Debug, Serialize, Deserialize)]
struct EvidenceWire {
    path: String,
    key: String,
    line: usize,
    hash: String,
    quote: String,
    day: String,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct PendingWire {
    version: u32,
    at: String,
    expected_hash: String,
    change_id: u64,
    memory: Option<String>,
    undo: Option<u64>,
    cause: String,
    candidates: Vec<String>,
    archived: Vec<String>,
    state: StateWire,
}

/// Candidates as they were before they were forgotten.
#[derive(Debug, Serialize, Deserialize)]
struct KeptWire {
    version: u32,
    candidates: Vec<CandidateWire>,
}

/// A change that was begun, as it is read back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Begun {
    pub(super) at: Timestamp,
    pub(super) expected_hash: String,
    pub(super) change_id: u64,
    pub(super) change: Change,
}

pub(super) fn state_to_json(state: &DreamState) -> Result<Vec<u8>, WireError> {
    Ok(serde_json::to_vec_pretty(&StateWire::from(state))?)
}

pub(super) fn state_from_json(bytes: &[u8]) -> Result<DreamState, WireError> {
    check_version(bytes)?;
    serde_json::from_slice::<StateWire>(bytes)?.read()
}

pub(super) fn begun_to_json(begun: &Begun) -> Result<Vec<u8>, WireError> {
    let Begun {
        at,
        expected_hash,
        change_id,
        change,
    } = begun;
    let wire = PendingWire {
        version: VERSION,
        at: written(*at),
        expected_hash: expected_hash.clone(),
        change_id: *change_id,
        memory: change.memory.clone(),
        undo: change.undo,
        cause: change.cause.clone(),
        candidates: change.candidates.clone(),
        archived: change.archived.clone(),
        state: StateWire::from(&change.state),
    };
    Ok(serde_json::to_vec(&wire)?)
}

pub(super) fn begun_from_json(bytes: &[u8]) -> Result<Begun, WireError> {
    check_version(bytes)?;
    let wire: PendingWire = serde_json::from_slice(bytes)?;
    Ok(Begun {
        at: instant(&wire.at)?,
        expected_hash: wire.expected_hash,
        change_id: wire.change_id,
        change: Change {
            memory: wire.memory,
            cause: wire.cause,
            candidates: wire.candidates,
            archived: wire.archived,
            state: wire.state.read()?,
            undo: wire.undo,
        },
    })
}

pub(super) fn kept_to_json(candidates: &[Candidate]) -> Result<Vec<u8>, WireError> {
    Ok(serde_json::to_vec_pretty(&KeptWire {
        version: VERSION,
        candidates: candidates.iter().map(CandidateWire::from).collect(),
    })?)
}

pub(super) fn kept_from_json(bytes: &[u8]) -> Result<Vec<Candidate>, WireError> {
    check_version(bytes)?;
    let wire: KeptWire = serde_json::from_slice(bytes)?;
    wire.candidates
        .into_iter()
        .map(CandidateWire::read)
        .collect()
}

fn check_version(bytes: &[u8]) -> Result<(), WireError> {
    let found = serde_json::from_slice::<Versioned>(bytes)?.version;
    if found > VERSION {
        return Err(WireError::TooNew { found });
    }
    Ok(())
}

fn written(at: Timestamp) -> String {
    at.to_rfc3339()
}

fn instant(text: &str) -> Result<Timestamp, WireError> {
    text.parse()
        .map_err(|_| WireError::Value { what: "a time" })
}

fn some_instant(text: Option<&String>) -> Result<Option<Timestamp>, WireError> {
    text.map(|text| instant(text)).transpose()
}

fn date(text: &str) -> Result<Day, WireError> {
    text.parse().map_err(|_| WireError::Value { what: "a day" })
}

fn by_day<T, U>(
    map: BTreeMap<String, T>,
    read: impl Fn(T) -> U,
) -> Result<BTreeMap<Day, U>, WireError> {
    let entries = map.into_iter();
    entries
        .map(|(day, value)| Ok((date(&day)?, read(value))))
        .collect()
}

impl From<&DreamState> for StateWire {
    fn from(state: &DreamState) -> Self {
        Self {
            version: VERSION,
            sequence: state.sequence,
            pending: state.pending.iter().map(CandidateWire::from).collect(),
            history: state.history.iter().map(CandidateWire::from).collect(),
            rejected: state.rejected.clone(),
            consumed: state
                .consumed
                .iter()
                .map(|(day, keys)| (day.to_string(), keys.clone()))
                .collect(),
            backfilled: state.backfilled.clone(),
            fired: state
                .fired
                .iter()
                .map(|(trigger, at)| (trigger.clone(), written(*at)))
                .collect(),
            idle: state.idle.clone(),
            log_size: state
                .log_size
                .map(|mark| (mark.day.to_string(), mark.n_thresholds)),
            dreamt_at: state.dreamt_at.map(written),
            log: state.log.iter().map(LogWire::from).collect(),
        }
    }
}

impl StateWire {
    fn read(self) -> Result<DreamState, WireError> {
        let candidates = |list: Vec<CandidateWire>| -> Result<Vec<Candidate>, WireError> {
            list.into_iter().map(CandidateWire::read).collect()
        };
        let log_size = self.log_size.map(|(day, n_thresholds)| {
            Ok::<_, WireError>(SizeMark {
                day: date(&day)?,
                n_thresholds,
            })
        });
        let fired = self.fired.into_iter();
        let log = self.log.into_iter();
        Ok(DreamState {
            sequence: self.sequence,
            pending: candidates(self.pending)?,
            history: candidates(self.history)?,
            rejected: self.rejected,
            consumed: by_day(self.consumed, |keys| keys)?,
            backfilled: self.backfilled,
            fired: fired
                .map(|(trigger, at)| Ok((trigger, instant(&at)?)))
                .collect::<Result<_, WireError>>()?,
            idle: self.idle,
            log_size: log_size.transpose()?,
            dreamt_at: some_instant(self.dreamt_at.as_ref())?,
            log: log.map(LogWire::read).collect::<Result<_, WireError>>()?,
        })
    }
}

impl From<&DreamLogLine> for LogWire {
    fn from(line: &DreamLogLine) -> Self {
        let (at, text) = (written(line.at), line.text.clone());
        if line.details.is_empty() {
            return Self::Plain(at, text);
        }
        let details = line.details.iter().map(|own| {
            let outcome = own.outcome.as_str().to_owned();
            (outcome, own.text.clone(), own.because.clone())
        });
        Self::Detailed(at, text, details.collect())
    }
}

impl LogWire {
    fn read(self) -> Result<DreamLogLine, WireError> {
        let (at, text, details) = match self {
            Self::Plain(at, text) => (at, text, Vec::new()),
            Self::Detailed(at, text, details) => (at, text, details),
        };
        let details = details.into_iter().map(|(outcome, text, because)| {
            let outcome = Outcome::parse(&outcome).ok_or(WireError::Value { what: "outcome" })?;
            Ok(DreamDetail {
                outcome,
                text,
                because,
            })
        });
        Ok(DreamLogLine {
            at: instant(&at)?,
            text,
            details: details.collect::<Result<_, WireError>>()?,
        })
    }
}

const OWNERS_LINE: &str = "ownersLine";
const CONTRADICTION: &str = "contradiction";
const SAID_BOTH: &str = "saidBoth";

impl From<&Candidate> for CandidateWire {
    fn from(own: &Candidate) -> Self {
        let mut retires = None;
        let (supersedes, beside) = match &own.proposal {
            Proposal::Add => (None, None),
            Proposal::Supersede { line, older } => (Some([line.clone(), older.clone()]), None),
            Proposal::Retire { line, older } => {
                retires = Some([line.clone(), older.clone()]);
                (None, None)
            }
            Proposal::Beside { other, why } => {
                let why = match why {
                    Beside::OwnersLine => OWNERS_LINE,
                    Beside::Contradiction => CONTRADICTION,
                    Beside::SaidBoth => SAID_BOTH,
                };
                (None, Some([why.to_owned(), other.clone()]))
            }
        };
        let evidence = own.evidence.iter().map(|evidence| EvidenceWire {
            path: evidence.path.clone(),
            key: evidence.key.clone(),
            line: evidence.line,
            hash: evidence.hash.clone(),
            quote: evidence.quote.clone(),
            day: evidence.day.to_string(),
        });
        let signals = own.signals.iter();
        Self {
            id: own.id.to_string(),
            finding: own.finding.clone(),
            proposed_as: own.proposed_as.clone(),
            section: own.section.clone(),
            supersedes,
            retires,
            beside,
            evidence: evidence.collect(),
            origin: own.origin.to_string(),
            found_in: own.found_in.as_str().to_owned(),
            day: own.day.to_string(),
            proposed_at: written(own.proposed_at),
            score: own.score,
            signals: signals
                .map(|signal| (signal.name.clone(), signal.value, signal.weight))
                .collect(),
            staged_because: own.staged_because.clone(),
            status: own.status.as_str().to_owned(),
            decided_at: own.decided_at.map(written),
            decided_because: own.decided_because.clone(),
            missing_since: own.missing_since.map(written),
            is_shown: own.is_shown,
        }
    }
}

impl CandidateWire {
    fn read(self) -> Result<Candidate, WireError> {
        let wrong = |what| move || WireError::Value { what };
        let proposal = match (self.supersedes, self.retires, self.beside) {
            (Some([line, older]), _, _) => Proposal::Supersede { line, older },
            (None, Some([line, older]), _) => Proposal::Retire { line, older },
            (None, None, Some([why, other])) => Proposal::Beside {
                other,
                why: match why.as_str() {
                    OWNERS_LINE => Beside::OwnersLine,
                    SAID_BOTH => Beside::SaidBoth,
                    _ => Beside::Contradiction,
                },
            },
            (None, None, None) => Proposal::Add,
        };
        let evidence = self.evidence.into_iter().map(|own| {
            Ok(Evidence {
                path: own.path,
                key: own.key,
                line: own.line,
                hash: own.hash,
                quote: own.quote,
                day: date(&own.day)?,
            })
        });
        let signals = self.signals.into_iter();
        let found_in = FoundIn::ALL.into_iter();
        Ok(Candidate {
            id: CandidateId::new(self.id),
            finding: self.finding,
            proposed_as: self.proposed_as,
            section: self.section,
            proposal,
            evidence: evidence.collect::<Result<_, WireError>>()?,
            origin: Origin::parse(&self.origin).ok_or_else(wrong("an origin"))?,
            found_in: found_in
                .into_iter()
                .find(|place| place.as_str() == self.found_in)
                .ok_or_else(wrong("a place of finding"))?,
            day: date(&self.day)?,
            proposed_at: instant(&self.proposed_at)?,
            score: self.score,
            signals: signals
                .map(|(name, value, weight)| Signal {
                    name,
                    value,
                    weight,
                })
                .collect(),
            staged_because: self.staged_because,
            status: Status::parse(&self.status).ok_or_else(wrong("a status"))?,
            decided_at: some_instant(self.decided_at.as_ref())?,
            decided_because: self.decided_because,
            missing_since: some_instant(self.missing_since.as_ref())?,
            is_shown: self.is_shown,
        })
    }
}

#[cfg(test)]
#[path = "wire_tests.rs"]
mod tests;

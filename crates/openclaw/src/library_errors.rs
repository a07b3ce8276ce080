//! What each failure of a library means to the person at the terminal: its kind and what to type next.
//!
//! Words no failure anew: the message is the library's own.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "errors of libraries grow; what is not named here has no hint of its own"
)]

use std::io;

use agent::import::{ImportError, TakeError};
use agent::recording::RecordingError;
use agent::{DreamError, ExpandError, ForgetPlanError, ReplayError, TurnError};
use memory::candidates::DeskError;
use memory::curated::{ChangeError, UndoError};
use memory::{
    FileLinesError, ForgetError, IndexError, LogError, TombstoneError, TombstoneId, WorkspaceError,
    WorkspacePathError,
};
use models::SetUpError;
use session::{AppendError, BeginTurnError, ReadError, SetAsideError};

use crate::error::{CliError, ErrorKind, disk_hint};

/// What to do where another process is at it.
const WAIT: &str = "wait for it to finish and run the same command again";

impl From<ReadError> for CliError {
    fn from(error: ReadError) -> Self {
        match error {
            ReadError::Disk(error) => error.into(),
            ReadError::NoEntry {
                ref name,
                ref nearest,
                ..
            } => {
                let failure = Self::from_error(ErrorKind::NotFound, &error);
                match nearest {
                    Some(nearest) => failure.hint(format!("did you mean {nearest}?")),
                    None => failure.hint(format!(
                        "`openclaw session export {name} --ids` names entries with what they say"
                    )),
                }
            }
            ReadError::Ambiguous { ref candidates, .. } => {
                let ids: Vec<String> = candidates.iter().map(ToString::to_string).collect();
                Self::from_error(ErrorKind::Input, &error)
                    .hint(format!("type more of it: {}", ids.join(", ")))
            }
            ReadError::NotEnded { ref name, .. } => Self::from_error(ErrorKind::NotFound, &error)
                .hint(format!("`openclaw session show {name}` lists its compactions")),
            ReadError::NothingReplaced { ref name } => {
                Self::from_error(ErrorKind::NotFound, &error).hint(format!(
                    "`openclaw session show {name}` lists the compactions of the whole file; name one with `--epoch N`"
                ))
            }
            ReadError::SaysNothing { ref name, .. } => {
                Self::from_error(ErrorKind::NotFound, &error).hint(format!(
                    "name a message or a compaction; `openclaw session export {name} --ids` names them"
                ))
            }
            error => Self::from_error(ErrorKind::NotFound, &error)
                .hint("`openclaw session list` names the sessions that exist"),
        }
    }
}

impl From<BeginTurnError> for CliError {
    fn from(error: BeginTurnError) -> Self {
        match error {
            BeginTurnError::Disk(error) => {
                let kind = error.kind();
                let failure = Self::from(error);
                match kind {
                    io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                        failure.hint("or ask and write nothing, with `--set sandbox.readOnly=true`")
                    }
                    _ => failure,
                }
            }
            BeginTurnError::TooNew { .. } => Self::from_error(ErrorKind::TooNew, &error)
                .hint("update openclaw, or name another session"),
            BeginTurnError::TooOld { .. } => Self::from_error(ErrorKind::TooNew, &error)
                .hint("name another session; `openclaw session list` names those that exist"),
            error => Self::from_error(ErrorKind::Locked, &error)
                .hint("wait for it to finish, or name another session"),
        }
    }
}

impl From<AppendError> for CliError {
    fn from(error: AppendError) -> Self {
        match error {
            AppendError::NotWritten { source, .. }
            | AppendError::NotDurable { source, .. }
            | AppendError::NotReread { source, .. } => {
                Self::from(source).doing("adding to the session; what was added before is safe")
            }
            error @ AppendError::Refused { .. } => Self::from_error(ErrorKind::Input, &error),
            error @ AppendError::HasBegun { .. } => Self::from_error(ErrorKind::Input, &error)
                .hint("name another session; `openclaw session list` names those that exist"),
            error => Self::from_error(ErrorKind::Disk, &error)
                .hint("`openclaw session verify` tells whether the session is whole"),
        }
    }
}

impl From<WorkspaceError> for CliError {
    fn from(error: WorkspaceError) -> Self {
        match error {
            WorkspaceError::Disk(error) => error.into(),
            WorkspaceError::Tombstones(error) => error.into(),
            WorkspaceError::Locked { .. } => Self::from_error(ErrorKind::Locked, &error).hint(WAIT),
            error => Self::from_error(ErrorKind::Internal, &error),
        }
    }
}

impl From<IndexError> for CliError {
    fn from(error: IndexError) -> Self {
        match error {
            IndexError::Disk(error) => error.into(),
            IndexError::Locked { .. } => Self::from_error(ErrorKind::Locked, &error).hint(WAIT),
            IndexError::TooNew { .. } => Self::from_error(ErrorKind::TooNew, &error)
                .hint("update openclaw, or remove that directory: it is made anew from your files"),
            IndexError::Tombstones(error) => error.into(),
            IndexError::Missing => Self::from_error(ErrorKind::NotFound, &error)
                .hint("`openclaw memory index` makes it, where the home may be written"),
            IndexError::Source(_) => Self::from_error(ErrorKind::Disk, &error),
            error => {
                let hint = error.obstacle().and_then(disk_hint);
                Self::from_error(ErrorKind::Disk, &error).hint(
                    hint.unwrap_or(
                        "`openclaw memory index --rebuild` makes it anew from your files",
                    ),
                )
            }
        }
    }
}

impl From<TombstoneError> for CliError {
    fn from(error: TombstoneError) -> Self {
        match error {
            TombstoneError::Disk(error) => error.into(),
            TombstoneError::Locked { .. } => Self::from_error(ErrorKind::Locked, &error)
                .hint(WAIT),
            TombstoneError::TooNew { .. } => {
                Self::from_error(ErrorKind::TooNew, &error).hint("update openclaw")
            }
            TombstoneError::Damaged { .. } => Self::from_error(ErrorKind::Corrupt, &error).hint(
                "put the file back from a backup, or remove it: then what was forgotten is found again",
            ),
            error => Self::from_error(ErrorKind::Input, &error)
                .hint("`openclaw memory forget --list` tells what was forgotten"),
        }
    }
}

impl From<ForgetError> for CliError {
    fn from(error: ForgetError) -> Self {
        match error {
            ForgetError::Disk(error) => error.into(),
            ForgetError::Tombstones(error) => error.into(),
            ForgetError::Log(error) => error.into(),
            ForgetError::Desk(error) => error.into(),
            ForgetError::NothingThere { .. } => Self::from_error(ErrorKind::NotFound, &error)
                .hint("`openclaw memory search QUESTION` names the places of what it finds"),
            error => Self::from_error(ErrorKind::Locked, &error).hint(WAIT),
        }
    }
}

impl From<ForgetPlanError> for CliError {
    fn from(error: ForgetPlanError) -> Self {
        match error {
            ForgetPlanError::Index(error) => error.into(),
            ForgetPlanError::Path(error) => error.into(),
            ForgetPlanError::Forget(error) => error.into(),
            ForgetPlanError::Already { id } => Self::forgotten_already(&id),
            error => Self::from_error(ErrorKind::NotFound, &error)
                .hint("`openclaw session list` names the sessions that exist"),
        }
    }
}

impl CliError {
    /// What was to be forgotten is hidden since an earlier call.
    pub(crate) fn forgotten_already(id: &TombstoneId) -> Self {
        let message = format!("this is forgotten already, under {id}");
        Self::new(ErrorKind::NotFound, message).hint(format!(
            "`openclaw memory forget --undo {id}` takes it back"
        ))
    }
}

impl From<FileLinesError> for CliError {
    fn from(error: FileLinesError) -> Self {
        match error {
            FileLinesError::Disk(error) => error.into(),
            FileLinesError::Tombstones(error) => error.into(),
            error => Self::from_error(ErrorKind::NotFound, &error)
                .hint("`openclaw memory search QUESTION` names the places of what it finds"),
        }
    }
}

impl From<WorkspacePathError> for CliError {
    fn from(error: WorkspacePathError) -> Self {
        Self::from_error(ErrorKind::Input, &error)
    }
}

impl From<LogError> for CliError {
    fn from(error: LogError) -> Self {
        match error {
            LogError::Disk(error) => error.into(),
            LogError::Tombstones(error) => error.into(),
            LogError::MayStand { log, cause } => Self::from(cause)
                .doing(format!(
                    "noting; {log} may hold the note or a part of it all the same"
                ))
                .hint("run the same command again: what stands there whole is not noted twice"),
            LogError::Locked { .. } => Self::from_error(ErrorKind::Locked, &error).hint(WAIT),
            error => Self::from_error(ErrorKind::Input, &error),
        }
    }
}

impl From<SetAsideError> for CliError {
    fn from(error: SetAsideError) -> Self {
        match error {
            SetAsideError::Disk(error) => error.into(),
            error => Self::from_error(ErrorKind::Locked, &error)
                .hint("let that program finish and run the same command again"),
        }
    }
}

impl From<DeskError> for CliError {
    fn from(error: DeskError) -> Self {
        match error {
            DeskError::Disk(error) => error.into(),
            DeskError::Review(error) => error.into(),
            DeskError::Memory(error) | DeskError::Undo(UndoError::Change(error)) => error.into(),
            DeskError::Tombstones(error) => error.into(),
            DeskError::Undo(error @ UndoError::Nothing) => {
                Self::from_error(ErrorKind::NotFound, &error)
                    .hint("`openclaw dream log` shows what dreams did")
            }
            DeskError::Undo(UndoError::Forgotten { ref id, .. }) => {
                let hint = format!("`openclaw memory forget --undo {id}` brings them back first");
                Self::from_error(ErrorKind::Input, &error).hint(hint)
            }
            DeskError::Undo(error @ UndoError::Redacted { .. }) => {
                Self::from_error(ErrorKind::Input, &error)
                    .hint("change MEMORY.md by hand; `openclaw dream log` shows what dreams did")
            }
            DeskError::Undo(error) => Self::from_error(ErrorKind::Input, &error).hint(
                "change MEMORY.md by hand; the state before each change is in state/preimages/",
            ),
            DeskError::TooNew { .. } => {
                Self::from_error(ErrorKind::TooNew, &error).hint("update openclaw")
            }
            DeskError::Damaged { .. } => Self::from_error(ErrorKind::Corrupt, &error).hint(
                "move that file away: candidates that wait are lost with it, MEMORY.md is not",
            ),
            error => Self::from_error(ErrorKind::Locked, &error)
                .hint("close the file in the editor and run the same command again"),
        }
    }
}

impl From<ChangeError> for CliError {
    fn from(error: ChangeError) -> Self {
        match error {
            ChangeError::Disk(error) => error.into(),
            ChangeError::Locked { .. } | ChangeError::Changed => {
                Self::from_error(ErrorKind::Locked, &error).hint("run the same command again")
            }
            ChangeError::NotUtf8 { .. } => Self::from_error(ErrorKind::Input, &error).hint(
                "`openclaw doctor` says how to mend the file; then run the same command again",
            ),
            error => Self::from_error(ErrorKind::Input, &error),
        }
    }
}

impl From<DreamError> for CliError {
    fn from(error: DreamError) -> Self {
        match error {
            DreamError::Workspace(WorkspaceError::Locked { pid }) => {
                let by = pid
                    .map(|pid| format!(" in process {pid}"))
                    .unwrap_or_default();
                Self::new(ErrorKind::Locked, format!("another dream is under way{by}"))
                    .hint("wait for it to finish; `openclaw dream list` shows what waits")
            }
            DreamError::Workspace(error) => error.into(),
            DreamError::Desk(error) => error.into(),
            DreamError::Disk(error) => error.into(),
            DreamError::Tombstones(error) => error.into(),
            DreamError::Model { .. } => Self::from_error(ErrorKind::Model, &error)
                .hint("run it again; what was read is read again"),
            error => Self::from_error(ErrorKind::Disk, &error),
        }
    }
}

impl From<TurnError> for CliError {
    fn from(error: TurnError) -> Self {
        match error {
            TurnError::Begin(error) => error.into(),
            TurnError::Read(error) => error.into(),
            TurnError::Disk(error) => error.into(),
            TurnError::Append(error) => error.into(),
            TurnError::Workspace(error) => error.into(),
            TurnError::Model(error) => error.into(),
            TurnError::Refused { .. } => Self::from_error(ErrorKind::Model, &error)
                .hint("tell the real window of the model with `--set compaction.contextWindow=TOKENS`")
                .hint("begin anew with `/new` in `openclaw chat`; what was said is kept"),
            TurnError::NotWrittenDown { .. } => Self::from_error(ErrorKind::Disk, &error)
                .hint("make the daily log writable and run the same command again"),
            TurnError::TooManyRounds => Self::from_error(ErrorKind::Model, &error)
                .hint("ask again in other words, or choose another model"),
            error => Self::from_error(ErrorKind::Config, &error).hint(
                "give the session a larger window with `--set compaction.contextWindow=TOKENS`",
            ),
        }
    }
}

impl From<SetUpError> for CliError {
    fn from(error: SetUpError) -> Self {
        match error {
            SetUpError::NoKey { .. } => Self::from_error(ErrorKind::Model, &error)
                .hint("put the key into that variable, or name another with `--set model.apiKeyEnv=NAME`")
                .hint("or answer offline with `--set model.provider=offline`"),
            SetUpError::Client { .. } => Self::from_error(ErrorKind::Model, &error),
            error => Self::from_error(ErrorKind::Config, &error)
                .hint("name the server with `--set model.baseUrl=http://localhost:8080/v1`"),
        }
    }
}

impl From<ExpandError> for CliError {
    fn from(error: ExpandError) -> Self {
        match error {
            ExpandError::Read(error) => error.into(),
            error => Self::from_error(ErrorKind::NotFound, &error)
                .hint("`openclaw session list` names the sessions that exist"),
        }
    }
}

impl From<ReplayError> for CliError {
    fn from(error: ReplayError) -> Self {
        match error {
            ReplayError::Turn(error) => error.into(),
            ReplayError::Recording(error) => error.into(),
            ReplayError::Exists { .. } => Self::from_error(ErrorKind::Input, &error).hint(
                "go on where it stopped with `--resume`, or name another session with `-s NAME`",
            ),
            ReplayError::Damaged { .. } => Self::from_error(ErrorKind::Corrupt, &error)
                .hint("`openclaw session verify NAME` tells what is damaged; replay into another session with `-s NAME`"),
            error => Self::from_error(ErrorKind::Input, &error)
                .hint("replay it into another session with `-s NAME`"),
        }
    }
}

/// What an import reads, and how to name it.
const IMPORTED: &str = "`openclaw session import FILE` reads *.jsonl of OpenClaw, Claude Code and Codex, \
     conversations.json of ChatGPT and Claude, and the database openclaw-agent.sqlite; text in another \
     encoding is converted with `iconv -t UTF-8`";

impl From<ImportError> for CliError {
    fn from(error: ImportError) -> Self {
        match error {
            ImportError::Disk(error) => error.into(),
            ImportError::Recording(error) => error.into(),
            error @ ImportError::NoText { .. } => {
                Self::from_error(ErrorKind::Input, &error).hint(IMPORTED)
            }
            error => Self::from_error(ErrorKind::Input, &error)
                .hint("say what it is with `--format FORMAT`"),
        }
    }
}

impl From<TakeError> for CliError {
    fn from(error: TakeError) -> Self {
        match error {
            TakeError::Read(error) => error.into(),
            TakeError::Begin(error) => error.into(),
            TakeError::Append(error) => error.into(),
            error => Self::from_error(ErrorKind::Internal, &error),
        }
    }
}

impl From<RecordingError> for CliError {
    fn from(error: RecordingError) -> Self {
        let hint = match &error {
            RecordingError::Disk(_) => None,
            RecordingError::Encoding { encoding, .. } => Some(format!(
                "convert it with `iconv -f {encoding} -t UTF-8 FILE`, and replay the result"
            )),
            RecordingError::Array { .. } => {
                Some("write one message a line with `jq -c '.[]' FILE`, and replay that".to_owned())
            }
            RecordingError::CutOff { line, .. } => Some(format!(
                "wait until it is written whole, or leave line {line} out with `head -n {} FILE`",
                line.saturating_sub(1)
            )),
            RecordingError::TooNew { .. } => {
                Some("update openclaw, and replay it again".to_owned())
            }
            _ => Some(SHAPE.to_owned()),
        };
        let failure = match error {
            RecordingError::Disk(error) => Self::from(error),
            RecordingError::TooNew { .. } => Self::from_error(ErrorKind::TooNew, &error),
            error => Self::from_error(ErrorKind::Input, &error),
        };
        match hint {
            Some(hint) => failure.hint(hint),
            None => failure,
        }
    }
}

const SHAPE: &str = "a recording holds one message a line, such as \
     {\"role\":\"user\",\"content\":\"hello\",\"timestamp\":\"2026-04-20T14:23:00Z\"}";

//! Maps library errors to CLI errors: adds a kind and hints.
//!
//! Keeps the library's own message.

use agent::ops::{OpError, OpErrorKind};
use agent::{
    AboutError, AskedError, BridgeError, DreamError, ExpandError, ForgetPlanError, RelocateError,
    ReplayError, TakeError, TurnError,
};
use base::SourceError;
use base::disk::LockError;
use base::model::ModelError;
use gateway::http::{ListenError, TokenError};
use import::{ImportError, RecordingError};
use memory::candidates::{MemoryTxnError, ReviewError, Status};
use memory::curated::{ChangeError, UndoError};
use memory::graph::GraphError;
use memory::{
    FileLinesError, ForgetError, LogError, TombstoneError, WorkspaceError, WorkspacePathError,
};
use models::{PullError, SetUpError};
use search::IndexError;
use session::{AppendError, BeginTurnError, ReadError};

use crate::environment::TOKEN_VARIABLE;
use crate::error::{CliError, ErrorKind, disk_hint};

const WAIT: &str = "wait for it to finish and run the same command again";

const NAME_ANOTHER: &str = "choose another session; `openclaw session list` lists them";
const SESSIONS: &str = "`openclaw session list` lists the sessions";

const DREAMS: &str = "`openclaw dream list` lists what is waiting";

const PLACES: &str = "`openclaw memory search QUESTION` shows the place of each result";

/// Implements `From` for a library error: in brackets the variants that convert through their inner error, in
/// braces those with a conversion of their own, then kind and hints for the rest.
macro_rules! cli_error_from {
    (
        $error:ident [$($through:ident),*] $({$($special:pat => $failure:expr;)*})?
        $($which:pat => $kind:ident [$($hint:expr),*];)*
    ) => {
        impl From<$error> for CliError {
            fn from(error: $error) -> Self {
                let (kind, hints): (ErrorKind, Vec<String>) = match &error {
                    $($which => (ErrorKind::$kind, vec![$(String::from($hint)),*]),)*
                };
                match error {
                    $($error::$through(error) => error.into(),)*
                    $($($special => $failure,)*)?
                    error => hints.into_iter().fold(Self::from_error(kind, &error), Self::hint),
                }
            }
        }
    };
}

cli_error_from! { TokenError [Disk]
    TokenError::Weak(place) => Config [if place == TOKEN_VARIABLE {
        format!("set a stronger {place}, as from `openssl rand -hex 32`, or unset it: the token in the home then applies")
    } else {
        format!("delete {place}: the next start creates a new one; or set {TOKEN_VARIABLE}")
    }];
    _ => Internal [];
}

cli_error_from! { ListenError []
    ListenError::Taken(_) => Locked ["listen on another one: `openclaw serve --listen 127.0.0.1:18790`"];
    _ => Input ["use another address: `openclaw serve --listen 127.0.0.1:18789`"];
}

cli_error_from! { LockError [Disk]
    _ => Locked ["wait for it to finish, or stop it, and run the same command again"];
}

cli_error_from! { ModelError []
    ModelError::Unavailable { .. } => Model [
        "run the same command again once it answers; `openclaw config show` prints its address",
        "or answer offline with `--set model.provider=offline`"
    ];
    ModelError::Refused { .. } => Model
        ["`openclaw config show` prints the model settings and where they come from"];
    ModelError::ContextOverflow { .. } =>
        Model ["set its window with `--set model.contextWindow=TOKENS`"];
    ModelError::RateLimited { .. } | ModelError::Broken { .. } =>
        Model ["run the same command again later"];
    _ => Model [];
}

cli_error_from! { ReadError [Disk]
    ReadError::NotBegun(name) => NotFound [format!("`openclaw chat -s {name}` starts it")];
    ReadError::NoEntry { nearest: Some(nearest), .. } =>
        NotFound [format!("did you mean {nearest}?")];
    ReadError::NoEntry { name, .. } => NotFound
        [format!("`openclaw session export {name} --ids` prints the entries with their ids")];
    ReadError::Ambiguous { candidates, .. } => Input [{
        let ids: Vec<String> = candidates.iter().map(ToString::to_string).collect();
        format!("use a longer prefix: {}", ids.join(", "))
    }];
    ReadError::NotEnded { name, .. } =>
        NotFound [format!("`openclaw session show {name}` lists its compactions")];
    ReadError::NothingReplaced(name) => NotFound [format!(
        "`openclaw session show {name}` lists all compactions in the file; choose one with `--epoch N`"
    )];
    ReadError::SaysNothing(name, _) => NotFound [format!(
        "choose a message or a compaction; `openclaw session export {name} --ids` lists them"
    )];
    _ => NotFound [SESSIONS];
}

cli_error_from! { WorkspaceError [Disk, Tombstones]
    WorkspaceError::Locked(..) | WorkspaceError::InUse(_) => Locked [WAIT];
    _ => Internal [];
}

cli_error_from! { IndexError [Disk]
    {
        IndexError::Forgotten(cause) => match cause.downcast::<TombstoneError>() {
            Ok(error) => (*error).into(),
            Err(cause) => Self::internal(&*cause),
        };
        IndexError::Source(SourceError { path, cause }) => match cause.downcast::<ReadError>() {
            Ok(error) => Self::from(*error).doing(format!("reading {path}")),
            Err(cause) => Self::from_error(ErrorKind::Disk, &SourceError { path, cause }),
        };
    }
    IndexError::Locked(..) => Locked [WAIT];
    IndexError::TooNew(..) => TooNew
        ["update openclaw, or delete that directory: it is rebuilt from your files"];
    IndexError::Missing =>
        NotFound ["`openclaw memory index` builds it if the home is writable"];
    error => Disk [error.obstacle().and_then(disk_hint).unwrap_or(
        "`openclaw memory index --rebuild` rebuilds it from your files"
    )];
}

impl From<OpError> for CliError {
    fn from(error: OpError) -> Self {
        let hint = error.hint();
        let failure = match error {
            OpError::Disk(error) => error.into(),
            OpError::Index(error) => error.into(),
            OpError::Path(error) => error.into(),
            OpError::Lines(error) => error.into(),
            OpError::Read(error) => error.into(),
            OpError::Expand(error) => error.into(),
            OpError::Log(error) => error.into(),
            OpError::Asked(error) => error.into(),
            OpError::About(error) => error.into(),
            OpError::Tombstones(error) => error.into(),
            OpError::Txn(error) => error.into(),
            OpError::Review(error) => error.into(),
            OpError::Source(_) => Self::from_error(ErrorKind::NotFound, &error).hint(SESSIONS),
            OpError::NoMessage { .. } | OpError::NoEntry { .. } => {
                Self::from_error(ErrorKind::NotFound, &error).hint(PLACES)
            }
            OpError::Invalid { .. }
            | OpError::NoMemory
            | OpError::OtherRepository(_)
            | OpError::Forgotten(_)
            | OpError::EmptyNote
            | OpError::NotRemembered(_) => Self::from_error(
                match error.kind() {
                    OpErrorKind::NotFound => ErrorKind::NotFound,
                    OpErrorKind::Internal => ErrorKind::Internal,
                    OpErrorKind::Invalid | OpErrorKind::Conflict => ErrorKind::Input,
                },
                &error,
            ),
        };
        hint.into_iter().fold(failure, Self::hint)
    }
}

cli_error_from! { BridgeError [Disk, Tombstones, Log, Note]
    _ => Input [];
}

cli_error_from! { GraphError [Disk, Tombstones]
    GraphError::Locked(..) => Locked [WAIT];
    _ => Input [];
}

cli_error_from! { TombstoneError [Disk]
    TombstoneError::Locked(..) => Locked [WAIT];
    TombstoneError::TooNew(..) => TooNew ["update openclaw"];
    TombstoneError::Damaged { .. } => Corrupt [
        "restore the file from a backup, or delete it: forgotten text can then be found again"
    ];
    _ => Input ["`openclaw memory forget --list` lists what was forgotten"];
}

cli_error_from! { ForgetError [Disk, Tombstones, Log, MemoryTxn]
    ForgetError::NothingThere(..) => NotFound [PLACES];
    _ => Locked [WAIT];
}

cli_error_from! { FileLinesError [Disk, Tombstones]
    _ => NotFound [PLACES];
}

cli_error_from! { WorkspacePathError []
    _ => Input [];
}

cli_error_from! { ChangeError [Disk]
    ChangeError::Locked(..) | ChangeError::Changed => Locked ["run the same command again"];
    ChangeError::NotUtf8(..) =>
        Input ["`openclaw doctor` says how to fix the file; then run the same command again"];
    _ => Input [];
}

cli_error_from! { TurnError [Begin, Read, Disk, Append, Workspace, Tombstones, Model]
    TurnError::Refused { .. } => Model [
        "set the model's real window with `--set compaction.contextWindow=TOKENS`",
        "start over with `/new` in `openclaw chat`; the transcript is kept"
    ];
    TurnError::NotWrittenDown { .. } =>
        Disk ["make the daily log writable and run the same command again"];
    TurnError::Name(..) => Usage [];
    TurnError::TooManyRounds => Model ["rephrase the question, or choose another model"];
    _ => Config ["give the session a larger window with `--set compaction.contextWindow=TOKENS`"];
}

cli_error_from! { SetUpError []
    SetUpError::NoKey { .. } => Model [
        "put the key in that variable, or set another with `--set model.apiKeyEnv=NAME`",
        "or answer offline with `--set model.provider=offline`"
    ];
    SetUpError::Client { .. } => Model [];
    _ => Config ["set the server with `--set model.baseUrl=http://localhost:8080/v1`"];
}

cli_error_from! { PullError [SetUp]
    PullError::Refused(_) => Model ["ollama.com/library lists the available models"];
    _ => Model ["`openclaw init` resumes the download"];
}

cli_error_from! { ExpandError [Read]
    _ => NotFound [SESSIONS];
}

cli_error_from! { ReplayError [Turn, Recording]
    ReplayError::Exists { .. } => Input
        ["continue where it stopped with `--resume`, or choose another session with `-s NAME`"];
    ReplayError::Damaged { .. } => Corrupt [
        "`openclaw session verify NAME` shows the damage; replay into another session with `-s NAME`"
    ];
    _ => Input ["replay it into another session with `-s NAME`"];
}

/// The formats that an import reads.
const IMPORTED: &str = "`openclaw session import FILE` reads *.jsonl of OpenClaw, Claude Code and Codex, \
     conversations.json of ChatGPT and Claude, and the database openclaw-agent.sqlite; convert text in another \
     encoding with `iconv -t UTF-8`";

cli_error_from! { ImportError [Disk, Recording]
    ImportError::NoText { .. } => Input [IMPORTED];
    _ => Input ["set the format with `--format FORMAT`"];
}

cli_error_from! { RelocateError [Begin, Read, Notes, Disk]
    _ => Usage [];
}

cli_error_from! { TakeError [Read, Begin, Append]
    _ => Internal [];
}

cli_error_from! { ForgetPlanError [Index, Path, Forget]
    ForgetPlanError::Already { id } =>
        NotFound [format!("`openclaw memory forget --undo {id}` restores it")];
    _ => NotFound [SESSIONS];
}

cli_error_from! { BeginTurnError [Disk]
    BeginTurnError::TooNew(..) => TooNew ["update openclaw, or choose another session"];
    BeginTurnError::TooOld(..) => TooNew [NAME_ANOTHER];
    _ => Locked ["wait for it to finish, or choose another session"];
}

cli_error_from! { AppendError [] {
        AppendError::NotWritten(_, source)
        | AppendError::NotDurable(_, source)
        | AppendError::NotReread(_, source) => {
            Self::from(source).doing("appending to the session; earlier entries are safe")
        };
    }
    AppendError::Refused(..) => Input [];
    AppendError::HasBegun(..) => Input [NAME_ANOTHER];
    _ => Disk ["`openclaw session verify` checks whether the session is intact"];
}

cli_error_from! { LogError [Disk, Tombstones] {
        LogError::MayStand(log, cause) => Self::from(cause)
            .doing(format!("writing the note; {log} may still contain all or part of it"))
            .hint("run the same command again: a note that is complete is not written twice");
    }
    LogError::Locked(..) => Locked [WAIT];
    LogError::NoteTooLong(..) => Input ["split it into several notes, or put the text in a file of the workspace"];
    _ => Input [];
}

cli_error_from! { MemoryTxnError [Disk, Review, Memory, Tombstones, Undo]
    MemoryTxnError::TooNew(..) => TooNew ["update openclaw"];
    MemoryTxnError::Damaged(..) =>
        Corrupt ["move that file away: waiting candidates are lost with it, but MEMORY.md is not"];
    MemoryTxnError::Forgotten => Locked [WAIT];
    _ => Locked ["close the file in the editor and run the same command again"];
}

cli_error_from! { ReviewError []
    ReviewError::Unknown { .. } => NotFound [DREAMS];
    ReviewError::Ambiguous { .. } | ReviewError::Empty => Input [DREAMS];
    ReviewError::Decided(_, Status::Rejected) =>
        Input ["`openclaw dream undo` undoes the last rejection"];
    ReviewError::Decided(..) => Input ["`openclaw dream list --all` shows what was decided"];
}

cli_error_from! { AboutError [Disk, Lines, Workspace, Tombstones, Sessions] _ => Internal []; }

cli_error_from! { AskedError [MemoryTxn, Log, Tombstones]
    AskedError::NoLine(_) => NotFound ["`openclaw about` prints the lines of MEMORY.md"];
    AskedError::NoNote(_) => NotFound ["`openclaw about` prints the lines of MEMORY.md; `openclaw memory search` finds notes"];
    AskedError::SeveralNotes(..) => Input ["`openclaw memory get` prints a note"];
    AskedError::SeveralLines(_) => Input ["`openclaw about` prints the lines of MEMORY.md"];
    _ => Internal [];
}

cli_error_from! { UndoError [Change]
    UndoError::Nothing => NotFound ["`openclaw dream log` shows what dreams did"];
    UndoError::Unknown => NotFound ["`openclaw dream log` shows what changed"];
    UndoError::Since { .. } => Input ["`openclaw dream log` shows what changed since"];
    UndoError::Forgotten { id, .. } =>
        Input [format!("`openclaw memory forget --undo {id}` restores them first")];
    UndoError::Redacted { .. } =>
        Input ["edit MEMORY.md by hand; `openclaw dream log` shows what dreams did"];
    _ => Input ["edit MEMORY.md by hand; the state before each change is in state/preimages/"];
}

cli_error_from! { DreamError [MemoryTxn, Disk, Tombstones] {
        DreamError::Workspace(WorkspaceError::Locked(pid)) => {
            let by = pid.map(|pid| format!(" in process {pid}")).unwrap_or_default();
            Self::new(ErrorKind::Locked, format!("another dream is running{by}"))
                .hint("wait for it to finish; `openclaw dream list` shows what waits")
        };
        DreamError::Workspace(error) => error.into();
    }
    DreamError::Model { .. } => Model ["run it again; it reads the same notes again"];
    _ => Disk [];
}

cli_error_from! { RecordingError [Disk]
    RecordingError::Encoding { encoding, .. } => Input [format!(
        "convert it with `iconv -f {encoding} -t UTF-8 FILE`, and replay the result"
    )];
    RecordingError::Array { .. } =>
        Input ["write one message per line with `jq -c '.[]' FILE`, and replay that"];
    RecordingError::CutOff { line, .. } => Input [format!(
        "wait until it is completely written, or drop line {line} with `head -n {} FILE`",
        line.saturating_sub(1)
    )];
    RecordingError::TooNew { .. } => TooNew ["update openclaw, and replay it again"];
    _ => Input [SHAPE];
}

const SHAPE: &str = "a recording holds one message per line, such as \
     {\"role\":\"user\",\"content\":\"hello\",\"timestamp\":\"2026-04-20T14:23:00Z\"}";

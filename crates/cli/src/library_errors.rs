//! Maps library errors to CLI errors: adds a kind and hints.
//!
//! Keeps the library's message.

use agent::ops::{
    OpError, OpErrorKind, hint_of_asked, hint_of_file, hint_of_forget, hint_of_forgetting,
    hint_of_lines, hint_of_path, hint_of_read, hint_of_review, hint_of_txn, hint_of_undo,
};
use agent::{
    AboutError, AskedError, BridgeError, DreamError, ExpandError, ForgetPlanError, RelocateError,
    ReplayError, TakeError, TurnError,
};
use base::SourceError;
use base::disk::LockError;
use base::model::ModelError;
use gateway::http::{ListenError, TokenError};
use import::{ImportError, RecordingError};
use memory::candidates::{MemoryTxnError, ReviewError};
use memory::curated::UndoError;
use memory::graph::GraphError;
use memory::promises::PromiseError;
use memory::{FileError, FileLinesError, ForgetError, LogError, WorkspacePathError};
use models::{PullError, SetUpError};
use search::IndexError;
use session::{AppendError, BeginTurnError, ReadError};

use crate::environment::TOKEN_VARIABLE;
use crate::error::{CliError, ErrorKind, disk_hint};

const WAIT: &str = "wait for it to finish and run the same command again";

const NAME_ANOTHER: &str = "choose another session; `openclaw session list` lists them";
const SESSIONS: &str = "`openclaw session list` lists the sessions";

/// Implements `From` for a library error. Variants in brackets convert through their inner error, variants in braces
/// have their own conversion, and all others get the given kind and hints. The function after `=>` adds the hint that
/// every door gives.
macro_rules! cli_error_from {
    (
        $error:ident [$($through:ident),*] $(=> $own:path;)? $({$($special:pat => $failure:expr;)*})?
        $($which:pat => $kind:ident [$($hint:expr),*];)*
    ) => {
        impl From<$error> for CliError {
            fn from(error: $error) -> Self {
                let (kind, hints): (ErrorKind, Vec<String>) = match &error {
                    $($which => (ErrorKind::$kind, vec![$(String::from($hint)),*]),)*
                };
                $(let hints = [hints, $own(&error).into_iter().map(String::from).collect()].concat();)?
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
}

cli_error_from! { ReadError [Disk] => hint_of_read;
    ReadError::Ambiguous { .. } => Input [];
    _ => NotFound [];
}

cli_error_from! { FileError [Disk] => hint_of_file;
    FileError::Locked { .. } | FileError::Changed(_) | FileError::Busy(_) => Locked [];
    FileError::Damaged { .. } => Corrupt [];
    FileError::TooNew(..) => TooNew [];
    _ => Input [];
}

cli_error_from! { IndexError [Disk]
    {
        IndexError::Forgotten(cause) => match cause.downcast::<FileError>() {
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
        match error {
            OpError::Disk(error) => error.into(),
            OpError::Begin(error) => error.into(),
            OpError::Index(error) => error.into(),
            OpError::Path(error) => error.into(),
            OpError::Lines(error) => error.into(),
            OpError::Read(error) => error.into(),
            OpError::Expand(error) => error.into(),
            OpError::Log(error) => error.into(),
            OpError::Asked(error) => error.into(),
            OpError::About(error) => error.into(),
            OpError::File(error) | OpError::Promise(PromiseError::File(error)) => error.into(),
            OpError::Txn(error) => error.into(),
            OpError::Review(error) => error.into(),
            OpError::Forget(error) => error.into(),
            OpError::UndoForget(error) => error.into(),
            OpError::Source(_) | OpError::NoMessage { .. } | OpError::NoEntry { .. } => {
                hinted(ErrorKind::NotFound, &error)
            }
            OpError::Invalid {
                parameter: "asOf",
                ref why,
            } => CliError {
                message: format!("--as-of: {why}"),
                ..hinted(ErrorKind::Input, &error)
            },
            OpError::Invalid { .. }
            | OpError::HiddenSince(_)
            | OpError::BeganLater { .. }
            | OpError::NoMemory
            | OpError::OtherRepository(_)
            | OpError::Forgotten(..)
            | OpError::NothingAt(_)
            | OpError::NotPlace(_)
            | OpError::NoHistory(_)
            | OpError::WrittenByHand(_)
            | OpError::EmptyNote
            | OpError::UncertainTime { .. }
            | OpError::SeveralPromises { .. }
            | OpError::Promise(_)
            | OpError::NoPlan
            | OpError::ChangedSince
            | OpError::NotRemembered(_) => hinted(
                match error.kind() {
                    OpErrorKind::NotFound => ErrorKind::NotFound,
                    OpErrorKind::Internal => ErrorKind::Internal,
                    OpErrorKind::Invalid | OpErrorKind::Conflict => ErrorKind::Input,
                },
                &error,
            ),
        }
    }
}

/// An error of an operation that was not caused by a library error, with its hint.
fn hinted(kind: ErrorKind, error: &OpError) -> CliError {
    let hint = error.hint().into_iter();
    hint.fold(CliError::from_error(kind, error), CliError::hint)
}

cli_error_from! { BridgeError [Disk, Tombstones, Log, Note]
    _ => Input [];
}

cli_error_from! { GraphError [File] _ => Input []; }

cli_error_from! { ForgetError [File, MemoryTxn] => hint_of_forgetting;
    ForgetError::Unknown(_) => Input [];
    _ => NotFound [];
}

cli_error_from! { FileLinesError [File] => hint_of_lines;
    _ => NotFound [];
}

cli_error_from! { WorkspacePathError [] => hint_of_path;
    _ => Input [];
}

cli_error_from! { TurnError [Begin, Read, Disk, Append, File, Model]
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

cli_error_from! { ExpandError [Read, File]
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

/// The hint that lists the formats that an import reads.
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

cli_error_from! { ForgetPlanError [Index, Path, Forget] => hint_of_forget;
    _ => NotFound [];
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

cli_error_from! { LogError [File] {
        LogError::MayStand(log, cause) => Self::from(cause)
            .doing(format!("writing the note; {log} may still contain all or part of it"))
            .hint("run the same command again: a note that is complete is not written twice");
    }
    LogError::NoteTooLong(..) => Input ["split it into several notes, or put the text in a file of the workspace"];
    _ => Input [];
}

cli_error_from! { MemoryTxnError [File, Review, Undo] => hint_of_txn; _ => Locked []; }

cli_error_from! { ReviewError [] => hint_of_review;
    ReviewError::Unknown { .. } => NotFound [];
    _ => Input [];
}

cli_error_from! { AboutError [Disk, Lines, File, Sessions] _ => Internal []; }

cli_error_from! { AskedError [MemoryTxn, Log, File] => hint_of_asked;
    AskedError::NoLine(_) | AskedError::NoNote(_) | AskedError::NothingAt(_) | AskedError::OnlySaid(..)
    | AskedError::TakenBack(..) => NotFound [];
    AskedError::SeveralNotes(..) | AskedError::SeveralLines(_) | AskedError::TellsNothing(_) => Input [];
    _ => Internal [];
}

cli_error_from! { UndoError [File] => hint_of_undo;
    UndoError::Nothing | UndoError::Unknown => NotFound [];
    _ => Input [];
}

cli_error_from! { DreamError [MemoryTxn, Disk, File]
    DreamError::Running(_) =>
        Locked ["wait for it to finish; `openclaw dream list` shows what waits"];
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

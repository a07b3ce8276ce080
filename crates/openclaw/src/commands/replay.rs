//! `openclaw replay`: runs a recorded conversation through the real pipeline.
//!
//! Implements no stage of the pipeline.

use std::io;

use agent::{Event, ReplayClock, ReplayInput, ReplayMode, Repository};
use base::disk::MemoryDisk;
use base::{Clock, Disk, without_scope};
use cli::executor::wait_for;
use cli::output::{ProgressMeter, Verbosity};
use compaction::{FlushOutcome, WindowEvent};
use import::Recording;
use serde::Serialize;

use super::events::{EventText, event_in_words, event_json};
use super::stdin;
use crate::prelude::*;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  openclaw replay examples/sample.jsonl -s demo
  openclaw replay long.jsonl -s demo --resume")]
pub(crate) struct Arguments {
    /// Session file or JSON Lines of messages; - reads stdin
    pub(crate) file: PathBuf,
    /// Session to write
    #[arg(short, long, value_name = "NAME", default_value = "main")]
    pub(crate) session: SessionName,
    /// Continue an earlier replay of this recording
    #[arg(long)]
    pub(crate) resume: bool,
}

pub(crate) fn run(arguments: &Arguments, context: &mut Context) -> Result<Exit> {
    let recording = open(&arguments.file, context)?;
    let home = context.home()?;
    let clock = Arc::new(ReplayClock::new());
    let runtime = wiring::runtime(context, &home, Arc::clone(&clock) as Arc<dyn Clock>)?;
    let session = session_for(&recording, &arguments.session)?;
    if session != arguments.session {
        let told = "the recording is of a session in a repository, and stays there: its session is";
        context.output.warn(&format!("{told} {session}"));
    }
    wiring::warn_of_misread(context, &runtime, &session)?;
    let source = ReplayInput {
        recording: &recording,
        name: &session,
        mode: if arguments.resume {
            ReplayMode::Resume
        } else {
            ReplayMode::Fresh
        },
    };
    let progress = ProgressMeter::start("replaying", recording.n_messages(), context.output);
    let mut teller = ReplayPrinter {
        output: &mut *context.output,
        progress,
        replayed: Replayed::default(),
        failure: None,
    };
    let mut on_event = |event| teller.tell(&event);
    let replayed = wait_for(agent::replay(&runtime, &clock, source, &mut on_event))?;
    drop(teller.progress);
    if let Some(failure) = teller.failure {
        return Err(failure);
    }
    let told = teller.replayed;
    context.emit(&Replayed {
        context_tokens: replayed?.context_tokens,
        ..told
    })
}

/// The session to write: the chosen one, in the repository that the recording comes from.
fn session_for(recording: &Recording, chosen: &SessionName) -> Result<SessionName> {
    let Some(here) = recording.scope().and_then(Repository::of_session) else {
        return Ok(chosen.clone());
    };
    here.session_name(without_scope(chosen.as_str()))
        .map_err(|_too_long| {
            let failure = "with the scope of its repository, the name of the session is too long";
            CliError::new(ErrorKind::Usage, failure).hint("use a shorter name after `-s`")
        })
}

/// Opens a recording from a file, or from stdin if the file is `-`.
fn open(file: &Path, context: &mut Context) -> Result<Recording> {
    if file != Path::new("-") {
        return Ok(Recording::open(Arc::clone(&context.host.disk), file)?);
    }
    let path = Path::new("stdin");
    let too_long = "save it to a file and replay that; a file can be any size";
    let bytes = stdin::bytes_of(io::stdin().lock(), path, (stdin::BYTES_MAX, too_long))?;
    recording_of(path, &bytes)
}

/// A recording in memory, so that it can be read twice.
pub(super) fn recording_of(path: &Path, bytes: &[u8]) -> Result<Recording> {
    let disk = MemoryDisk::new();
    disk.append(path, bytes)?;
    Ok(Recording::open(Arc::new(disk), path)?)
}

struct ReplayPrinter<'a, 'out> {
    output: &'a mut Output<'out>,
    progress: ProgressMeter,
    /// Counts so far.
    replayed: Replayed,
    /// The first output error; nothing is printed after it.
    failure: Option<CliError>,
}

impl ReplayPrinter<'_, '_> {
    fn tell(&mut self, event: &Event) {
        match event {
            Event::Message { index, .. } => {
                self.replayed.messages += 1;
                self.progress.set(index + 1);
            }
            Event::Window(WindowEvent::FlushEnded { .. }) => self.replayed.flushes += 1,
            Event::Window(WindowEvent::CompactEnded { .. }) => self.replayed.compactions += 1,
            Event::MemoryChanged(_)
            | Event::ReminderDue(_)
            | Event::Notice(_)
            | Event::Warning(_)
            | Event::Window(WindowEvent::ContextWarning { .. }) => {}
            // A replay waits for each stage to end, so it does not report starts.
            Event::Window(
                WindowEvent::FlushStarted { .. }
                | WindowEvent::CompactStarted { .. }
                | WindowEvent::CompactDropped { .. },
            )
            // A recording contains its replies: no model is asked and nothing is recalled.
            | Event::ReplyDelta(_)
            | Event::FallbackModel { .. }
            | Event::AskedAgain { .. }
            | Event::ThinkingDelta(_)
            | Event::Recalled { .. }
            | Event::WaitingForTurn { .. }
            | Event::ToolStarted { .. }
            | Event::ToolEnded { .. } => return,
        }
        if self.failure.is_none() {
            self.failure = self.say(event).err();
        }
    }

    fn say(&mut self, event: &Event) -> Result<()> {
        let Self {
            output, progress, ..
        } = self;
        if output.format() == OutputFormat::Json {
            return json_of(event).map_or(Ok(()), |object| output.object(&object));
        }
        match words_of(event) {
            None => {}
            Some(EventText::Message(text) | EventText::Reminder(text)) => {
                progress.pause_for(|| output.tell(&format!("{text}\n")));
            }
            Some(EventText::Warning(warning)) => progress.pause_for(|| output.warn(&warning)),
        }
        Ok(())
    }
}

/// Keys of events that only a chat prints.
const OF_A_CHAT: [&str; 3] = ["notes", "messages", "freedTokens"];

/// An event as JSON; `None` if a replay does not report it.
fn json_of(event: &Event) -> Option<Value> {
    let mut object = event_json(event)?;
    if let Some(members) = object.as_object_mut() {
        members.retain(|key, _| !OF_A_CHAT.contains(&key.as_str()));
    }
    Some(object)
}

/// An event as text; a replay does not report written notes.
fn words_of(event: &Event) -> Option<EventText> {
    let is_written = matches!(
        event,
        Event::Window(WindowEvent::FlushEnded {
            outcome: FlushOutcome::Written { .. },
            ..
        })
    );
    event_in_words(event, Verbosity::Normal).filter(|_| !is_written)
}

#[derive(Default, Serialize)]
#[serde(tag = "event", rename = "done", rename_all = "camelCase")]
struct Replayed {
    messages: u64,
    compactions: u64,
    flushes: u64,
    /// Tokens of the request that would be sent next.
    context_tokens: TokenCount,
}

impl Report for Replayed {
    fn json(&self) -> Value {
        json!(self)
    }

    fn human(&self, _: Stream) -> String {
        format!(
            "{}, {}, {}; the context holds {}\n",
            counted(self.messages, "message", "messages"),
            counted(self.compactions, "compaction", "compactions"),
            counted(self.flushes, "flush", "flushes"),
            counted(self.context_tokens.0, "token", "tokens"),
        )
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use base::{EntryId, TokenCount};
    use compaction::{FlushMode, Rung, Strategy, Summarised};
    use session::Epoch;

    use super::*;

    #[track_caller]
    fn check_event(event: &Event, expected_json: &str, expected_text: Option<&str>) {
        assert_eq!(json_of(event).unwrap().to_string(), expected_json);
        let text = words_of(event).map(|said| match said {
            EventText::Message(text) | EventText::Warning(text) | EventText::Reminder(text) => text,
        });
        assert_eq!(text.as_deref(), expected_text);
    }

    fn flush(outcome: FlushOutcome) -> Event {
        Event::Window(WindowEvent::FlushEnded {
            epoch: Epoch(2),
            mode: FlushMode::BeforeCompaction,
            outcome,
        })
    }

    #[test]
    fn replay_events_match_documented_json_and_text() {
        check_event(
            &Event::Message {
                index: 7,
                entry: EntryId::new("0198f3"),
                role: "user",
                context_tokens: TokenCount(12_345),
            },
            r#"{"event":"message","index":7,"entryId":"0198f3","role":"user","contextTokens":12345}"#,
            None,
        );
        check_event(
            &flush(FlushOutcome::Nothing),
            r#"{"event":"flush","epoch":2,"outcome":"nothing"}"#,
            None,
        );
        check_event(
            &flush(FlushOutcome::Written { n_notes: 3 }),
            r#"{"event":"flush","epoch":2,"outcome":"written"}"#,
            None,
        );
        check_event(
            &flush(FlushOutcome::Failed),
            r#"{"event":"flush","epoch":2,"outcome":"failed"}"#,
            Some("Could not write notes; the next flush retries."),
        );
        check_event(
            &Event::Window(WindowEvent::CompactEnded {
                epoch: Epoch(2),
                rung: Rung::Offline,
                old_context_tokens: TokenCount(200_000),
                new_context_tokens: TokenCount(15_000),
                summary_length: 3_210,
                ratio_percent: 1_234,
                retention_percent: None,
                summarised: Some(Summarised {
                    strategy: Strategy::default(),
                    n_messages: 18,
                    before: TokenCount(200_000),
                    summary: TokenCount::ZERO,
                    freed: TokenCount(185_000),
                }),
                duration: Duration::from_millis(12),
            }),
            r#"{"event":"compaction","epoch":2,"outcome":"done","tokensBefore":200000,"tokensAfter":15000,"summaryLength":3210,"ratio":12.34,"retention":null,"rung":"offline","durationMs":12}"#,
            Some("Compaction complete: 200,000 \u{2192} 15,000 tokens (-92%)"),
        );
        check_event(
            &Event::Warning("a timestamp goes back".into()),
            r#"{"event":"warning","message":"a timestamp goes back"}"#,
            Some("a timestamp goes back"),
        );
    }

    #[track_caller]
    fn check(end: &Replayed, expected_json: &str, expected_text: &str) {
        assert_eq!(end.json().to_string(), expected_json);
        assert_eq!(end.human(Stream::File), expected_text);
    }

    #[test]
    fn replay_summary_uses_correct_plurals() {
        check(
            &Replayed {
                messages: 120,
                compactions: 3,
                flushes: 4,
                context_tokens: TokenCount(9_000),
            },
            r#"{"event":"done","messages":120,"compactions":3,"flushes":4,"contextTokens":9000}"#,
            "120 messages, 3 compactions, 4 flushes; the context holds 9,000 tokens\n",
        );
        check(
            &Replayed {
                messages: 1,
                compactions: 0,
                flushes: 1,
                context_tokens: TokenCount(1),
            },
            r#"{"event":"done","messages":1,"compactions":0,"flushes":1,"contextTokens":1}"#,
            "1 message, 0 compactions, 1 flush; the context holds 1 token\n",
        );
    }
}

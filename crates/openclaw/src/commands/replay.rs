//! `openclaw replay`: a recorded conversation through the real pipeline.
//!
//! Holds no stage of the pipeline.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use agent::recording::Recording;
use agent::{Event, ReplayClock, ReplayMode, ReplayReport, Source};
use base::{Clock, EntryId, TokenCount};
use serde::Serialize;
use session::SessionName;

use super::compacted::{Compacted, FlushOutcome, Said, told};
use super::stdin;
use crate::executor::wait_for;
use crate::output::Progress;
use crate::prelude::*;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The recording: a session file or JSON Lines of messages; - reads stdin
    pub(crate) file: PathBuf,
    /// The session to write
    #[arg(short, long, value_name = "NAME", default_value = "main")]
    pub(crate) session: SessionName,
    /// Go on where an earlier replay of this recording stopped
    #[arg(long)]
    pub(crate) resume: bool,
}

pub(crate) fn run(arguments: &Arguments, context: &mut Context) -> Result<Exit> {
    let recording = open(&arguments.file, context)?;
    let home = context.home()?;
    let clock = Arc::new(ReplayClock::new());
    let runtime = assistant::runtime(context, &home, Arc::clone(&clock) as Arc<dyn Clock>)?;
    assistant::warn_of_misread(context, &runtime, &arguments.session)?;
    let source = Source {
        recording: &recording,
        name: &arguments.session,
        mode: if arguments.resume {
            ReplayMode::Resume
        } else {
            ReplayMode::Fresh
        },
    };
    let stderr = context.host.environment.stderr;
    let progress = Progress::start("replaying", recording.n_messages(), context.output, stderr);
    let mut teller = Teller {
        output: &mut *context.output,
        progress,
        counts: Counts::default(),
        failure: None,
    };
    let mut on_event = |event| teller.tell(event);
    let replayed = wait_for(agent::replay(&runtime, &clock, source, &mut on_event))?;
    if let Some(failure) = teller.failure.take() {
        return Err(failure);
    }
    teller.finish(replayed?)?;
    Ok(Exit::Done)
}

/// A recording from a file, or from stdin where the file is `-`.
fn open(file: &Path, context: &mut Context) -> Result<Recording> {
    if file != Path::new("-") {
        return Ok(Recording::open(Arc::clone(&context.host.disk), file)?);
    }
    let path = Path::new("stdin");
    let too_long = "save it to a file first, and replay that: a file may be of any size";
    let disk = stdin::read(io::stdin().lock(), path, (stdin::BYTES_MAX, too_long))?;
    Ok(Recording::open(Arc::new(disk), path)?)
}

/// Tells events as they happen.
struct Teller<'a, 'out> {
    output: &'a mut Output<'out>,
    progress: Progress,
    counts: Counts,
    /// The first failure of the output itself; after it nothing is told.
    failure: Option<CliError>,
}

#[derive(Default)]
struct Counts {
    messages: u64,
    compactions: u64,
    flushes: u64,
}

impl Teller<'_, '_> {
    fn tell(&mut self, event: Event) {
        let Some(event) = self.translate(event) else {
            return;
        };
        if let ReplayEvent::Message { index, .. } = &event {
            self.progress.set(index + 1);
        }
        if self.failure.is_none()
            && let Err(error) = self.say(&event)
        {
            self.failure = Some(error);
        }
    }

    fn say(&mut self, event: &ReplayEvent) -> Result<()> {
        let Self {
            output, progress, ..
        } = self;
        if output.format() == Format::Json {
            return output.object(event);
        }
        let Some(said) = render(event) else {
            return Ok(());
        };
        progress.pause_for(|| match said {
            Said::Data(text) => output.text(&text),
            Said::Message(text) => {
                output.tell(&text);
                Ok(())
            }
            Said::Warning(warning) => {
                output.warn(&warning);
                Ok(())
            }
        })
    }

    fn translate(&mut self, event: Event) -> Option<ReplayEvent> {
        match event {
            Event::Message {
                index,
                entry,
                role,
                context_tokens,
            } => {
                self.counts.messages += 1;
                Some(ReplayEvent::Message {
                    index,
                    entry_id: entry,
                    role,
                    context_tokens,
                })
            }
            Event::Notice(message) => Some(ReplayEvent::Notice { message }),
            Event::Warning(message) => Some(ReplayEvent::Warning { message }),
            Event::Window(compaction::Event::FlushEnded { epoch, outcome, .. }) => {
                self.counts.flushes += 1;
                Some(ReplayEvent::Flush {
                    epoch: epoch.0,
                    outcome: outcome.into(),
                })
            }
            Event::Window(ended @ compaction::Event::CompactEnded { .. }) => {
                self.counts.compactions += 1;
                let compacted = Compacted::of(&ended)?;
                Some(ReplayEvent::Compaction(Compacted {
                    summarised: None,
                    ..compacted
                }))
            }
            Event::Window(warning @ compaction::Event::ContextWarning { .. }) => {
                Some(ReplayEvent::Warning {
                    message: warning.to_string(),
                })
            }
            // No start is told either: a replay waits for each end.
            Event::Window(
                compaction::Event::FlushStarted { .. }
                | compaction::Event::CompactStarted { .. }
                | compaction::Event::CompactDropped { .. },
            )
            // A recording holds its replies, and nothing is recalled for it.
            | Event::ReplyDelta(_)
            | Event::AskedInstead { .. }
            | Event::AskedAgain { .. }
            | Event::ThinkingDelta(_)
            | Event::Recalled { .. }
            | Event::WaitingForTurn { .. }
            | Event::ToolStarted { .. }
            | Event::ToolEnded { .. } => None,
        }
    }

    fn finish(mut self, report: ReplayReport) -> Result<()> {
        let Counts {
            messages,
            compactions,
            flushes,
        } = self.counts;
        let context_tokens = report.context_tokens;
        self.say(&ReplayEvent::Done {
            messages,
            compactions,
            flushes,
            context_tokens,
        })
    }
}

/// Something that happened in a replay.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(
    tag = "event",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
enum ReplayEvent {
    Message {
        /// Its place in the recording, from 0.
        index: u64,
        entry_id: EntryId,
        role: &'static str,
        /// Tokens of the request that would be sent after it.
        context_tokens: TokenCount,
    },
    Flush {
        epoch: u64,
        outcome: FlushOutcome,
    },
    Compaction(Compacted),
    /// Something that the owner may want to know.
    Notice {
        message: String,
    },
    Warning {
        message: String,
    },
    Done {
        messages: u64,
        compactions: u64,
        flushes: u64,
        /// Tokens of the request that would be sent next.
        context_tokens: TokenCount,
    },
}

/// What people read of an event; nothing of those that the progress bar tells.
fn render(event: &ReplayEvent) -> Option<Said> {
    match event {
        ReplayEvent::Message { .. } => None,
        ReplayEvent::Notice { message } => Some(Said::Message(format!("{message}\n"))),
        ReplayEvent::Warning { message } => Some(Said::Warning(message.clone())),
        ReplayEvent::Flush { outcome, .. } => match outcome {
            FlushOutcome::Written | FlushOutcome::Nothing => None,
            FlushOutcome::Failed => Some(Said::Message(
                "Notes could not be written; the next flush takes them.\n".to_owned(),
            )),
        },
        ReplayEvent::Compaction(compacted) => Some(Said::Message(format!("{}\n", told(compacted)))),
        ReplayEvent::Done {
            messages,
            compactions,
            flushes,
            context_tokens,
        } => Some(Said::Data(format!(
            "{}, {}, {}; the context holds {}\n",
            counted(*messages, "message", "messages"),
            counted(*compactions, "compaction", "compactions"),
            counted(*flushes, "flush", "flushes"),
            counted(context_tokens.0, "token", "tokens"),
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::compacted::Outcome;

    #[track_caller]
    fn check(event: &ReplayEvent, expected_json: &str, expected_text: Option<&Said>) {
        assert_eq!(serde_json::to_string(event).unwrap(), expected_json);
        assert_eq!(render(event).as_ref(), expected_text);
    }

    #[test]
    fn events_read_as_the_reference_says() {
        check(
            &ReplayEvent::Message {
                index: 7,
                entry_id: EntryId::new("0198f3"),
                role: "user",
                context_tokens: TokenCount(12_345),
            },
            r#"{"event":"message","index":7,"entryId":"0198f3","role":"user","contextTokens":12345}"#,
            None,
        );
        check(
            &ReplayEvent::Flush {
                epoch: 2,
                outcome: FlushOutcome::Nothing,
            },
            r#"{"event":"flush","epoch":2,"outcome":"nothing"}"#,
            None,
        );
        check(
            &ReplayEvent::Compaction(Compacted {
                epoch: 2,
                outcome: Outcome::Done,
                tokens_before: TokenCount(200_000),
                tokens_after: TokenCount(15_000),
                summary_length: 3_210,
                ratio_percent: Some(1_234),
                retention_percent: None,
                rung: Some("offline".into()),
                duration_ms: 12,
                summarised: None,
            }),
            r#"{"event":"compaction","epoch":2,"outcome":"done","tokensBefore":200000,"tokensAfter":15000,"summaryLength":3210,"ratio":12.34,"retention":null,"rung":"offline","durationMs":12}"#,
            Some(&Said::Message(
                "Compaction complete: 200,000 → 15,000 tokens (-92%)\n".into(),
            )),
        );
        check(
            &ReplayEvent::Flush {
                epoch: 0,
                outcome: FlushOutcome::Written,
            },
            r#"{"event":"flush","epoch":0,"outcome":"written"}"#,
            None,
        );
        check(
            &ReplayEvent::Flush {
                epoch: 0,
                outcome: FlushOutcome::Failed,
            },
            r#"{"event":"flush","epoch":0,"outcome":"failed"}"#,
            Some(&Said::Message(
                "Notes could not be written; the next flush takes them.\n".into(),
            )),
        );
        check(
            &ReplayEvent::Warning {
                message: "a timestamp goes back".into(),
            },
            r#"{"event":"warning","message":"a timestamp goes back"}"#,
            Some(&Said::Warning("a timestamp goes back".into())),
        );
    }

    #[test]
    fn the_end_is_told_in_the_right_numbers() {
        check(
            &ReplayEvent::Done {
                messages: 120,
                compactions: 3,
                flushes: 4,
                context_tokens: TokenCount(9_000),
            },
            r#"{"event":"done","messages":120,"compactions":3,"flushes":4,"contextTokens":9000}"#,
            Some(&Said::Data(
                "120 messages, 3 compactions, 4 flushes; the context holds 9,000 tokens\n".into(),
            )),
        );
        check(
            &ReplayEvent::Done {
                messages: 1,
                compactions: 0,
                flushes: 1,
                context_tokens: TokenCount(1),
            },
            r#"{"event":"done","messages":1,"compactions":0,"flushes":1,"contextTokens":1}"#,
            Some(&Said::Data(
                "1 message, 0 compactions, 1 flush; the context holds 1 token\n".into(),
            )),
        );
    }
}

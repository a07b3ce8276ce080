//! `openclaw replay`: a recorded conversation through the real pipeline.
//!
//! Holds no stage of the pipeline.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use agent::recording::Recording;
use agent::{Event, ReplayClock, ReplayMode, ReplayReport, Source};
use base::Clock;
use clap::Args;
use session::SessionName;

use super::stdin;
use crate::app::Context;
use crate::assistant;
use crate::error::CliError;
use crate::executor::wait_for;
use crate::exit_code::Exit;
use crate::output::{Compacted, Format, Output, Progress, ReplayEvent, Said, render_replay_event};

/// Arguments of `openclaw replay`.
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

/// Replays the recording.
pub(crate) fn run(arguments: &Arguments, context: &mut Context<'_, '_>) -> Result<Exit, CliError> {
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
fn open(file: &Path, context: &mut Context<'_, '_>) -> Result<Recording, CliError> {
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

    fn say(&mut self, event: &ReplayEvent) -> Result<(), CliError> {
        let Self {
            output, progress, ..
        } = self;
        if output.format() == Format::Json {
            return output.object(event);
        }
        let Some(said) = render_replay_event(event) else {
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

    fn finish(mut self, report: ReplayReport) -> Result<(), CliError> {
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

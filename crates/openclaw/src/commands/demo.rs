//! `openclaw demo`: plays a sample conversation into a throwaway home, and explains what happened.
//!
//! Never touches an existing folder, asks no model, and needs no network.

use std::io;

use agent::{
    Backfill, Begin, DreamOutcome, DreamRequest, Event, ReplayClock, ReplayInput, ReplayMode,
};
use base::Clock;
use cli::config::Assignment;
use cli::executor::wait_for;
use cli::output::{ProgressMeter, wrap};
use compaction::WindowEvent;
use dreaming::DreamReport;
use memory::LogItem;
use memory::candidates::Candidate;

use super::replay::recording_of;
use crate::prelude::*;

#[derive(Debug, Args)]
#[command(after_help = "\
The demo is ~/openclaw-demo, or the folder that --home names. Delete it when
you have seen enough.

Examples:
  openclaw demo
  openclaw --home /tmp/demo demo")]
pub(crate) struct Arguments {}

const SAMPLE: &str = include_str!("../../../../examples/sample.jsonl");

/// The folder in the user's home, unless `--home` names another one.
const FOLDER: &str = "openclaw-demo";

const SESSION: &str = "demo";

/// Settings of the demo, which precede all others: a window that the conversation outgrows, and no model, which would
/// cost tokens.
const SETTINGS: [(&str, &str); 2] = [
    ("compaction.contextWindow", "16000"),
    ("model.provider", "offline"),
];

/// At most this many notes and waiting findings are shown.
const SHOWN_MAX: usize = 4;

/// The commands to try, each with what it does.
const NEXT: [(&str, &str); 5] = [
    (
        "search the notes and the conversation",
        "openclaw memory search 'when is the school form due'",
    ),
    (
        "print which words a line of MEMORY.md comes from",
        "openclaw why 'Always use metric units'",
    ),
    (
        "say yes or no to each doubtful finding",
        "openclaw dream review",
    ),
    (
        "tell it something, which is written to MEMORY.md at once",
        "openclaw chat -m 'Remember that I am allergic to penicillin.'",
    ),
    ("take that back", "openclaw dream undo"),
];

/// What `init` would have asked Ines.
const OWNER: [(&str, &str); 2] = [("Name", "Ines"), ("Languages", "English")];

pub(crate) fn run(_: &Arguments, context: &mut Context) -> Result<Exit> {
    if context.home_option.is_none() {
        let user_home = context.host.environment.user_home.as_ref();
        let folder = user_home.map(|it| it.join(FOLDER)).ok_or_else(|| {
            CliError::new(
                ErrorKind::Usage,
                "`HOME` is not set, so the demo has no folder",
            )
            .hint("name a new folder: `openclaw --home DIR demo`")
        })?;
        context.home_option = Some(folder);
    }
    let home = context.home()?;
    refuse_existing(&home, context)?;
    context.name_home(&home)?;
    for (key, value) in SETTINGS {
        let (key, value) = (key.to_owned(), value.to_owned());
        let assignment = Assignment { key, value };
        let mut config = context.load(&home, std::slice::from_ref(&assignment))?;
        // A window this small deserves its warning everywhere else.
        config.warnings.clear();
        context.assign(&home, assignment, config);
    }
    context.refuse_in_sandbox("a demo")?;
    let mut seen = play(&home, context)?;
    let workspace = context.host.workspace(&home);
    workspace.fill_in_owner(&OWNER)?;
    seen.found = dream(&home, context)?;
    for day in workspace.log_days()? {
        seen.notes.extend(workspace.log_items(day)?);
    }
    context.emit(&seen)
}

/// Fails if the folder of the demo holds anything: it may be a home that somebody needs.
fn refuse_existing(home: &Home, context: &Context) -> Result<()> {
    let (disk, root) = (&*context.host.disk, home.root());
    if disk.stat(root)?.is_none() || disk.list(root)?.is_empty() {
        return Ok(());
    }
    let word = base::shell_word(root);
    let failure = format!(
        "{} is not empty, but a demo needs a new folder",
        root.display()
    );
    let other = "name another folder: `openclaw --home DIR demo`";
    let hint = if disk.stat(&home.transcript(SESSION))?.is_some() {
        format!("it holds an earlier demo: delete it with `rm -r {word}`, or {other}")
    } else {
        other.to_owned()
    };
    Err(CliError::new(ErrorKind::Usage, failure).hint(hint))
}

/// Replays the sample.
fn play(home: &Home, context: &mut Context) -> Result<Seen> {
    let clock = Arc::new(ReplayClock::new());
    let runtime = wiring::runtime(context, home, Arc::clone(&clock) as Arc<dyn Clock>)?;
    let recording = recording_of(Path::new("sample"), SAMPLE.as_bytes())?;
    let session: SessionName = SESSION.parse().map_err(io::Error::other)?;
    let source = ReplayInput {
        recording: &recording,
        name: &session,
        mode: ReplayMode::Fresh,
    };
    let bar = ProgressMeter::start("replaying", recording.n_messages(), context.output);
    let mut seen = Seen::default();
    let mut on_event = |event| {
        if let Event::Message { index, .. } = event {
            seen.n_messages += 1;
            bar.set(index + 1);
        } else if let Event::Window(WindowEvent::CompactEnded { .. }) = event {
            seen.n_compactions += 1;
        }
    };
    wait_for(agent::replay(&runtime, &clock, source, &mut on_event))??;
    drop(bar);
    home.root().clone_into(&mut seen.home);
    seen.next = NEXT.map(|(_, command)| context.output.at_home(command));
    Ok(seen)
}

/// Dreams of all that was said.
fn dream(home: &Home, context: &mut Context) -> Result<DreamReport> {
    let settings = wiring::dreaming_settings(context, home)?;
    let runtime = wiring::runtime(context, home, Arc::clone(&context.host.clock))?;
    let request = DreamRequest {
        begin: Begin::Now,
        backfill: Backfill::Sessions,
    };
    let outcome = wait_for(agent::dream(&runtime, &settings, request, &mut |_| {}))??;
    Ok(match outcome {
        DreamOutcome::Dreamt { report, .. } => *report,
        DreamOutcome::NotDue(_)
        | DreamOutcome::NothingNew(_)
        | DreamOutcome::MemoryMisread { .. }
        | DreamOutcome::BudgetSpent { .. } => DreamReport::default(),
    })
}

/// The results that the demo shows.
#[derive(Default)]
struct Seen {
    home: PathBuf,
    n_messages: u64,
    n_compactions: u64,
    notes: Vec<LogItem>,
    found: DreamReport,
    /// The commands of `NEXT`, for this home.
    next: [String; NEXT.len()],
}

impl Report for Seen {
    fn json(&self) -> Value {
        let findings = |all: &[Candidate]| all.iter().map(|it| it.finding.clone()).collect();
        let (promoted, waiting): (Vec<_>, Vec<_>) =
            (findings(&self.found.promoted), findings(&self.found.staged));
        json!({
            "home": self.home,
            "messages": self.n_messages,
            "compactions": self.n_compactions,
            "notes": self.notes.len(),
            "promoted": promoted,
            "waiting": waiting,
            "next": self.next,
        })
    }

    fn human(&self, stdout: Stream) -> String {
        let prose = |text: &str| wrap(text, stdout.text_columns(), "");
        let item = |text: &str| {
            wrap(
                &format!("   - {}\n", printable(text)),
                stdout.text_columns(),
                "     ",
            )
        };
        let folder = base::shell_word(&self.home);
        let messages = counted(self.n_messages, "message", "messages");
        let notes = counted(self.notes.len() as u64, "note", "notes");
        let mut text = prose(&format!(
            "Ines is made up. In five days she and her assistant exchanged {messages}, about a controller for her \
             greenhouse and about her household. The demo has played them into {folder}, without a model and \
             without a network.\n\n"
        ));
        text += &prose(&format!(
            "1. The conversation outgrew its window {}. Each time, a summary took the place of the older messages in \
             what a model sees. The messages themselves are all still on disk, and search finds them.\n\n",
            counted(self.n_compactions, "time", "times")
        ));
        text += &prose(&format!(
            "2. Before messages left the window, openclaw wrote down what is worth keeping: {notes}, in \
             {folder}/workspace/memory, such as:\n"
        ));
        let apart = self.notes.len().div_ceil(SHOWN_MAX).max(1);
        // One of each part of the week.
        let notes = self.notes.iter().skip(apart / 2).step_by(apart);
        text.extend(notes.map(|it| item(&it.text)));
        text += &prose(
            "\n3. A dream then read the notes. Clear instructions are now in MEMORY.md, which a model sees in every \
             conversation:\n",
        );
        text.extend(self.found.promoted.iter().map(|it| item(&it.finding)));
        text += &prose(&format!(
            "   {} for Ines to decide, such as:\n",
            counted(
                self.found.staged.len() as u64,
                "other finding waits",
                "other findings wait"
            )
        ));
        let waiting = self.found.staged.iter().take(SHOWN_MAX);
        text.extend(waiting.map(|it| item(&it.finding)));
        text += "\nTry it as Ines:\n";
        for ((purpose, _), command) in NEXT.iter().zip(&self.next) {
            add_line!(text, "  {command}\n      {purpose}");
        }
        add_line!(
            text,
            "\nDelete the demo with `rm -r {folder}`, and begin your own memory with `openclaw init`."
        );
        text
    }
}

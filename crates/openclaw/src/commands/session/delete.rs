//! `openclaw session delete`: deletes a whole session.
//!
//! Without `--yes` it only shows what would go.

use std::collections::BTreeSet;

use agent::{ProofReply, Sought, is_of_conversation, prove};
use base::{EntryId, Message};
use cli::output::without_empty;
use memory::{ForgetPlan, PlannedEntry, PurgeTargets, drop_forgotten, purge};
use session::{LineContent, Payload};

use super::found;
use super::redact::{NOTHING_CHANGED, RedactedNote, chosen, keep_copies, names};
use super::scrub::{drop_index, drop_typed};
use crate::commands::dream::{take_in_dreams, warn_of_candidates};
use crate::commands::proof::proof_lines;
use crate::prelude::*;

#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a flag of the command line"
)]
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  openclaw session delete scratch
  openclaw session delete scratch --notes --yes
  openclaw session delete scratch --notes --yes --now --prove")]
pub(crate) struct Arguments {
    /// Session to delete
    #[arg(value_name = "NAME")]
    session: SessionName,
    /// Also remove notes made from it
    #[arg(long)]
    notes: bool,
    /// Delete; without this, only show what would be deleted
    #[arg(long)]
    yes: bool,
    /// Also delete every copy that an undo of earlier changes would need
    #[arg(long)]
    now: bool,
    /// Afterwards read the whole home, and print where the text still is
    #[arg(long, requires = "yes")]
    prove: bool,
}

/// What deleting a session for good, or with its notes, ends.
const ENDS_UNDO: &str = "it ends the undo of every earlier forget, dream, edit and review, whose copies may contain what was said";

/// Which copies that an undo needs go with a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum UndoCopies {
    /// Those of what was forgotten.
    Forgotten,
    /// All.
    All,
}

pub(crate) fn run(arguments: &Arguments, context: &mut Context) -> Result<Exit> {
    if arguments.yes {
        context.refuse_in_sandbox("deleting a session")?;
    }
    let home = context.existing_home()?;
    let store = context.sessions(&home);
    let name = &arguments.session;
    store.check_writable(name)?;
    let SaidTexts {
        entries,
        typed,
        sought,
    } = messages(&store, arguments)?;
    let n_messages = entries.len();
    let knowledge = context.knowledge(&home)?;
    let ids: BTreeSet<EntryId> = entries.iter().map(|it| it.entry.id.clone()).collect();
    let notes = ForgetPlan {
        // The entries go with their file and need no tombstones.
        entries: Vec::new(),
        ..knowledge.plan_entries(entries, &[])?
    };
    let forks = store.copied_by(name, None)?;
    let ends_undo = arguments.now || arguments.notes;
    if arguments.yes {
        if ends_undo {
            context.output.warn(ENDS_UNDO);
        }
        let notes = arguments.notes.then_some(&notes);
        let copies = if arguments.now {
            UndoCopies::All
        } else {
            UndoCopies::Forgotten
        };
        carry_out(context, &home, (&store, name), (ids, notes, &typed), copies)?;
    }
    let proof = sought.map(|sought| proof_of(context, &home, &sought));
    context.emit(&DeleteReport {
        name,
        n_messages,
        notes: &notes,
        with_notes: arguments.notes,
        forks: &forks,
        is_done: arguments.yes,
        warning: (ends_undo && !arguments.yes).then_some(ENDS_UNDO),
        proof: proof.transpose()?,
    })
}

/// Reads every byte of the home for the texts of a deleted session.
fn proof_of(context: &mut Context, home: &Home, sought: &Sought) -> Result<ProofReply> {
    let operations = context.operations(home)?;
    // Nothing was forgotten, so no record hides it for a while.
    Ok(prove(&operations.home, sought, None)?)
}

struct DeleteReport<'a> {
    name: &'a SessionName,
    n_messages: usize,
    /// Notes made from the session.
    notes: &'a ForgetPlan,
    with_notes: bool,
    /// Sessions that copied a part of it and keep their copies.
    forks: &'a [SessionName],
    is_done: bool,
    /// What else a deletion would do.
    warning: Option<&'static str>,
    /// What reading every byte of the home has shown, if that was asked for.
    proof: Option<ProofReply>,
}

impl Report for DeleteReport<'_> {
    const INDENT: Option<&'static str> = Some("    ");

    fn json(&self) -> Value {
        let object = json!({
            "name": self.name.as_str(),
            "messages": self.n_messages,
            "notes": RedactedNote::all(self.notes).collect::<Vec<_>>(),
            "withNotes": self.with_notes,
            "forks": names(self.forks),
            "isDone": self.is_done,
            "warnings": self.warning.into_iter().collect::<Vec<_>>(),
            "proof": self.proof,
        });
        without_empty(object, ["warnings", "proof"])
    }

    fn human(&self, _: Stream) -> String {
        let messages = counted(self.n_messages as u64, "message", "messages");
        let verb = if self.is_done { "was" } else { "would be" };
        let name = heading(self.name.as_str());
        let mut text = format!("{name} {verb} deleted: {messages}\n");
        let notes: Vec<String> = RedactedNote::all(self.notes)
            .map(|note| note.human())
            .collect();
        if !notes.is_empty() {
            let n_notes = counted(notes.len() as u64, "note", "notes");
            let became = if self.with_notes {
                "are removed from memory too"
            } else {
                "stay in memory; `--notes` removes them too"
            };
            text = format!("{text}{n_notes} made from it {became}:\n{}", notes.concat());
        }
        text.push_str(&keep_copies(self.forks));
        if let Some(warning) = self.warning {
            add_line!(text, "warning: {warning}");
        }
        if !self.is_done {
            text.push_str(NOTHING_CHANGED);
        }
        text.extend(self.proof.as_ref().map(proof_lines));
        text
    }
}

/// What is said in a session.
struct SaidTexts {
    /// Its messages.
    entries: Vec<PlannedEntry>,
    /// The texts of those that somebody may have typed.
    typed: Vec<String>,
    /// What a proof looks for, if one was asked for.
    sought: Option<Sought>,
}

fn messages(store: &SessionStore, arguments: &Arguments) -> Result<SaidTexts> {
    let name = &arguments.session;
    let (mut entries, mut typed, mut own) = (Vec::new(), Vec::new(), Vec::new());
    for line in found(store, store.lines(name))? {
        let line = line?;
        if let LineContent::Entry(entry) = line.content
            && let Payload::Message(stored) = &entry.payload
        {
            if matches!(stored.message, Message::User { .. }) {
                typed.push(stored.message.text());
            }
            if arguments.prove && is_of_conversation(&stored.message) {
                own.push(stored.message.text());
            }
            entries.push(chosen(name, entry.id, line.number));
        }
    }
    let sought = arguments.prove.then(|| {
        let sought = Sought::of(own.iter().map(String::as_str));
        sought.map_err(|error| CliError::internal(&error))
    });
    Ok(SaidTexts {
        entries,
        typed,
        sought: sought.transpose()?,
    })
}

fn carry_out(
    context: &mut Context,
    home: &Home,
    (store, name): (&SessionStore, &SessionName),
    (entries, notes, typed): (BTreeSet<EntryId>, Option<&ForgetPlan>, &[String]),
    copies: UndoCopies,
) -> Result<()> {
    let config = context.config(home)?;
    let _background = store.lock_background(name)?;
    let turn = store.begin_turn(name, wiring::resume_limit(&config))?;
    let workspace = context.host.workspace(home);
    if let Some(plan) = notes {
        let now = context.host.clock.now();
        take_in_dreams(context)?;
        let gone = PurgeTargets {
            entries,
            ..plan.gone(&[])
        };
        let unread = purge(&workspace, plan, &gone, now)?;
        warn_of_candidates(unread, context);
    } else if copies == UndoCopies::All {
        let (none, now) = (ForgetPlan::default(), context.host.clock.now());
        let unread = purge(&workspace, &none, &PurgeTargets::default(), now)?;
        warn_of_candidates(unread, context);
    } else {
        drop_forgotten(&workspace, context.host.clock.now())?;
    }
    // Before, so that a crash leaves no word in the index, and after, in case another process has rebuilt it.
    drop_index(context, home)?;
    // The transcript goes last: only it names what was typed, so a failure before can be made up for.
    drop_typed(context, home, &[], typed.iter().map(String::as_str))?;
    turn.delete()?;
    drop_index(context, home)
}

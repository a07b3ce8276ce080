//! `openclaw session compact`: compacts a session now.
//!
//! Removes no line of the transcript, and flushes notes first.

use agent::{CompactionOutcome, CompactionPlan, StaysWhole};
use base::EntryId;
use cli::executor::wait_for;
use compaction::FlushNeed;

use super::{found, tell};
use crate::prelude::*;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  openclaw session compact main --dry-run
  openclaw session compact main --instructions \"keep all prices\"")]
pub(crate) struct Arguments {
    /// Session to compact
    #[arg(value_name = "NAME")]
    pub(crate) session: SessionName,
    /// What the summary should focus on; at most 800 characters are used
    #[arg(long, value_name = "TEXT")]
    pub(crate) instructions: Option<String>,
    /// Show what would be summarised and kept; write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

#[derive(Default)]
pub(crate) struct CompactReport {
    name: String,
    outcome: &'static str,
    plan: Option<CompactionPlan>,
    stays: Option<StaysWhole>,
    tokens_after: Option<TokenCount>,
    dry_run: bool,
}

pub(crate) fn run(arguments: &Arguments, context: &mut Context) -> Result<Exit> {
    if !arguments.dry_run {
        context.refuse_in_sandbox("a compaction")?;
    }
    let home = context.existing_home()?;
    let name = &arguments.session;
    let clock = Arc::clone(&context.host.clock);
    let store = context.sessions(&home);
    // Reports a missing session before anything is created.
    found(&store, store.lineage(name))?;
    store.check_writable(name)?;
    let report = if arguments.dry_run {
        let runtime = wiring::runtime_as_it_is(context, &home, clock)?;
        CompactReport::planned(name, agent::plan_compaction(&runtime, name)?)
    } else {
        let runtime = wiring::runtime(context, &home, clock)?;
        let mut on_event = |event| tell(&event, context.output);
        let wishes = arguments.instructions.clone();
        let wishes = wishes.filter(|wishes| !wishes.trim().is_empty());
        let compacted = wait_for(agent::compact_now(&runtime, name, wishes, &mut on_event))??;
        CompactReport::done(name, compacted)
    };
    context.emit(&report)
}

impl CompactReport {
    fn planned(name: &SessionName, planned: Result<CompactionPlan, StaysWhole>) -> Self {
        let (outcome, plan, stays) = match planned {
            Ok(plan) => ("planned", Some(plan), None),
            Err(why) => ("nothing", None, Some(why)),
        };
        Self {
            name: name.to_string(),
            outcome,
            plan,
            stays,
            dry_run: true,
            ..Self::default()
        }
    }

    pub(crate) fn done(name: &SessionName, compacted: CompactionOutcome) -> Self {
        let (outcome, plan, stays, tokens_after) = match compacted {
            CompactionOutcome::Sandboxed => ("sandboxed", None, None, None),
            CompactionOutcome::Nothing(why) => ("nothing", None, Some(why), None),
            CompactionOutcome::Done { plan, tokens_after } => {
                ("compacted", Some(plan), None, Some(tokens_after))
            }
            CompactionOutcome::NoSummary { plan } => ("noSummary", Some(plan), None, None),
        };
        Self {
            name: name.to_string(),
            outcome,
            plan,
            stays,
            tokens_after,
            dry_run: false,
        }
    }
}

impl Report for CompactReport {
    const INDENT: Option<&'static str> = Some("              ");

    fn json(&self) -> Value {
        json!({
            "name": self.name,
            "outcome": self.outcome,
            "plan": self.plan.as_ref().map(plan_json),
            "stays": self.stays.as_ref().map(|why| json!({
                "shownTokens": why.shown.0,
                "keepTokens": why.keep.map(|keep| keep.0),
                "strategy": why.strategy,
            })),
            "tokensAfter": self.tokens_after.map(|after| after.0),
            "dryRun": self.dry_run,
        })
    }

    fn is_dry_run(&self) -> bool {
        self.dry_run
    }

    fn human(&self, _: Stream) -> String {
        let name = &self.name;
        let Some(plan) = &self.plan else {
            // In a sandbox, a notice has already been printed.
            let said = |why| format!("{name}: nothing to compact; {}\n", reason(why));
            return self.stays.as_ref().map(said).unwrap_or_default();
        };
        if self.outcome == "noSummary" {
            return format!(
                "{name}: no summary frees enough of the window; the conversation is unchanged\n"
            );
        }
        let mut text = format!("{} was compacted\n", heading(name));
        let mut line = |label: &str, says: String| {
            add_line!(text, "  {label:<12}  {says}");
        };
        line("summarised", leaving(plan));
        line("kept", kept(plan));
        let before = plan.tokens_before;
        if self.dry_run {
            let flush = if needs_flush(plan) { "yes" } else { "no" };
            line("flush before", flush.to_owned());
            line("summary by", plan.rung.as_str().to_owned());
            line("next request", format!("{before} tokens now"));
        } else if let Some(after) = self.tokens_after {
            line("next request", format!("{after} tokens, {before} before"));
        }
        text
    }
}

fn plan_json(plan: &CompactionPlan) -> Value {
    let (first, last) = plan
        .ends
        .as_ref()
        .map(|(a, b)| (a.as_str(), b.as_str()))
        .unzip();
    json!({
        "epoch": plan.epoch.0,
        "leavingMessages": plan.n_leaving,
        "leavingTokens": plan.leaving.0,
        "first": first,
        "last": last,
        "keptMessages": plan.n_kept,
        "keptTokens": plan.kept.0,
        "firstKept": plan.first_kept.as_ref().map(EntryId::as_str),
        "tokensBefore": plan.tokens_before.0,
        "rung": plan.rung.as_str(),
        "flush": needs_flush(plan),
    })
}

fn needs_flush(plan: &CompactionPlan) -> bool {
    plan.flush == FlushNeed::Needed
}

/// Why no message can leave the window.
fn reason(why: &StaysWhole) -> String {
    let shown = why.shown;
    match why.keep {
        Some(keep) if shown <= keep => format!(
            "its messages take {shown} tokens, and the newest {keep} are kept verbatim \
             (compaction.keepRecentTokens)"
        ),
        Some(_) => format!("the newest message alone takes nearly all of its {shown} tokens"),
        None => format!(
            "its messages take {shown} tokens, and strategy `{}` does not compact any of them yet",
            why.strategy
        ),
    }
}

fn leaving(plan: &CompactionPlan) -> String {
    let messages = counted(plan.n_leaving as u64, "message", "messages");
    let tokens = plan.leaving;
    let ends = plan.ends.as_ref();
    let (first, last) = ends.map_or(("", ""), |(first, last)| (first.as_str(), last.as_str()));
    let (first, last) = (printable(first), printable(last));
    format!("{messages}, {tokens} tokens: {first} to {last}")
}

fn kept(plan: &CompactionPlan) -> String {
    let messages = counted(plan.n_kept as u64, "message", "messages");
    let tokens = plan.kept;
    match &plan.first_kept {
        Some(first) => {
            let first = printable(first.as_str());
            format!("{messages}, {tokens} tokens: from {first}")
        }
        None => "only the summary".to_owned(),
    }
}

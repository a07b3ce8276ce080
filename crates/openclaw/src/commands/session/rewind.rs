//! `openclaw session rewind`: continues a session from an earlier entry.
//!
//! Removes no line: the abandoned branch stays in the file.

use base::EntryId;
use cli::executor::wait_for;
use session::{EntrySelector, Epoch, MessageRange, RewindPlan};

use super::{found, tell, tokens_of};
use crate::prelude::*;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  openclaw session export main --ids
  openclaw session rewind main --to 3fa9c2d1 --dry-run")]
pub(crate) struct Arguments {
    /// Session to rewind
    #[arg(value_name = "NAME")]
    pub(crate) session: SessionName,
    #[command(flatten)]
    pub(crate) to: RewindTarget,
    /// Show what would leave the view; write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

/// Where to rewind to.
#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub(crate) struct RewindTarget {
    /// Rewind to just before the compaction that ended epoch N
    #[arg(long, value_name = "N")]
    pub(crate) epoch: Option<u64>,
    /// Rewind to this entry, by id or id prefix
    #[arg(long, value_name = "ENTRY")]
    pub(crate) to: Option<String>,
}

struct RewindReport<'a> {
    name: &'a SessionName,
    plan: RewindPlan,
    /// The rewind entry; `None` if nothing was written.
    entry: Option<EntryId>,
    dry_run: bool,
}

pub(crate) fn run(arguments: &Arguments, context: &mut Context) -> Result<Exit> {
    let home = context.existing_home()?;
    let name = &arguments.session;
    let spot = match (&arguments.to.to, arguments.to.epoch) {
        (Some(entry), _) => EntrySelector::Entry(entry.clone()),
        (None, epoch) => EntrySelector::EndOf(Epoch(epoch.unwrap_or_default())),
    };
    let store = context.sessions(&home);
    let (plan, entry) = if arguments.dry_run {
        let config = context.config(&home)?;
        let limit = wiring::resume_limit(&config);
        let plan = found(&store, store.plan_rewind(name, &spot, limit))?;
        store.check_writable(name)?;
        (plan, None)
    } else {
        context.refuse_in_sandbox("a rewind")?;
        // Reports a missing session before anything is created.
        found(&store, store.lineage(name))?;
        let runtime = wiring::runtime(context, &home, Arc::clone(&context.host.clock))?;
        let mut on_event = |event| tell(&event, context.output);
        let rewound = wait_for(agent::rewind(&runtime, name, &spot, &mut on_event))??;
        (rewound.plan, rewound.entry)
    };
    context.emit(&RewindReport {
        name,
        plan,
        entry,
        dry_run: arguments.dry_run,
    })
}

impl Report for RewindReport<'_> {
    const INDENT: Option<&'static str> = Some("              ");

    fn json(&self) -> Value {
        let stretch = |it: &MessageRange| {
            let (first, last) = (it.first.as_str(), it.last.as_str());
            json!({ "messages": it.n_messages, "first": first, "last": last })
        };
        json!({
            "name": self.name.as_str(),
            "target": self.plan.target.id.as_str(),
            "entry": self.entry.as_ref().map(EntryId::as_str),
            "isThere": self.plan.is_there,
            "left": self.plan.left.as_ref().map(stretch),
            "back": self.plan.back.as_ref().map(stretch),
            "viewItems": self.plan.view.items.len(),
            "viewTokens": tokens_of(&self.plan.view).0,
            "dryRun": self.dry_run,
        })
    }

    fn is_dry_run(&self) -> bool {
        self.dry_run
    }

    fn human(&self, _: Stream) -> String {
        let target = printable(self.plan.target.id.as_str());
        let name = self.name;
        if self.plan.is_there {
            return format!("{name} already continues from {target}; nothing was written\n");
        }
        let mut text = format!("{} continues from {target}\n", heading(name.as_str()));
        for (label, stretch) in [
            ("out of view", &self.plan.left),
            ("back in view", &self.plan.back),
        ] {
            if let Some(stretch) = stretch {
                add_line!(text, "  {label:<12}  {}", described(stretch));
            }
        }
        let items = counted(self.plan.view.items.len() as u64, "message", "messages");
        let tokens = tokens_of(&self.plan.view);
        add_line!(text, "  {:<12}  {items}, {tokens} tokens", "in view");
        text
    }
}

fn described(stretch: &MessageRange) -> String {
    let messages = counted(stretch.n_messages as u64, "message", "messages");
    let [first, last] = [&stretch.first, &stretch.last].map(|entry| printable(entry.as_str()));
    if first == last {
        return format!("{messages}: {first}");
    }
    format!("{messages}: {first} to {last}")
}

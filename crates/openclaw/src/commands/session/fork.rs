//! `openclaw session fork`: begins a new session with a copy of another's view.
//!
//! Does nothing to the other session except to flush its notes.

use cli::executor::wait_for;
use session::{EntrySelector, Fork};

use super::{found, tell, tokens_of};
use crate::prelude::*;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  openclaw session fork main what-if")]
pub(crate) struct Arguments {
    /// Session to copy from
    #[arg(value_name = "NAME")]
    pub(crate) session: SessionName,
    /// Session to create
    #[arg(value_name = "NEW")]
    pub(crate) new: SessionName,
    /// Copy the view as of this entry, by id or id prefix
    #[arg(long, value_name = "ENTRY")]
    pub(crate) at: Option<String>,
}

struct ForkReport<'a> {
    from: &'a SessionName,
    name: SessionName,
    fork: Fork,
}

pub(crate) fn run(arguments: &Arguments, context: &mut Context) -> Result<Exit> {
    context.refuse_in_sandbox("a fork")?;
    let home = context.existing_home()?;
    let store = context.sessions(&home);
    let (from, name) = (&arguments.session, &arguments.new);
    found(&store, store.lineage(from))?;
    let runtime = wiring::runtime(context, &home, Arc::clone(&context.host.clock))?;
    let at = arguments.at.clone().map(EntrySelector::Entry);
    let mut on_event = |event| tell(&event, context.output);
    let forking = agent::fork(&runtime, from, at.as_ref(), name, &mut on_event);
    let agent::Forked { name, fork, .. } = wait_for(forking)??;
    context.emit(&ForkReport { from, name, fork })
}

impl Report for ForkReport<'_> {
    const INDENT: Option<&'static str> = Some("    ");

    fn json(&self) -> Value {
        let fork = &self.fork;
        json!({
            "name": self.name.as_str(),
            "from": self.from.as_str(),
            "parent": fork.session.as_str(),
            "at": fork.at_entry.as_str(),
            "messages": fork.n_messages(),
            "viewTokens": tokens_of(&fork.view).0,
            "isCut": fork.view.is_cut,
        })
    }

    fn human(&self, _: Stream) -> String {
        let messages = counted(self.fork.n_messages() as u64, "message", "messages");
        let cut = self.fork.view.is_cut;
        let cut = if cut {
            "; earlier messages stay only in that session"
        } else {
            ""
        };
        let (name, from) = (heading(self.name.as_str()), self.from);
        let tokens = tokens_of(&self.fork.view);
        let at = printable(self.fork.at_entry.as_str());
        format!(
            "{name} starts with {messages} from {from}, {tokens} tokens{cut}\n  copied at  {at}\n"
        )
    }
}

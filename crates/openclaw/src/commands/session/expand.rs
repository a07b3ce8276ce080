//! `openclaw session expand`: what a summary stands for, word for word.
//!
//! Changes nothing.

use std::sync::Arc;

use agent::{ExpandError, ExpandOptions, Order, expand};
use base::TokenCount;
use clap::{Args, ValueEnum};
use memory::load_tombstones;
use session::{Epoch, SessionName, Spot};

use super::explained;
use crate::app::Context;
use crate::assistant;
use crate::error::CliError;
use crate::exit_code::Exit;
use crate::output::{ExpandReport, Format, render_expand};

/// Arguments of `openclaw session expand`.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The session
    #[arg(value_name = "NAME")]
    pub(crate) session: SessionName,
    /// A summary or a message: its id, or the beginning of it; without it the newest summary in view
    #[arg(value_name = "ENTRY", conflicts_with = "epoch")]
    pub(crate) entry: Option<String>,
    /// The summary that ended epoch N
    #[arg(long, value_name = "N")]
    pub(crate) epoch: Option<u64>,
    /// Show at most this many tokens
    #[arg(long, value_name = "TOKENS", default_value_t = 4_000)]
    pub(crate) budget: u64,
    /// Show only messages that hold one of these words, the most telling first
    #[arg(long, value_name = "WORDS", conflicts_with = "from")]
    pub(crate) query: Option<String>,
    /// Begin at this end where not everything fits; without it both ends are shown
    #[arg(long, value_name = "END")]
    pub(crate) from: Option<From>,
}

// What the values mean stands in the help of the option: help of their own would make it long.
/// Where to begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum From {
    Start,
    End,
}

/// Shows it.
pub(crate) fn run(arguments: &Arguments, context: &mut Context<'_, '_>) -> Result<Exit, CliError> {
    let home = context.home()?;
    let config = context.config(&home)?;
    let timezone = context.timezone(&config);
    let store = assistant::sessions(context.host, &home, Arc::clone(&context.host.clock));
    let entry = arguments.entry.clone().map(Spot::Entry);
    let epoch = || arguments.epoch.map(|epoch| Spot::EndOf(Epoch(epoch)));
    let order = match (&arguments.query, arguments.from) {
        (Some(query), _) => Order::Query(query.clone()),
        (None, Some(From::Start)) => Order::Start,
        (None, Some(From::End)) => Order::End,
        (None, None) => Order::Ends,
    };
    let options = ExpandOptions {
        by: entry.or_else(epoch),
        budget: TokenCount(arguments.budget),
        order,
    };
    let limit = assistant::resume_limit(&config);
    let workspace = assistant::workspace(context.host, &home);
    let tombstones = load_tombstones(&workspace)?;
    let transcripts = (&store, &tombstones);
    let expansion = expand(transcripts, &arguments.session, &options, limit);
    let expansion = expansion.map_err(|error| {
        if let ExpandError::Read(error) = error {
            explained(&store, error)
        } else {
            error.into()
        }
    })?;
    let report = ExpandReport::new(expansion);
    let stdout = context.host.environment.stdout();
    match context.output.format() {
        Format::Json => context.output.object(&report)?,
        Format::Human => context
            .output
            .text(&render_expand(&report, timezone, stdout))?,
    }
    Ok(Exit::Done)
}

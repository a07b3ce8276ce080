//! `openclaw session expand`: shows the messages behind a summary, word for word.
//!
//! Changes nothing.

use agent::ops::{ExpandFrom, ExpandReply, ExpandSession, Operation};
use agent::{Piece, Viewer};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use cli::output::{minute, wrap, wrap_indented};

use super::found;
use crate::prelude::*;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  openclaw session expand main
  openclaw session expand main --epoch 2 --query \"train Lyon\"")]
pub(crate) struct Arguments {
    /// Session to read
    #[arg(value_name = "NAME")]
    pub(crate) session: SessionName,
    /// Summary or message, by id or id prefix [default: the newest summary
    /// in view]
    #[arg(value_name = "ENTRY", conflicts_with = "epoch")]
    pub(crate) entry: Option<String>,
    /// Expand the summary that ended epoch N
    #[arg(long, value_name = "N")]
    pub(crate) epoch: Option<u64>,
    /// Show at most this many tokens
    #[arg(long, value_name = "TOKENS", default_value_t = 4_000)]
    pub(crate) budget: u64,
    /// Show only messages that contain one of these words, best first
    #[arg(long, value_name = "WORDS", conflicts_with = "from")]
    pub(crate) query: Option<String>,
    /// Start at this end if not everything fits [default: both ends]
    #[arg(long, value_name = "END", value_parser = PossibleValuesParser::new(ExpandFrom::ALL.map(ExpandFrom::as_str)).try_map(|word| ExpandFrom::parse(&word).ok_or("unknown end")))]
    pub(crate) from: Option<ExpandFrom>,
}

pub(crate) fn run(arguments: &Arguments, context: &mut Context) -> Result<Exit> {
    let home = context.existing_home()?;
    let request = ExpandSession {
        name: Some(arguments.session.to_string()),
        entry: arguments.entry.clone(),
        epoch: arguments.epoch,
        query: arguments.query.clone(),
        from: arguments.from,
        budget: Some(arguments.budget),
    };
    let operations = context.operations(&home)?;
    let reply = request.run(&operations.context(&Viewer::Owner));
    let reply = found(&operations.home.sessions, reply)?;
    let timezone = operations.home.timezone;
    context.emit_reply(&reply, |reply, stdout| human(reply, timezone, stdout))
}

fn human(reply: &ExpandReply, timezone: Tz, stdout: Stream) -> String {
    let columns = stdout.text_columns();
    let mut text = wrap(&title(reply, timezone), columns, "  ");
    for piece in &reply.items {
        text.push('\n');
        text.push_str(&shown(piece, timezone, columns));
    }
    text
}

fn shown(piece: &Piece, timezone: Tz, columns: usize) -> String {
    match piece {
        Piece::Said {
            entry,
            at,
            speaker,
            text,
            ..
        } => {
            let (speaker, at) = (heading(&printable(speaker)), minute(*at, timezone));
            let title = format!("{speaker}  {at}  {}\n", printable(entry.as_str()));
            let said: Vec<String> = text.lines().map(printable).collect();
            wrap(&title, columns, "  ") + &wrap_indented(&said.join("\n"), columns, "  ")
        }
        Piece::Gap {
            first,
            last,
            n_messages,
            tokens,
        } => {
            let messages = counted(*n_messages as u64, "message", "messages");
            let (first, last) = (printable(first.as_str()), printable(last.as_str()));
            let gap = format!("... {messages}, {tokens} tokens: {first} to {last}\n");
            wrap(&gap, columns, "    ")
        }
    }
}

fn title(reply: &ExpandReply, timezone: Tz) -> String {
    let n_messages = reply.messages;
    let messages = counted(n_messages as u64, "message", "messages");
    let is_shown = |piece: &&Piece| matches!(piece, Piece::Said { .. });
    let n_shown = reply.items.iter().filter(is_shown).count();
    let shown = if reply.n_wanted == 0 && n_messages > 0 {
        ", none of which contains a word of `--query`".to_owned()
    } else if n_shown == 0 && n_messages > 0 {
        ", none of which fits `--budget`".to_owned()
    } else if n_shown < n_messages {
        format!(", {n_shown} shown (select others with `--budget`, `--query` or `--from`)")
    } else {
        String::new()
    };
    let cut = if reply.is_cut {
        "; earlier ones are not included"
    } else {
        ""
    };
    let name = heading(reply.session.as_str());
    let tokens = reply.tokens;
    match reply.at.zip(reply.epoch) {
        Some((at, epoch)) => {
            let at = minute(at, timezone);
            format!(
                "{name}  {messages}, {tokens} tokens, left the window at {at}, at the end of epoch {epoch}{shown}{cut}\n"
            )
        }
        None => format!("{name}  {messages}, {tokens} tokens{shown}\n"),
    }
}

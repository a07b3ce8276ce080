//! `openclaw session expand`: shows the messages behind a summary, word for word.
//!
//! Changes nothing.

use agent::{ExpandError, ExpandOptions, ExpandOrder, Expansion, Piece, expand};
use clap::ValueEnum;
use cli::output::{instant, minute, wrap, wrap_indented};
use memory::load_tombstones;
use session::{EntrySelector, Epoch};

use super::explained;
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
    #[arg(long, value_name = "END")]
    pub(crate) from: Option<From>,
}

/// Where to begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum From {
    Start,
    End,
}

struct ExpandReport {
    expansion: Expansion,
    timezone: Tz,
}

pub(crate) fn run(arguments: &Arguments, context: &mut Context) -> Result<Exit> {
    let home = context.existing_home()?;
    let config = context.config(&home)?;
    let timezone = context.timezone(&config);
    let store = context.sessions(&home);
    let entry = arguments.entry.clone().map(EntrySelector::Entry);
    let epoch = arguments.epoch.map(Epoch).map(EntrySelector::EndOf);
    let order = match (&arguments.query, arguments.from) {
        (Some(query), _) => ExpandOrder::Query(query.clone()),
        (None, Some(From::Start)) => ExpandOrder::Start,
        (None, Some(From::End)) => ExpandOrder::End,
        (None, None) => ExpandOrder::Ends,
    };
    let options = ExpandOptions {
        by: entry.or(epoch),
        budget: TokenCount(arguments.budget),
        order,
    };
    let limit = wiring::resume_limit(&config);
    let tombstones = load_tombstones(&context.host.workspace(&home))?;
    let expansion = match expand(&store, &tombstones, &arguments.session, &options, limit) {
        Err(ExpandError::Read(error)) => return Err(explained(&store, error)),
        expanded => expanded?,
    };
    context.emit(&ExpandReport {
        expansion,
        timezone,
    })
}

impl Report for ExpandReport {
    fn json(&self) -> Value {
        let own = &self.expansion;
        let by = own.compaction.as_ref();
        json!({
            "session": own.session.as_str(),
            "entry": by.map(|by| by.entry.as_str()),
            "epoch": by.map(|by| by.epoch.0),
            "at": by.map(|by| instant(by.at)),
            "messages": own.n_messages,
            "tokens": own.tokens.0,
            "isCut": own.is_cut,
            "items": own.pieces.iter().map(piece_json).collect::<Vec<_>>(),
        })
    }

    fn human(&self, stdout: Stream) -> String {
        let columns = stdout.text_columns();
        let mut text = wrap(&title(&self.expansion, self.timezone), columns, "  ");
        for piece in &self.expansion.pieces {
            text.push('\n');
            text.push_str(&shown(piece, self.timezone, columns));
        }
        text
    }
}

fn piece_json(piece: &Piece) -> Value {
    match piece {
        Piece::Said {
            entry,
            at,
            speaker,
            origin,
            text,
            hidden,
        } => json!({
            "kind": "message",
            "entry": entry.as_str(),
            "at": instant(*at),
            "speaker": speaker,
            "origin": origin.as_str(),
            "text": text,
            "hiddenTokens": hidden.0,
        }),
        Piece::Gap {
            first,
            last,
            n_messages,
            tokens,
        } => json!({
            "kind": "gap",
            "messages": n_messages,
            "tokens": tokens.0,
            "first": first.as_str(),
            "last": last.as_str(),
        }),
    }
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

fn title(expansion: &Expansion, timezone: Tz) -> String {
    let n_messages = expansion.n_messages;
    let messages = counted(n_messages as u64, "message", "messages");
    let is_shown = |piece: &&Piece| matches!(piece, Piece::Said { .. });
    let n_shown = expansion.pieces.iter().filter(is_shown).count();
    let shown = if expansion.n_wanted == 0 && n_messages > 0 {
        ", none of which contains a word of `--query`".to_owned()
    } else if n_shown == 0 && n_messages > 0 {
        ", none of which fits `--budget`".to_owned()
    } else if n_shown < n_messages {
        format!(", {n_shown} shown (select others with `--budget`, `--query` or `--from`)")
    } else {
        String::new()
    };
    let cut = if expansion.is_cut {
        "; earlier ones are not included"
    } else {
        ""
    };
    let name = heading(expansion.session.as_str());
    let tokens = expansion.tokens;
    match &expansion.compaction {
        Some(by) => {
            let (at, epoch) = (minute(by.at, timezone), by.epoch.0);
            format!(
                "{name}  {messages}, {tokens} tokens, left the window at {at}, at the end of epoch {epoch}{shown}{cut}\n"
            )
        }
        None => format!("{name}  {messages}, {tokens} tokens{shown}\n"),
    }
}

//! `openclaw agenda`: prints reminders, and what notes, `MEMORY.md` and messages without a note plan for the days ahead;
//! adds, moves and ends reminders.
//!
//! Never guesses a time: one that is not certain is an error.

use std::collections::BTreeSet;

use agent::Viewer;
use agent::ops::{
    AGENDA_DAYS_MAX, AddPromise, Agenda, AgendaReply, DecidePromise, Operation, PromiseAction,
    PromiseReply, PromiseStatus, calendar,
};
use base::disk::create_dir;
use base::{Day, Invocation, Origin};
use clap::Subcommand;
use cli::output::wrap;
use cli::serving::LISTEN_DEFAULT;
use gateway::http::FeedToken;
use serde::Serialize;

use crate::prelude::*;

#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "\
Examples:
  openclaw agenda --days 7
  openclaw agenda add on Friday at 9 call the plumber
  openclaw agenda add every month on the 1st pay the rent
  openclaw agenda add --about bike ask whether the brake holds
  openclaw agenda snooze 3f2a tomorrow at 10
  openclaw agenda --days 365 --ics > agenda.ics"
)]
pub(crate) struct Arguments {
    /// Number of days, from today on
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..=i64::from(AGENDA_DAYS_MAX)))]
    days: u32,
    /// Print the calendar for other programs, in the iCalendar format
    #[arg(long)]
    ics: bool,
    /// Print the address of the read-only calendar that `openclaw serve` offers to
    /// programs that subscribe to calendars
    #[arg(long, conflicts_with_all = ["ics", "days"])]
    feed: bool,
    /// Make the address of that calendar invalid
    #[arg(long, conflicts_with_all = ["ics", "days", "feed"])]
    revoke_feed: bool,
    #[command(subcommand)]
    action: Option<Action>,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Add a reminder; the next chat after its time prints it
    Add {
        /// What to be reminded of, and when
        #[arg(required = true, value_name = "WORDS")]
        words: Vec<String>,
        /// Bring it up when a chat comes to this subject, instead of at a time
        #[arg(long, value_name = "SUBJECT")]
        about: Option<String>,
    },
    /// Tick off a reminder, so that it is not shown again
    Done {
        /// The id of the reminder, the beginning of the id, or words of its text
        #[arg(required = true, value_name = "ID|WORDS")]
        id: Vec<String>,
    },
    /// Move a reminder to another time
    Snooze {
        /// The id of the reminder, the beginning of the id, or words of its text in quotes
        #[arg(value_name = "ID|WORDS")]
        id: String,
        /// The new time
        #[arg(required = true, value_name = "TIME")]
        when: Vec<String>,
    },
    /// Remove a reminder
    Drop {
        /// The id of the reminder, the beginning of the id, or words of its text
        #[arg(required = true, value_name = "ID|WORDS")]
        id: Vec<String>,
    },
    /// Make a reminder of what the assistant promised
    Keep {
        /// The id of the promise, the beginning of it, or words of its text
        #[arg(required = true, value_name = "ID|WORDS")]
        id: Vec<String>,
    },
    /// Undo the last change of a reminder, or restore a dropped one
    Undo {
        /// The id of the reminder, the beginning of the id, or words of its text; without one,
        /// the reminder that was changed last
        #[arg(value_name = "ID|WORDS")]
        id: Vec<String>,
    },
}

pub(crate) fn run(arguments: &Arguments, context: &mut Context) -> Result<Exit> {
    match &arguments.action {
        None if arguments.feed => show_feed(context),
        None if arguments.revoke_feed => revoke_feed(context),
        None => list(arguments, context),
        Some(Action::Add { words, about }) => {
            context.refuse_in_sandbox("adding a reminder")?;
            let home = context.home()?;
            wiring::make_workspace(&context.host.workspace(&home), context)?;
            let operations = context.operations(&home)?;
            let request = AddPromise {
                text: words.join(" "),
                about: about.clone(),
            };
            let reply = request.run(&operations.context(&Viewer::Owner))?;
            emit(&reply, context)
        }
        Some(Action::Done { id }) => decide(&id.join(" "), PromiseAction::Done, None, context),
        Some(Action::Drop { id }) => decide(&id.join(" "), PromiseAction::Drop, None, context),
        Some(Action::Keep { id }) => decide(&id.join(" "), PromiseAction::Keep, None, context),
        Some(Action::Undo { id }) => decide(&id.join(" "), PromiseAction::Undo, None, context),
        Some(Action::Snooze { id, when }) => {
            decide(id, PromiseAction::Snooze, Some(when.join(" ")), context)
        }
    }
}

/// The address of the calendar that programs subscribe to.
#[derive(Debug, Serialize)]
struct FeedReport {
    /// The address at which the service listens by default.
    address: String,
}

impl Report for FeedReport {
    fn json(&self) -> Value {
        json!(self)
    }

    fn human(&self, _: Stream) -> String {
        format!("{}\n", self.address)
    }
}

fn show_feed(context: &mut Context) -> Result<Exit> {
    context.refuse_in_sandbox("making a calendar feed")?;
    let home = context.existing_home()?;
    create_dir(&*context.host.disk, &home.state())?;
    let path = feed_token(context, &home).path_and_query()?;
    let address = format!("http://{LISTEN_DEFAULT}{path}");
    let invocation = &context.output.modes.invocation;
    let [revoke, serve] = ["agenda --revoke-feed", "serve"].map(|it| invocation.command(it));
    context.output.tell_aside(&format!(
        "Whoever has this address can read your agenda; `{revoke}` makes it invalid. `{serve}` answers it. If you serve at \
         another address, replace the part before /agenda.ics."
    ));
    context.emit(&FeedReport { address })
}

fn revoke_feed(context: &mut Context) -> Result<Exit> {
    context.refuse_in_sandbox("revoking a calendar feed")?;
    let home = context.existing_home()?;
    let was_there = feed_token(context, &home).revoke()?;
    context.emit(&RevokedFeed { revoked: was_there })
}

/// Whether there was a feed to revoke.
#[derive(Serialize)]
struct RevokedFeed {
    revoked: bool,
}

impl Report for RevokedFeed {
    fn json(&self) -> Value {
        json!(self)
    }

    fn human(&self, _: Stream) -> String {
        let done = if self.revoked {
            "The address of the calendar is invalid from now on."
        } else {
            "There is no calendar feed."
        };
        format!("{done}\n")
    }
}

fn feed_token(context: &Context, home: &Home) -> FeedToken {
    FeedToken::of(Arc::clone(&context.host.disk), &home.state())
}

fn decide(
    id: &str,
    action: PromiseAction,
    when: Option<String>,
    context: &mut Context,
) -> Result<Exit> {
    context.refuse_in_sandbox("changing a reminder")?;
    let home = context.existing_home()?;
    let operations = context.operations(&home)?;
    let id = id.to_owned();
    let request = DecidePromise { id, action, when };
    let reply = request.run(&operations.context(&Viewer::Owner))?;
    emit(&reply, context)
}

/// Prints what became of a promise, and the command that reverts it.
fn emit(reply: &PromiseReply, context: &mut Context) -> Result<Exit> {
    let invocation = context.output.modes.invocation.clone();
    context.emit_reply(reply, |reply, _| changed(reply, &invocation))
}

fn changed(reply: &PromiseReply, invocation: &Invocation) -> String {
    let id = &reply.id;
    let what = match reply.status {
        PromiseStatus::Open | PromiseStatus::Told | PromiseStatus::Proposed => time_of(reply),
        PromiseStatus::Done => "done".to_owned(),
        PromiseStatus::Dropped => "dropped".to_owned(),
    };
    let text = printable(&reply.text);
    if reply.already {
        return format!("nothing changed, since it was so already: {what}: {text} ^{id}\n");
    }
    let undo = invocation.command(&format!("agenda undo {id}"));
    let taken_back = reply
        .taken_back
        .map(|it| format!("taken back: {}\n", it.in_words()));
    let taken_back = taken_back.unwrap_or_default();
    format!("{taken_back}{what}: {text} ^{id}\n`{undo}` reverts this\n")
}

/// The day with its weekday, the time, and the repetition.
fn time_of(own: &PromiseReply) -> String {
    let time = own.time.as_ref().map(|time| format!(" {time}"));
    let repeats = own.repeats.as_ref().map(|it| format!(", {it}"));
    let Some(day) = own.day else {
        let about = own.about.as_deref().unwrap_or_default();
        return format!("when {} comes up", printable(about));
    };
    let day = day.date().format("%A, %Y-%m-%d");
    format!(
        "{day}{}{}",
        time.unwrap_or_default(),
        repeats.unwrap_or_default()
    )
}

fn list(arguments: &Arguments, context: &mut Context) -> Result<Exit> {
    let home = context.existing_home()?;
    let operations = context.operations(&home)?;
    let request = Agenda {
        days: Some(arguments.days),
    };
    let reply = request.run(&operations.context(&Viewer::Owner))?;
    if arguments.ics {
        let now = operations.home.clock.now();
        context.output.raw(&calendar(&reply, now))?;
        return Ok(Exit::Done);
    }
    let all = context
        .output
        .modes
        .invocation
        .command(&format!("agenda --days {AGENDA_DAYS_MAX}"));
    context.emit_reply(&reply, |reply, stdout| {
        let mut text = human(reply, stdout);
        if let Ok(later) = u64::try_from(reply.later)
            && later > 0
        {
            let later = counted(later, "later reminder", "later reminders");
            add_line!(text, "{later}: `{all}` lists all");
        }
        text
    })
}

fn human(reply: &AgendaReply, stdout: Stream) -> String {
    if reply.items.is_empty() && reply.promises.is_empty() {
        let days = counted(u64::from(reply.days), "day", "days");
        return format!("no reminder or note names any of the next {days}\n");
    }
    let columns = stdout.text_columns();
    let mut text = String::new();
    let planned = reply.items.iter().map(|own| own.day);
    let promised = reply.promises.iter().filter_map(|own| own.day);
    let days: BTreeSet<Day> = planned.chain(promised).collect();
    for day in days {
        let gap = if text.is_empty() { "" } else { "\n" };
        let past = if day < reply.from { " (past)" } else { "" };
        let title = format!("{}{past}", day.date().format("%A, %Y-%m-%d"));
        add_line!(text, "{gap}{}", heading(&title));
        for own in reply.promises.iter().filter(|own| own.day == Some(day)) {
            for line in promise_lines(own) {
                add_line!(text, "{}", wrap(&line, columns, "    "));
            }
        }
        for own in reply.items.iter().filter(|own| own.day == day) {
            let noted = own.noted_on.map(|day| format!(", noted {day}"));
            let noted = noted.unwrap_or_default();
            let item = format!("  {}", printable(&own.text));
            let whose = match own.origin {
                Origin::Untrusted | Origin::System => ", not your words",
                Origin::Owner | Origin::Agent => "",
            };
            let until = own.until.map(|day| format!(", on a day until {day}"));
            let until = until.unwrap_or_default();
            for line in [item, format!("    {}{noted}{until}{whose}", own.place)] {
                add_line!(text, "{}", wrap(&line, columns, "    "));
            }
        }
    }
    let mut with_subject = reply
        .promises
        .iter()
        .filter(|own| own.day.is_none())
        .peekable();
    if with_subject.peek().is_some() {
        let gap = if text.is_empty() { "" } else { "\n" };
        add_line!(text, "{gap}{}", heading("When it comes up"));
    }
    for line in with_subject.flat_map(promise_lines) {
        add_line!(text, "{}", wrap(&line, columns, "    "));
    }
    text
}

fn promise_lines(own: &PromiseReply) -> [String; 2] {
    let about = own
        .about
        .as_ref()
        .map(|about| format!("{}: ", printable(about)));
    let time = own.time.as_ref().map(|time| format!("{time} ")).or(about);
    let status = match own.status {
        PromiseStatus::Open => "",
        PromiseStatus::Proposed => ", promised by the assistant; `keep` makes it a reminder",
        PromiseStatus::Told => ", told",
        PromiseStatus::Done => ", done",
        PromiseStatus::Dropped => ", dropped",
    };
    let repeats = own.repeats.as_ref().map(|it| format!(", {it}"));
    let (id, path, line) = (&own.id, &own.path, own.line);
    [
        format!("  {}{}", time.unwrap_or_default(), printable(&own.text)),
        format!(
            "    reminder {id}, {path}#{line}{}{status}",
            repeats.unwrap_or_default()
        ),
    ]
}

#[cfg(test)]
mod tests {
    use agent::AgendaItem;

    use super::*;

    #[test]
    fn only_words_of_the_owner_and_of_the_assistant_stand_without_a_mark() {
        let day: Day = "2026-03-02".parse().unwrap();
        let item = |origin| AgendaItem {
            day,
            until: None,
            text: "the dentist is at 9".to_owned(),
            place: "memory/2026-03-01.md:3".parse().unwrap(),
            noted_on: None,
            origin,
        };
        for (origin, is_marked) in [
            (Origin::Owner, false),
            (Origin::Agent, false),
            (Origin::Untrusted, true),
            (Origin::System, true),
        ] {
            let reply = AgendaReply {
                from: day,
                days: 7,
                items: vec![item(origin)],
                promises: Vec::new(),
                later: 0,
            };
            let text = human(&reply, Stream::File);
            assert_eq!(text.contains("not your words"), is_marked, "{text}");
        }
    }
}

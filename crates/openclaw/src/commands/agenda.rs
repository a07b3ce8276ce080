//! `openclaw agenda`: prints what notes, `MEMORY.md` and messages without a note plan for the days ahead.
//!
//! Writes nothing, and derives nothing but dates.

use agent::{AgendaItem, HomeAccess};
use base::{Day, redact};
use cli::output::wrap;

use crate::prelude::*;

/// A century.
const DAYS_MAX: i64 = 36_500;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  openclaw agenda --days 7")]
pub(crate) struct Arguments {
    /// Number of days, from today on
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..=DAYS_MAX))]
    days: u32,
}

pub(crate) fn run(arguments: &Arguments, context: &mut Context) -> Result<Exit> {
    let home = context.existing_home()?;
    let config = context.config(&home)?;
    let timezone = context.timezone(&config);
    let host = context.host;
    let home = HomeAccess::open(&host.disk, &home, Arc::clone(&host.clock), timezone);
    let today = home.today();
    let items = agent::agenda(&home, arguments.days)?;
    context.emit(&AgendaReport {
        items,
        today,
        n_days: arguments.days,
    })
}

struct AgendaReport {
    items: Vec<AgendaItem>,
    today: Day,
    n_days: u32,
}

impl Report for AgendaReport {
    fn json(&self) -> Value {
        let item = |own: &AgendaItem| {
            json!({
                "day": own.day.to_string(),
                "text": redact(&own.text),
                "place": own.place.to_string(),
                "notedOn": own.noted_on.map(|day| day.to_string()),
            })
        };
        let items: Vec<Value> = self.items.iter().map(item).collect();
        json!({ "from": self.today.to_string(), "days": self.n_days, "items": items })
    }

    fn human(&self, stdout: Stream) -> String {
        if self.items.is_empty() {
            let days = counted(u64::from(self.n_days), "day", "days");
            return format!("no note names one of the next {days}\n");
        }
        let columns = stdout.text_columns();
        let mut text = String::new();
        for of_day in self.items.chunk_by(|one, next| one.day == next.day) {
            let gap = if text.is_empty() { "" } else { "\n" };
            let day = of_day
                .first()
                .map(|own| own.day.date().format("%A, %Y-%m-%d").to_string());
            add_line!(text, "{gap}{}", heading(&day.unwrap_or_default()));
            for own in of_day {
                let noted = own
                    .noted_on
                    .map(|day| format!(", noted {day}"))
                    .unwrap_or_default();
                let item = format!("  {}", printable(&redact(&own.text)));
                for line in [item, format!("    {}{noted}", own.place)] {
                    add_line!(text, "{}", wrap(&line, columns, "    "));
                }
            }
        }
        text
    }
}

//! The status page: the index, tokens spent, work under way, and connections.
//!
//! Repairs nothing.

use axum::response::Html;
use base::{Day, TokenCount, counted, day};
use dreaming::Trigger;
use maud::{Markup, html};
use memory::candidates::Review;
use memory::{SpentDay, spent_on};
use search::{Embedding, difference};

use super::frame::Tab;
use super::request::{FramedPage, Visit};
use super::words::{grouped, minute, safe, thousandths};
use crate::http::{HttpError, HttpState};

/// Days of the ledger to show.
const DAYS: usize = 14;

/// Everything that the page shows.
#[derive(Debug, Clone, Default)]
struct StatusView {
    index: IndexView,
    /// Tokens spent by day, oldest first.
    spent: Vec<(String, u64)>,
    today: Vec<(&'static str, u64, u64)>,
    daily_tokens: u64,
    /// Sessions with a job under way.
    jobs: Vec<String>,
    dreamt_at: Option<String>,
    triggers: Vec<String>,
    /// When the last scheduled backup was made, and when and why one failed since.
    backups: (Option<String>, Option<(String, String)>),
    model: String,
    n_requests: u64,
    /// Programs that were set up to use this memory; `None` if that is unknown.
    programs: Option<Vec<String>>,
}

/// The state of the index.
#[derive(Debug, Clone, Default)]
struct IndexView {
    n_files: u64,
    n_passages: u64,
    search: String,
    n_behind: u64,
    /// Why its state cannot be read.
    failure: Option<String>,
}

/// Shows the status page.
pub(super) async fn show(visit: Visit) -> Result<Html<String>, HttpError> {
    visit
        .show(Tab::Status, move |state, _| {
            let view = look(state)?;
            Ok(FramedPage::new("Status", status(&view)))
        })
        .await
}

fn look(state: &HttpState) -> Result<StatusView, HttpError> {
    let runtime = &state.runtime;
    let timezone = runtime.home.timezone;
    let now = runtime.home.clock.now();
    let today = day(now, timezone);
    let mut days = vec![today];
    while days.len() < DAYS {
        days.extend(days.last().map(|day| day.previous()));
    }
    let mut spent = Vec::new();
    for day in days.into_iter().rev() {
        spent.push((day.to_string(), spent_of(state, day)?.total()));
    }
    let names = runtime.home.sessions.names()?;
    let working = names.iter().filter(|name| runtime.jobs.has_job(name));
    let dreamt_at = state.desk(Review::LeaveAsIs)?.state().dreamt_at;
    let next = |trigger: &Trigger| match trigger {
        Trigger::Schedule(schedule) => {
            let next = schedule.next_after(now, timezone);
            let next = next.map(|at| format!(", next at {}", minute(at, timezone)));
            format!("at {}{}", schedule.as_str(), next.unwrap_or_default())
        }
        Trigger::SessionIdle(rest) => {
            format!("when a session is idle for {} minutes", rest.as_secs() / 60)
        }
        Trigger::DailyLogSize(bytes) => {
            format!("when a daily log grows by {} bytes", grouped(*bytes))
        }
    };
    let backups = state.news.backups();
    let failure = backups.failure;
    Ok(StatusView {
        index: index(state),
        spent,
        today: spent_of(state, today)?.purposes(),
        daily_tokens: state.dreaming.daily_tokens.0,
        jobs: working.map(ToString::to_string).collect(),
        dreamt_at: dreamt_at.map(|at| minute(at, timezone)),
        triggers: state.dreaming.triggers.iter().map(next).collect(),
        backups: (
            backups.made_at.map(|at| minute(at, timezone)),
            failure.map(|(at, reason)| (minute(at, timezone), reason)),
        ),
        model: if runtime.engine.models.is_offline() {
            "none; offline replies quote notes and sessions".to_owned()
        } else {
            safe(&runtime.engine.models.primary.profile().name)
        },
        n_requests: runtime.engine.statistics.counts().steps,
        programs: state.programs.as_ref().map(|it| it.connected()),
    })
}

/// The ledger of a day, by purpose.
#[derive(Debug, Clone, Copy)]
struct Ledger(SpentDay);

impl Ledger {
    fn purposes(self) -> Vec<(&'static str, u64, u64)> {
        let Self(day) = self;
        let named = [
            ("Notes", day.notes),
            ("Summaries", day.summaries),
            ("Dreams", day.dreams),
        ];
        let purposes = named.map(|(name, spent)| (name, spent.n_calls, spent.total().0));
        purposes.to_vec()
    }

    fn total(self) -> u64 {
        self.purposes().iter().map(|(_, _, tokens)| tokens).sum()
    }
}

fn spent_of(state: &HttpState, day: Day) -> Result<Ledger, HttpError> {
    Ok(Ledger(spent_on(&state.runtime.home.workspace, day)?))
}

fn index(state: &HttpState) -> IndexView {
    let found = state.knowledge.with_index(|index| {
        let search = match index.embedding()? {
            Embedding::None => "words".to_owned(),
            Embedding::Complete(..) => "words and meaning".to_owned(),
            Embedding::Incomplete {
                n_done, n_total, ..
            } => {
                format!(
                    "words; {} of {} have a vector",
                    grouped(n_done),
                    counted(n_total, "passage", "passages")
                )
            }
        };
        let behind = difference(Some(index), &state.knowledge.corpus())?;
        Ok(IndexView {
            n_files: index.n_files()? as u64,
            n_passages: index.n_pieces()?,
            search,
            n_behind: (behind.unread.len() + behind.gone.len()) as u64,
            failure: None,
        })
    });
    found.unwrap_or_else(|error| IndexView {
        failure: Some(error.to_string()),
        ..IndexView::default()
    })
}

fn status(view: &StatusView) -> Markup {
    html! {
        div class="head" { h1 { "Status" } p { "The state of your assistant on this machine." } }
        div id="live" class="stack" hx-get="/status" hx-trigger="every 15s" hx-select="#live" hx-swap="outerHTML" hx-target="this" {
            (index_card(&view.index))
            (ledger_card(view))
            (work_card(view))
            (connections_card(view))
        }
    }
}

fn index_card(index: &IndexView) -> Markup {
    html! {
        section class="card" {
            h2 { "Index" }
            @if let Some(failure) = &index.failure {
                p class="note bad" { (failure) }
            } @else {
                dl class="facts" {
                    div { dt { "Files" } dd { (grouped(index.n_files)) } }
                    div { dt { "Passages" } dd { (grouped(index.n_passages)) } }
                    div { dt { "Not yet indexed" } dd { (grouped(index.n_behind)) } }
                }
                p class="small muted" { "Search matches " (index.search) "." }
            }
        }
    }
}

fn ledger_card(view: &StatusView) -> Markup {
    let spent: u64 = view.today.iter().map(|(_, _, tokens)| tokens).sum();
    html! {
        section class="card" {
            h2 { "Tokens spent outside conversations" }
            dl class="facts" {
                div { dt { "Today" } dd { (TokenCount(spent)) } }
                div { dt { "Daily limit of dreams" } dd { (TokenCount(view.daily_tokens)) } }
            }
            @if view.spent.iter().any(|(_, tokens)| *tokens > 0) { (spent_chart(&view.spent)) }
            table {
                thead { tr { th { "Today, by purpose" } th class="number" { "Calls" } th class="number" { "Tokens" } } }
                tbody {
                    @for (name, n_calls, tokens) in &view.today {
                        tr { td { (name) } td class="number" { (grouped(*n_calls)) } td class="number" { (TokenCount(*tokens)) } }
                    }
                }
            }
        }
    }
}

fn spent_chart(spent: &[(String, u64)]) -> Markup {
    let most = spent.iter().map(|(_, tokens)| *tokens).max().unwrap_or(0);
    let (first, last) = (
        spent.first().map(|(day, _)| day),
        spent.last().map(|(day, _)| day),
    );
    let label = format!(
        "Tokens per day in the last {} days, at most {}",
        spent.len(),
        TokenCount(most)
    );
    let width = 1_000 / spent.len().max(1);
    html! {
        figure class="stack" {
            svg class="spent" viewBox="0 0 1000 1000" preserveAspectRatio="none" role="img" aria-label=(label) {
                @for (number, (_, tokens)) in spent.iter().enumerate() {
                    @let height = thousandths(*tokens, most);
                    rect class="talk" x=(number * width) y=(1_000 - height) width=(width * 4 / 5) height=(height) {}
                }
            }
            figcaption class="row between small muted" { span { @if let Some(day) = first { (day) } } span { @if let Some(day) = last { (day) } } }
        }
    }
}

fn work_card(view: &StatusView) -> Markup {
    html! {
        section class="card" {
            h2 { "Work" }
            dl class="pairs" {
                dt { "Under way" }
                dd {
                    @if view.jobs.is_empty() { "nothing" }
                    @else { "notes and summaries for " (view.jobs.join(", ")) }
                }
                dt { "Last dream" }
                dd { (view.dreamt_at.as_deref().unwrap_or("none has changed anything yet")) }
                dt { "Dreams begin" }
                dd {
                    @if view.triggers.is_empty() { "only when you run them" }
                    @for trigger in &view.triggers { div { (trigger) } }
                }
                @let (made_at, failure) = &view.backups;
                @if let Some(made_at) = made_at { dt { "Last backup" } dd { (made_at) } }
            }
            @if let Some((at, reason)) = failure { p class="note bad" { (at) ": " (reason) } }
        }
    }
}

const DOORS: [(&str, &str); 4] = [
    ("/v1", "OpenAI clients: chat, models, embeddings"),
    ("/mcp", "Model Context Protocol tools"),
    ("/api", "memory, sessions and dreams as JSON"),
    ("/metrics", "Prometheus metrics"),
];

fn connections_card(view: &StatusView) -> Markup {
    html! {
        section class="card" {
            h2 { "Connections" }
            dl class="pairs" {
                dt { "Model" }
                dd { (view.model) }
                dt { "Replies since start" }
                dd { (grouped(view.n_requests)) }
                @if let Some(programs) = &view.programs {
                    dt { "Programs" }
                    dd {
                        @if programs.is_empty() { "none yet; " code { "openclaw connect" } " sets one up" }
                        @else { (programs.join(", ")) }
                    }
                }
                @for (path, what) in DOORS { dt { code { (path) } } dd { (what) } }
            }
            p class="small muted" { "Programs send the token in the file " code { "state/token" } "." }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_owner_sees_how_all_stands() {
        let view = StatusView {
            index: IndexView {
                n_files: 12,
                n_passages: 3_400,
                search: "words and meaning".into(),
                n_behind: 1,
                failure: None,
            },
            spent: vec![("2026-04-19".into(), 0), ("2026-04-20".into(), 1_200)],
            today: vec![("Notes", 2, 900), ("Summaries", 1, 300), ("Dreams", 0, 0)],
            daily_tokens: 100_000,
            jobs: vec!["main".into()],
            dreamt_at: None,
            triggers: vec!["at 0 3 * * *, next at 2026-04-21 03:00".into()],
            backups: (
                Some("2026-04-19 04:00".into()),
                Some(("2026-04-20 04:00".into(), "a backup failed: no disk".into())),
            ),
            model: "<i>claude".into(),
            n_requests: 7,
            programs: Some(vec!["claude-code".into(), "codex".into()]),
        };
        insta::assert_snapshot!(status(&view).into_string());
    }
}

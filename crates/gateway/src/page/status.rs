//! The status page: the index, tokens spent, work under way, and connected programs.
//!
//! Repairs nothing.

use axum::response::Html;
use base::{Day, Timestamp, TokenCount, Tz, counted, day};
use dreaming::Trigger;
use maud::{Markup, html};
use memory::candidates::Access;
use memory::{Spent, SpentDay, spent_on};
use search::{Embedding, IndexError, difference};

use super::frame::{SettingsPage, Tab, settings_pages};
use super::request::{FramedPage, Visit};
use super::words::{day_in_words, grouped, minute, safe, size, thousandths};
use crate::http::{BackupRecord, HttpError, HttpState};

/// Number of days of the ledger to show.
const DAYS: usize = 14;

#[derive(Debug)]
struct StatusView {
    timezone: Tz,
    today: Day,
    index: Result<IndexView, IndexError>,
    /// Tokens spent by day, oldest first; the last day is today.
    spent: Vec<(Day, SpentDay)>,
    daily_tokens: TokenCount,
    /// Sessions with a background job.
    jobs: Vec<String>,
    dreamt_at: Option<Timestamp>,
    triggers: Vec<String>,
    backups: BackupRecord,
    model: String,
    n_requests: u64,
    /// Programs that were set up to use this memory; `None` if that is not known.
    programs: Option<Vec<String>>,
    /// The command that connects one.
    connect: String,
}

/// The state of the index.
#[derive(Debug)]
struct IndexView {
    n_files: u64,
    n_passages: u64,
    search: String,
    n_behind: u64,
}

/// Shows the status page.
pub(super) async fn show(visit: Visit) -> Result<Html<String>, HttpError> {
    visit
        .show(Tab::Settings, move |state, _| {
            let view = look(state)?;
            Ok(FramedPage::new("Status", status(&view)))
        })
        .await
}

fn look(state: &HttpState) -> Result<StatusView, HttpError> {
    let runtime = &state.runtime;
    let timezone = runtime.home.timezone;
    let now = runtime.home.clock.now();
    let mut spent = Vec::new();
    let today = day(now, timezone);
    let mut at = today;
    for _ in 0..DAYS {
        spent.push((at, spent_on(&runtime.home.workspace, at)?));
        at = at.previous();
    }
    spent.reverse();
    let names = runtime.home.sessions.names()?;
    let working = names.iter().filter(|name| runtime.jobs.has_job(name));
    let next = |trigger: &Trigger| match trigger {
        Trigger::Schedule(schedule) => {
            let next = schedule.next_after(now, timezone);
            let next = next.map(|at| format!(", next {}", minute(at, timezone, today)));
            format!("on a schedule{}", next.unwrap_or_default())
        }
        Trigger::SessionIdle(rest) => {
            format!(
                "when a conversation rests for {} minutes",
                rest.as_secs() / 60
            )
        }
        Trigger::DailyLogSize(bytes) => {
            format!("when the notes of a day grow by {}", size(*bytes))
        }
    };
    // The lock on the candidates is released before other programs' settings are read.
    let dreamt_at = state.desk(Access::Read)?.state().dreamt_at;
    Ok(StatusView {
        timezone,
        today,
        index: index(state),
        spent,
        daily_tokens: state.dreaming.daily_tokens,
        jobs: working.map(ToString::to_string).collect(),
        dreamt_at,
        triggers: state.dreaming.triggers.iter().map(next).collect(),
        backups: state.news.backups(),
        model: if runtime.engine.models.is_offline() {
            "none; offline replies quote notes and sessions".to_owned()
        } else {
            safe(&runtime.engine.models.names().join(", "))
        },
        n_requests: runtime.engine.statistics.counts().steps,
        programs: state.programs.as_ref().map(|it| it.connected()),
        connect: runtime.home.invocation.command("connect"),
    })
}

/// The tokens spent on a day, by purpose.
fn purposes(day: SpentDay) -> [(&'static str, Spent); 3] {
    [
        ("Notes", day.notes),
        ("Summaries", day.summaries),
        ("Dreams", day.dreams),
    ]
}

fn total(day: SpentDay) -> u64 {
    let spent = purposes(day).into_iter();
    spent.map(|(_, spent)| spent.total().0).sum()
}

fn index(state: &HttpState) -> Result<IndexView, IndexError> {
    state.knowledge.with_index(|index| {
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
        })
    })
}

fn status(view: &StatusView) -> Markup {
    html! {
        (settings_pages(SettingsPage::Status))
        div class="head" { h1 { "Status" } p { "The state of your assistant on this machine." } }
        div id="live" class="stack" hx-get="/status" hx-trigger="every 15s" hx-select="#live" hx-swap="outerHTML" hx-target="this" {
            (index_card(view))
            (ledger_card(view))
            (work_card(view))
            (connections_card(view))
        }
    }
}

fn index_card(view: &StatusView) -> Markup {
    html! {
        section class="card" {
            h2 { "Index" }
            @match &view.index {
                Ok(index) => {
                    dl class="facts" {
                        div { dt { "Files" } dd { (grouped(index.n_files)) } }
                        div { dt { "Passages" } dd { (grouped(index.n_passages)) } }
                        div { dt { "Not yet indexed" } dd { (grouped(index.n_behind)) } }
                    }
                    p class="small muted" { "Search matches " (index.search) "." }
                }
                Err(failure) => { p class="note bad" { (failure) } }
            }
        }
    }
}

fn ledger_card(view: &StatusView) -> Markup {
    let today = view.spent.last().map(|(_, spent)| *spent);
    let today = today.unwrap_or_default();
    html! {
        section class="card" {
            h2 { "Tokens spent outside conversations" }
            dl class="facts" {
                div { dt { "Today" } dd { (TokenCount(total(today))) } }
                div { dt { "Daily limit of dreams" } dd { (view.daily_tokens) } }
            }
            @if view.spent.iter().any(|(_, spent)| total(*spent) > 0) { (spent_chart(view)) }
            table {
                thead { tr { th { "Today, by purpose" } th class="number" { "Calls" } th class="number" { "Tokens" } } }
                tbody {
                    @for (name, spent) in purposes(today) {
                        tr { td { (name) } td class="number" { (grouped(spent.n_calls)) } td class="number" { (spent.total()) } }
                    }
                }
            }
        }
    }
}

fn spent_chart(view: &StatusView) -> Markup {
    let spent = &view.spent;
    let most = spent
        .iter()
        .map(|(_, spent)| total(*spent))
        .max()
        .unwrap_or(0);
    let label = format!(
        "Tokens per day in the last {} days, at most {}",
        spent.len(),
        TokenCount(most)
    );
    let width = 1_000 / spent.len().max(1);
    html! {
        figure class="stack" {
            svg class="spent" viewBox="0 0 1000 1000" preserveAspectRatio="none" role="img" aria-label=(label) {
                @for (number, (_, spent)) in spent.iter().enumerate() {
                    @let height = thousandths(total(*spent), most);
                    rect class="talk" x=(number * width) y=(1_000 - height) width=(width * 4 / 5) height=(height) {}
                }
            }
            figcaption class="row between small muted" {
                @for end in [spent.first(), spent.last()] { span { @if let Some((day, _)) = end { (day_in_words(*day, view.today)) } } }
            }
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
                dd {
                    @if let Some(at) = view.dreamt_at { (minute(at, view.timezone, view.today)) }
                    @else { "none has changed anything yet" }
                }
                dt { "Dreams begin" }
                dd {
                    @if view.triggers.is_empty() { "only when you run them" }
                    @for trigger in &view.triggers { div { (trigger) } }
                }
                @if let Some(at) = view.backups.made_at { dt { "Last backup" } dd { (minute(at, view.timezone, view.today)) } }
            }
            @if let Some((at, reason)) = &view.backups.failure {
                p class="note bad" { (minute(*at, view.timezone, view.today)) ": " (reason) }
            }
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
            dl class="pairs" id="models" {
                dt { "Model" }
                dd { (view.model) }
                dt { "Replies since start" }
                dd { (grouped(view.n_requests)) }
                @if let Some(programs) = &view.programs {
                    dt { "Programs" }
                    dd {
                        @if programs.is_empty() { "none yet; " code { (view.connect) } " sets one up" }
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
    fn status_page_shows_all_parts() {
        let spent = |tokens, n_calls| Spent {
            input: TokenCount(tokens),
            n_calls,
            ..Spent::default()
        };
        let today = SpentDay {
            notes: spent(900, 2),
            summaries: spent(300, 1),
            dreams: Spent::default(),
        };
        let four_on = |day: &str| format!("{day}T04:00:00Z").parse::<Timestamp>().unwrap();
        let view = StatusView {
            timezone: Tz::UTC,
            today: "2026-04-20".parse().unwrap(),
            index: Ok(IndexView {
                n_files: 12,
                n_passages: 3_400,
                search: "words and meaning".into(),
                n_behind: 1,
            }),
            spent: vec![
                ("2026-04-19".parse().unwrap(), SpentDay::default()),
                ("2026-04-20".parse().unwrap(), today),
            ],
            daily_tokens: TokenCount(100_000),
            jobs: vec!["main".into()],
            dreamt_at: None,
            triggers: vec!["on a schedule, next tomorrow at 03:00".into()],
            backups: BackupRecord {
                made_at: Some(four_on("2026-04-19")),
                failure: Some((four_on("2026-04-20"), "a backup failed: no disk".into())),
            },
            model: "<i>claude".into(),
            n_requests: 7,
            programs: Some(vec!["claude-code".into(), "codex".into()]),
            connect: "openclaw connect".into(),
        };
        insta::assert_snapshot!(status(&view).into_string());
    }
}

//! Draws the number of tokens in view over the course of a session.
//!
//! Pure.

use std::fmt::Write as _;

use base::{Day, Timestamp, TokenCount, Tz, counted, day};
use maud::{Markup, PreEscaped, html};
use session::timeline::ViewMoment;

use crate::page::words::{short_date, thousandths};

/// Width and height of the drawing before it is stretched.
const SIDE: u64 = 1_000;

/// Maximum number of days named below the drawing.
const N_DAYS_MAX: usize = 5;

/// The data of the drawing.
#[derive(Debug, Clone, Default)]
pub(super) struct ChartView {
    pub(super) moments: Vec<ViewMoment>,
    /// Times of compactions.
    pub(super) cuts: Vec<Timestamp>,
    /// Times of flushes.
    pub(super) flushes: Vec<Timestamp>,
    pub(super) timezone: Tz,
}

pub(super) fn chart(view: &ChartView) -> Markup {
    let most = view
        .moments
        .iter()
        .map(|own| own.tokens.0)
        .max()
        .unwrap_or(0);
    let top = rounded_up(most);
    let (Some(first), Some(last)) = (view.moments.first(), view.moments.last()) else {
        return html! {};
    };
    let span = (first.n_messages, last.n_messages);
    let days = [first.at, last.at].map(|at| day(at, view.timezone));
    let label = format!(
        "Tokens of the context from {} to {}: at most {}, at the end {}; {}",
        short_date(days[0]),
        short_date(days[1]),
        TokenCount(most),
        last.tokens,
        counted(view.cuts.len() as u64, "summary", "summaries")
    );
    html! {
        figure class="stack" {
            div class="chart" {
                div class="scale" aria-hidden="true" {
                    @for part in [4, 3, 2, 1, 0] { span { (TokenCount(top * part / 4)) } }
                }
                svg viewBox="0 0 1000 1000" preserveAspectRatio="none" role="img" aria-label=(label) {
                    @for part in 0..=4_u64 {
                        line class="grid-line" x1="0" x2="1000" y1=(part * SIDE / 4) y2=(part * SIDE / 4) {}
                    }
                    (PreEscaped(curve(view, span, top)))
                    @for at in &view.cuts {
                        @let x = x_of(place(view, *at), span);
                        line class="cut" x1=(x) x2=(x) y1="0" y2="1000" {}
                    }
                    @for at in &view.flushes {
                        @let x = x_of(place(view, *at), span);
                        line class="flushed" x1=(x) x2=(x) y1="965" y2="1000" {}
                    }
                }
                div class="days" aria-hidden="true" {
                    @for day in days_below(view) { span { (short_date(day)) } }
                }
            }
            figcaption { (legend()) }
        }
    }
}

fn legend() -> Markup {
    html! {
        ul class="legend" {
            li { svg viewBox="0 0 20 10" aria-hidden="true" { line class="curve" x1="0" x2="20" y1="5" y2="5" {} } "tokens in view" }
            li { svg viewBox="0 0 20 10" aria-hidden="true" { line class="cut" x1="10" x2="10" y1="0" y2="10" {} } "older messages summarised" }
            li { svg viewBox="0 0 20 10" aria-hidden="true" { line class="flushed" x1="10" x2="10" y1="3" y2="10" {} } "notes written" }
        }
    }
}

/// The curve as SVG. It contains only numbers, so nothing needs to be escaped.
fn curve(view: &ChartView, span: (u64, u64), top: u64) -> String {
    let mut points = String::new();
    for own in &view.moments {
        let y = SIDE - thousandths(own.tokens.0, top);
        // Writing to a `String` cannot fail.
        write!(points, "{},{y} ", x_of(own.n_messages, span)).unwrap_or_default();
    }
    format!(
        "<polygon class=\"area\" points=\"0,1000 {points}1000,1000\"/><polyline class=\"curve\" points=\"{points}\"/>"
    )
}

fn x_of(n_messages: u64, (first, last): (u64, u64)) -> u64 {
    thousandths(n_messages.saturating_sub(first), last.saturating_sub(first))
}

/// The position of a time, which is the number of messages before it.
fn place(view: &ChartView, at: Timestamp) -> u64 {
    let before = view.moments.iter().take_while(|own| own.at <= at);
    before.last().map_or(0, |own| own.n_messages)
}

/// A few of the days, at evenly spaced positions.
fn days_below(view: &ChartView) -> Vec<Day> {
    let n_last = view.moments.len().saturating_sub(1);
    let parts = (0..N_DAYS_MAX).map(|part| part * n_last / (N_DAYS_MAX - 1));
    let moments = parts.filter_map(|index| view.moments.get(index));
    let mut days: Vec<Day> = moments.map(|own| day(own.at, view.timezone)).collect();
    days.dedup();
    days
}

/// The next round number above, for the top of the scale.
fn rounded_up(tokens: u64) -> u64 {
    let step = [
        1_000, 2_000, 4_000, 8_000, 20_000, 40_000, 100_000, 200_000, 400_000, 1_000_000,
    ];
    let round = step.into_iter().find(|top| *top >= tokens);
    round.unwrap_or_else(|| tokens.next_multiple_of(1_000_000))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moment(at: &str, n_messages: u64, tokens: u64) -> ViewMoment {
        ViewMoment {
            at: at.parse().unwrap(),
            n_messages,
            tokens: TokenCount(tokens),
        }
    }

    #[test]
    fn chart_draws_session_from_first_to_last_message() {
        let view = ChartView {
            moments: vec![
                moment("2026-03-02T08:00:00Z", 1, 500),
                moment("2026-03-02T09:00:00Z", 50, 7_000),
                moment("2026-03-04T09:00:00Z", 50, 2_000),
                moment("2026-03-06T09:00:00Z", 101, 4_000),
            ],
            cuts: vec!["2026-03-04T09:00:00Z".parse().unwrap()],
            flushes: vec!["2026-03-04T08:59:59Z".parse().unwrap()],
            timezone: Tz::UTC,
        };
        insta::assert_snapshot!(chart(&view).into_string());
    }

    #[test]
    fn chart_of_empty_session_is_empty() {
        assert_eq!(chart(&ChartView::default()).into_string(), "");
    }

    #[test]
    fn chart_scale_is_rounded_up() {
        assert_eq!(
            [0, 999, 1_001, 12_684, 2_000_001].map(rounded_up),
            [1_000, 1_000, 2_000, 20_000, 3_000_000]
        );
    }
}

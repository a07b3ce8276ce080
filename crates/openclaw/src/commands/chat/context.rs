//! Renders `/context`: how the parts of a request use the window.
//!
//! Counts nothing itself.

use cli::output::{percent, wrap};
use unicode_width::UnicodeWidthStr;

use crate::prelude::*;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ContextReport {
    pub(super) session: String,
    /// The parts of the request, in order; they sum to the count that `decide` uses.
    pub(super) parts: Vec<(String, TokenCount)>,
    pub(super) window: TokenCount,
    /// Request size at which compaction begins.
    pub(super) trigger: TokenCount,
    /// Maximum number of tokens that recalled passages add to a message.
    pub(super) recall_max: TokenCount,
    pub(super) cut_files: Vec<String>,
}

/// Largest width of the name column; a longer name pushes its numbers to the right.
const NAME_COLUMNS_MAX: usize = 24;

/// Columns next to name and bar: spaces, a number of eleven digits, a percentage.
const NUMBER_COLUMNS: usize = 25;

impl Report for ContextReport {
    fn json(&self) -> Value {
        let parts = self.parts.iter();
        let parts = parts.map(|(name, tokens)| json!({ "name": name, "tokens": tokens.0 }));
        json!({
            "event": "context",
            "session": self.session,
            "parts": parts.collect::<Vec<_>>(),
            "tokens": self.used().0,
            "window": self.window.0,
            "trigger": self.trigger.0,
            "recallMax": self.recall_max.0,
            "cut": self.cut_files,
        })
    }

    fn human(&self, stdout: Stream) -> String {
        let (columns, used) = (stdout.columns(), self.used());
        let room = self.trigger.saturating_sub(used);
        let kept = self.window.saturating_sub(self.trigger);
        let title = heading(&printable(&format!("Session {}", self.session)));
        let (window, percent_used) = (self.window, percent(used, self.window));
        let title = format!("{title}  {used} of {window} tokens ({percent_used}%)");
        let mut text = wrap(&title, columns, "  ") + "\n\n";
        text.push_str(&window_bar(self, used, columns));
        let names = self.parts.iter().map(|(name, _)| name.width());
        let name_columns = names.chain([IN_USE.width()]).max().unwrap_or(0);
        let name_columns = name_columns.min(NAME_COLUMNS_MAX);
        let bar_columns = columns.saturating_sub(name_columns + NUMBER_COLUMNS);
        let largest = self.parts.iter().map(|(_, tokens)| *tokens).max();
        let line = |name: &str, tokens: TokenCount, last: &str| {
            let name = printable(name);
            let fill = " ".repeat(name_columns.saturating_sub(name.width()));
            let line = format!("  {name}{fill}  {:>11}  {last}", tokens.to_string());
            wrap(line.trim_end(), columns, "    ") + "\n"
        };
        for (name, tokens) in &self.parts {
            let bar = "#".repeat(share(*tokens, largest.unwrap_or_default(), bar_columns));
            let part = percent(*tokens, used);
            text.push_str(&line(name, *tokens, &format!("{part:>3}%  {bar}")));
        }
        text.push('\n');
        text.push_str(&line(IN_USE, used, ""));
        text.push_str(&line("room left", room, "until compaction begins"));
        text.push_str(&line("kept free", kept, "for replies and notes"));
        let most = self.recall_max;
        let recall = format!("\n  Each message adds up to {most} tokens recalled from memory.\n");
        text.push_str(&wrap(&recall, columns, "  "));
        for file in &self.cut_files {
            let file = printable(file);
            let cut =
                format!("\n  {file} is too long for the prompt; only part of it is included.\n");
            text.push_str(&wrap(&cut, columns, "  "));
        }
        text
    }
}

impl ContextReport {
    fn used(&self) -> TokenCount {
        self.parts.iter().map(|(_, tokens)| *tokens).sum()
    }
}

const IN_USE: &str = "in use";

/// Draws the window as a bar: the used part, and a mark where compaction begins.
fn window_bar(report: &ContextReport, used: TokenCount, columns: usize) -> String {
    let width = columns.saturating_sub(4);
    let filled = share(used, report.window, width);
    let trigger = share(report.trigger, report.window, width);
    let cells = (0..width).map(|column| match column {
        _ if column < filled => '#',
        _ if column == trigger => '|',
        _ => '.',
    });
    format!("  {}\n\n", cells.collect::<String>())
}

/// Scales `part` to columns; at least one if it is not zero.
fn share(part: TokenCount, whole: TokenCount, columns: usize) -> usize {
    let scaled = u128::from(part.0) * columns as u128 / u128::from(whole.0.max(1));
    let scaled = usize::try_from(scaled).unwrap_or(columns).min(columns);
    scaled.max(usize::from(part > TokenCount::ZERO && columns > 0))
}

#[cfg(test)]
mod tests {
    use anstream::adapter::strip_str;

    use super::*;

    fn report(parts: &[(&str, u64)]) -> ContextReport {
        ContextReport {
            session: "main".to_owned(),
            parts: parts
                .iter()
                .map(|(name, tokens)| ((*name).to_owned(), TokenCount(*tokens)))
                .collect(),
            window: TokenCount(200_000),
            trigger: TokenCount(176_000),
            recall_max: TokenCount(800),
            cut_files: Vec::new(),
        }
    }

    fn shown(report: &ContextReport, columns: usize) -> String {
        strip_str(&report.human(Stream::Terminal(columns))).to_string()
    }

    #[test]
    fn context_report_shows_tokens_of_each_part() {
        let mut report = report(&[
            ("instructions", 412),
            ("AGENTS.md", 1_020),
            ("MEMORY.md", 8_000),
            ("tools", 700),
            ("summary", 3_400),
            ("messages", 24_100),
            ("tool results", 12),
            ("time", 30),
        ]);
        report.cut_files = vec!["MEMORY.md".to_owned()];
        insta::assert_snapshot!(shown(&report, 80));
    }

    #[test]
    fn context_report_wraps_at_40_columns() {
        let mut report = report(&[("instructions", 412), ("messages", 24_100)]);
        report.cut_files = vec!["MEMORY.md".to_owned()];
        insta::assert_snapshot!(shown(&report, 40));
    }

    #[test]
    fn window_bar_is_bounded_when_window_is_full_or_empty() {
        for parts in [&[][..], &[("messages", 190_000)], &[("messages", u64::MAX)]] {
            for columns in [0, 10, 40, 80, 300] {
                let shown = shown(&report(parts), columns);
                let most = Stream::Terminal(columns).columns().max(80);
                for bar in shown.lines().filter(|line| line.contains('.')) {
                    assert!(bar.width() <= most, "{bar}");
                }
            }
        }
        insta::assert_snapshot!(shown(&report(&[("messages", 190_000)]), 60));
    }
}

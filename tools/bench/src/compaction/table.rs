//! Formats the figures of all sessions as a Markdown table, one line per strategy.

use std::time::Duration;

use super::measure::{CompactionFigures, MeasuredCompaction};
use crate::retrieval::measure::{mean, median};

pub(super) const HEAD: &str = "\
| strategy | compactions | ratio | retention | shown at the end | shown or noted | found | read by models | written | ms each | replies that wait | longest |
|---|---|---|---|---|---|---|---|---|---|---|---|";

pub(super) fn line(strategy: &str, found: &[CompactionFigures]) -> String {
    let compactions: Vec<&MeasuredCompaction> =
        found.iter().flat_map(|it| &it.compactions).collect();
    let ratios = compactions.iter().map(|it| it.ratio_percent);
    let ratio = median(ratios.collect());
    let retentions = compactions.iter().filter_map(|it| it.retention_percent);
    let retention = median(retentions.collect());
    let took = median(compactions.iter().map(|it| it.took.as_millis()).collect());
    let n_facts: usize = found.iter().map(|it| it.n_facts).sum();
    let n_shown: usize = found.iter().map(|it| it.n_shown).sum();
    let n_kept: usize = found.iter().map(|it| it.n_kept).sum();
    let read: u64 = found.iter().map(|it| it.spent.read.0).sum();
    let written: u64 = found.iter().map(|it| it.spent.written.0).sum();
    let of_ratio = ratio.map_or("-".to_owned(), |it| {
        format!("{}.{}:1", it / 100, it % 100 / 10)
    });
    let shares: Vec<f64> = found.iter().flat_map(|it| it.found.clone()).collect();
    let of_questions = if shares.is_empty() {
        "-".to_owned()
    } else {
        format!("{:.3}", mean(shares.into_iter()))
    };
    let delays: Vec<Duration> = found.iter().flat_map(|it| it.delays.clone()).collect();
    let n_late = delays.iter().filter(|delay| !delay.is_zero()).count();
    let longest = delays.iter().max().map_or(0, Duration::as_secs);
    let or_dash = |found: Option<String>| found.unwrap_or("-".to_owned());
    format!(
        "| `{strategy}` | {} | {of_ratio} | {} | {} | {} | {of_questions} | {} k | {} k | {} | {n_late} of {} | {longest} s |",
        compactions.len(),
        or_dash(retention.map(|it| format!("{it} %"))),
        percent(n_shown, n_facts),
        percent(n_kept, n_facts),
        read / 1_000,
        written / 1_000,
        or_dash(took.map(|it| it.to_string())),
        delays.len(),
    )
}

fn percent(part: usize, whole: usize) -> String {
    match (part * 100).checked_div(whole) {
        Some(percent) => format!("{percent} %"),
        None => "-".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use base::TokenCount;

    use super::super::counted::CountedTokens;
    use super::*;

    #[test]
    fn table_sums_sessions_and_reports_median_compaction() {
        let compacted = |ratio_percent, retention_percent, millis| MeasuredCompaction {
            ratio_percent,
            retention_percent,
            took: Duration::from_millis(millis),
        };
        let figures = |compactions, n_shown| CompactionFigures {
            compactions,
            n_facts: 10,
            n_shown,
            n_kept: n_shown + 1,
            spent: CountedTokens {
                read: TokenCount(40_000),
                written: TokenCount(1_600),
            },
            found: vec![0.5, 1.0],
            delays: vec![Duration::ZERO, Duration::from_secs(31)],
        };
        let found = [
            figures(
                vec![compacted(850, Some(90), 3), compacted(1_234, Some(95), 5)],
                4,
            ),
            figures(vec![compacted(700, None, 4)], 5),
        ];
        assert_eq!(
            line("handoff", &found),
            "| `handoff` | 3 | 8.5:1 | 95 % | 45 % | 55 % | 0.750 | 80 k | 3 k | 4 | 2 of 4 | 31 s |"
        );
        assert_eq!(
            line("none", &[]),
            "| `none` | 0 | - | - | - | - | - | 0 k | 0 k | - | 0 of 0 | 0 s |"
        );
    }
}

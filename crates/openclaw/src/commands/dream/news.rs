//! Describes what a dream in the background did.

use agent::service::DreamNews;

use crate::error::CliError;
use crate::output::counted;

/// A sentence about a dream that began by itself.
pub(crate) fn news_in_words(news: DreamNews) -> String {
    match news {
        DreamNews::Changed {
            n_promoted,
            n_staged,
        } => changed(n_promoted as u64, n_staged as u64),
        DreamNews::Misread { line } => {
            format!("A dream is due but cannot run: MEMORY.md is not UTF-8 at line {line}.")
        }
        DreamNews::Failed(error) => {
            let reason = CliError::from(error).one_line();
            format!("A dream failed and will be retried: {reason}")
        }
    }
}

fn changed(n_promoted: u64, n_staged: u64) -> String {
    let lines = counted(n_promoted, "line", "lines");
    let promoted = format!("promoted {lines} to MEMORY.md (`openclaw dream undo` undoes it)");
    let candidates = counted(n_staged, "candidate waits", "candidates wait");
    let staged = format!("{candidates} for `openclaw dream review`");
    let what = match (n_promoted, n_staged) {
        (0, _) => staged,
        (_, 0) => promoted,
        (_, _) => format!("{promoted}; {staged}"),
    };
    format!("A dream: {what}.")
}

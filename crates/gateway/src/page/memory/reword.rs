//! Rewords a line of `MEMORY.md` that the owner wrote by hand, in its place.
//!
//! Changes only that line, and only if it is still as it was shown.

use agent::ops::left_by_last;
use axum::http::StatusCode;
use memory::WorkspacePath;
use memory::candidates::Access;
use memory::curated::CuratedLine;
use memory::files::{read_owner_file, save_owner_file};

use super::file::{missing, refused};
use crate::http::{HttpError, HttpState};

const MEMORY_FILE: &str = "MEMORY.md";

/// Writes the line in the owner's new words; returns what identifies the change for its undo.
pub(super) fn reword(
    state: &HttpState,
    line: &CuratedLine,
    words: &str,
) -> Result<String, HttpError> {
    let home = &state.runtime.home;
    let path: WorkspacePath = MEMORY_FILE.parse()?;
    let file = read_owner_file(&home.workspace, &path).map_err(missing)?;
    let text = reworded(&file.text, line, words).ok_or_else(|| {
        let message = "MEMORY.md has changed, so nothing was corrected";
        HttpError::new(StatusCode::CONFLICT, message).hint("reload the page and try again")
    })?;
    let edit = (file.hash.as_str(), text.as_str());
    save_owner_file(&home.workspace, &path, edit, home.clock.now()).map_err(refused)?;
    Ok(left_by_last(&state.desk(Access::Read)?))
}

/// The file with other words in a line; `None` if that line says something else. Bullet and line ends stay.
fn reworded(file: &str, line: &CuratedLine, words: &str) -> Option<String> {
    let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut found = false;
    let lines = file.split_inclusive('\n').zip(1..);
    let lines = lines.map(|(own, number)| match own.split_once(&line.text) {
        Some((bullet, end)) if number == line.number && end.trim().is_empty() => {
            found = true;
            format!("{bullet}{words}{end}")
        }
        _ => own.to_owned(),
    });
    let text: String = lines.collect();
    (found && !words.is_empty()).then_some(text)
}

#[cfg(test)]
mod tests {
    use memory::curated::LineOwner;

    use super::*;

    fn line(number: usize, text: &str) -> CuratedLine {
        CuratedLine {
            number,
            section: None,
            text: text.to_owned(),
            owner: LineOwner::Owner,
        }
    }

    #[test]
    fn only_line_that_was_shown_is_reworded() {
        let file = "# Memory\r\n\r\n- I like tea\r\n  * I like tea\r\nI like tea and cake";
        let with = |number, words| reworded(file, &line(number, "I like tea"), words);
        assert_eq!(
            with(3, " I like\ncoffee ").as_deref(),
            Some("# Memory\r\n\r\n- I like coffee\r\n  * I like tea\r\nI like tea and cake")
        );
        assert!(with(4, "x").unwrap().contains("  * x\r\n"));
        for (number, words) in [(1, "x"), (5, "x"), (9, "x"), (3, " \n ")] {
            assert_eq!(with(number, words), None, "{number} {words:?}");
        }
    }
}

//! What the owner is asked before something is forgotten.
//!
//! Renders what it is given; forgets nothing.

use agent::ForgetPlace;
use base::head;

use super::human::printable;
use super::wrap::wrap_indented;

/// The most characters of a passage that are shown; its place tells where the rest is.
const CHARS_MAX: usize = 300;

/// The question; the answer is typed behind it.
pub(crate) fn render(places: &[ForgetPlace], columns: usize) -> String {
    let shown = places.iter().map(|ForgetPlace { place, text }| {
        let text = printable(head(text, CHARS_MAX));
        let place = printable(&place.to_string());
        format!("  {place}\n{}", wrap_indented(&text, columns, "    "))
    });
    format!(
        "The assistant wants to forget this:\n\n{}\n\
         Lines of yours leave their files too; `openclaw memory forget --list` names\n\
         what is forgotten, and `--undo ID` takes it back.\n\
         Type `forget` to agree; Enter keeps it: ",
        shown.collect::<String>()
    )
}

//! What stands in the place of a line that was set aside.
//!
//! Never longer than that line was, so that no pointer into the file goes astray.

use base::EntryId;
use serde::Serialize;

use super::Place;

/// The type of a line that only keeps its place.
pub(super) const ASIDE: &str = "aside";

#[derive(Serialize)]
struct AsideOut<'a> {
    #[serde(rename = "type")]
    entry_type: &'static str,
    id: &'a str,
    /// `null` where the line said that there is none.
    #[serde(rename = "parentId", skip_serializing_if = "names_nothing")]
    parent: Option<&'a str>,
}

/// An empty id means that the line did not say.
#[expect(clippy::ref_option_ref, reason = "serde passes fields by reference")]
fn names_nothing(parent: &Option<&str>) -> bool {
    *parent == Some("")
}

/// A line with this place and nothing else; empty where it would be longer than `n_bytes_max`, or where no
/// place is known.
pub(crate) fn render_aside(place: Option<&Place>, n_bytes_max: u64) -> Vec<u8> {
    let line = place.and_then(|place| {
        let line = AsideOut {
            entry_type: ASIDE,
            id: place.id.as_str(),
            parent: place.parent.as_ref().map(EntryId::as_str),
        };
        serde_json::to_vec(&line).ok()
    });
    line.filter(|line| line.len() as u64 <= n_bytes_max)
        .unwrap_or_default()
}

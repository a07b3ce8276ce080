//! The owner's statements about themselves in their pages: sentences in the first person that may hold for long. Pages
//! about a day, such as a diary, are left out.
//!
//! Reads the pages that changed last, and only in folders whose notes are the owner's words.

use base::model::Excerpt;
use base::{LineRange, Locator, MEMORY_SECTIONS, Message, Origin, Tz, redact};
use extract::{Extract, is_first_person};
use memory::{FolderItem, Tombstones, Workspace};

use crate::about::KnownLine;

/// How many pages are read.
const PAGES_MAX: usize = 300;

/// How many lines are returned, the newest ones.
const LINES_MAX: usize = 20;

/// The statements about the owner in pages that are read in place, those of the newest page first.
pub(crate) fn told_in_pages(
    workspace: &Workspace,
    tombstones: &Tombstones,
    timezone: Tz,
) -> Vec<KnownLine> {
    let items = workspace.newest_folder_items(PAGES_MAX, timezone);
    let is_told = |item: &FolderItem| {
        !item.is_dated
            && is_first_person(&item.text)
            && redact(&item.text) == item.text
            && !tombstones.hides_line(&item.path, item.line, &item.text)
    };
    let items: Vec<FolderItem> = items.into_iter().filter(is_told).collect();
    let excerpts = items.iter().enumerate().map(|(idx, item)| Excerpt {
        label: format!("e{idx}"),
        entry: None,
        at: item.day.noon(timezone),
        origin: Origin::Owner,
        message: Message::user(item.text.clone()),
        recalled: None,
    });
    let excerpts: Vec<Excerpt> = excerpts.collect();
    let found = Extract::new(timezone, None).candidates(&excerpts);
    // The rest are tasks and problems.
    let [themes @ .., _] = MEMORY_SECTIONS;
    let lasting = found
        .into_iter()
        .filter(|own| themes.contains(&own.section));
    let lines = lasting.filter_map(|own| {
        let item = items.get(own.excerpt)?;
        Some(KnownLine {
            theme: own.section.to_owned(),
            text: own.text,
            place: Locator::new(item.path.clone(), LineRange::line(item.line)),
            day: Some(item.day),
            origin: Origin::Owner,
            evidence: Vec::new(),
        })
    });
    lines.take(LINES_MAX).collect()
}

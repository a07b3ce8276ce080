//! A runtime on a disk in memory, for what cannot be seen from outside: crashes between two bytes, and
//! what a model is shown.
//!
//! Uses only what the crates make public.

use std::sync::Arc;

use agent::{HomeAccess, Models, Runtime};
use base::model::{Extractor, Purpose, Request};
use base::{Clock, Disk, HomeLayout, TokenCount, Tz};
use compaction::WindowSettings;

/// Where the home lies on the disk in memory.
pub(super) const HOME: &str = "/home";

/// A runtime whose window holds so many tokens, and whose every question the model answers.
pub(super) fn runtime(
    disk: &Arc<dyn Disk>,
    clock: Arc<dyn Clock>,
    model: Arc<dyn Extractor>,
    window: TokenCount,
) -> Runtime {
    let settings = WindowSettings {
        context_window: window,
        ..WindowSettings::default()
    };
    let home = HomeAccess::open(disk, &HomeLayout::new(HOME), clock, Tz::UTC);
    Runtime::new(home, Models::new(Arc::clone(&model) as _, model), settings)
}

/// Notes that cite the first excerpt, and summaries that say little: the same for the same request.
pub(super) fn plain_answer(request: &Request) -> String {
    match request.purpose {
        Purpose::Flush => testkit::shown_lines(request).first().map_or_else(
            || base::NOTHING_TO_FLUSH.to_owned(),
            |line| {
                let said = format!("Something was said at {}", line.at);
                testkit::noted("Issues Found", &[(said.as_str(), &line.label, &line.text)])
            },
        ),
        Purpose::Summarise => "## Goals and Intent\n- The owner asked for several things.\n".into(),
        Purpose::Chat | Purpose::Consolidate => "Understood.".into(),
    }
}

//! A runtime on a disk in memory, for things that cannot be observed from outside: crashes between two bytes, and the
//! requests to a model.
//!
//! Uses only what the crates make public.

use std::collections::BTreeSet;
use std::sync::Arc;

use agent::{HomeAccess, Models, Runtime};
use base::model::{Extractor, Request};
use base::{
    Clock, Disk, HomeLayout, Message, TokenCount, ToolCallId, Tz, estimate_message, estimate_text,
};
use compaction::WindowSettings;

/// The path of the home on the disk in memory.
pub(super) const HOME: &str = "/home";

/// A runtime whose window holds this many tokens, and whose every question the model answers.
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

/// The tokens of a request, as the program estimates them.
pub(super) fn tokens_of(request: &Request) -> TokenCount {
    let messages: TokenCount = request.messages.iter().map(estimate_message).sum();
    let tools = request.tools.iter().map(|tool| {
        let texts = [&tool.name, &tool.description, &tool.parameters];
        texts
            .map(|text| estimate_text(text))
            .into_iter()
            .sum::<TokenCount>()
    });
    messages + estimate_text(&request.system) + tools.sum()
}

/// I3: each result follows its call immediately and exactly once, with nothing in between.
#[track_caller]
pub(super) fn i3_calls_stand_with_their_results(request: &Request) {
    let mut open: BTreeSet<&ToolCallId> = BTreeSet::new();
    for message in &request.messages {
        if let Message::ToolResult(result) = message {
            let answers = open.remove(&result.call_id);
            assert!(answers, "{:?} answers no call", result.call_id);
        } else {
            assert!(open.is_empty(), "{open:?} have no result");
            for call in message.tool_calls() {
                assert!(open.insert(&call.id), "{:?} is called twice", call.id);
            }
        }
    }
    assert!(open.is_empty(), "{open:?} have no result at the end");
}

//! The first page as an example, for tests and the gallery.

use base::Invocation;

use super::view::{
    DecideItem, HomeView, KnownSentence, NewItem, PlannedItem, SubjectItem, Theme, home,
};
use crate::page::gallery::{Sample, sample_day};

pub(super) fn view_of(text: &str) -> HomeView {
    let sentence = |id: Option<&str>| KnownSentence {
        text: text.to_owned(),
        id: id.map(str::to_owned),
        path: "MEMORY.md".to_owned(),
        day: Some(sample_day("2026-04-20")),
    };
    HomeView {
        csrf: "c5rf".to_owned(),
        name: Some("Jo".to_owned()),
        hour: 9,
        today: sample_day("2026-04-21"),
        themes: vec![Theme {
            heading: "About the Owner".to_owned(),
            sentences: vec![sentence(Some("a1b2")), sentence(None)],
        }],
        fresh: vec![NewItem {
            text: text.to_owned(),
            day: Some(sample_day("2026-04-21")),
        }],
        ahead: vec![PlannedItem {
            day: sample_day("2026-04-22"),
            until: Some(sample_day("2026-04-26")),
            text: text.to_owned(),
            address: Some("/sessions/main?line=4#line-4".to_owned()),
        }],
        with_subject: vec![SubjectItem {
            subject: text.to_owned(),
            text: text.to_owned(),
            address: Some("/memory/file?path=PROMISES.md#line-9".to_owned()),
        }],
        waiting: vec![DecideItem {
            id: "c7f3".to_owned(),
            finding: text.to_owned(),
        }],
        n_waiting: 1,
        is_new_home: false,
        invocation: Invocation::default(),
    }
}

/// The states of the first page; `text` is inserted wherever the owner's or a model's words appear.
pub(in crate::page) fn samples(text: &str) -> Vec<Sample> {
    let mut full = view_of(text);
    let own = full.themes.iter().flat_map(|theme| theme.sentences.clone());
    let own: Vec<KnownSentence> = own.collect();
    let many = own.into_iter().cycle().take(12);
    full.themes.push(Theme {
        heading: text.to_owned(),
        sentences: many.collect(),
    });
    let quiet = HomeView {
        themes: Vec::new(),
        fresh: Vec::new(),
        ahead: Vec::new(),
        with_subject: Vec::new(),
        waiting: Vec::new(),
        n_waiting: 0,
        hour: 20,
        ..view_of(text)
    };
    let new = HomeView {
        is_new_home: true,
        name: None,
        ..quiet.clone()
    };
    vec![
        Sample::new(
            "home",
            "what is known, new, planned and waiting",
            home(&full),
        ),
        Sample::new("home-empty", "nothing is known yet", home(&quiet)),
        Sample::new("home-new", "a new home", home(&new)),
    ]
}

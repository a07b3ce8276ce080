//! The first page as the owner sees it. Text in memory never becomes markup.

use super::super::samples::view_of;
use super::*;

#[test]
fn home_shows_facts_news_plans_and_candidates() {
    let shown = home(&view_of("Lives in **Graz**")).into_string();
    insta::assert_snapshot!(shown.replace("><", ">\n<"));
}

#[test]
fn home_escapes_markup_in_memory() {
    let hostile =
        "\"><script>alert(1)</script><img src=x onerror=alert(2)> [a](javascript:alert(3))";
    let mut view = view_of(hostile);
    view.name = Some(hostile.to_owned());
    view.themes[0].heading = hostile.to_owned();
    let shown = home(&view).into_string();
    assert!(shown.contains("&lt;script&gt;"), "{shown}");
    for markup in ["<script", "<img", "href=\"javascript"] {
        assert!(!shown.contains(markup), "{markup} in {shown}");
    }
}

#[test]
fn home_without_conversation_offers_three_ways_to_begin() {
    let view = HomeView {
        is_new_home: true,
        hour: 20,
        name: None,
        themes: Vec::new(),
        ..view_of("")
    };
    let shown = home(&view).into_string();
    assert_eq!(shown.matches("<li class=\"card\">").count(), 3, "{shown}");
    assert!(shown.contains("Good evening."), "{shown}");
}

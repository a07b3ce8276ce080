//! The frame of every page: navigation, the last action, and help on keys.

use maud::{DOCTYPE, Markup, html};

use super::assets;

/// The pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tab {
    Home,
    Chat,
    Conversations,
    Memory,
    Review,
    Settings,
}

impl Tab {
    const LINKED: [(Self, &'static str, &'static str); 6] = [
        (Self::Home, "/", "Home"),
        (Self::Chat, "/chat", "Chat"),
        (Self::Conversations, "/sessions", "Conversations"),
        (Self::Memory, "/memory", "Memory"),
        (Self::Review, "/review", "Review"),
        (Self::Settings, "/status", "Settings"),
    ];
}

/// The content of the frame.
#[derive(Debug, Clone)]
pub(super) struct Frame {
    /// The page that the navigation marks; `None` for an error.
    pub(super) tab: Option<Tab>,
    pub(super) title: String,
    /// The CSRF secret that each form sends back. Empty on an error page, which has no form.
    pub(super) csrf: String,
    /// Number of waiting candidates.
    pub(super) n_waiting: usize,
    /// A message about the last action.
    pub(super) done: Option<Markup>,
}

/// The hidden field that proves that a form was made by this service.
pub(super) fn csrf_field(csrf: &str) -> Markup {
    html! { input type="hidden" name="csrf" value=(csrf); }
}

/// The label of a key that does the same as a button.
pub(super) fn key(name: &str) -> Markup {
    html! { kbd aria-hidden="true" { (name) } }
}

/// The `<head>` elements of every page.
pub(super) fn describe(title: &str) -> Markup {
    html! {
        meta charset="utf-8";
        meta name="viewport" content="width=device-width, initial-scale=1";
        meta name="color-scheme" content="light dark";
        title { (title) " \u{b7} openclaw" }
        link rel="icon" href=(assets::ICON);
        link rel="manifest" href=(assets::MANIFEST);
        link rel="stylesheet" href=(assets::STYLE);
    }
}

/// A placeholder for an empty page.
pub(super) fn empty(title: &str, text: &Markup) -> Markup {
    html! { div class="card empty" { @if !title.is_empty() { h2 { (title) } } p { (text) } } }
}

/// The whole page around its content.
pub(super) fn framed(frame: &Frame, content: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                (describe(&counted_title(frame)))
                meta name="htmx-config" content="{\"includeIndicatorCSS\": false, \"history\": \"reload\"}";
                script src=(assets::HTMX) defer {}
                script src=(assets::SCRIPT) defer {}
            }
            body hx-boost:inherited="true" {
                a class="skip" href="#main" { "Skip to content" }
                div class="frame" {
                    (side(frame))
                    main id="main" tabindex="-1" {
                        div id="flash" role="status" {
                            @if let Some(done) = &frame.done { div class="note" { (done) } }
                        }
                        p id="offline" class="note bad" role="status" hidden { "The page cannot reach openclaw. Is it still running?" }
                        @if !frame.csrf.is_empty() { (region(frame.n_waiting, None)) }
                        (content)
                    }
                }
                (help())
            }
        }
    }
}

/// The title with the number of candidates that wait, so that a tab in the background shows it.
fn counted_title(frame: &Frame) -> String {
    match frame.n_waiting {
        0 => frame.title.clone(),
        n => format!("({n}) {}", frame.title),
    }
}

/// The views of the program itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SettingsPage {
    Status,
    Context,
}

/// Links between the views of the program itself.
pub(super) fn settings_pages(at: SettingsPage) -> Markup {
    let linked = [
        (SettingsPage::Status, "/status", "Status"),
        (SettingsPage::Context, "/context", "Next request"),
    ];
    html! {
        nav class="subpages" aria-label="Settings" {
            @for (page, path, name) in linked {
                a href=(path) aria-current=[(page == at).then_some("page")] { (name) }
            }
        }
    }
}

fn side(frame: &Frame) -> Markup {
    html! {
        header class="side" {
            a class="brand" href="/" { "openclaw" }
            nav class="pages" aria-label="Pages" {
                ul {
                    @for (tab, path, name) in Tab::LINKED {
                        li {
                            a href=(path) aria-current=[(Some(tab) == frame.tab).then_some("page")] {
                                (name)
                                @if tab == Tab::Review && frame.n_waiting > 0 {
                                    span class="badge" {
                                        (frame.n_waiting)
                                        span class="visually-hidden" { " waiting" }
                                    }
                                }
                            }
                        }
                    }
                }
            }
            div class="foot" {
                button type="button" class="plain" data-help data-needs-script { "Keys " (key("?")) }
                @if !frame.csrf.is_empty() {
                    form method="post" action="/sign-out" hx-boost="false" {
                        (csrf_field(&frame.csrf))
                        button class="plain" { "Sign out" }
                    }
                }
            }
        }
    }
}

const KEYS: [(&str, &str); 10] = [
    ("j k", "next and previous item, or candidate"),
    ("a", "accept the candidate"),
    ("e", "edit it, or the file"),
    ("r", "reject it"),
    ("n", "keep the newer one: accept it, reject the older ones"),
    ("x", "select a candidate; strike a line of memory"),
    ("i", "write a message"),
    ("u", "undo the last change"),
    ("/", "search memory"),
    ("?", "these keys"),
];

fn help() -> Markup {
    html! {
        dialog id="help" aria-labelledby="help-title" {
            h2 id="help-title" { "Keys" }
            dl {
                @for (name, what) in KEYS {
                    dt { @for one in name.split(' ') { kbd { (one) } " " } }
                    dd { (what) }
                }
            }
            button type="button" data-close { "Close" }
        }
    }
}

/// The part of the page that polls the server for news.
pub(super) fn region(n_seen: usize, news: Option<&str>) -> Markup {
    let address = format!("/page/news?seen={n_seen}");
    html! {
        div id="news" role="status" hx-get=(address) hx-trigger="every 20s" hx-swap="outerHTML" hx-target="this" {
            @if let Some(news) = news {
                p class="note" { (news) a href="/review" { "Show them" } }
            }
        }
    }
}

//! The form in which a browser shows the token once.
//!
//! Never holds the token.

use maud::{DOCTYPE, Markup, html};

use super::assets;

/// The form, which is sent to `action`.
pub(crate) fn entrance(action: &str) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { "Sign in \u{b7} openclaw" }
                link rel="icon" href=(assets::ICON);
                link rel="stylesheet" href=(assets::STYLE);
            }
            body {
                main class="entrance" {
                    h1 { "openclaw" }
                    form method="post" action=(action) class="card" {
                        label for="token" {
                            "Token"
                            input id="token" name="token" type="password" autocomplete="current-password" required autofocus;
                        }
                        button class="main" { "Sign in" }
                        p class="small muted" { "It stands in the file " code { "state/token" } " of the home." }
                    }
                }
            }
        }
    }
}

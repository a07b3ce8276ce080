//! The sign-in form.
//!
//! Never contains the token.

use maud::{DOCTYPE, Markup, html};

use super::assets;
use super::frame::describe;

/// The form, which is sent to `action`; `refusal` is the reason why the last token was rejected.
pub(crate) fn entrance(action: &str, refusal: Option<&str>) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                (describe("Sign in"))
                script src=(assets::SCRIPT) defer {}
            }
            body {
                main class="entrance" {
                    h1 { "openclaw" }
                    form method="post" action=(action) class="card" {
                        label for="token" {
                            "Token"
                            input id="token" name="token" type="password" autocomplete="current-password" required autofocus;
                        }
                        @if let Some(refusal) = refusal {
                            p role="alert" { (refusal) }
                        }
                        button class="main" { "Sign in" }
                        @if refusal.is_none() {
                            p class="small muted" { "The token is in the file " code { "state/token" } " of the home. If the service has many homes, ask its operator." }
                        }
                    }
                }
            }
        }
    }
}

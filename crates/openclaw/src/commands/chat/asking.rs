//! Asks the owner at the prompt before forgetting something, calling a server's tool or recording a model.
//!
//! Treats silence as a no.

use std::sync::mpsc::{Sender, channel};

use agent::{Approver, ForgetPlace, OutsideCall, OwnerAnswer, OwnerPrompt};
use cli::environment::Screen;
use cli::output::{counted, printable, wrap_indented};

use base::head;

use super::input::{Agreement, InputRequest};

pub(super) fn at_the_prompt(wanted: Sender<InputRequest>, screen: Screen) -> OwnerPrompt {
    Box::new(move |places: &[ForgetPlace]| {
        let question = forget_question(places, screen.now().columns());
        put(&wanted, question, FORGET)
    })
}

#[derive(Debug)]
pub(super) struct AtThePrompt {
    pub(super) wanted: Sender<InputRequest>,
    pub(super) screen: Screen,
}

impl Approver for AtThePrompt {
    fn ask(&self, call: &OutsideCall<'_>) -> OwnerAnswer {
        let question = call_question(call, self.screen.now().columns());
        put(&self.wanted, question, CALL)
    }
}

fn put(wanted: &Sender<InputRequest>, question: String, agreement: Agreement) -> OwnerAnswer {
    let (reply, answer) = channel();
    let asked = wanted.send(InputRequest::Answer {
        question,
        agreement,
        reply,
    });
    // A closed channel means that no prompt is left to answer.
    asked
        .ok()
        .and_then(|()| answer.recv().ok())
        .unwrap_or(OwnerAnswer::NobodyThere)
}

pub(super) fn nobody() -> OwnerPrompt {
    Box::new(|_| OwnerAnswer::NobodyThere)
}

const FORGET: Agreement = Agreement("forget");

const CALL: Agreement = Agreement("call");

const RECORD: Agreement = Agreement("record");

/// Asks whether to record this chat's model in the settings.
pub(super) fn may_record(wanted: &Sender<InputRequest>, model: &str) -> OwnerAnswer {
    let question = format!(
        "Use {} in later chats too?\n\
         Type `record` to save it; Enter uses it in this chat only: ",
        printable(model)
    );
    put(wanted, question, RECORD)
}

const ARGUMENT_CHARS_MAX: usize = 600;

/// The question before a call of a server's tool.
fn call_question(call: &OutsideCall<'_>, columns: usize) -> String {
    let shown = head(call.arguments, ARGUMENT_CHARS_MAX);
    let rest = if shown.len() < call.arguments.len() {
        let n_bytes = call.arguments.len() - shown.len();
        format!("    [{} more]\n", counted(n_bytes as u64, "byte", "bytes"))
    } else {
        String::new()
    };
    format!(
        "The assistant wants to call {} on your server {} with:\n\n{}{rest}\nType `call` to allow it; Enter refuses: ",
        printable(call.tool),
        printable(call.server),
        wrap_indented(&printable(shown), columns, "    "),
    )
}

/// Longer passages are truncated; their place shows where the rest is.
const PASSAGE_CHARS_MAX: usize = 300;

/// The question before something is forgotten.
fn forget_question(places: &[ForgetPlace], columns: usize) -> String {
    let shown = places.iter().map(|ForgetPlace { place, text }| {
        let text = printable(head(text, PASSAGE_CHARS_MAX));
        let place = printable(&place.to_string());
        format!("  {place}\n{}", wrap_indented(&text, columns, "    "))
    });
    format!(
        "The assistant wants to forget this:\n\n{}\n\
         Lines that you wrote are removed from their files too. To undo this, run\n\
         `openclaw memory forget --undo ID`; `--list` shows the ID.\n\
         Type `forget` to confirm; Enter keeps it: ",
        shown.collect::<String>()
    )
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::Receiver;
    use std::thread::{self, JoinHandle};

    use base::{LineRange, Locator};

    use super::*;

    /// Answers one question and returns its text.
    fn owner_who_says(word: &'static str, wants: Receiver<InputRequest>) -> JoinHandle<String> {
        thread::spawn(move || {
            let InputRequest::Answer {
                question,
                agreement,
                reply,
            } = wants.recv().unwrap()
            else {
                panic!("a line was wanted");
            };
            reply.send(agreement.answer(word)).unwrap();
            question
        })
    }

    #[test]
    fn a_yes_that_was_typed_ahead_forgets_nothing() {
        for word in ["forget", "Forget", " FORGET\n"] {
            assert_eq!(FORGET.answer(word), OwnerAnswer::Yes, "{word:?}");
        }
        for word in ["", "n", "no", "y", "yes", "call", "forget it"] {
            assert_eq!(FORGET.answer(word), OwnerAnswer::No, "{word:?}");
        }
        for word in ["", " Forget", "N", "no "] {
            assert!(FORGET.is_answered_by(word), "{word:?}");
        }
        for word in ["yes", "y", "ja", "call", "three dogs bark"] {
            assert!(!FORGET.is_answered_by(word), "{word:?}");
        }
        assert_eq!(CALL.answer(" Call\n"), OwnerAnswer::Yes);
        assert_eq!(CALL.answer("forget"), OwnerAnswer::No);
    }

    #[test]
    fn the_owner_sees_what_would_be_called() {
        let (wanted, wants) = channel();
        let screen = Screen::default();
        let approver = AtThePrompt { wanted, screen };
        let owner = owner_who_says("call", wants);
        let call = OutsideCall {
            server: "box",
            tool: "box__erase",
            arguments: "{\"what\":\"all \u{1b}[2J\"}",
        };
        assert_eq!(approver.ask(&call), OwnerAnswer::Yes);
        insta::assert_snapshot!(owner.join().unwrap(), @r#"
        The assistant wants to call box__erase on your server box with:

            {"what":"all \u{1b}[2J"}

        Type `call` to allow it; Enter refuses:
        "#);
        assert_eq!(approver.ask(&call), OwnerAnswer::NobodyThere);
    }

    #[test]
    fn the_owner_sees_what_would_go_and_a_prompt_that_is_gone_means_nobody() {
        let place = Locator::new("memory/2026-03-02.md", LineRange::line(12));
        let places = [ForgetPlace {
            place,
            text: "The lock code is \u{1b}[2J4711".into(),
        }];
        let (wanted, wants) = channel();
        let asker = at_the_prompt(wanted, Screen::default());
        let owner = owner_who_says("forget", wants);
        assert_eq!(asker(&places), OwnerAnswer::Yes);
        insta::assert_snapshot!(owner.join().unwrap(), @r"
        The assistant wants to forget this:

          memory/2026-03-02.md:12
            The lock code is \u{1b}[2J4711

        Lines that you wrote are removed from their files too. To undo this, run
        `openclaw memory forget --undo ID`; `--list` shows the ID.
        Type `forget` to confirm; Enter keeps it:
        ");
        assert_eq!(asker(&places), OwnerAnswer::NobodyThere);
        assert_eq!(nobody()(&places), OwnerAnswer::NobodyThere);
    }
}

//! Asks the owner at the prompt before calling a server's tool or recording a model.
//!
//! Treats silence as a no.

use std::sync::mpsc::{Sender, channel};

use agent::{Approver, OutsideCall, OwnerAnswer};
use cli::environment::Screen;
use cli::output::{counted, printable, wrap_indented};

use base::head;

use super::input::{Agreement, InputRequest};
use crate::commands::memory::ForgetConsent;

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

const FORGET: Agreement = Agreement("forget");

const REMOVE: Agreement = Agreement("remove");

/// Asks at the prompt what is asked before something is forgotten.
pub(super) fn may_forget(wanted: &Sender<InputRequest>, asked: ForgetConsent) -> OwnerAnswer {
    let (question, agreement) = match asked {
        ForgetConsent::Passages => ("Type `forget` to forget this; Enter keeps it: ", FORGET),
        ForgetConsent::ForGood => (
            "Type `remove` to remove this for good; Enter keeps it: ",
            REMOVE,
        ),
        ForgetConsent::OwnLines => (
            "Type `remove` to take your own lines out of their files too; Enter only hides them: ",
            REMOVE,
        ),
    };
    put(wanted, question.to_owned(), agreement)
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

#[cfg(test)]
mod tests {
    use std::sync::mpsc::Receiver;
    use std::thread::{self, JoinHandle};

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
    fn word_typed_ahead_does_not_allow_call() {
        for word in ["call", "Call", " CALL\n"] {
            assert_eq!(CALL.answer(word), OwnerAnswer::Yes, "{word:?}");
        }
        for word in ["", "n", "no", "y", "yes", "record", "call it"] {
            assert_eq!(CALL.answer(word), OwnerAnswer::No, "{word:?}");
        }
        for word in ["", " Call", "N", "no "] {
            assert!(CALL.is_answered_by(word), "{word:?}");
        }
        for word in ["yes", "y", "ja", "record", "three dogs bark"] {
            assert!(!CALL.is_answered_by(word), "{word:?}");
        }
    }

    #[test]
    fn call_question_shows_server_tool_and_escaped_arguments() {
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
}

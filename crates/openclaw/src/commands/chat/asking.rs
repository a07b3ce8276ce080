//! Asks the owner at the prompt whether something may be forgotten, or a tool of a server called.
//!
//! Takes silence for a no.

use std::sync::mpsc::{Sender, channel};

use agent::{Approver, Asker, ForgetPlace, OutsideCall, OwnerAnswer};

use super::ears::Wanted;
use crate::output::{render_call_question, render_forget_question};

/// Asks at the prompt, while a reply is under way.
pub(super) fn at_the_prompt(wanted: Sender<Wanted>, columns: usize) -> Asker {
    Box::new(move |places: &[ForgetPlace]| put(&wanted, render_forget_question(places, columns)))
}

/// Asks at the prompt whether a tool of a server may be called.
pub(super) fn approver(wanted: Sender<Wanted>, columns: usize) -> AtThePrompt {
    AtThePrompt { wanted, columns }
}

/// Asks at the prompt, while a reply is under way.
#[derive(Debug)]
pub(super) struct AtThePrompt {
    wanted: Sender<Wanted>,
    columns: usize,
}

impl Approver for AtThePrompt {
    fn ask(&self, call: &OutsideCall<'_>) -> OwnerAnswer {
        put(&self.wanted, render_call_question(call, self.columns))
    }
}

fn put(wanted: &Sender<Wanted>, question: String) -> OwnerAnswer {
    let (reply, answer) = channel();
    let asked = wanted.send(Wanted::Answer { question, reply });
    // Where the prompt is gone, nobody is there.
    asked
        .ok()
        .and_then(|()| answer.recv().ok())
        .unwrap_or(OwnerAnswer::NobodyThere)
}

/// Asks nobody, because nobody is at a prompt.
pub(super) fn nobody() -> Asker {
    Box::new(|_| OwnerAnswer::NobodyThere)
}

/// The word that agrees. A yes could have been typed ahead, to the assistant.
const AGREEMENT: &str = "forget";

/// What the owner's word means.
pub(super) fn answer(word: &str) -> OwnerAnswer {
    if word.trim().eq_ignore_ascii_case(AGREEMENT) {
        OwnerAnswer::Yes
    } else {
        OwnerAnswer::No
    }
}

/// Whether a word is an answer at all; silence is one.
pub(super) fn is_answer(word: &str) -> bool {
    let word = word.trim();
    ["", AGREEMENT, "n", "no"]
        .iter()
        .any(|known| word.eq_ignore_ascii_case(known))
}

#[cfg(test)]
mod tests {
    use std::thread;

    use base::Locator;

    use super::*;

    #[test]
    fn a_yes_that_was_typed_ahead_forgets_nothing() {
        for word in ["forget", "Forget", " FORGET\n"] {
            assert_eq!(answer(word), OwnerAnswer::Yes, "{word:?}");
        }
        for word in ["", "n", "no", "y", "yes", "forget it"] {
            assert_eq!(answer(word), OwnerAnswer::No, "{word:?}");
        }
        for word in ["", " Forget", "N", "no "] {
            assert!(is_answer(word), "{word:?}");
        }
        for word in ["yes", "y", "ja", "three dogs bark"] {
            assert!(!is_answer(word), "{word:?}");
        }
    }

    #[test]
    fn the_owner_sees_what_would_be_called() {
        let (wanted, wants) = channel();
        let approver = approver(wanted, 80);
        let owner = thread::spawn(move || {
            let Wanted::Answer { question, reply } = wants.recv().unwrap() else {
                panic!("a line was wanted");
            };
            reply.send(OwnerAnswer::No).unwrap();
            question
        });
        let call = OutsideCall {
            server: "box",
            tool: "box__erase",
            arguments: "{\"what\":\"all \u{1b}[2J\"}",
        };
        assert_eq!(approver.ask(&call), OwnerAnswer::No);
        insta::assert_snapshot!(owner.join().unwrap(), @r#"
        The assistant wants to call box__erase of your server box, with:

            {"what":"all \u{1b}[2J"}

        Call it? [y/N] 
        "#);
        assert_eq!(approver.ask(&call), OwnerAnswer::NobodyThere);
    }

    #[test]
    fn the_owner_sees_what_would_go_and_a_prompt_that_is_gone_means_nobody() {
        let place = Locator {
            path: "memory/2026-03-02.md".into(),
            start_line: 12,
            end_line: 12,
        };
        let places = [ForgetPlace {
            place,
            text: "The lock code is \u{1b}[2J4711".into(),
        }];
        let (wanted, wants) = channel();
        let asker = at_the_prompt(wanted, 80);
        let owner = thread::spawn(move || {
            let Wanted::Answer { question, reply } = wants.recv().unwrap() else {
                panic!("a line was wanted");
            };
            reply.send(OwnerAnswer::Yes).unwrap();
            question
        });
        assert_eq!(asker(&places), OwnerAnswer::Yes);
        insta::assert_snapshot!(owner.join().unwrap(), @r"
        The assistant wants to forget this:

          memory/2026-03-02.md:12
            The lock code is \u{1b}[2J4711

        Lines of yours leave their files too; `openclaw memory forget --list` names
        what is forgotten, and `--undo ID` takes it back.
        Type `forget` to agree; Enter keeps it:
        ");
        assert_eq!(asker(&places), OwnerAnswer::NobodyThere);
        assert_eq!(nobody()(&places), OwnerAnswer::NobodyThere);
    }
}

//! Every fault in every dialect: what each of them comes to for whoever asked.
//!
//! The words are those of the dialects; what one of them says in particular is tested with it.

use models::Connection;
use testkit::{ChatServer, ServerAnswer};

use super::talk::{request, talk};
use super::{anthropic, gemini, ollama, openai};

/// How a dialect says what goes wrong.
pub(super) struct Faulty {
    pub(super) name: &'static str,
    pub(super) connect: fn(&ChatServer) -> Connection,
    /// A reply that has begun.
    pub(super) begun: ServerAnswer,
    /// One that goes on with a piece that is no JSON.
    pub(super) no_json: ServerAnswer,
    /// A call with arguments that are none.
    pub(super) wrong_call: ServerAnswer,
    /// A refusal.
    pub(super) refusal: fn(u16) -> String,
    /// What it says with status 400 of a request that is too large for the window.
    pub(super) overflow: String,
}

impl Faulty {
    /// Each fault, by its name.
    fn answers(&self) -> [(&'static str, ServerAnswer); 10] {
        let refused = |status| ServerAnswer::json(status, &(self.refusal)(status));
        [
            ("mute", ServerAnswer::silence()),
            ("slow", self.begun.clone().then_silence()),
            ("cut", self.begun.clone().cut()),
            ("429", refused(429)),
            ("500", refused(500)),
            ("413", refused(413)),
            ("overflow", ServerAnswer::json(400, &self.overflow)),
            ("invalid JSON", self.no_json.clone()),
            (
                "no JSON at all",
                ServerAnswer::json(200, "<html>Hello</html>"),
            ),
            ("wrong arguments", self.wrong_call.clone()),
        ]
    }
}

#[test]
fn i16_fault_in_any_dialect_becomes_error_or_verbatim_call() {
    let mut table: Vec<String> = Vec::new();
    let dialects = [
        anthropic::faulty(),
        openai::faulty(),
        openai::faulty_elsewhere(),
        gemini::faulty(),
        ollama::faulty(),
    ];
    for dialect in &dialects {
        for (fault, answer) in dialect.answers() {
            let server = ChatServer::start([answer]);
            let came = talk((dialect.connect)(&server), &request());
            let ids_are_random = dialect.name == "ollama" && fault == "wrong arguments";
            let came = match came.split_once(' ').filter(|_| ids_are_random) {
                Some(("call", call)) => {
                    let (_, call) = call.split_once(' ').unwrap();
                    format!("call ID {call}")
                }
                _ => came,
            };
            table.push(format!(
                "{}, {fault}:\n  {}",
                dialect.name,
                came.replace('\n', "\n  ")
            ));
        }
    }
    assert_eq!(table.len(), 50);
    insta::assert_snapshot!(table.join("\n"));
}

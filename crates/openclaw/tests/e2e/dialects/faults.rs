//! Every fault in every dialect: the result of each for the caller.
//!
//! The words are those of the dialects; the tests of each dialect check its particular messages.

use models::Connection;
use testkit::{ChatServer, ServerAnswer};

use super::talk::{request, talk};
use super::{anthropic, gemini, ollama, openai};

/// How a dialect reports a failure.
pub(super) struct Faulty {
    pub(super) name: &'static str,
    pub(super) connect: fn(&ChatServer) -> Connection,
    /// A reply that has begun.
    pub(super) begun: ServerAnswer,
    /// A stream that continues with a piece that is not JSON.
    pub(super) no_json: ServerAnswer,
    /// A call with invalid arguments.
    pub(super) wrong_call: ServerAnswer,
    /// The answer of a server that refuses a request, by status.
    pub(super) refusal: fn(u16) -> String,
    /// Its answer, with status 400, to a request that is too large for the window.
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

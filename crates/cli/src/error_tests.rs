//! Reports of failures: text, JSON and exit code.
//!
//! Pins every kind.

use std::path::Path;

use base::disk::LockError;
use testkit::Words;

use super::*;
use crate::exit_code::{ALL, Exit};
use crate::output::{Output, OutputFormat};

const KINDS: [ErrorKind; 11] = [
    ErrorKind::Usage,
    ErrorKind::Config,
    ErrorKind::Input,
    ErrorKind::NotFound,
    ErrorKind::Disk,
    ErrorKind::Locked,
    ErrorKind::Corrupt,
    ErrorKind::TooNew,
    ErrorKind::Model,
    ErrorKind::BrokenPipe,
    ErrorKind::Internal,
];

fn report(error: &CliError, format: OutputFormat) -> String {
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let mut output = Output::new(&mut stdout, &mut stderr);
    output.modes.format = format;
    output.report(error);
    let [stdout, stderr] = [stdout, stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    format!("--- stdout\n{stdout}--- stderr\n{stderr}")
}

#[test]
fn error_report_has_message_context_and_hint() {
    let full = io::Error::new(io::ErrorKind::StorageFull, "no space left on device");
    let error = CliError::from(DiskError::on("append to", Path::new("/x/main.jsonl"))(full))
        .doing("storing message 7")
        .doing("replaying chat.jsonl");
    insta::assert_snapshot!("failure", report(&error, OutputFormat::Human));
    insta::assert_snapshot!("failure_json", report(&error, OutputFormat::Json));
}

#[test]
fn locked_error_names_holder() {
    let error = CliError::from(LockError::Held {
        path: "/x/state/locks/main.lock".into(),
        pid: Some(4121),
    });
    insta::assert_snapshot!("locked", report(&error, OutputFormat::Human));
    assert_eq!(Exit::from(error.kind), Exit::Locked);
}

#[test]
fn weak_token_hint_names_its_place() {
    let hints = |place: &str| {
        let error = gateway::http::AccessToken::given("hunter2", place).unwrap_err();
        CliError::from(error).hints
    };
    let of_variable = "set a stronger OPENCLAW_TOKEN, as from `openssl rand -hex 32`, or unset it: the token in the \
         home then applies";
    assert_eq!(hints("OPENCLAW_TOKEN"), [of_variable]);
    let of_file = "delete /x/state/token: the next start creates a new one; or set OPENCLAW_TOKEN";
    assert_eq!(hints("/x/state/token"), [of_file]);
}

#[test]
fn error_report_escapes_control_characters() {
    let error = CliError::new(ErrorKind::Input, "name \u{1b}]0;gotcha\u{7} is odd");
    let shown = report(&error, OutputFormat::Human);
    shown.holds(r"name \u{1b}]0;gotcha\u{7} is odd");
}

#[test]
fn error_kinds_map_to_exit_codes() {
    let table: Vec<String> = KINDS
        .map(|kind| {
            let name = serde_json::to_value(kind).unwrap();
            format!("{} {}", name.as_str().unwrap(), Exit::from(kind).code())
        })
        .into();
    insta::assert_snapshot!(table.join("\n"), @r"
    usage 2
    config 1
    input 1
    notFound 1
    disk 1
    locked 4
    corrupt 5
    tooNew 5
    model 6
    brokenPipe 0
    internal 70
    ");
    for exit in ALL {
        let reached = KINDS.iter().any(|kind| Exit::from(*kind) == exit);
        // An incomplete answer is not a failure, and neither is one that the owner interrupted.
        let is_no_failure = matches!(exit, Exit::Degraded | Exit::Interrupted);
        assert!(reached || is_no_failure, "{exit:?}");
    }
}

//! Reports a panic as a bug, with its message and location.

use std::panic::{AssertUnwindSafe, catch_unwind, set_hook};
use std::sync::Mutex;

use crate::error::{CliError, ErrorKind};
use crate::exit_code::Exit;
use crate::output::Output;

/// The message and location of the last panic.
static LAST: Mutex<Option<String>> = Mutex::new(None);

/// Runs the program. A panic is reported, and its exit code returned.
pub fn guard(output: &mut Output, run: impl FnOnce(&mut Output) -> Exit) -> Exit {
    set_hook(Box::new(|panic| {
        let at = panic.location().map(ToString::to_string);
        let said = panic.payload_as_str().unwrap_or("no message");
        let said = format!("{said} ({})", at.as_deref().unwrap_or("unknown location"));
        *base::locked(&LAST) = Some(said);
    }));
    // This is unwind safe: after a panic, `output` is used only for the report.
    catch_unwind(AssertUnwindSafe(|| run(output))).unwrap_or_else(|_| {
        let error = report();
        output.report(&error);
        error.kind.into()
    })
}

/// Runs `act` and turns a panic into an error, for a command that can continue.
pub fn caught<T>(act: impl FnOnce() -> Result<T, CliError>) -> Result<T, CliError> {
    // This is unwind safe: after a panic, callers do not use the values that `act` captured.
    catch_unwind(AssertUnwindSafe(act)).unwrap_or_else(|_| Err(report()))
}

fn report() -> CliError {
    let said = base::locked(&LAST).take();
    let mut error = CliError::new(
        ErrorKind::Internal,
        "openclaw reached a state that should be impossible; this is a bug",
    )
    .hint("report these lines, what you typed and the output of `openclaw --version`");
    error.causes.extend(said);
    error
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guarded_panic_is_bug_report_and_caught_panic_is_error() {
        let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
        let mut output = Output::new(&mut stdout, &mut stderr);
        let hook = std::panic::take_hook();
        let exit = guard(&mut output, |_| panic!("two and two made five"));
        let part = caught::<()>(|| panic!("a part broke")).unwrap_err();
        set_hook(hook);
        assert_eq!(part.kind, ErrorKind::Internal);
        assert!(
            part.one_line().contains("a part broke"),
            "{}",
            part.one_line()
        );
        assert_eq!((exit, exit.code()), (Exit::Bug, 70));
        assert_eq!(stdout, b"");
        let said = String::from_utf8(stderr).unwrap();
        assert!(said.contains("caused by: two and two made five (crates/cli/src/panic.rs:"));
    }
}

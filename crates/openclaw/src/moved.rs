//! Names the new command for a command line of an earlier version.
//!
//! Acts on nothing.

use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue};

use crate::prelude::*;

/// The error for a command that has moved to its own program, `openclaw-fleet`:
pub(crate) fn moved(arguments: &[OsString], error: &clap::Error) -> Option<CliError> {
    let names = |kind, text: &str| {
        let value = error.get(kind);
        matches!(value, Some(ContextValue::String(named)) if named == text)
    };
    let new = if names(ContextKind::InvalidSubcommand, "homes") {
        let after = arguments.iter().skip_while(|it| *it != "homes").skip(1);
        let typed: Option<Vec<&str>> = after.map(|it| it.to_str()).collect();
        let typed = shlex::try_join(typed.unwrap_or_default()).unwrap_or_default();
        format!("openclaw-fleet {typed}").trim_end().to_owned()
    } else if names(ContextKind::InvalidArg, "--homes") {
        "openclaw-fleet serve ADDRESS --tokens FILE".to_owned()
    } else {
        return None;
    };
    let message = "homes beyond this machine have a program of their own";
    Some(CliError::new(ErrorKind::Usage, message).hint(format!("type `{new}`")))
}

#[cfg(test)]
mod tests {
    use cli::arguments::parse;

    use super::*;
    use crate::command_line::Cli;

    #[test]
    fn moved_fleet_command_names_openclaw_fleet() {
        for (typed, new) in [
            (
                "homes push s3://claw/homes anna --dry-run",
                "push s3://claw/homes anna --dry-run",
            ),
            (
                "--json homes list 'file:///my homes'",
                "list 'file:///my homes'",
            ),
            ("homes", ""),
            (
                "serve --homes s3://claw --tokens t",
                "serve ADDRESS --tokens FILE",
            ),
        ] {
            let words = shlex::split(&format!("openclaw {typed}")).unwrap();
            let words: Vec<OsString> = words.into_iter().map(OsString::from).collect();
            let error = parse::<Cli>(&words).unwrap_err().error;
            let hints = moved(&words, &error).map(|error| error.hints);
            let expected = format!("type `{}`", format!("openclaw-fleet {new}").trim_end());
            assert_eq!(hints, Some(vec![expected]), "{typed}");
        }
        let words = ["openclaw", "hoems"].map(OsString::from);
        let error = parse::<Cli>(&words).unwrap_err().error;
        assert_eq!(moved(&words, &error), None);
    }
}

//! The process environment, read once and passed down as data.
//!
//! The only place that queries environment variables, the time zone or the terminal.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use terminal_size::{Width, terminal_size_of};

use crate::error::{CliError, ErrorKind, Result};

#[derive(Debug, Clone, Default)]
pub struct Environment {
    /// `OPENCLAW_HOME`, if set and not empty.
    pub openclaw_home: Option<PathBuf>,
    /// `HOME`, if set and not empty.
    pub user_home: Option<PathBuf>,
    /// Variables that name settings, sorted by name.
    pub settings: Vec<Variable>,
    /// All other variables. Settings may refer to them by name.
    pub others: OtherVariables,
    /// Whether `NO_COLOR` or `TERM=dumb` asks for plain text.
    pub is_plain: bool,
    /// `TZ`, if set.
    pub tz: Option<String>,
    /// The IANA name of the machine's time zone, if known.
    pub machine_timezone: Option<String>,
    pub stdin: Stream,
    pub stdout: Stream,
    pub stderr: Stream,
    /// Measures the width of stdout's terminal; `None` in tests.
    pub look: Option<fn() -> Option<usize>>,
}

/// Measures the current width of stdout.
#[derive(Debug, Clone, Copy, Default)]
pub struct Screen {
    begun: Stream,
    look: Option<fn() -> Option<usize>>,
}

impl Screen {
    pub fn now(self) -> Stream {
        match (self.begun, self.look.and_then(|look| look())) {
            (Stream::Terminal(_), Some(columns)) => Stream::Terminal(columns),
            (begun, _) => begun,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable {
    /// The name, with the `OPENCLAW_` prefix.
    pub name: String,
    /// The value; `None` if it is not UTF-8.
    pub value: Option<String>,
}

/// Variables that are read only if a setting refers to them. Some of them contain keys.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct OtherVariables(BTreeMap<String, String>);

impl OtherVariables {
    /// The value of a variable, unless it is unset or blank.
    pub fn get(&self, name: &str) -> Option<&str> {
        let value = self.0.get(name)?;
        (!value.trim().is_empty()).then_some(value)
    }

    /// All variables with this prefix, by name.
    pub fn named(&self, prefix: &str) -> BTreeMap<String, String> {
        let all = self.0.iter().filter(|(name, _)| name.starts_with(prefix));
        all.map(|(name, value)| (name.clone(), value.clone()))
            .collect()
    }

    /// Adds a variable.
    #[cfg(any(test, feature = "testing"))]
    #[must_use]
    pub fn with(mut self, name: &str, value: &str) -> Self {
        self.0.insert(name.to_owned(), value.to_owned());
        self
    }
}

impl fmt::Debug for OtherVariables {
    /// Prints no values, because any of them may be a key.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "OtherVariables({})", self.0.len())
    }
}

/// The destination of a stream: a terminal with its number of columns, or something else.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Stream {
    Terminal(usize),
    #[default]
    File,
}

pub const PREFIX: &str = "OPENCLAW_";

/// Variables with the prefix that are not settings.
pub const NOT_SETTINGS: [&str; 2] = [HOME_VARIABLE, TOKEN_VARIABLE];

/// The variable that overrides the service token stored in the home. It is kept in `others`, whose values are never
/// printed.
pub const TOKEN_VARIABLE: &str = "OPENCLAW_TOKEN";

const HOME_VARIABLE: &str = "OPENCLAW_HOME";

/// The width assumed for a terminal that does not report one.
const FALLBACK_COLUMNS: usize = 80;

/// The maximum width of prose at a terminal, because longer lines are hard to read.
pub const PROSE_COLUMNS_MAX: usize = 100;

impl Environment {
    pub fn read() -> Self {
        Self {
            machine_timezone: iana_time_zone::get_timezone().ok(),
            stdin: stream(&std::io::stdin()),
            stdout: stream(&std::io::stdout()),
            stderr: stream(&std::io::stderr()),
            look: Some(|| columns_of(&std::io::stdout())),
            ..Self::from_variables(std::env::vars_os())
        }
    }

    /// Stdout, with the terminal's current width.
    pub fn stdout(&self) -> Stream {
        self.screen().now()
    }

    /// A handle that measures the width of stdout each time it is asked.
    pub fn screen(&self) -> Screen {
        Screen {
            begun: self.stdout,
            look: self.look,
        }
    }

    pub fn from_variables(variables: impl IntoIterator<Item = (OsString, OsString)>) -> Self {
        let mut environment = Self::default();
        for (name, value) in variables {
            let Some(name) = name.to_str() else {
                continue;
            };
            match name {
                HOME_VARIABLE => environment.openclaw_home = path(value),
                "HOME" => environment.user_home = path(value),
                "TZ" => environment.tz = value.into_string().ok(),
                "NO_COLOR" if !value.is_empty() => environment.is_plain = true,
                "TERM" if value == "dumb" => environment.is_plain = true,
                name if name.starts_with(PREFIX) && !NOT_SETTINGS.contains(&name) => {
                    environment.settings.push(Variable {
                        name: name.to_owned(),
                        value: value.into_string().ok(),
                    });
                }
                name => {
                    if let Ok(value) = value.into_string() {
                        environment.others.0.insert(name.to_owned(), value);
                    }
                }
            }
        }
        environment.settings.sort_by(|a, b| a.name.cmp(&b.name));
        environment
    }

    /// The user's home directory; the error names `what`, which is in it.
    pub fn user_home_with(&self, what: &str) -> Result<&Path> {
        self.user_home.as_deref().ok_or_else(|| {
            let message = format!("HOME is not set, so {what} cannot be found");
            CliError::new(ErrorKind::Config, message)
                .hint("set HOME to your home directory and run the same command again")
        })
    }

    /// Expands `~/` to the user's home directory, if known.
    pub fn expand_home(&self, path: &str) -> PathBuf {
        match (path.strip_prefix("~/"), &self.user_home) {
            (Some(below), Some(user_home)) => user_home.join(below),
            _ => PathBuf::from(path),
        }
    }
}

impl Stream {
    pub fn is_terminal(self) -> bool {
        matches!(self, Self::Terminal(_))
    }

    /// The maximum width of prose. Files are not wrapped, so that grep finds phrases in them.
    pub fn text_columns(self) -> usize {
        self.table_columns().min(match self {
            Self::Terminal(_) => PROSE_COLUMNS_MAX,
            Self::File => usize::MAX,
        })
    }

    /// The maximum width of a table: the whole terminal. In a file no cell is cut.
    pub fn table_columns(self) -> usize {
        match self {
            Self::Terminal(columns) => columns,
            Self::File => usize::MAX,
        }
    }

    /// The maximum width of a message, in a file too.
    pub fn columns(self) -> usize {
        match self {
            Self::Terminal(columns) => columns.min(PROSE_COLUMNS_MAX),
            Self::File => FALLBACK_COLUMNS,
        }
    }
}

fn path(value: OsString) -> Option<PathBuf> {
    (!value.is_empty()).then(|| PathBuf::from(value))
}

fn stream<T: IsTerminal + std::os::fd::AsFd>(stream: &T) -> Stream {
    if stream.is_terminal() {
        Stream::Terminal(columns_of(stream).unwrap_or(FALLBACK_COLUMNS))
    } else {
        Stream::File
    }
}

fn columns_of<T: std::os::fd::AsFd>(stream: &T) -> Option<usize> {
    let (Width(columns), _) = terminal_size_of(stream)?;
    (columns > 0).then_some(usize::from(columns))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment(variables: &[(&str, &str)]) -> Environment {
        let variables = variables.iter();
        Environment::from_variables(variables.map(|(name, value)| (name.into(), value.into())))
    }

    #[test]
    fn environment_takes_only_variables_of_program() {
        let variables = [
            ("OPENCLAW_TIMEZONE", "UTC"),
            ("OPENCLAW_HOME", "/srv/claw"),
            ("OPENCLAW_COMPACTION__CONTEXT_WINDOW", "32000"),
            ("HOME", ""),
            ("NO_COLOR", ""),
            ("TERM", "dumb"),
            ("PATH", "/bin"),
        ];
        let environment = environment(&variables);
        let names: Vec<_> = environment
            .settings
            .iter()
            .map(|one| one.name.as_str())
            .collect();
        assert_eq!(
            names,
            ["OPENCLAW_COMPACTION__CONTEXT_WINDOW", "OPENCLAW_TIMEZONE"]
        );
        assert_eq!(environment.openclaw_home, Some(PathBuf::from("/srv/claw")));
        assert_eq!(environment.user_home, None);
        assert!(environment.is_plain);
    }

    #[test]
    fn i14_environment_debug_hides_variable_values() {
        let variables = [("SOME_API_KEY", "hunter2"), ("EMPTY_KEY", " ")];
        let environment = environment(&variables);
        assert_eq!(environment.others.get("SOME_API_KEY"), Some("hunter2"));
        assert_eq!(environment.others.get("EMPTY_KEY"), None);
        let shown = format!("{environment:?}");
        assert!(!shown.contains("hunter2"), "{shown}");
    }

    #[test]
    fn screen_now_uses_current_terminal_width() {
        let now = |stdout, look| {
            let environment = Environment {
                stdout,
                look,
                ..Environment::default()
            };
            environment.screen().now()
        };
        assert_eq!(
            now(Stream::Terminal(80), Some(|| Some(50))),
            Stream::Terminal(50)
        );
        assert_eq!(
            now(Stream::Terminal(80), Some(|| None)),
            Stream::Terminal(80)
        );
        assert_eq!(now(Stream::Terminal(80), None), Stream::Terminal(80));
        assert_eq!(now(Stream::File, Some(|| Some(50))), Stream::File);
    }

    #[test]
    fn text_columns_are_bounded_and_table_columns_are_not() {
        let widths = |stream: Stream| {
            (
                stream.text_columns(),
                stream.columns(),
                stream.table_columns(),
            )
        };
        assert_eq!(widths(Stream::Terminal(40)), (40, 40, 40));
        assert_eq!(widths(Stream::Terminal(120)), (100, 100, 120));
        assert_eq!(widths(Stream::File), (usize::MAX, 80, usize::MAX));
    }

    #[test]
    fn empty_no_color_is_ignored() {
        assert!(!environment(&[("NO_COLOR", "")]).is_plain);
    }
}

//! `openclaw session verify`: checks transcripts for damage.
//!
//! Repairs nothing.

use serde::Serialize;
use session::{Severity, VerifyFinding, verify};

use super::found;
use super::telling::warn_left_out;
use crate::doctor::next_of_transcript;
use crate::prelude::*;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  openclaw session verify")]
pub(crate) struct Arguments {
    /// Session to check [default: all]
    #[arg(value_name = "NAME")]
    pub(crate) session: Option<SessionName>,
}

pub(crate) fn run(arguments: &Arguments, context: &mut Context) -> Result<Exit> {
    let home = context.existing_home()?;
    let store = context.sessions(&home);
    let mut sessions = Vec::new();
    let mut n_unread = 0_usize;
    match &arguments.session {
        Some(name) => sessions.push(check(&store, name, context.output)?),
        None => {
            for name in store.names()? {
                match check(&store, &name, context.output) {
                    Ok(session) => sessions.push(session),
                    Err(error) => {
                        warn_left_out(&name, &error, context.output);
                        n_unread += 1;
                    }
                }
            }
        }
    }
    let report = SessionsVerified { sessions };
    let is_told = report.sessions.is_empty() && n_unread > 0;
    if !is_told || context.output.format() == OutputFormat::Json {
        context.emit(&report)?;
    }
    Ok(match (report.is_clean(), n_unread) {
        (false, _) => Exit::Corrupt,
        (true, 0) => Exit::Done,
        (true, _) => Exit::Failure,
    })
}

fn check(store: &SessionStore, name: &SessionName, output: &Output) -> Result<VerifiedSession> {
    let report = verify(found(store, store.lines(name))?)?;
    Ok(VerifiedSession {
        name: name.to_string(),
        lines: report.n_lines,
        problems: report.findings.iter().filter_map(problem).collect(),
        hints: next_of_transcript(store, name, &report.findings)
            .map(|hint| output.at_home(&hint))
            .into_iter()
            .collect(),
    })
}

/// A finding as a problem; `None` for a note.
fn problem(finding: &VerifyFinding) -> Option<VerifyProblem> {
    let severity = match finding.kind.severity() {
        Severity::Note => return None,
        Severity::Warning => "warning",
        Severity::Error => ERROR,
    };
    let message = match &finding.entry {
        Some(entry) => format!("{} (entry {entry})", finding.kind),
        None => finding.kind.to_string(),
    };
    Some(VerifyProblem {
        line: finding.line,
        severity,
        message,
    })
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct SessionsVerified {
    sessions: Vec<VerifiedSession>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct VerifiedSession {
    name: String,
    /// Number of lines read, including the header.
    lines: u64,
    /// Problems, in file order.
    problems: Vec<VerifyProblem>,
    hints: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct VerifyProblem {
    /// The line, from 1.
    line: u64,
    /// `error`, or `warning` if only something is missing that a program can do without.
    severity: &'static str,
    message: String,
}

const ERROR: &str = "error";

impl SessionsVerified {
    /// Whether no transcript has an error; warnings do not count.
    fn is_clean(&self) -> bool {
        self.sessions.iter().all(|it| it.n_errors() == 0)
    }
}

impl VerifiedSession {
    fn n_errors(&self) -> u64 {
        let errors = self.problems.iter().filter(|it| it.severity == ERROR);
        errors.count() as u64
    }
}

impl Report for SessionsVerified {
    const INDENT: Option<&'static str> = Some("    ");

    fn json(&self) -> Value {
        json!(self)
    }

    /// A line per transcript, and one per problem below it.
    fn human(&self, _: Stream) -> String {
        if self.sessions.is_empty() {
            return "no sessions yet\n".to_owned();
        }
        self.sessions.iter().map(render_session).collect()
    }
}

fn render_session(session: &VerifiedSession) -> String {
    let n_errors = session.n_errors();
    let n_warnings = session.problems.len() as u64 - n_errors;
    let errors = match (n_errors, n_warnings) {
        (0, 0) => "clean".to_owned(),
        (0, _) => "no errors".to_owned(),
        (n_errors, _) => counted(n_errors, "error", "errors"),
    };
    let warnings = match n_warnings {
        0 => String::new(),
        n_warnings => format!(", {}", counted(n_warnings, "warning", "warnings")),
    };
    let lines = counted(session.lines, "line", "lines");
    let problems = session.problems.iter().map(|problem| {
        let (line, severity) = (problem.line, problem.severity);
        let message = printable(&problem.message);
        format!("  line {line}: {severity}: {message}\n")
    });
    let hints = session.hints.iter().map(|hint| format!("  next: {hint}\n"));
    std::iter::once(format!("{}: {lines}, {errors}{warnings}\n", session.name))
        .chain(problems)
        .chain(hints)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn session_verify_lists_problems_below_each_session() {
        let problem = |line, severity, message: &str| VerifyProblem {
            line,
            severity,
            message: message.to_owned(),
        };
        let session = |name: &str, problems| VerifiedSession {
            name: name.to_owned(),
            lines: 1_234,
            problems,
            hints: match name {
                "old" => vec!["`openclaw session fork old NEW`".to_owned()],
                _ => Vec::new(),
            },
        };
        let unanswered = || problem(3, "warning", "tool call c1 was never answered");
        let mut report = SessionsVerified {
            sessions: vec![
                session("main", vec![]),
                session(
                    "work",
                    vec![
                        unanswered(),
                        problem(
                            7,
                            ERROR,
                            "no entry has the id a\u{1b}b, which is its parent",
                        ),
                        problem(9, ERROR, "is not JSON"),
                    ],
                ),
                session("old", vec![problem(2, ERROR, "is not JSON")]),
                session("foreign", vec![unanswered(), unanswered()]),
            ],
        };
        insta::assert_snapshot!(report.human(Stream::Terminal(80)), @r"
        main: 1,234 lines, clean
        work: 1,234 lines, 2 errors, 1 warning
          line 3: warning: tool call c1 was never answered
          line 7: error: no entry has the id a\u{1b}b, which is its parent
          line 9: error: is not JSON
        old: 1,234 lines, 1 error
          line 2: error: is not JSON
          next: `openclaw session fork old NEW`
        foreign: 1,234 lines, no errors, 2 warnings
          line 3: warning: tool call c1 was never answered
          line 3: warning: tool call c1 was never answered
        ");
        let json = report.json().to_string();
        assert!(json.contains(
            r#"{"name":"old","lines":1234,"problems":[{"line":2,"severity":"error","message":"is not JSON"}],"hints":["`openclaw session fork old NEW`"]}"#
        ));
        assert!(!report.is_clean());
        report.sessions.drain(1..3);
        assert!(report.is_clean(), "warnings are no damage");
        assert!(SessionsVerified { sessions: vec![] }.is_clean());
    }
}

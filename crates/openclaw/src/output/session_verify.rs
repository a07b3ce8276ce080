//! Whether transcripts are whole, and where they are not.
//!
//! Renders what it is given; checks nothing itself.

use serde::Serialize;

use super::human::printable;
use super::session_list::counted;
use super::wrap::wrap;
use crate::environment::Stream;

/// What was checked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct VerifyReport {
    /// One for each transcript.
    pub(crate) sessions: Vec<VerifiedSession>,
}

/// A transcript that was checked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct VerifiedSession {
    /// The name of its file.
    pub(crate) name: String,
    /// Lines that were read, the header counted.
    pub(crate) lines: u64,
    /// What is wrong, in the order of the file.
    pub(crate) problems: Vec<Problem>,
    /// What to type next.
    pub(crate) hints: Vec<String>,
}

/// Something wrong with a transcript.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Problem {
    /// The line, from 1.
    pub(crate) line: u64,
    /// How much it matters.
    pub(crate) severity: Severity,
    /// What is wrong with it.
    pub(crate) message: String,
}

/// How much a problem matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Severity {
    /// Something is missing that a program can do without.
    Warning,
    /// The transcript says what cannot be.
    Error,
}

impl Severity {
    fn as_str(self) -> &'static str {
        match self {
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

impl VerifyReport {
    /// Whether no transcript says what cannot be.
    pub(crate) fn is_clean(&self) -> bool {
        let errors = |session: &VerifiedSession| session.n_problems(Severity::Error);
        self.sessions.iter().all(|session| errors(session) == 0)
    }
}

impl VerifiedSession {
    fn n_problems(&self, severity: Severity) -> u64 {
        let of_severity = |problem: &&Problem| problem.severity == severity;
        self.problems.iter().filter(of_severity).count() as u64
    }
}

/// The report for people: a line for each transcript, and one for each problem below it.
pub(crate) fn render(report: &VerifyReport, stdout: Stream) -> String {
    if report.sessions.is_empty() {
        return "no sessions yet\n".to_owned();
    }
    let text: String = report.sessions.iter().map(render_session).collect();
    wrap(&text, stdout.text_columns(), "    ")
}

fn render_session(session: &VerifiedSession) -> String {
    let n_errors = session.n_problems(Severity::Error);
    let n_warnings = session.n_problems(Severity::Warning);
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
        let (line, severity) = (problem.line, problem.severity.as_str());
        format!(
            "  line {line}: {severity}: {}\n",
            printable(&problem.message)
        )
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
    fn problems_stand_below_their_session() {
        let problem = |line, severity, message: &str| Problem {
            line,
            severity,
            message: message.to_owned(),
        };
        let session = |name: &str, problems| VerifiedSession {
            name: name.to_owned(),
            lines: 1_234,
            problems,
            hints: match name {
                "old" => vec!["`openclaw session repair old`".to_owned()],
                _ => Vec::new(),
            },
        };
        let unanswered = || problem(3, Severity::Warning, "tool call c1 was never answered");
        let mut report = VerifyReport {
            sessions: vec![
                session("main", vec![]),
                session(
                    "work",
                    vec![
                        unanswered(),
                        problem(
                            7,
                            Severity::Error,
                            "no entry has the id a\u{1b}b, which is its parent",
                        ),
                        problem(9, Severity::Error, "is no JSON"),
                    ],
                ),
                session("old", vec![problem(2, Severity::Error, "is no JSON")]),
                session("foreign", vec![unanswered(), unanswered()]),
            ],
        };
        insta::assert_snapshot!(render(&report, Stream::Terminal(80)), @r"
        main: 1,234 lines, clean
        work: 1,234 lines, 2 errors, 1 warning
          line 3: warning: tool call c1 was never answered
          line 7: error: no entry has the id a\u{1b}b, which is its parent
          line 9: error: is no JSON
        old: 1,234 lines, 1 error
          line 2: error: is no JSON
          next: `openclaw session repair old`
        foreign: 1,234 lines, no errors, 2 warnings
          line 3: warning: tool call c1 was never answered
          line 3: warning: tool call c1 was never answered
        ");
        let json = crate::output::json::line(&report).unwrap();
        assert!(json.contains(
            r#"{"name":"old","lines":1234,"problems":[{"line":2,"severity":"error","message":"is no JSON"}],"hints":["`openclaw session repair old`"]}"#
        ));
        assert!(!report.is_clean());
        report.sessions.drain(1..3);
        assert!(report.is_clean(), "warnings are no damage");
        assert!(VerifyReport { sessions: vec![] }.is_clean());
    }
}

//! Whether transcripts are whole, and where they are not.
//!
//! Renders what it is given; checks nothing itself.

use base::TokenCount;
use serde::Serialize;

use super::human::printable;

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
}

/// Something wrong with a transcript.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Problem {
    /// The line, from 1.
    pub(crate) line: u64,
    /// What is wrong with it.
    pub(crate) message: String,
}

impl VerifyReport {
    /// Whether nothing is wrong.
    pub(crate) fn is_clean(&self) -> bool {
        self.sessions
            .iter()
            .all(|session| session.problems.is_empty())
    }
}

/// The report for people: a line for each transcript, and one for each problem below it.
pub(crate) fn render(report: &VerifyReport) -> String {
    if report.sessions.is_empty() {
        return "no sessions yet\n".to_owned();
    }
    report.sessions.iter().map(render_session).collect()
}

fn render_session(session: &VerifiedSession) -> String {
    let lines = TokenCount(session.lines);
    let verdict = match session.problems.len() {
        0 => "clean".to_owned(),
        1 => "1 problem".to_owned(),
        n_problems => format!("{n_problems} problems"),
    };
    let problems = session.problems.iter().map(|problem| {
        let message = printable(&problem.message);
        format!("  line {}: {message}\n", problem.line)
    });
    std::iter::once(format!("{}: {lines} lines, {verdict}\n", session.name))
        .chain(problems)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn problems_stand_below_their_session() {
        let problem = |line, message: &str| Problem {
            line,
            message: message.to_owned(),
        };
        let session = |name: &str, problems| VerifiedSession {
            name: name.to_owned(),
            lines: 1_234,
            problems,
        };
        let report = VerifyReport {
            sessions: vec![
                session("main", vec![]),
                session(
                    "work",
                    vec![
                        problem(7, "no entry has the id a\u{1b}b, which is its parent"),
                        problem(9, "is no JSON"),
                    ],
                ),
                session("old", vec![problem(2, "is no JSON")]),
            ],
        };
        insta::assert_snapshot!(render(&report), @r"
        main: 1,234 lines, clean
        work: 1,234 lines, 2 problems
          line 7: no entry has the id a\u{1b}b, which is its parent
          line 9: is no JSON
        old: 1,234 lines, 1 problem
          line 2: is no JSON
        ");
        let json = crate::output::json::line(&report).unwrap();
        assert!(json.contains(
            r#"{"name":"old","lines":1234,"problems":[{"line":2,"message":"is no JSON"}]}"#
        ));
        assert!(!report.is_clean());
        assert!(VerifyReport { sessions: vec![] }.is_clean());
    }
}

//! `openclaw doctor`: diagnoses the home and prints the commands that fix it.
//!
//! Changes nothing without `--fix`, and then only what needs no decision by the owner.

use std::collections::{HashMap, HashSet};

use crate::doctor::{
    DoctorFinding, FindingWeight, look_at_backups, look_at_connections, look_at_home,
    look_at_memory, look_at_settings, look_at_transcripts, look_at_writing, mend,
};
use crate::prelude::*;

#[derive(Debug, Args)]
#[command(after_help = "\
Exits with 1 if a warning or a problem remains.

Examples:
  openclaw doctor
  openclaw doctor --fix")]
pub(crate) struct Arguments {
    /// Fix problems that need no decision from you
    #[arg(long)]
    fix: bool,
}

pub(crate) fn run(arguments: &Arguments, context: &mut Context) -> Result<Exit> {
    let home = context.existing_home()?;
    if arguments.fix {
        refuse_where_nothing_is_written(context)?;
    }
    let mut found = Vec::new();
    for finding in look(context, &home) {
        let hint = context.output.at_home(&finding.hint).into_owned();
        let finding = DoctorFinding { hint, ..finding };
        let what = finding.mend.as_ref().filter(|_| arguments.fix);
        let now = match what.map(|what| mend(what, &home, context)) {
            None => Now::Wrong,
            Some(Ok(())) => Now::Mended,
            Some(Err(error)) => {
                let place = finding.place.as_deref().unwrap_or_default();
                let warning = format!("cannot fix {place}: {}", error.one_line());
                context.output.warn(&warning);
                Now::Wrong
            }
        };
        found.push((finding, now));
    }
    let matters = |(finding, now): &(DoctorFinding, Now)| {
        *now == Now::Wrong && finding.weight != FindingWeight::Note
    };
    let is_well = !found.iter().any(matters);
    let all = context.output.at_home("`openclaw doctor --json` lists all");
    let all = all.into_owned();
    context.emit(&Diagnosis { home, found, all })?;
    Ok(if is_well { Exit::Done } else { Exit::Failure })
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Now {
    Wrong,
    Mended,
}

struct Diagnosis {
    home: Home,
    found: Vec<(DoctorFinding, Now)>,
    /// The command that lists all of them.
    all: String,
}

/// Most findings of a kind shown to people; programs get all.
const SHOWN_OF_KIND_MAX: usize = 5;

impl Report for Diagnosis {
    const INDENT: Option<&'static str> = Some("    ");

    fn json(&self) -> Value {
        let findings = self.found.iter().map(|(finding, now)| {
            json!({
                "weight": finding.weight.name(),
                "code": finding.code,
                "place": finding.place,
                "message": finding.message,
                "hint": finding.hint,
                "fixed": *now == Now::Mended,
            })
        });
        let home = self.home.root().display().to_string();
        json!({ "home": home, "findings": findings.collect::<Vec<_>>() })
    }

    fn human(&self, _: Stream) -> String {
        if self.found.is_empty() {
            return format!("{}: no problems found\n", self.home.root().display());
        }
        let mut text = String::new();
        for (weight, kind) in self.kinds() {
            let weight = heading(weight);
            for (finding, now) in kind.iter().take(SHOWN_OF_KIND_MAX) {
                let place = finding.place.as_deref().map(printable);
                let place = place.map(|place| format!("{place}: ")).unwrap_or_default();
                let message = printable(&finding.message);
                add_line!(text, "{weight}  {place}{message}");
                if *now == Now::Wrong && !finding.hint.is_empty() {
                    add_line!(text, "  next: {}", printable(&finding.hint));
                }
            }
            let n_more = kind.len().saturating_sub(SHOWN_OF_KIND_MAX) as u64;
            if n_more > 0 {
                let n_more = grouped(n_more);
                add_line!(text, "{weight}  and {n_more} more like these");
                add_line!(text, "  next: {}", self.all);
            }
        }
        text
    }
}

impl Diagnosis {
    /// The findings grouped by weight and code, in order of first appearance.
    fn kinds(&self) -> Vec<(&'static str, Vec<&(DoctorFinding, Now)>)> {
        let mut places = HashMap::new();
        let mut kinds: Vec<(&'static str, Vec<&(DoctorFinding, Now)>)> = Vec::new();
        for it in &self.found {
            let weight = match it.1 {
                Now::Mended => "fixed",
                Now::Wrong => it.0.weight.name(),
            };
            let place = *places.entry((weight, it.0.code)).or_insert(kinds.len());
            match kinds.get_mut(place) {
                Some((_, kind)) => kind.push(it),
                None => kinds.push((weight, vec![it])),
            }
        }
        kinds
    }
}

/// Refuses a sandbox. Invalid settings are no reason to stop: the diagnosis reports them.
fn refuse_where_nothing_is_written(context: &mut Context) -> Result<()> {
    match context.refuse_in_sandbox("`doctor --fix`") {
        Err(error) if error.kind == ErrorKind::Config => Ok(()),
        refused => refused,
    }
}

/// Runs all checks and returns their findings, most severe first. A check that cannot run is itself a finding.
fn look(context: &Context, home: &Home) -> Vec<DoctorFinding> {
    let mut findings = look_at_settings(context, home);
    findings.extend(look_at_writing(context, home));
    findings.extend(look_at_home(context, home));
    findings.extend(look_at_transcripts(context, home));
    findings.extend(look_at_memory(context, home));
    findings.extend(look_at_connections(context, home));
    findings.extend(look_at_backups(context, home));
    let mut seen = HashSet::new();
    findings.retain(|finding| seen.insert((finding.place.clone(), finding.message.clone())));
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.weight));
    findings
}

//! `openclaw doctor`: diagnoses the home and prints the commands that fix it.
//!
//! Changes nothing without `--fix`, and then only what needs no decision by the owner.

use indexmap::IndexMap;

use crate::doctor::{DoctorFinding, FindingWeight, examine, mend};
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
        context.refuse_in_known_sandbox("`doctor --fix`")?;
    }
    let mut found = examine(context, &home);
    for finding in &mut found {
        finding.hint = context.output.at_home(&finding.hint);
        let what = finding.mend.as_ref().filter(|_| arguments.fix);
        match what.map(|what| mend(what, &home, context)) {
            None => {}
            Some(Ok(())) => finding.is_fixed = true,
            Some(Err(error)) => {
                let place = finding.place.as_deref().unwrap_or_default();
                let warning = format!("cannot fix {place}: {}", error.one_line());
                context.output.warn(&warning);
            }
        }
    }
    let matters = |it: &DoctorFinding| !it.is_fixed && it.weight != FindingWeight::Note;
    let is_well = !found.iter().any(matters);
    let all = context.output.at_home("`openclaw doctor --json` lists all");
    context.emit(&Diagnosis { home, found, all })?;
    Ok(if is_well { Exit::Done } else { Exit::Failure })
}

struct Diagnosis {
    home: Home,
    found: Vec<DoctorFinding>,
    /// The command that lists all of them.
    all: String,
}

/// Maximum number of findings of a kind shown to people; programs get all.
const SHOWN_OF_KIND_MAX: usize = 5;

impl Report for Diagnosis {
    const INDENT: Option<&'static str> = Some("    ");

    fn json(&self) -> Value {
        let home = self.home.root().display().to_string();
        json!({ "home": home, "findings": self.found })
    }

    fn human(&self, _: Stream) -> String {
        if self.found.is_empty() {
            return format!("{}: no problems found\n", self.home.root().display());
        }
        let mut text = String::new();
        for ((weight, _), kind) in self.kinds() {
            let weight = heading(weight);
            for finding in kind.iter().take(SHOWN_OF_KIND_MAX) {
                let place = finding.place.as_deref().map(printable);
                let place = place.map(|place| format!("{place}: ")).unwrap_or_default();
                let message = printable(&finding.message);
                add_line!(text, "{weight}  {place}{message}");
                if !finding.is_fixed && !finding.hint.is_empty() {
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
    fn kinds(&self) -> IndexMap<(&'static str, &'static str), Vec<&DoctorFinding>> {
        let mut kinds: IndexMap<_, Vec<&DoctorFinding>> = IndexMap::new();
        for it in &self.found {
            let weight = if it.is_fixed {
                "fixed"
            } else {
                it.weight.name()
            };
            kinds.entry((weight, it.code)).or_default().push(it);
        }
        kinds
    }
}

//! `openclaw session repair`: sets aside what cannot be read in a transcript.
//!
//! Changes no line that can be read, and loses no byte.

use base::EntryId;
use session::{Finding, Repair, Severity, Unreadable, verify};

use super::explained;
use super::scrub::shown;
use crate::prelude::*;

#[derive(Debug, Args)]
#[command(after_help = "\
Unreadable bytes go to `state/quarantine/` unchanged, in files named after the
session and the offset. Everything readable stays as it is.

Examples:
  openclaw session repair main --dry-run")]
pub(crate) struct Arguments {
    /// Session to repair
    #[arg(value_name = "NAME")]
    session: SessionName,
    /// Show what would be moved; write nothing
    #[arg(long)]
    dry_run: bool,
}

pub(crate) fn run(arguments: &Arguments, context: &mut Context) -> Result<Exit> {
    let home = context.home()?;
    let name = &arguments.session;
    let store = context.sessions(&home);
    store.check_writable(name)?;
    let found = store.unreadable(name);
    let found = found.map_err(|error| explained(&store, error))?;
    let is_whole = found == Unreadable::default();
    let (found, kept_in) = if arguments.dry_run || is_whole {
        (found, Vec::new())
    } else {
        context.refuse_in_sandbox("repairing")?;
        carry_out(context, &home, &store, name)?
    };
    context.emit(&RepairReport {
        name,
        found,
        kept_in,
        dry_run: arguments.dry_run,
    })?;
    if !arguments.dry_run {
        warn_of_what_is_left(context, &store, name)?;
    }
    Ok(Exit::Done)
}

fn carry_out(
    context: &mut Context,
    home: &Home,
    store: &SessionStore,
    name: &SessionName,
) -> Result<(Unreadable, Vec<String>)> {
    let config = context.config(home)?;
    let _background = store.lock_background(name)?;
    let before = store.unreadable(name)?;
    // Beginning a turn cuts a torn end.
    let turn = store.begin_turn(name, wiring::resume_limit(&config))?;
    let found = Unreadable {
        torn_tail: before.torn_tail,
        ..store.unreadable(name)?
    };
    let cut = turn.repairs().iter().find_map(Repair::quarantine);
    let cut = cut.map(Path::to_owned);
    let kept: Vec<PathBuf> = turn.set_aside()?.into_iter().chain(cut).collect();
    Ok((found, kept.iter().map(|path| shown(home, path)).collect()))
}

/// Says what is wrong beside lines that cannot be read.
fn warn_of_what_is_left(
    context: &mut Context,
    store: &SessionStore,
    name: &SessionName,
) -> Result<()> {
    let report = verify(store.lines(name)?)?;
    let is_error = |finding: &&Finding| finding.severity() == Severity::Error;
    let n_errors = report.findings.iter().filter(is_error).count() as u64;
    if n_errors > 0 {
        let errors = counted(n_errors, "error", "errors");
        context.output.warn(&format!(
            "session {name}: {errors} of another kind stay; see `openclaw session verify {name}`"
        ));
    }
    Ok(())
}

struct RepairReport<'a> {
    name: &'a SessionName,
    found: Unreadable,
    /// The files that keep what was set aside.
    kept_in: Vec<String>,
    dry_run: bool,
}

impl Report for RepairReport<'_> {
    const INDENT: Option<&'static str> = Some("    ");

    fn json(&self) -> Value {
        let lines = self.found.lines.iter().map(|line| {
            json!({
                "line": line.number,
                "offset": line.offset,
                "bytes": line.n_bytes,
                "entry": line.entry().map(EntryId::as_str),
                "message": line.damage.to_string(),
            })
        });
        json!({
            "name": self.name.as_str(),
            "lines": lines.collect::<Vec<_>>(),
            "tornBytes": self.found.torn_tail.map(|tail| tail.n_bytes),
            "keptIn": self.kept_in,
            "dryRun": self.dry_run,
        })
    }

    fn human(&self, _: Stream) -> String {
        let name = heading(self.name.as_str());
        if self.found == Unreadable::default() {
            return format!("{name}: every line can be read; nothing was written\n");
        }
        let would = if self.dry_run { "would " } else { "" };
        let n_lines = self.found.lines.len() as u64;
        let lines = (n_lines > 0).then(|| counted(n_lines, "line", "lines"));
        let torn = self.found.torn_tail.map(|_| "a torn end".to_owned());
        let what: Vec<String> = lines.into_iter().chain(torn).collect();
        let mut text = format!("{name}: {would}set aside {}\n", what.join(" and "));
        for line in &self.found.lines {
            let (number, message) = (line.number, printable(&line.damage.to_string()));
            add_line!(text, "  line {number}: {message}");
        }
        if let Some(tail) = self.found.torn_tail {
            let bytes = counted(tail.n_bytes, "byte", "bytes");
            add_line!(text, "  torn end: {bytes}");
        }
        for file in &self.kept_in {
            add_line!(text, "  kept in {}", printable(file));
        }
        if self.dry_run {
            text.push_str("Nothing was changed; without `--dry-run` it is done.\n");
        }
        text
    }
}

//! `openclaw memory forget`: hides passages, and removes their lines from files.
//!
//! Never removes an owner's line without the owner's consent.

use std::io::BufRead;

use agent::{ForgetLines, ForgetPlanError, Forgot, Knowledge, Viewer};
use memory::{
    ForgetPlan, Keeper, OwnerLines, TextHash, TombstoneCause, TombstoneId, load_tombstones,
    undo_forgetting,
};

use super::forgotten::{ForgetEvent, ForgetList, ForgetUndoReport, ForgottenReport};
use super::get;
use super::known::{Bar, MemoryContext};
use super::search;
use crate::commands::dream::{take_in_dreams, warn_of_candidates};
use crate::prelude::*;

const LIMIT: u32 = 20;

const LIMIT_MAX: usize = 100;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  openclaw memory forget \"my old address\" --dry-run
  openclaw memory forget --undo 3fa9c2d1")]
pub(crate) struct Arguments {
    /// Places, as in memory/2026-04-20.md:12-14, or a question
    #[arg(value_name = "PLACE|QUESTION", required_unless_present_any = ["list", "undo"])]
    pub(crate) what: Vec<String>,
    /// Do not ask; also remove lines you wrote yourself
    #[arg(long)]
    pub(crate) yes: bool,
    /// Show what would be forgotten; change nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Forget at most N passages and N dream candidates
    #[arg(long, value_name = "N", default_value_t = LIMIT, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub(crate) limit: u32,
    /// List what was forgotten
    #[arg(long, conflicts_with_all = ["what", "undo"])]
    pub(crate) list: bool,
    /// Restore what was forgotten under this id
    #[arg(long, value_name = "ID", conflicts_with = "what")]
    pub(crate) undo: Option<String>,
}

impl Arguments {
    /// Whether the command changes anything.
    fn changes(&self) -> bool {
        !self.list && !self.dry_run
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum ForgetSelection {
    Places(Vec<ForgetLines>),
    Question(String),
}

pub(crate) fn run(arguments: &Arguments, context: &mut Context) -> Result<Exit> {
    if arguments.changes() {
        context.refuse_in_sandbox("forgetting")?;
    }
    let known = MemoryContext::find(context)?;
    if let Some(id) = &arguments.undo {
        return undo(&TombstoneId::new(id), &known, context);
    }
    if arguments.list {
        return list(&known, context);
    }
    let what = parse(&arguments.what)?;
    let asked = (&what, arguments);
    let knowledge = known.knowledge(context)?;
    if arguments.changes() {
        take_in_dreams(context)?;
    }
    let request = request(arguments);
    let plan = ForgetPlan {
        asked: request.clone(),
        ..match before(request.as_ref(), arguments, &knowledge)? {
            Some(left) => left,
            None => plan(&what, arguments, &knowledge, context)?,
        }
    };
    let (owner, owner_lines) = match context.host.environment.stdin {
        _ if arguments.yes => (Owner::HasAgreed, OwnerLines::Remove),
        Stream::Terminal(_) => (Owner::IsThere, OwnerLines::Leave),
        Stream::File => (Owner::IsAway, OwnerLines::Leave),
    };
    if arguments.dry_run {
        let event = ForgetEvent::Planned;
        let mut report = told(asked, &plan, owner_lines, event, context.output);
        let yes = arguments.yes.then(|| "--yes".to_owned());
        let asked = (arguments.limit, &*arguments.what);
        report.command = Some(to_type(yes, asked, context.output));
        return context.emit(&report);
    }
    let next = next(owner, &what, &plan);
    carry_out(asked, &plan, next, (&knowledge, &known), context)
}

/// Carries out the decision, after asking the owner if it says so.
fn carry_out(
    asked: (&ForgetSelection, &Arguments),
    plan: &ForgetPlan,
    next: ForgetNext,
    (knowledge, known): (&Knowledge, &MemoryContext),
    context: &mut Context,
) -> Result<Exit> {
    let owner_lines = match next {
        ForgetNext::Forget(owner_lines) => owner_lines,
        ForgetNext::Ask => ask(asked, plan, context)?,
        ForgetNext::Refuse => {
            refuse_what_is_hidden(plan, known, context)?;
            return refuse(asked, plan, context);
        }
    };
    if owner_lines == OwnerLines::Leave {
        refuse_what_is_hidden(plan, known, context)?;
    }
    let forgot = knowledge.forget(plan, owner_lines)?;
    let event = ForgetEvent::Done(warn_of_rest(forgot, context).to_string());
    let done = told(asked, plan, owner_lines, event, context.output);
    if next == ForgetNext::Ask && context.output.format() == OutputFormat::Human {
        // The question has already shown the passages.
        let columns = context.host.environment.stdout().columns();
        context.output.text(&done.outcome(columns))?;
        return Ok(Exit::Done);
    }
    context.emit(&done)
}

/// Shows what would be forgotten and fails, with the command to type, if there is no terminal to ask at.
fn refuse(
    asked: (&ForgetSelection, &Arguments),
    plan: &ForgetPlan,
    context: &mut Context,
) -> Result<Exit> {
    // A program gets one object, the error; `--dry-run` gives it the plan.
    if context.output.format() == OutputFormat::Human {
        // The plan of the command in the hint, which removes the owner's lines.
        let planned = ForgetEvent::Planned;
        context.emit(&told(
            asked,
            plan,
            OwnerLines::Remove,
            planned,
            context.output,
        ))?;
    }
    let arguments = asked.1;
    let yes = Some("--yes".to_owned());
    let command = to_type(yes, (arguments.limit, &arguments.what), context.output);
    let failure = "nothing was forgotten: there is no terminal to confirm at, and no `--yes`";
    let hint = format!("forget all of the above with `{command}`");
    Err(CliError::new(ErrorKind::Input, failure).hint(hint))
}

/// Hash by which a repeated request is recognised: its words, and how much it takes.
fn request(arguments: &Arguments) -> Option<TextHash> {
    let (words, limit) = (arguments.what.join(" "), arguments.limit);
    TextHash::of(&format!("{words} --limit {limit}"))
}

/// The plan for the owner's lines that the same request left in their files, which `--yes` removes.
///
/// # Errors
///
/// The request was carried out before: what its words match now, and what stands at its places, was never meant.
fn before(
    request: Option<&TextHash>,
    arguments: &Arguments,
    knowledge: &Knowledge,
) -> Result<Option<ForgetPlan>> {
    let before = match request {
        Some(request) => knowledge.asked_before(request)?,
        None => Vec::new(),
    };
    let Some(newest) = before.last() else {
        return Ok(None);
    };
    if arguments.yes && newest.owner_lines == OwnerLines::Leave {
        let left = knowledge.plan_hidden_lines(newest);
        if !left.is_empty() {
            return Ok(Some(left));
        }
    }
    let id = newest.id.clone();
    let already = CliError::from(ForgetPlanError::Already { id });
    Err(already.hint("to forget more, name its words or its place"))
}

/// Warns about what forgetting has left undone; returns its id.
fn warn_of_rest(forgot: Forgot, context: &mut Context) -> TombstoneId {
    let Forgot { report, unindexed } = forgot;
    warn_of_candidates(report.candidates, context);
    if let Some(error) = unindexed {
        context.output.warn(&format!(
            "{error}; what was forgotten stays hidden, and the next search removes it from the index"
        ));
    }
    if let Some(error) = report.left {
        context.output.warn(&format!(
            "it is hidden everywhere, but some of it is still in a file: {error}; the next dream or \
             `openclaw doctor --fix` removes it there"
        ));
    }
    report.id
}

/// Fails if all of the plan is owner's lines that are hidden already: leaving them in place would change nothing.
fn refuse_what_is_hidden(
    plan: &ForgetPlan,
    known: &MemoryContext,
    context: &Context,
) -> Result<()> {
    let tombstones = load_tombstones(&context.host.workspace(&known.home))?;
    let mut hidden_by = plan.lines.iter().map(|line| {
        let is_owners = line.keeper == Keeper::Owner;
        tombstones.forgotten_by(&line.text).filter(|_| is_owners)
    });
    if let Some(Some(id)) = hidden_by.next()
        && plan.entries.is_empty()
        && plan.candidates.is_empty()
        && hidden_by.all(|id| id.is_some())
    {
        let hint = "`--yes` removes your lines from their files";
        let failure = CliError::from(ForgetPlanError::Already { id: id.clone() });
        return Err(failure.hint(hint));
    }
    Ok(())
}

/// Parses the arguments: either all are places, or together they are a question.
fn parse(words: &[String]) -> Result<ForgetSelection> {
    let place = |word: &String| {
        let place = get::parse(word)?;
        let is_place = place.entry.is_none()
            && !word.contains(char::is_whitespace)
            && (agent::SessionSource::name_of(place.path).is_some() || is_note(place.path));
        Ok(is_place.then(|| ForgetLines {
            path: place.path.to_owned(),
            lines: place.lines,
        }))
    };
    let places: Result<Option<Vec<ForgetLines>>> = words.iter().map(place).collect();
    Ok(match places? {
        Some(places) => ForgetSelection::Places(places),
        None => ForgetSelection::Question(search::question(words, "forget")?),
    })
}

fn is_note(path: &str) -> bool {
    let ending = Path::new(path).extension();
    ending.is_some_and(|ending| ending.eq_ignore_ascii_case("md"))
}

fn plan(
    what: &ForgetSelection,
    arguments: &Arguments,
    knowledge: &Knowledge,
    context: &mut Context,
) -> Result<ForgetPlan> {
    let plan = match what {
        ForgetSelection::Places(places) => knowledge.plan_lines(places)?,
        ForgetSelection::Question(question) => {
            let mut bar = Bar::new(context);
            let limit = usize::try_from(arguments.limit).unwrap_or(usize::MAX);
            let asker = (&Viewer::Owner, None);
            knowledge.plan_question(question, limit, asker, &mut |progress| bar.tell(progress))?
        }
    };
    if plan.is_empty() {
        let failure = "found nothing to forget";
        return Err(CliError::new(ErrorKind::NotFound, failure)
            .hint("`openclaw memory search QUESTION` prints the place of each result"));
    }
    Ok(plan)
}

/// Decides whether to ask the owner. At a terminal, a named place needs no question, but a search may find
/// something else; without a terminal, only `--yes` is consent.
fn next(owner: Owner, what: &ForgetSelection, plan: &ForgetPlan) -> ForgetNext {
    match (owner, what) {
        (Owner::HasAgreed, _) => ForgetNext::Forget(OwnerLines::Remove),
        (Owner::IsThere, ForgetSelection::Question(_)) => ForgetNext::Ask,
        (Owner::IsThere, ForgetSelection::Places(_)) if plan.has_owner_lines() => ForgetNext::Ask,
        (Owner::IsThere, ForgetSelection::Places(_)) => ForgetNext::Forget(OwnerLines::Leave),
        (Owner::IsAway, _) => ForgetNext::Refuse,
    }
}

/// The report of a plan, with the command for the matches that it does not take.
fn told(
    (what, arguments): (&ForgetSelection, &Arguments),
    plan: &ForgetPlan,
    owner_lines: OwnerLines,
    event: ForgetEvent,
    output: &Output,
) -> ForgottenReport {
    let with_more = |n_taken: usize| {
        let limit = (n_taken + plan.n_more).clamp(1, LIMIT_MAX);
        u32::try_from(limit).unwrap_or(u32::MAX)
    };
    if matches!(what, ForgetSelection::Places(_)) {
        return ForgottenReport::new(plan, owner_lines, event, output);
    }
    let limit = match event {
        ForgetEvent::Planned => with_more(arguments.limit as usize),
        // With the same limit it would be the same request.
        ForgetEvent::Done(_) if with_more(0) == arguments.limit => with_more(1),
        ForgetEvent::Done(_) => with_more(0),
    };
    let next = to_type(None, (limit, &arguments.what), output);
    let mut report = ForgottenReport::new(plan, owner_lines, event, output);
    report.next = next;
    report
}

/// The command with these options, quoted for a shell.
fn to_type(option: Option<String>, (limit, what): (u32, &[String]), output: &Output) -> String {
    let limit = (limit != LIMIT).then(|| ["--limit".to_owned(), limit.to_string()]);
    let words = option.into_iter().chain(limit.into_iter().flatten());
    let words: Vec<String> = words.chain(what.iter().cloned()).collect();
    let quoted = shlex::try_join(words.iter().map(String::as_str));
    // Only a zero byte cannot be quoted, and no argument holds one.
    let command = output.at_home("openclaw memory forget");
    format!("{command} {}", quoted.unwrap_or_default())
}

fn ask(
    asked: (&ForgetSelection, &Arguments),
    plan: &ForgetPlan,
    context: &mut Context,
) -> Result<OwnerLines> {
    let planned = ForgetEvent::Planned;
    let shown = told(asked, plan, OwnerLines::Leave, planned, context.output);
    let stderr = context.host.environment.stderr;
    context.output.ask(&shown.question(stderr));
    let is_sure = matches!(asked.0, ForgetSelection::Places(_));
    if !is_sure && !is_yes("Forget this? [y/N] ", context)? {
        let failure = "nothing was forgotten: you did not confirm";
        return Err(CliError::new(ErrorKind::Input, failure));
    }
    let question = "Remove your own lines from their files? Otherwise they are only hidden. [y/N] ";
    Ok(if plan.has_owner_lines() && is_yes(question, context)? {
        OwnerLines::Remove
    } else {
        OwnerLines::Leave
    })
}

pub(crate) fn is_yes(question: &str, context: &mut Context) -> Result<bool> {
    context.output.ask(question);
    let mut answer = String::new();
    std::io::stdin().lock().read_line(&mut answer)?;
    Ok(matches!(answer.trim().to_lowercase().as_str(), "y" | "yes"))
}

fn list(known: &MemoryContext, context: &mut Context) -> Result<Exit> {
    let tombstones = load_tombstones(&context.host.workspace(&known.home))?;
    let forgotten = tombstones.all().iter();
    let forgotten = forgotten.filter(|tombstone| tombstone.why == TombstoneCause::Forgotten);
    context.emit(&ForgetList {
        tombstones: forgotten.collect(),
        timezone: known.timezone,
    })
}

fn undo(id: &TombstoneId, known: &MemoryContext, context: &mut Context) -> Result<Exit> {
    let workspace = context.host.workspace(&known.home);
    let report = undo_forgetting(&workspace, id, context.host.clock.now())?;
    context.emit(&ForgetUndoReport { id, report })
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Owner {
    HasAgreed,
    IsThere,
    IsAway,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ForgetNext {
    Forget(OwnerLines),
    Ask,
    Refuse,
}

#[cfg(test)]
#[path = "forget_tests.rs"]
mod tests;

//! `openclaw memory forget`: hides passages, and removes their lines from files.
//!
//! Never removes an owner's line without the owner's consent.

use std::io::BufRead;

use agent::{ForgetLines, ForgetPlanError, Forgot, Knowledge, Viewer};
use memory::{
    ForgetPlan, Keeper, OwnerLines, TextHash, TombstoneCause, TombstoneError, TombstoneId,
    load_tombstones, undo_forgetting,
};

use super::forgotten::{ForgetEvent, ForgetList, ForgetUndoReport, ForgottenReport, undo_command};
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
    /// Make the request that had this id once more, for newer text
    #[arg(long, value_name = "ID", conflicts_with_all = ["list", "undo"])]
    pub(crate) after: Option<String>,
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
    let request = request(arguments, &knowledge)?;
    if arguments.changes()
        && let Some(done) = finish(request.as_ref(), arguments, &knowledge, context)?
    {
        return context.emit(&done);
    }
    let (before, left) = carried_out(request.as_ref(), arguments, &knowledge)?;
    if arguments.changes() && before.is_none() {
        take_in_dreams(context)?;
    }
    let plan = if left.is_empty() {
        match plan(&what, arguments, &knowledge, context) {
            Err(error) if before.is_some() && error.kind == ErrorKind::NotFound => left,
            planned => planned?,
        }
    } else {
        left
    };
    let plan = ForgetPlan {
        asked: request,
        ..plan
    };
    let (owner, owner_lines) = match context.host.environment.stdin {
        _ if arguments.yes => (Owner::HasAgreed, OwnerLines::Remove),
        Stream::Terminal(_) => (Owner::IsThere, OwnerLines::Leave),
        Stream::File => (Owner::IsAway, OwnerLines::Leave),
    };
    if let Some(id) = before.as_ref()
        && (owner != Owner::IsThere || arguments.dry_run || plan.is_empty())
    {
        let event = ForgetEvent::Already(id.to_string());
        let done = context.emit(&told(asked, &plan, owner_lines, event, context.output))?;
        let leaves_nothing = arguments.dry_run || plan.is_empty();
        return Ok(if leaves_nothing { done } else { Exit::Failure });
    }
    if arguments.dry_run {
        let event = ForgetEvent::Planned;
        let mut report = told(asked, &plan, owner_lines, event, context.output);
        let yes = arguments.yes.then(|| "--yes".to_owned());
        let options = after(arguments.after.as_deref()).chain(yes);
        let asked = (arguments.limit, &*arguments.what);
        report.command = Some(to_type(options, asked, context.output));
        return context.emit(&report);
    }
    let next = match next(owner, &what, &plan) {
        // The same request ran before, so the named lines may hold another text by now.
        ForgetNext::Forget(_) if before.is_some() => ForgetNext::Ask,
        next @ (ForgetNext::Forget(_) | ForgetNext::Ask | ForgetNext::Refuse) => next,
    };
    let plan = (&plan, before.as_ref());
    carry_out(asked, plan, next, (&knowledge, &known), context)
}

/// Carries out the decision, after asking the owner if it says so.
fn carry_out(
    asked: (&ForgetSelection, &Arguments),
    (plan, before): (&ForgetPlan, Option<&TombstoneId>),
    next: ForgetNext,
    (knowledge, known): (&Knowledge, &MemoryContext),
    context: &mut Context,
) -> Result<Exit> {
    let owner_lines = match next {
        ForgetNext::Forget(owner_lines) => owner_lines,
        ForgetNext::Ask => ask(asked, (plan, before), context)?,
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
    let options = after(arguments.after.as_deref()).chain(["--yes".to_owned()]);
    let command = to_type(options, (arguments.limit, &arguments.what), context.output);
    let failure = "nothing was forgotten: there is no terminal to confirm at, and no `--yes`";
    let hint = format!("forget all of the above with `{command}`");
    Err(CliError::new(ErrorKind::Input, failure).hint(hint))
}

/// Hash by which a repeated request is recognised: its words, and the options that decide how much it takes.
fn request(arguments: &Arguments, knowledge: &Knowledge) -> Result<Option<TextHash>> {
    if let Some(id) = arguments.after.as_deref().map(TombstoneId::new)
        && !knowledge.tombstones()?.all().iter().any(|it| it.id == id)
    {
        return Err(TombstoneError::Unknown(id).into());
    }
    let (words, limit) = (arguments.what.join(" "), arguments.limit);
    let after = arguments.after.as_deref().unwrap_or_default();
    Ok(TextHash::of(&format!(
        "{words} --limit {limit} --after {after}"
    )))
}

/// The id under which the same request was carried out before. If `--yes` now removes the owner's lines that it
/// left in place, returns just those as the plan instead: what matches by now was never chosen.
fn carried_out(
    request: Option<&TextHash>,
    arguments: &Arguments,
    knowledge: &Knowledge,
) -> Result<(Option<TombstoneId>, ForgetPlan)> {
    let before = match request {
        Some(request) => knowledge.asked_before(request)?,
        None => Vec::new(),
    };
    let Some(newest) = before.last() else {
        return Ok((None, ForgetPlan::default()));
    };
    if arguments.yes && newest.owner_lines == OwnerLines::Leave {
        let left = knowledge.plan_hidden_lines(newest);
        if !left.is_empty() {
            return Ok((None, left));
        }
    }
    Ok((Some(newest.id.clone()), ForgetPlan::default()))
}

/// Completes an interrupted run of the same request; `None` if there is none, or if the owner now also gives up
/// lines that were to stay.
fn finish(
    request: Option<&TextHash>,
    arguments: &Arguments,
    knowledge: &Knowledge,
    context: &mut Context,
) -> Result<Option<ForgottenReport>> {
    let finished = request.map(|request| knowledge.finish_asked(request));
    let Some(forgot) = finished.transpose()?.flatten() else {
        return Ok(None);
    };
    let gives_up_more = arguments.yes && forgot.report.owner_lines == OwnerLines::Leave;
    let id = warn_of_rest(forgot, context).to_string();
    let nothing = ForgetPlan::default();
    let event = ForgetEvent::Finished(id);
    let done = ForgottenReport::new(&nothing, OwnerLines::Leave, event, context.output);
    Ok((!gives_up_more).then_some(done))
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
    if let Some(error) = report.unfinished {
        context.output.warn(&format!(
            "something forgotten earlier is hidden but still in its file: {error}; \
             `openclaw doctor --fix` removes it"
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
    let (limit, id) = match (&event, what) {
        (ForgetEvent::Already(id), ForgetSelection::Places(_) | ForgetSelection::Question(_)) => {
            (arguments.limit, Some(id))
        }
        (_, ForgetSelection::Places(_)) => {
            return ForgottenReport::new(plan, owner_lines, event, output);
        }
        (ForgetEvent::Planned, ForgetSelection::Question(_)) => {
            (with_more(arguments.limit as usize), None)
        }
        (ForgetEvent::Done(id) | ForgetEvent::Finished(id), ForgetSelection::Question(_)) => {
            let limit = with_more(0);
            // With the same limit it would repeat the request, so `--after` must tell them apart.
            (limit, Some(id).filter(|_| limit == arguments.limit))
        }
    };
    let options = after(id.map(String::as_str));
    let next = to_type(options, (limit, &arguments.what), output);
    let mut report = ForgottenReport::new(plan, owner_lines, event, output);
    report.next = next;
    report
}

/// `--after` with this id.
fn after(id: Option<&str>) -> impl Iterator<Item = String> {
    let option = id.map(|id| ["--after".to_owned(), id.to_owned()]);
    option.into_iter().flatten()
}

/// The command with these options, quoted for a shell.
fn to_type(
    options: impl Iterator<Item = String>,
    (limit, what): (u32, &[String]),
    output: &Output,
) -> String {
    let limit = (limit != LIMIT).then(|| ["--limit".to_owned(), limit.to_string()]);
    let words = options.chain(limit.into_iter().flatten());
    let words: Vec<String> = words.chain(what.iter().cloned()).collect();
    let quoted = shlex::try_join(words.iter().map(String::as_str));
    // Only a zero byte cannot be quoted, and no argument holds one.
    let command = output.at_home("openclaw memory forget");
    format!("{command} {}", quoted.unwrap_or_default())
}

fn ask(
    asked: (&ForgetSelection, &Arguments),
    (plan, before): (&ForgetPlan, Option<&TombstoneId>),
    context: &mut Context,
) -> Result<OwnerLines> {
    let planned = ForgetEvent::Planned;
    let shown = told(asked, plan, OwnerLines::Leave, planned, context.output);
    let stderr = context.host.environment.stderr;
    context.output.ask(&shown.question(stderr));
    let is_sure = before.is_none() && matches!(asked.0, ForgetSelection::Places(_));
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
    let is_done = report.changed.is_empty();
    let again = undo_command(&id.to_string(), context.output);
    context.emit(&ForgetUndoReport { id, report, again })?;
    Ok(if is_done { Exit::Done } else { Exit::Failure })
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

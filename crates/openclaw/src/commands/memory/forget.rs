//! `openclaw memory forget`: hides passages, and removes their lines from files.
//!
//! Never removes an owner's line without the owner's consent.

use std::cell::RefCell;
use std::io::BufRead;
use std::iter;

use agent::ops::{
    Forget, ForgetPlanReply, ListForgotten, OpContext, OpError, OpEvent, Operation, PlanForget,
    UndoForget,
};
use agent::{ForgetPlanError, Viewer};
use cli::host::Operations;
use memory::{OwnerLines, Restorable, TombstoneId};

use super::forgotten::{ForgetEvent, ForgottenReport, forgotten_list, undone};
use super::get;
use super::known::{Bar, MemoryContext};
use super::search;
use crate::commands::dream::take_in_dreams;
use crate::prelude::*;

const LIMIT: u32 = 20;

const LIMIT_MAX: usize = 100;

#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a flag of the command line"
)]
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  openclaw memory forget \"my old address\" --dry-run
  openclaw memory forget --undo 3fa9c2d1
  openclaw memory forget memory/2026-04-20.md:12 --now --prove")]
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
    /// Remove it for good: no undo, and the transcripts lose it too
    #[arg(long, conflicts_with_all = ["list", "undo"])]
    pub(crate) now: bool,
    /// Afterwards read the whole home, and print where the text still is
    #[arg(long, conflicts_with_all = ["list", "undo", "dry_run"])]
    pub(crate) prove: bool,
    /// Forget at most N passages and N dream candidates
    #[arg(long, value_name = "N", default_value_t = LIMIT, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub(crate) limit: u32,
    /// List what was forgotten
    #[arg(long, conflicts_with_all = ["what", "undo"])]
    pub(crate) list: bool,
    /// Restore what was forgotten under this id
    #[arg(long, value_name = "ID", conflicts_with_all = ["what", "dry_run"])]
    pub(crate) undo: Option<String>,
}

impl Arguments {
    /// Whether the command changes anything.
    fn changes(&self) -> bool {
        !self.list && !self.dry_run
    }

    /// The options of a removal for good.
    fn for_good(&self) -> impl Iterator<Item = &'static str> {
        let now = self.now.then_some("--now");
        now.into_iter().chain(self.prove.then_some("--prove"))
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum ForgetSelection {
    Places(Vec<String>),
    Question(String),
}

/// What the owner is asked before something is forgotten.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ForgetConsent {
    /// To forget the passages that were shown.
    Passages,
    /// To remove them for good.
    ForGood,
    /// To take the owner's own lines out of their files, too.
    OwnLines,
}

/// Whether the owner is asked before a named place is forgotten.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PlaceConsent {
    /// If it has lines of the owner, or does more than can be undone.
    IfNeeded,
    Always,
}

/// Asks the owner; returns whether the answer is yes.
pub(crate) type AskOwner<'a> = &'a mut dyn FnMut(ForgetConsent, &mut Context) -> Result<bool>;

pub(crate) fn run(arguments: &Arguments, context: &mut Context) -> Result<Exit> {
    let mut at_terminal = |asked, context: &mut Context| {
        let question = match asked {
            ForgetConsent::Passages => "Forget this? [y/N] ",
            ForgetConsent::ForGood => "Remove this for good? [y/N] ",
            ForgetConsent::OwnLines => {
                "Remove your own lines from their files? Otherwise they are only hidden. [y/N] "
            }
        };
        is_yes(question, context)
    };
    let consent = (PlaceConsent::IfNeeded, &mut at_terminal as AskOwner<'_>);
    run_asking(arguments, consent, context)
}

/// Forgets what words or a place name, as the command line does; `ask` asks the owner.
pub(crate) fn run_words(words: &str, ask: AskOwner<'_>, context: &mut Context) -> Result<()> {
    let arguments = Arguments {
        what: vec![words.to_owned()],
        yes: false,
        dry_run: false,
        now: false,
        prove: false,
        limit: LIMIT,
        list: false,
        undo: None,
    };
    run_asking(&arguments, (PlaceConsent::Always, ask), context).map(|_| ())
}

fn run_asking(
    arguments: &Arguments,
    (consent, owner_says): (PlaceConsent, AskOwner<'_>),
    context: &mut Context,
) -> Result<Exit> {
    if arguments.changes() {
        context.refuse_in_sandbox("forgetting")?;
    }
    let known = MemoryContext::find(context)?;
    if let Some(id) = &arguments.undo {
        return undo(id, &known, context);
    }
    if arguments.list {
        return list(&known, context);
    }
    let (disk, root) = (
        context.host.disk.as_ref(),
        known.home.workspace().to_owned(),
    );
    let is_there = |path: &str| matches!(disk.stat(&root.join(path)), Ok(Some(_)));
    let is_elsewhere = |path: &str| known.is_elsewhere(path) || is_there(path);
    let what = parse(&arguments.what, &is_elsewhere)?;
    let asked = (&what, arguments);
    let knowledge = known.knowledge(context)?;
    let operations = context.operations_with(&known.home, knowledge)?;
    if arguments.changes() {
        take_in_dreams(context)?;
    }
    let plan = plan(asked, &operations, context)?;
    let owner = match context.host.environment.stdin {
        _ if arguments.yes => Owner::HasAgreed,
        Stream::Terminal(_) => Owner::IsThere,
        Stream::File => Owner::IsAway,
    };
    if arguments.dry_run {
        let lines = arguments.yes.into();
        let mut report = told(asked, &plan, lines, ForgetEvent::Planned, context.output);
        let options = arguments.yes.then_some("--yes").into_iter();
        let options: Vec<&str> = options.chain(arguments.for_good()).collect();
        let asked = (arguments.limit, &*arguments.what);
        report.command = Some(to_type(&options, asked, context.output));
        return context.emit(&report);
    }
    let next = next(owner, (&what, consent), &plan);
    carry_out(asked, plan, (next, owner_says), &operations, context)
}

/// Carries out the decision, after asking the owner if it says so.
fn carry_out(
    asked: (&ForgetSelection, &Arguments),
    plan: ForgetPlanReply,
    (next, owner_says): (ForgetNext, AskOwner<'_>),
    operations: &Operations,
    context: &mut Context,
) -> Result<Exit> {
    let owner_lines = match next {
        ForgetNext::Forget(owner_lines) => owner_lines,
        ForgetNext::Ask => ask(asked, &plan, owner_says, context)?,
        ForgetNext::Refuse => {
            refuse_what_is_hidden(&plan)?;
            return refuse(asked, &plan, context);
        }
    };
    if owner_lines == OwnerLines::Leave {
        refuse_what_is_hidden(&plan)?;
    }
    if next != ForgetNext::Ask {
        for warning in &plan.warnings {
            context.output.warn(warning);
        }
    }
    let confirmed = Forget {
        token: plan.token.clone().unwrap_or_default(),
        remove_own_lines: Some(owner_lines == OwnerLines::Remove),
        now: asked.1.now,
        prove: asked.1.prove,
    };
    let done = confirmed.run(&operations.context(&Viewer::Owner))?;
    for warning in &done.warnings {
        context.output.warn(warning);
    }
    let plan = ForgetPlanReply {
        items: done.items.clone(),
        ..plan
    };
    let event = ForgetEvent::Done(Box::new(done));
    let done = told(asked, &plan, owner_lines, event, context.output);
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
    plan: &ForgetPlanReply,
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
    let options: Vec<&str> = iter::once("--yes").chain(arguments.for_good()).collect();
    let asked = (arguments.limit, &*arguments.what);
    let command = to_type(&options, asked, context.output);
    let failure = "nothing was forgotten: there is no terminal to confirm at, and no `--yes`";
    let hint = format!("forget all of the above with `{command}`");
    Err(CliError::new(ErrorKind::Input, failure).hint(hint))
}

/// Fails if the plan has only lines of the owner that are already hidden, since leaving them in place would change
/// nothing.
fn refuse_what_is_hidden(plan: &ForgetPlanReply) -> Result<()> {
    match &plan.hidden_under {
        Some(id) => Err(already(id).hint("`--yes` removes your lines from their files")),
        None => Ok(()),
    }
}

fn already(id: &str) -> CliError {
    let id = TombstoneId::new(id);
    // Its own lines are still in their files.
    let restorable = Restorable::Whole;
    ForgetPlanError::Already { id, restorable }.into()
}

/// Parses the arguments: either all are places, or together they are a question. A place with a space is one only in a
/// folder of notes elsewhere, whose names often have one.
fn parse(words: &[String], is_elsewhere: &dyn Fn(&str) -> bool) -> Result<ForgetSelection> {
    let place = |word: &String| {
        let place = get::parse(word)?;
        let is_place = place.entry.is_none()
            && (!word.contains(char::is_whitespace) || is_elsewhere(place.path))
            && (agent::SessionSource::name_of(place.path).is_some() || is_note(place.path));
        Ok(is_place.then(|| word.clone()))
    };
    let places: Result<Option<Vec<String>>> = words.iter().map(place).collect();
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
    (what, arguments): (&ForgetSelection, &Arguments),
    operations: &Operations,
    context: &mut Context,
) -> Result<ForgetPlanReply> {
    let (question, places) = match what {
        ForgetSelection::Places(places) => (String::new(), places.clone()),
        ForgetSelection::Question(question) => (question.clone(), Vec::new()),
    };
    let request = PlanForget {
        what: question,
        places,
        limit: usize::try_from(arguments.limit).ok(),
        remove_own_lines: arguments.yes,
        now: arguments.now,
        request: None,
        is_command: true,
    };
    let bar = RefCell::new(Bar::new(context));
    let on_event = |event| {
        if let OpEvent::Sync(progress) = event {
            bar.borrow_mut().tell(progress);
        }
    };
    let at = OpContext {
        on_event: &on_event,
        ..operations.context(&Viewer::Owner)
    };
    let plan = match request.run(&at) {
        Err(error @ OpError::Forget(ForgetPlanError::Already { .. })) => {
            return Err(CliError::from(error).hint("to forget more, name its words or its place"));
        }
        planned => planned?,
    };
    if plan.token.is_none() {
        let failure = "found nothing to forget";
        return Err(CliError::new(ErrorKind::NotFound, failure)
            .hint("`openclaw memory search QUESTION` prints the place of each result"));
    }
    Ok(plan)
}

/// Decides whether to ask the owner. At a terminal, a named place needs no question, but a search may find
/// something else, and what is removed for good does not come back; without a terminal, only `--yes` is consent.
fn next(
    owner: Owner,
    (what, consent): (&ForgetSelection, PlaceConsent),
    plan: &ForgetPlanReply,
) -> ForgetNext {
    let is_certain = match what {
        ForgetSelection::Question(_) => false,
        ForgetSelection::Places(_) => consent == PlaceConsent::IfNeeded && !needs_question(plan),
    };
    match owner {
        Owner::HasAgreed => ForgetNext::Forget(OwnerLines::Remove),
        Owner::IsThere if is_certain => ForgetNext::Forget(OwnerLines::Leave),
        Owner::IsThere => ForgetNext::Ask,
        Owner::IsAway => ForgetNext::Refuse,
    }
}

/// The report of a plan, with the command for the matches that it does not take.
fn told(
    (what, arguments): (&ForgetSelection, &Arguments),
    plan: &ForgetPlanReply,
    owner_lines: OwnerLines,
    event: ForgetEvent,
    output: &Output,
) -> ForgottenReport {
    let with_more = |n_taken: usize| {
        let limit = (n_taken + plan.more).clamp(1, LIMIT_MAX);
        u32::try_from(limit).unwrap_or(u32::MAX)
    };
    if matches!(what, ForgetSelection::Places(_)) {
        return ForgottenReport::new(plan, owner_lines, event);
    }
    let limit = match event {
        ForgetEvent::Planned => with_more(arguments.limit as usize),
        // With the same limit it would be the same request.
        ForgetEvent::Done(_) if with_more(0) == arguments.limit => with_more(1),
        ForgetEvent::Done(_) => with_more(0),
    };
    let options: Vec<&str> = arguments.for_good().collect();
    let next = to_type(&options, (limit, &arguments.what), output);
    let mut report = ForgottenReport::new(plan, owner_lines, event);
    report.next = next;
    report
}

/// The command with these options, quoted for a shell.
fn to_type(options: &[&str], (limit, what): (u32, &[String]), output: &Output) -> String {
    let options = options.iter().map(|option| (*option).to_owned());
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
    plan: &ForgetPlanReply,
    owner_says: AskOwner<'_>,
    context: &mut Context,
) -> Result<OwnerLines> {
    let planned = ForgetEvent::Planned;
    let shown = told(asked, plan, OwnerLines::Leave, planned, context.output);
    let stderr = context.host.environment.stderr;
    context.output.ask(&shown.question(stderr));
    let consent = if asked.1.now {
        ForgetConsent::ForGood
    } else {
        ForgetConsent::Passages
    };
    if !owner_says(consent, context)? {
        let failure = "nothing was forgotten: you did not confirm";
        return Err(CliError::new(ErrorKind::Input, failure));
    }
    let has_own = has_own_lines(plan);
    Ok(
        if has_own && owner_says(ForgetConsent::OwnLines, context)? {
            OwnerLines::Remove
        } else {
            OwnerLines::Leave
        },
    )
}

pub(crate) fn is_yes(question: &str, context: &mut Context) -> Result<bool> {
    context.output.ask(question);
    let mut answer = String::new();
    std::io::stdin().lock().read_line(&mut answer)?;
    Ok(matches!(answer.trim().to_lowercase().as_str(), "y" | "yes"))
}

fn list(known: &MemoryContext, context: &mut Context) -> Result<Exit> {
    let operations = context.operations(&known.home)?;
    let reply = ListForgotten {}.run(&operations.context(&Viewer::Owner))?;
    context.emit_lines(&reply, "  ", forgotten_list)
}

fn undo(id: &str, known: &MemoryContext, context: &mut Context) -> Result<Exit> {
    let knowledge = known.knowledge(context)?;
    let operations = context.operations_with(&known.home, knowledge)?;
    let request = UndoForget { id: id.to_owned() };
    let reply = request.run(&operations.context(&Viewer::Owner))?;
    context.emit_lines(&reply, "  ", undone)
}

/// Whether a plan of named places is asked about: it has lines of the owner, or does more than can be undone.
fn needs_question(plan: &ForgetPlanReply) -> bool {
    has_own_lines(plan) || !plan.warnings.is_empty()
}

/// Whether any of the lines is the owner's.
fn has_own_lines(plan: &ForgetPlanReply) -> bool {
    plan.items.iter().any(|it| it.keeper == "owner")
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

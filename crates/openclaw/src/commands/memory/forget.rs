//! `openclaw memory forget`: what is hidden from now on, and whose lines leave their files.
//!
//! Never takes an owner's line out of a file that the owner did not give up.

use std::io::BufRead;

use agent::{ForgetLines, Forgot, Knowledge};
use clap::Args;
use memory::{
    ForgetPlan, Keeper, OwnerLines, TextHash, TombstoneId, Why, load_tombstones, undo_forgetting,
};

use super::consent::{Next, Owner};
use super::get;
use super::known::{Bar, Known};
use super::search;
use crate::app::Context;
use crate::assistant;
use crate::commands::dream::{take_in_dreams, warn_of_candidates};
use crate::error::{CliError, ErrorKind};
use crate::exit_code::Exit;
use crate::output::{
    ForgetEvent, ForgetList, Forgotten, Format, Undone, render_forget_list, render_forgotten,
    render_forgotten_outcome, render_undone,
};

/// Passages that a question takes where no limit is given.
const LIMIT: u32 = 5;

/// Most passages that one question may take.
const LIMIT_MAX: usize = 100;

/// Arguments of `openclaw memory forget`.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Places, as in memory/2026-04-20.md:12-14 or sessions/main.jsonl:40, or a question
    #[arg(value_name = "PLACE|QUESTION", required_unless_present_any = ["list", "undo"])]
    pub(crate) what: Vec<String>,
    /// Forget without asking, and take your own lines out of their files too
    #[arg(long)]
    pub(crate) yes: bool,
    /// Show what would be forgotten and change nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Forget at most N of the passages that a question finds, and at most N candidates in DREAMS.md
    #[arg(long, value_name = "N", default_value_t = LIMIT, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub(crate) limit: u32,
    /// List what was forgotten
    #[arg(long, conflicts_with_all = ["what", "undo"])]
    pub(crate) list: bool,
    /// Take back what was forgotten under this id
    #[arg(long, value_name = "ID", conflicts_with = "what")]
    pub(crate) undo: Option<String>,
}

impl Arguments {
    /// Whether something is to be changed, and not only shown.
    pub(super) fn changes(&self) -> bool {
        !self.list && !self.dry_run
    }
}

/// What was named.
#[derive(Debug, Clone, PartialEq, Eq)]
enum What {
    Places(Vec<ForgetLines>),
    Question(String),
}

/// Forgets, lists, or takes back.
pub(crate) fn run(arguments: &Arguments, context: &mut Context<'_, '_>) -> Result<Exit, CliError> {
    let known = Known::find(context)?;
    if let Some(id) = &arguments.undo {
        return undo(&TombstoneId::new(id), &known, context);
    }
    if arguments.list {
        return list(&known, context);
    }
    let what = parse(&arguments.what)?;
    let asked = (&what, arguments);
    let knowledge = known.knowledge(context);
    let request = TextHash::of(&arguments.what.join(" "));
    if arguments.changes() {
        if let Some(done) = finish(request.as_ref(), arguments, &knowledge, context)? {
            return print(&done, context);
        }
        take_in_dreams(context)?;
    }
    let plan = ForgetPlan {
        asked: request,
        ..plan(&what, arguments, &knowledge, context)?
    };
    if arguments.dry_run {
        let owner_lines = if arguments.yes {
            OwnerLines::Remove
        } else {
            OwnerLines::Leave
        };
        let planned = told(asked, &plan, owner_lines, ForgetEvent::Planned);
        return print(&planned, context);
    }
    let owner = if arguments.yes {
        Owner::HasAgreed
    } else {
        Owner::found(context)
    };
    let first = next(owner, &what, &plan);
    let next = match first {
        Next::Ask => ask(asked, &plan, context)?,
        Next::Forget(_) | Next::Refuse => first,
    };
    match next {
        Next::Forget(owner_lines) => {
            if owner_lines == OwnerLines::Leave {
                refuse_what_is_hidden(&plan, &known, context)?;
            }
            let forgot = knowledge.forget(&plan, owner_lines)?;
            let event = ForgetEvent::Done(warn_of_rest(forgot, context).to_string());
            let done = told(asked, &plan, owner_lines, event);
            if first == Next::Ask && context.output.format() == Format::Human {
                // The passages stand above the question.
                let columns = context.host.environment.stdout().columns();
                context
                    .output
                    .text(&render_forgotten_outcome(&done, columns))?;
                return Ok(Exit::Done);
            }
            print(&done, context)
        }
        Next::Ask | Next::Refuse => {
            if first == Next::Ask {
                return Err(CliError::new(
                    ErrorKind::Input,
                    "nothing was forgotten: you did not agree",
                ));
            }
            refuse_what_is_hidden(&plan, &known, context)?;
            refuse(asked, &plan, context)
        }
    }
}

/// Shows what would be forgotten where nobody can be asked, and how to agree to it.
fn refuse(
    (what, arguments): (&What, &Arguments),
    plan: &ForgetPlan,
    context: &mut Context<'_, '_>,
) -> Result<Exit, CliError> {
    // The plan of the command in the hint.
    let shown = told(
        (what, arguments),
        plan,
        OwnerLines::Remove,
        ForgetEvent::Planned,
    );
    // A program gets one object: the failure. `--dry-run` gives it the plan.
    if context.output.format() == Format::Human {
        print(&shown, context)?;
    }
    let command = to_type("--yes", arguments.limit, &arguments.what);
    Err(CliError::new(
        ErrorKind::Input,
        "nothing was forgotten: there is no terminal to ask at, and `--yes` was not given",
    )
    .hint(format!("forget all of the above with `{command}`")))
}

/// Finishes what the same request began before it was broken off; `None` where there is nothing of that, or where the
/// owner gives up lines now that were to stay then.
fn finish(
    request: Option<&TextHash>,
    arguments: &Arguments,
    knowledge: &Knowledge,
    context: &mut Context<'_, '_>,
) -> Result<Option<Forgotten>, CliError> {
    let Some(forgot) = request
        .map(|request| knowledge.finish_asked(request))
        .transpose()?
        .flatten()
    else {
        return Ok(None);
    };
    let gives_up_more = arguments.yes && forgot.report.owner_lines == OwnerLines::Leave;
    let id = warn_of_rest(forgot, context).to_string();
    let done = Forgotten::new(
        &ForgetPlan::default(),
        OwnerLines::Leave,
        ForgetEvent::Finished(id),
    );
    Ok((!gives_up_more).then_some(done))
}

/// Tells what is left to be done after something was forgotten; gives under which id it is.
fn warn_of_rest(forgot: Forgot, context: &mut Context<'_, '_>) -> TombstoneId {
    let Forgot { report, unindexed } = forgot;
    warn_of_candidates(report.candidates, context);
    if let Some(error) = unindexed {
        context.output.warn(&format!(
            "{error}; no search shows what is forgotten, and the next one takes it out of the index"
        ));
    }
    if let Some(error) = report.unfinished {
        context.output.warn(&format!(
            "what was forgotten earlier still stands in its file, hidden: {error}; \
             `openclaw doctor --fix` takes it out"
        ));
    }
    report.id
}

/// What is hidden already and stays where it stands would be forgotten for nothing.
fn refuse_what_is_hidden(
    plan: &ForgetPlan,
    known: &Known,
    context: &Context<'_, '_>,
) -> Result<(), CliError> {
    let tombstones = load_tombstones(&assistant::workspace(context.host, &known.home))?;
    let mut hidden_by = plan.lines.iter().map(|line| {
        let is_owners = line.keeper == Keeper::Owner;
        tombstones.forgotten_by(&line.text).filter(|_| is_owners)
    });
    match hidden_by.next() {
        Some(Some(id))
            if plan.entries.is_empty()
                && plan.candidates.is_empty()
                && hidden_by.all(|id| id.is_some()) =>
        {
            Err(CliError::forgotten_already(id).hint("`--yes` takes your lines out of their files"))
        }
        Some(_) | None => Ok(()),
    }
}

/// Each argument is a place, or all together are a question.
fn parse(words: &[String]) -> Result<What, CliError> {
    let places: Result<Option<Vec<ForgetLines>>, CliError> = words
        .iter()
        .map(|word| {
            let place = get::parse(word)?;
            let is_place = place.entry.is_none()
                && !word.contains(char::is_whitespace)
                && (agent::SessionSource::name_of(place.path).is_some() || is_note(place.path));
            Ok(is_place.then(|| ForgetLines {
                path: place.path.to_owned(),
                lines: place.lines,
            }))
        })
        .collect();
    Ok(match places? {
        Some(places) => What::Places(places),
        None => What::Question(search::question(words, "forget")?),
    })
}

fn is_note(path: &str) -> bool {
    std::path::Path::new(path)
        .extension()
        .is_some_and(|ending| ending.eq_ignore_ascii_case("md"))
}

fn plan(
    what: &What,
    arguments: &Arguments,
    knowledge: &Knowledge,
    context: &mut Context<'_, '_>,
) -> Result<ForgetPlan, CliError> {
    let plan = match what {
        What::Places(places) => knowledge.plan_lines(places)?,
        What::Question(question) => {
            let mut bar = Bar::new(context.output, context.host.environment.stderr);
            let limit = usize::try_from(arguments.limit).unwrap_or(usize::MAX);
            knowledge.plan_question(question, limit, &mut |progress| bar.tell(progress))?
        }
    };
    if plan.is_empty() {
        return Err(CliError::new(
            ErrorKind::NotFound,
            "nothing that could be forgotten was found",
        )
        .hint("`openclaw memory search QUESTION` names the places of what it finds"));
    }
    Ok(plan)
}

/// Decides whether somebody has to be asked. At a terminal, whoever names a place means what stands there,
/// and a question may find something else; elsewhere only `--yes` agrees to anything.
fn next(owner: Owner, what: &What, plan: &ForgetPlan) -> Next {
    match (owner, what) {
        (Owner::HasAgreed, _) => Next::Forget(OwnerLines::Remove),
        (Owner::IsThere, What::Question(_)) => Next::Ask,
        (Owner::IsThere, What::Places(_)) if plan.has_owner_lines() => Next::Ask,
        (Owner::IsThere, What::Places(_)) => Next::Forget(OwnerLines::Leave),
        (Owner::IsAway, _) => Next::Refuse,
    }
}

/// A plan as it is told, with what is typed where more matches than it takes.
fn told(
    (what, arguments): (&What, &Arguments),
    plan: &ForgetPlan,
    owner_lines: OwnerLines,
    event: ForgetEvent,
) -> Forgotten {
    let n_taken = match event {
        ForgetEvent::Planned => arguments.limit as usize,
        ForgetEvent::Done(_) | ForgetEvent::Finished(_) => 0,
    };
    let told = Forgotten::new(plan, owner_lines, event);
    if let What::Places(_) = what {
        return told;
    }
    let limit = (n_taken + plan.n_more).clamp(1, LIMIT_MAX);
    let limit = u32::try_from(limit).unwrap_or(u32::MAX);
    told.with_next(to_type("", limit, &arguments.what))
}

/// The command with this option, quoted for a shell.
fn to_type(option: &str, limit: u32, what: &[String]) -> String {
    let limit = (limit != LIMIT).then(|| ["--limit".to_owned(), limit.to_string()]);
    let option = (!option.is_empty()).then(|| option.to_owned());
    let words = option.into_iter().chain(limit.into_iter().flatten());
    let words: Vec<String> = words.chain(what.iter().cloned()).collect();
    let quoted = shlex::try_join(words.iter().map(String::as_str));
    // Only a zero byte cannot be quoted, and no argument holds one.
    format!("openclaw memory forget {}", quoted.unwrap_or_default())
}

fn ask(
    asked: (&What, &Arguments),
    plan: &ForgetPlan,
    context: &mut Context<'_, '_>,
) -> Result<Next, CliError> {
    let shown = told(asked, plan, OwnerLines::Remove, ForgetEvent::Planned);
    let stderr = context.host.environment.stderr;
    context.output.ask(&render_forgotten(&shown, stderr));
    if matches!(asked.0, What::Question(_)) && !is_yes("Forget this? [y/N] ", context)? {
        return Ok(Next::Refuse);
    }
    let question = "Take your own lines out of their files? Otherwise they are hidden. [y/N] ";
    let owner_lines = if plan.has_owner_lines() && is_yes(question, context)? {
        OwnerLines::Remove
    } else {
        OwnerLines::Leave
    };
    Ok(Next::Forget(owner_lines))
}

fn is_yes(question: &str, context: &mut Context<'_, '_>) -> Result<bool, CliError> {
    context.output.ask(question);
    let mut answer = String::new();
    std::io::stdin().lock().read_line(&mut answer)?;
    Ok(matches!(answer.trim().to_lowercase().as_str(), "y" | "yes"))
}

fn print(forgotten: &Forgotten, context: &mut Context<'_, '_>) -> Result<Exit, CliError> {
    match context.output.format() {
        Format::Json => context.output.object(forgotten)?,
        Format::Human => {
            let stdout = context.host.environment.stdout();
            context.output.text(&render_forgotten(forgotten, stdout))?;
        }
    }
    Ok(Exit::Done)
}

fn list(known: &Known, context: &mut Context<'_, '_>) -> Result<Exit, CliError> {
    let tombstones = load_tombstones(&assistant::workspace(context.host, &known.home))?;
    let forgotten = tombstones.all().iter();
    let forgotten = forgotten.filter(|tombstone| tombstone.why == Why::Forgotten);
    let list = ForgetList::new(forgotten, known.timezone);
    match context.output.format() {
        Format::Json => context.output.object(&list)?,
        Format::Human => {
            let stdout = context.host.environment.stdout();
            context
                .output
                .lines(&render_forget_list(&list), stdout, "  ")?;
        }
    }
    Ok(Exit::Done)
}

fn undo(id: &TombstoneId, known: &Known, context: &mut Context<'_, '_>) -> Result<Exit, CliError> {
    let workspace = assistant::workspace(context.host, &known.home);
    let report = undo_forgetting(&workspace, id, context.host.clock.now())?;
    let undone = Undone::new(id, &report);
    match context.output.format() {
        Format::Json => context.output.object(&undone)?,
        Format::Human => {
            let stdout = context.host.environment.stdout();
            context
                .output
                .lines(&render_undone(&undone), stdout, "  ")?;
        }
    }
    Ok(if report.changed.is_empty() {
        Exit::Done
    } else {
        Exit::Failure
    })
}

#[cfg(test)]
mod tests {
    use memory::daily_log::LineRange;
    use memory::{Because, PlannedLines, TextHash};

    use super::*;

    fn place(path: &str, lines: Option<(usize, usize)>) -> ForgetLines {
        ForgetLines {
            path: path.into(),
            lines: lines.map(|(start, end)| LineRange { start, end }),
        }
    }

    #[test]
    fn places_are_told_from_a_question() {
        let check = |words: &[&str], expected: What| {
            let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
            assert_eq!(parse(&words), Ok(expected));
        };
        let both = vec![
            place("memory/2026-04-20.md", Some((12, 14))),
            place("sessions/main.jsonl", Some((40, 40))),
        ];
        check(
            &["memory/2026-04-20.md:12-14", "sessions/main.jsonl:40"],
            What::Places(both),
        );
        check(&["MEMORY.md"], What::Places(vec![place("MEMORY.md", None)]));
        for words in [
            &["what", "MEMORY.md", "says"][..],
            &["Anna's number"],
            &["10:30"],
        ] {
            check(words, What::Question(words.join(" ")));
        }
        let backwards = parse(&["MEMORY.md:9-3".to_owned()]).unwrap_err();
        assert_eq!(
            backwards.message,
            "the lines 9-3 of MEMORY.md run backwards"
        );
        let no_number = parse(&["memory/2026-04-20.md:x".to_owned()]).unwrap_err();
        assert_eq!(
            (&*no_number.message, &*no_number.hints),
            (
                "`x` names no line of memory/2026-04-20.md",
                &["name lines by number, as in memory/2026-04-20.md:12 or memory/2026-04-20.md:12-14"
                    .to_owned()][..]
            )
        );
    }

    #[test]
    fn i9_nothing_is_forgotten_by_a_guess() {
        let (places, question) = (What::Places(Vec::new()), What::Question(String::new()));
        let plan = |keeper| ForgetPlan {
            lines: vec![PlannedLines {
                path: "MEMORY.md".parse().unwrap(),
                lines: LineRange { start: 1, end: 1 },
                text: "tea".into(),
                hash: TextHash::of("tea").unwrap(),
                keeper,
                evidence: Vec::new(),
                because: Because::Chosen,
            }],
            ..ForgetPlan::default()
        };
        let (ours, owners) = (plan(Keeper::Program), plan(Keeper::Owner));
        let cases = [
            (
                Owner::HasAgreed,
                &question,
                &owners,
                Next::Forget(OwnerLines::Remove),
            ),
            (Owner::IsThere, &question, &ours, Next::Ask),
            (Owner::IsAway, &question, &ours, Next::Refuse),
            (Owner::IsThere, &places, &owners, Next::Ask),
            (Owner::IsAway, &places, &owners, Next::Refuse),
            (Owner::IsAway, &places, &ours, Next::Refuse),
            (
                Owner::IsThere,
                &places,
                &ours,
                Next::Forget(OwnerLines::Leave),
            ),
        ];
        for (owner, what, plan, expected) in cases {
            assert_eq!(next(owner, what, plan), expected, "{owner:?} {what:?}");
        }
    }
}

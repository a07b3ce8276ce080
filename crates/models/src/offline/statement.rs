//! Takes the statements and questions out of one excerpt.
//!
//! Knows one message at a time; what the whole conversation says of it is decided elsewhere.

use base::model::Excerpt;
use base::{Day, Message, Origin, Timestamp, ToolOutcome, ToolResult, Tz, day};

use super::bare::is_bare;
use super::clause::{clauses, shortened};
use super::date::{absolute, absolute_for_good, weekday};
use super::fact;
use super::identifier::{Kind, figures, identifiers};
use super::list::joined;
use super::question::{Parted, QUESTION_MARKS, part};
use super::sentence::{Place, Sentence, fold, is_code, sentences};
use super::signal::{EXACT, KEPT_MIN, Speaker, Topic, is_english, plain, signal};
use super::template;

/// The most statements that are taken from one message.
const PERSON_MAX: usize = 10;
const ASSISTANT_MAX: usize = 4;
const TOOL_MAX: usize = 2;

/// Lines of a failed tool's output that are searched for the reason.
const FAILURE_LINES_MAX: usize = 200;

/// A clause that is worth keeping, or may be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Statement {
    /// The clause as it will be shown, its relative dates made absolute.
    pub(super) text: String,
    /// What it is about.
    pub(super) topic: Topic,
    /// How much it is worth.
    pub(super) score: i32,
    /// Whether it holds something that is only right when it is exact.
    pub(super) is_exact: bool,
    /// Whether it reports an end.
    pub(super) is_finished: bool,
    /// Who said it.
    pub(super) speaker: Speaker,
    /// The day on which it was said first.
    pub(super) said_on: Day,
    /// The excerpts that state it, in order.
    pub(super) excerpts: Vec<usize>,
    /// Its place among the statements of the first of them.
    pub(super) position: usize,
}

impl Statement {
    /// The excerpt that states it last.
    pub(super) fn last_excerpt(&self) -> usize {
        self.excerpts.last().copied().unwrap_or(0)
    }
}

/// What one excerpt holds.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Taken {
    /// Its statements, in order.
    pub(super) statements: Vec<Statement>,
    /// The questions and requests of a person, in order.
    pub(super) questions: Vec<String>,
    /// All its sentences of prose, in order.
    pub(super) prose: Vec<String>,
    /// Whether it opens a play, which goes on in the next message of a person.
    pub(super) opens_play: bool,
}

/// Whether a message is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scene {
    /// It is.
    Talk,
    /// It goes on with a play.
    Play,
}

/// Reads one excerpt; `index` is its place among the excerpts, `said_on` its day, `scene` what the
/// message before it makes of it.
pub(super) fn take(excerpt: &Excerpt, index: usize, said_on: Day, scene: Scene) -> Taken {
    let source = Source {
        index,
        said_on,
        scene,
    };
    match &excerpt.message {
        Message::User { name, .. } => {
            let speaker = if excerpt.origin == Origin::Owner {
                Speaker::Owner
            } else {
                Speaker::Other
            };
            source.person(&excerpt.message.text(), speaker, name.as_deref())
        }
        Message::Assistant(_) => source.assistant(&excerpt.message.text()),
        Message::ToolResult(result) => source.tool(result, &excerpt.message.text()),
    }
}

/// Whether the owner asks for nothing but to be reminded of a task, which is noted.
pub(super) fn is_noted_task(words: &str) -> bool {
    let found = sentences(words);
    let is_one = |sentence: &Sentence| is_task(&sentence.text, day(Timestamp::default(), Tz::UTC));
    !found.is_empty() && found.iter().all(is_one)
}

/// Whether a flush would note something of what the owner says.
pub(super) fn is_noted(words: &str) -> bool {
    let source = Source {
        index: 0,
        said_on: day(Timestamp::default(), Tz::UTC),
        scene: Scene::Talk,
    };
    let taken = source.person(words, Speaker::Owner, None);
    !taken.statements.is_empty()
}

#[derive(Clone, Copy)]
struct Source {
    index: usize,
    said_on: Day,
    scene: Scene,
}

impl Source {
    fn person(self, text: &str, speaker: Speaker, name: Option<&str>) -> Taken {
        let mut taken = Taken::default();
        for sentence in fact::with_antecedents(sentences(text)) {
            taken.opens_play |= fact::opens_play(&sentence.text);
            let is_play = self.scene == Scene::Play
                || taken.opens_play
                || fact::tells_of_story(&sentence.text);
            let speaker = if sentence.place == Place::Quote {
                Speaker::Other
            } else {
                speaker
            };
            let Parted {
                statement,
                question,
                reason,
            } = part(&sentence.text);
            for clause in statement.into_iter().chain(reason).flat_map(clauses) {
                // What is told in a play is true of nobody, and a quotation of somebody else.
                if is_play && fact::is_fact(clause) || fact::is_of_another(clause) {
                    continue;
                }
                taken
                    .statements
                    .push(self.statement(clause, &sentence, speaker));
            }
            if let Some(question) = question {
                taken
                    .statements
                    .extend(self.asked(question, [statement, reason], speaker));
                // What is noted as a task waits for no answer.
                if !is_task(shortened(question), self.said_on) {
                    taken
                        .questions
                        .push(absolute(shortened(question), self.said_on));
                }
            }
            taken.prose.push(sentence.text);
        }
        taken.opens_play &= !fact::is_thanks(text);
        keep_a_foreign_text(&mut taken);
        keep_best(&mut taken.statements, PERSON_MAX);
        if let Some(name) = name.map(fold).filter(|name| !name.is_empty()) {
            for statement in &mut taken.statements {
                statement.text = format!("{name}: {}", statement.text);
            }
        }
        taken
    }

    fn assistant(self, text: &str) -> Taken {
        let mut taken = Taken::default();
        let found = sentences(text);
        let same_list = |left: &Sentence, right: &Sentence| match (&left.lead, &right.lead) {
            (Some(left), Some(right)) => left.text == right.text,
            _ => false,
        };
        for run in found.chunk_by(same_list) {
            let mut own = Vec::new();
            for sentence in run {
                if !sentence.text.ends_with(QUESTION_MARKS) {
                    let clauses = clauses(&sentence.text);
                    let spoken = clauses
                        .into_iter()
                        .map(|clause| self.statement(clause, sentence, Speaker::Assistant));
                    own.extend(spoken);
                }
            }
            match self.list(run, &own) {
                Some(list) => taken.statements.push(list),
                None => taken.statements.extend(own),
            }
        }
        taken.prose = found.into_iter().map(|sentence| sentence.text).collect();
        keep_a_foreign_text(&mut taken);
        keep_best(&mut taken.statements, ASSISTANT_MAX);
        taken
    }

    /// A list of which something is worth keeping, as one statement: its lead promises all of it.
    fn list(self, sentences: &[Sentence], statements: &[Statement]) -> Option<Statement> {
        let best = statements
            .iter()
            .reduce(|best, next| if next.score > best.score { next } else { best })
            .filter(|best| best.score >= KEPT_MIN)?;
        let lead = sentences.first()?.lead.as_ref()?;
        let items: Vec<&str> = sentences
            .chunk_by(|left, right| left.lead == right.lead)
            .filter_map(|item| item.first())
            .map(|sentence| sentence.text.as_str())
            .collect();
        let text = joined(&lead.text, &items).filter(|_| items.len() > 1)?;
        Some(Statement {
            text: absolute(&text, self.said_on),
            is_exact: statements.iter().any(|statement| statement.is_exact),
            ..best.clone()
        })
    }

    fn tool(self, result: &ToolResult, text: &str) -> Taken {
        let mut taken = Taken::default();
        match result.outcome {
            ToolOutcome::Success => {
                let found = sentences(text);
                let clauses = found.iter().flat_map(|sentence| {
                    clauses(&sentence.text)
                        .into_iter()
                        .take(1)
                        .map(move |clause| (clause, sentence))
                });
                taken.statements = clauses
                    .map(|(clause, sentence)| self.statement(clause, sentence, Speaker::Tool))
                    .collect();
                keep_best(&mut taken.statements, TOOL_MAX);
            }
            ToolOutcome::Failure => taken.statements.extend(self.failure(text)),
        }
        let name = fold(&result.tool_name);
        for statement in &mut taken.statements {
            statement.text = format!("{}{name}: {}", template::TOOL, statement.text);
        }
        taken
    }

    /// The line that says why a tool failed.
    fn failure(self, text: &str) -> Option<Statement> {
        let lines = text.lines().take(FAILURE_LINES_MAX).map(fold);
        // A trace shows lines of code, which may name the error as well.
        let spoken = lines.filter(|line| line.chars().any(char::is_alphanumeric) && !is_code(line));
        let scored = spoken.map(|line| {
            (
                signal(shortened(&line), None, Speaker::FailedTool).score,
                line,
            )
        });
        // The first of the best: what follows it is mostly a trace.
        let (score, line) =
            scored.reduce(|best, next| if next.0 > best.0 { next } else { best })?;
        let text = shortened(&line).to_owned();
        (!text.is_empty()).then(|| Statement {
            text,
            topic: Topic::Issue,
            score: score.max(KEPT_MIN),
            is_exact: true,
            is_finished: false,
            speaker: Speaker::FailedTool,
            said_on: self.said_on,
            excerpts: vec![self.index],
            position: 0,
        })
    }

    fn statement(self, clause: &str, sentence: &Sentence, speaker: Speaker) -> Statement {
        let lead = sentence.lead.as_ref().map(|lead| lead.text.as_str());
        let signal = signal(clause, lead, speaker);
        let text = match lead {
            Some(lead) => format!("{lead} {clause}"),
            None => clause.to_owned(),
        };
        let is_spoken = matches!(
            speaker,
            Speaker::Owner | Speaker::Other | Speaker::Assistant
        );
        let dated = if signal.is_fact {
            absolute_for_good(&text, self.said_on)
        } else if is_spoken {
            absolute(&text, self.said_on)
        } else {
            text.clone()
        };
        let day_bonus = if dated == text || signal.score <= 0 {
            0
        } else {
            EXACT
        };
        Statement {
            text: dated,
            topic: signal.topic,
            score: signal.score + day_bonus,
            is_exact: signal.is_exact,
            is_finished: signal.is_finished,
            speaker,
            said_on: self.said_on,
            excerpts: vec![self.index],
            position: 0,
        }
    }

    /// A question is kept where it holds dates, sums or shares that no statement beside it does, and tells
    /// something of whoever asks.
    fn asked(
        self,
        question: &str,
        beside: [Option<&str>; 2],
        speaker: Speaker,
    ) -> Option<Statement> {
        let stated: Vec<&str> = beside.into_iter().flatten().flat_map(figures).collect();
        let question = shortened(question);
        if is_task(question, self.said_on) {
            return Some(self.told(absolute(question, self.said_on), speaker));
        }
        let holds_facts = identifiers(question).iter().any(|identifier| {
            let is_fact = matches!(identifier.kind, Kind::Sum | Kind::Share | Kind::Date);
            is_fact && !stated.contains(&identifier.text)
        });
        (holds_facts && tells_of_owner(question)).then(|| {
            let text = format!("{}{}", template::ASKED, absolute(question, self.said_on));
            self.told(text, speaker)
        })
    }

    /// What is exact in a question or a task, as a note of its own.
    fn told(self, text: String, speaker: Speaker) -> Statement {
        Statement {
            text,
            topic: Topic::Progress,
            score: KEPT_MIN,
            is_exact: true,
            is_finished: false,
            speaker,
            said_on: self.said_on,
            excerpts: vec![self.index],
            position: 0,
        }
    }
}

/// How somebody asks to be reminded of something that they have to do.
#[rustfmt::skip]
const REMINDING: &[&str] = &[
    "remind me to ", "please remind me to ", "remind me about ", "please remind me about ", "don't let me forget to ",
    "erinnere mich ", "bitte erinnere mich ",
];

/// Tasks of which another sentence says what they are, so that the sentence alone tells nothing.
const NAMED_ELSEWHERE: &[&str] = &[
    "that", "this", "it", "them", "do that", "do this", "do it", "do so", "daran",
];

/// Whether a request is a task of the owner for a day that it names: `Remind me to call Anna on Friday`.
fn is_task(request: &str, said_on: Day) -> bool {
    let words = plain(request).0;
    let start = words.trim_start();
    let mut openings = REMINDING.iter();
    let Some(task) = openings.find_map(|opening| start.strip_prefix(opening)) else {
        return false;
    };
    let opens = |named: &&str| {
        task.strip_prefix(*named)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
    };
    let is_named = !NAMED_ELSEWHERE.iter().any(opens);
    let is_dated = || absolute(request, said_on) != request;
    let is_date = || {
        let mut found = identifiers(request).into_iter();
        found.any(|identifier| identifier.kind == Kind::Date)
    };
    let mut names_weekday = words.split_whitespace().map(weekday);
    is_named && (names_weekday.any(|day| day.is_some()) || is_dated() || is_date())
}

/// Whoever asks, and what is theirs.
const OWN: &[&str] = &[
    "i", "i'm", "i've", "me", "my", "we", "our", "us", "ich", "mir", "mein", "meine", "wir",
    "unser",
];

/// How a question begins that asks what memory holds, and tells nothing.
#[rustfmt::skip]
const RECALLING: &[&str] = &[
    "when is ", "when was ", "when did ", "where is ", "where was ", "where did ", "who ", "what is my ", "what was my ",
    "what did i ", "what do i ", "what happened ", "what's my ", "wann ", "wer ",
];

/// Whether a question tells something of whoever asks: `Can I pay my rent of 900 euros later?`.
fn tells_of_owner(question: &str) -> bool {
    let words = plain(question).0;
    let is_own = words.split_whitespace().any(|word| OWN.contains(&word));
    let start = words.trim_start();
    is_own && !RECALLING.iter().any(|opening| start.starts_with(opening))
}

/// A message in a language without cues keeps what is exact in it, and a person's also its first and its last statement.
fn keep_a_foreign_text(taken: &mut Taken) {
    let is_lost = taken
        .statements
        .iter()
        .all(|statement| statement.score < KEPT_MIN);
    if !is_lost || is_english(&taken.prose.join(" ")) {
        return;
    }
    let last = taken.statements.len().saturating_sub(1);
    for (index, statement) in taken.statements.iter_mut().enumerate() {
        let is_end = index == 0 || index == last;
        if is_bare(&statement.text) {
            continue;
        }
        if statement.is_exact || is_end && statement.speaker != Speaker::Assistant {
            statement.score = KEPT_MIN;
        }
    }
}

/// Keeps the best statements, in their order.
fn keep_best(statements: &mut Vec<Statement>, n_max: usize) {
    statements.retain(|statement| statement.score >= KEPT_MIN && !statement.text.is_empty());
    for (position, statement) in statements.iter_mut().enumerate() {
        statement.position = position;
    }
    let mut scores: Vec<i32> = statements.iter().map(|statement| statement.score).collect();
    scores.sort_unstable_by(|left, right| right.cmp(left));
    let lowest = scores
        .get(n_max.saturating_sub(1))
        .copied()
        .unwrap_or(KEPT_MIN);
    let mut n_kept = 0;
    statements.retain(|statement| {
        let is_kept = statement.score >= lowest && n_kept < n_max;
        n_kept += usize::from(is_kept);
        is_kept
    });
}

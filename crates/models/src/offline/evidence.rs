//! Reads all excerpts of a request: what they state, ask and mention.
//!
//! Decides nothing about sections or room.

use base::model::Excerpt;
use base::{Message, Origin, Tz, day};

use super::call::call;
use super::fact::{is_one_sentence, takes_back};
use super::mention::{Mention, Tallies};
use super::statement::{Scene, Statement, Taken, take};

/// What the excerpts of a request hold.
#[derive(Debug, Default)]
pub(super) struct Evidence {
    /// What was stated, in order.
    pub(super) statements: Vec<Statement>,
    /// What persons asked, in order.
    pub(super) questions: Vec<Question>,
    /// The identifiers that matter, best first.
    pub(super) mentions: Vec<Mention>,
    /// What the last message of a person says, sentence by sentence, and where it stands.
    pub(super) last_request: Option<(usize, Vec<String>)>,
    /// The sentences of the last reply in prose, and where it stands.
    pub(super) last_reply: Option<(usize, Vec<String>)>,
    /// The last calls of tools, each by its name and what it was given first, in order.
    pub(super) last_tools: Vec<String>,
    /// Whether a reply followed the last message of a person and asked for no tool.
    pub(super) is_answered: bool,
    /// The text of the earlier summary.
    pub(super) earlier: String,
}

/// A question or request of a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Question {
    /// What was asked.
    pub(super) text: String,
    /// The excerpt in which it was asked.
    pub(super) excerpt: usize,
}

/// Reads the excerpts; `timezone` is the one in which their days are told.
pub(super) fn read(excerpts: &[Excerpt], timezone: Tz) -> Evidence {
    let mut evidence = Evidence::default();
    let mut tallies = Tallies::default();
    let mut scene = Scene::Talk;
    let mut last_said: Option<(usize, String)> = None;
    for (index, excerpt) in excerpts.iter().enumerate() {
        if excerpt.entry.is_none() {
            evidence.earlier.push_str(&excerpt.message.text());
            evidence.earlier.push('\n');
        } else if is_command(&excerpt.message) {
            // What the owner types to the program tells and asks nothing.
            scene = Scene::Talk;
        } else if excerpt.origin == Origin::System {
            // What the program said is no evidence; a question before it is answered all the same.
            if matches!(excerpt.message, Message::Assistant(_)) {
                evidence.last_reply = Some((index, Vec::new()));
            }
        } else {
            let said_on = day(excerpt.at, timezone);
            if is_of_owner(excerpt) {
                let text = excerpt.message.text();
                // Of several sentences nobody says which is taken back.
                if let Some((said, _)) = last_said
                    .take()
                    .filter(|(_, said)| takes_back(&text, said) && is_one_sentence(said))
                {
                    evidence.statements.retain(|own| own.excerpts != [said]);
                }
                last_said = Some((index, text));
            }
            let taken = take(excerpt, index, said_on, scene);
            if matches!(excerpt.message, Message::User { .. }) {
                scene = if taken.opens_play {
                    Scene::Play
                } else {
                    Scene::Talk
                };
            }
            tallies.count(excerpt, index, said_on, &taken.prose);
            evidence.add(&excerpt.message, index, taken);
        }
    }
    evidence.mentions = tallies.ranked();
    evidence
}

/// Whether the owner said it.
fn is_of_owner(excerpt: &Excerpt) -> bool {
    excerpt.origin == Origin::Owner && matches!(excerpt.message, Message::User { .. })
}

/// Whether a message is a command of the chat, as `/help`; a path is none.
fn is_command(message: &Message) -> bool {
    let Message::User { .. } = message else {
        return false;
    };
    let text = message.text();
    let mut words = text.split_whitespace();
    let name = words.next().and_then(|word| word.strip_prefix('/'));
    let is_name = |name: &str| !name.is_empty() && name.chars().all(|c| c.is_ascii_lowercase());
    name.is_some_and(is_name) && words.next().is_none()
}

impl Evidence {
    fn add(&mut self, message: &Message, index: usize, taken: Taken) {
        let asked = taken.questions.into_iter().map(|text| Question {
            text,
            excerpt: index,
        });
        self.questions.extend(asked);
        self.statements.extend(taken.statements);
        match message {
            Message::User { .. } => {
                if !taken.prose.is_empty() {
                    self.last_request = Some((index, taken.prose));
                }
                self.last_tools.clear();
                self.is_answered = false;
            }
            Message::Assistant(_) => {
                let mut tools: Vec<String> = message.tool_calls().map(call).collect();
                tools.dedup();
                self.is_answered = tools.is_empty();
                if !tools.is_empty() {
                    self.last_tools = tools;
                }
                if !taken.prose.is_empty() {
                    self.last_reply = Some((index, taken.prose));
                }
            }
            Message::ToolResult(_) => {}
        }
    }

    /// The last question, while no reply has followed it.
    pub(super) fn open_question(&self) -> Option<&Question> {
        let question = self.questions.last()?;
        let (asked_in, _) = self.last_request.as_ref()?;
        let replied_in = self.last_reply.as_ref().map_or(0, |(index, _)| *index);
        (question.excerpt == *asked_in && replied_in <= *asked_in).then_some(question)
    }
}

//! Asks for what deserves to last, of one engine after the other, and counts what that costs.
//!
//! Writes nothing.

use std::collections::BTreeSet;

use base::model::{Evidence, Excerpt, Model, Purpose, Quoting, Request, complete_telling};
use base::{Assistant, Message, StopReason, TokenCount, estimate_message};
use compaction::SMALL_WINDOW;
use dreaming::{
    Item, Known, Operation, Proposals, Refusal, ReplyFrom, consolidate_requests, is_worth_a_retry,
    parse_proposals, refusals, retry_request, sentence_request,
};

use crate::Runtime;
use crate::grounds::OFFLINE_READING;
use crate::metered::cost_of;

/// More sentences of one request are not sent to a small model one by one; the others stay as they were said.
const SENTENCES_ASKED_MAX: usize = 16;

/// What engines said.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Extracted {
    pub(super) proposals: Proposals,
    /// Tokens that remote engines read and wrote.
    pub(super) spent: (TokenCount, TokenCount),
    /// What the owner should know of how it was made, each once.
    pub(super) told: Vec<String>,
}

/// What each request may hold: the least of the windows of those who may be asked, so that one set of
/// requests does for all of them.
fn window(runtime: &Runtime) -> TokenCount {
    let context_window = runtime.settings.context_window;
    let remote = runtime.models.remote(Purpose::Consolidate).into_iter();
    let windows = remote.map(|model| runtime.models.window_of(&**model, context_window));
    windows.min().unwrap_or(context_window)
}

/// Asks one engine after the other, the offline one last.
pub(super) async fn extract(
    runtime: &Runtime,
    items: &[Item],
    known: Known<'_>,
) -> Result<Extracted, String> {
    let mut all = Extracted::default();
    for asked in consolidate_requests(items, known, window(runtime), runtime.timezone) {
        let asking = Asking {
            runtime,
            items,
            known,
            asked: &asked,
        };
        let found = asking.first_usable(&mut all).await?;
        all.proposals.operations.extend(found.operations);
        all.proposals.unreadable.extend(found.unreadable);
        all.proposals.cut_off.extend(found.cut_off);
    }
    Ok(all)
}

impl Extracted {
    fn tell(&mut self, warning: String) {
        if !self.told.contains(&warning) {
            self.told.push(warning);
        }
    }

    fn spend(&mut self, request: &Request, reply: &Assistant) {
        let written = estimate_message(&Message::Assistant(reply.clone()));
        let (input, output) = cost_of(request, reply.usage, written);
        self.spent.0 += input;
        self.spent.1 += output;
    }
}

/// One request, with what it is about.
#[derive(Clone, Copy)]
struct Asking<'a> {
    runtime: &'a Runtime,
    items: &'a [Item],
    known: Known<'a>,
    asked: &'a (Request, Vec<Excerpt>),
}

impl Asking<'_> {
    /// What the first engine proposes that gives anything usable.
    async fn first_usable(self, all: &mut Extracted) -> Result<Proposals, String> {
        let evidence = Evidence::from(self.asked.1.clone());
        let offline = Quoting {
            extractor: &*self.runtime.models.offline,
            evidence: &evidence,
        };
        let mut failures: Vec<String> = Vec::new();
        let remote = self.runtime.models.remote(Purpose::Consolidate).into_iter();
        let remote = remote.map(|model| &**model);
        for model in remote.chain([&offline as &dyn Model]) {
            let profile = model.profile();
            let is_small = profile
                .context_window
                .is_some_and(|own| own <= SMALL_WINDOW);
            let found = if profile.only_quotes {
                self.quoted(model, all).await
            } else if is_small {
                self.one_by_one(model, &offline, all).await
            } else {
                self.judged(model, all).await
            };
            match found {
                Ok(found) => {
                    for failure in failures {
                        all.tell(format!("{failure}; {} proposes instead", profile.name));
                    }
                    return Ok(found);
                }
                Err(reason) => failures.push(format!("{}: {reason}", profile.name)),
            }
        }
        Err(failures.join("; "))
    }

    /// The operations of a reply; its labels mean the lines that the request showed.
    fn parsed(self, reply: &str, from: ReplyFrom) -> Proposals {
        parse_proposals(reply, from, self.known.lines)
    }

    /// What the offline engine chooses.
    async fn quoted(self, model: &dyn Model, all: &mut Extracted) -> Result<Proposals, String> {
        let reply = answer(model, &self.asked.0, all).await?;
        usable(self.parsed(&reply.text, ReplyFrom::Engine))
    }

    /// What a model proposes; for what cannot be taken, or was cut off, it is asked once more.
    async fn judged(self, model: &dyn Model, all: &mut Extracted) -> Result<Proposals, String> {
        let request = &self.asked.0;
        let name = model.profile().name;
        let reply = answer(model, request, all).await?;
        let (mut found, wrong) = self.read(&reply);
        let was_cut = reply.is_cut;
        let mut is_whole = !was_cut;
        if !wrong.is_empty() {
            let again = retry_request(request, &reply.text, &wrong);
            match answer(model, &again, all).await {
                Ok(reply) => {
                    let mended = self.read(&reply).0.operations;
                    // What is refused once more is refused as it stands now, and not for each reply.
                    let is_repeated = |own: &Operation| {
                        let is_wrong = wrong.iter().any(|(text, _)| *text == own.text);
                        is_wrong && mended.iter().any(|it| it.text == own.text)
                    };
                    found.operations.retain(|own| !is_repeated(own));
                    found.operations.extend(mended);
                    is_whole |= !reply.is_cut;
                    if reply.is_cut {
                        all.tell(format!(
                            "{name} reached its length limit twice; the next dream reads what it left out"
                        ));
                    }
                }
                Err(reason) => all.tell(format!("{name} did not mend its proposals: {reason}")),
            }
        }
        let cited = found.operations.iter().flat_map(|own| &own.evidence);
        let cited: BTreeSet<&String> = cited.collect();
        let labels = self.asked.1.iter().map(|excerpt| &excerpt.label);
        let (told, left): (Vec<_>, Vec<_>) = labels.partition(|label| cited.contains(label));
        if was_cut && told.is_empty() {
            return Err("its reply reached the length limit before one whole operation".to_owned());
        }
        if !is_whole {
            found.cut_off = left.into_iter().cloned().collect();
        }
        usable(found)
    }

    /// What a reply proposes, and what of it is to be asked for again, each piece with the reason.
    fn read(self, reply: &Reply) -> (Proposals, Vec<(String, String)>) {
        let mut found = self.parsed(&reply.text, ReplyFrom::Model);
        if reply.is_cut {
            let start = reply.text.rfind('{');
            let last = start
                .and_then(|at| reply.text.get(at..))
                .unwrap_or_default();
            // It is no mistake of the model that its last piece ends in the middle.
            found
                .unreadable
                .retain(|piece| !last.starts_with(piece.as_str()));
        }
        let mut wrong = wrong(&found, self.items);
        if reply.is_cut {
            let last = found.operations.last();
            let last = last.map_or_else(String::new, |last| last.text.clone());
            wrong.push((last, CUT.to_owned()));
        }
        (found, wrong)
    }

    /// What a small model makes of each sentence that the offline engine chose; the sentence itself where that cannot be
    /// taken.
    async fn one_by_one(
        self,
        model: &dyn Model,
        offline: &dyn Model,
        all: &mut Extracted,
    ) -> Result<Proposals, String> {
        let name = model.profile().name;
        let mut chosen = self.quoted(offline, all).await?.operations.into_iter();
        let n_chosen = chosen.len();
        let mut operations = Vec::new();
        let (mut n_answered, mut n_unusable) = (0, 0);
        for sentence in chosen.by_ref().take(SENTENCES_ASKED_MAX) {
            let (lines, timezone) = (self.known.lines, self.runtime.timezone);
            let Some(request) = sentence_request(&sentence, self.items, lines, timezone) else {
                operations.push(sentence);
                continue;
            };
            match self.better(model, &request, all).await {
                Ok(Better::Operation(own)) => operations.push(*own),
                Ok(Better::NotWorthIt) => {}
                Ok(Better::Unusable) => {
                    n_unusable += 1;
                    operations.push(sentence);
                }
                Err(reason) if n_answered == 0 => return Err(reason),
                // What was answered is kept.
                Err(reason) => {
                    all.tell(format!(
                        "{name} answered for {n_answered} of {n_chosen} sentences, the others stay as they were said: \
                         {reason}"
                    ));
                    operations.push(sentence);
                    break;
                }
            }
            n_answered += 1;
        }
        if n_unusable > 0 {
            all.tell(format!(
                "{name} proposed nothing usable for {n_unusable} of {n_answered} sentences, which stay as they were \
                 said"
            ));
        }
        operations.extend(chosen);
        Ok(Proposals {
            operations,
            ..Proposals::default()
        })
    }

    /// What a model makes of a sentence; a reply that cannot be taken is sent back once.
    async fn better(
        self,
        model: &dyn Model,
        request: &Request,
        all: &mut Extracted,
    ) -> Result<Better, String> {
        let first = answer(model, request, all).await?;
        let (found, wrong) = self.read(&first);
        let better = self.first_sound(found, &wrong);
        if !matches!(better, Better::Unusable) || wrong.is_empty() {
            return Ok(better);
        }
        let again = retry_request(request, &first.text, &wrong);
        let second = answer(model, &again, all).await?;
        let (found, wrong) = self.read(&second);
        Ok(match self.first_sound(found, &wrong) {
            Better::Operation(own) => Better::Operation(own),
            Better::NotWorthIt | Better::Unusable => Better::Unusable,
        })
    }

    /// The first operation of a reply on a sentence, where it can be taken.
    fn first_sound(self, found: Proposals, wrong: &[(String, String)]) -> Better {
        if found == Proposals::default() && wrong.is_empty() {
            return Better::NotWorthIt;
        }
        let own = found.operations.into_iter().next();
        let own = own.filter(|own| {
            let own = std::slice::from_ref(own);
            refusals(own, self.items, &OFFLINE_READING).is_empty()
        });
        own.map_or(Better::Unusable, |own| Better::Operation(Box::new(own)))
    }
}

/// What a model makes of a sentence.
enum Better {
    Operation(Box<Operation>),
    NotWorthIt,
    Unusable,
}

/// Why the rest of a reply is asked for.
const CUT: &str = "the reply was cut behind it; write the operations that were to follow, in fewer and shorter words";

/// What a model answered.
struct Reply {
    text: String,
    /// Whether it ended at its length limit.
    is_cut: bool,
}

/// What is no operation at all is left to the next engine.
fn usable(found: Proposals) -> Result<Proposals, String> {
    if found.operations.is_empty() && !found.unreadable.is_empty() {
        return Err("its reply holds no operation".to_owned());
    }
    Ok(found)
}

async fn answer(
    model: &dyn Model,
    request: &Request,
    all: &mut Extracted,
) -> Result<Reply, String> {
    let mut on_fall = |reason: String| all.tell(reason);
    let reply = complete_telling(model, request, &mut on_fall).await;
    let reply = reply.map_err(|error| error.to_string())?;
    if matches!(reply.stop, StopReason::Aborted | StopReason::Error) {
        return Err("it was broken off".to_owned());
    }
    if !model.profile().only_quotes {
        all.spend(request, &reply);
    }
    Ok(Reply {
        is_cut: reply.stop == StopReason::Length,
        text: Message::Assistant(reply).text(),
    })
}

/// What cannot be taken as it is, each piece with the reason.
fn wrong(found: &Proposals, items: &[Item]) -> Vec<(String, String)> {
    let unreadable = found.unreadable.iter();
    let why = Refusal::Unreadable.in_words();
    let unreadable = unreadable.map(|piece| (piece.clone(), why.to_owned()));
    let refused = refusals(&found.operations, items, &OFFLINE_READING).into_iter();
    let refused = refused.filter(|(_, why)| is_worth_a_retry(*why));
    let refused = refused.filter_map(|(place, why)| {
        let operation = found.operations.get(place)?;
        Some((operation.text.clone(), why.in_words().to_owned()))
    });
    unreadable.chain(refused).collect()
}

#[cfg(test)]
#[path = "model_tests.rs"]
mod tests;

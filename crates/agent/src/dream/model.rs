//! Asks one engine after another for operations on long-term memory, and counts the cost.
//!
//! Writes nothing.

use std::collections::BTreeSet;

use base::TokenCount;
use base::model::{Excerpt, ExtractorInput, Model, Purpose, Quoting, Request};
use compaction::SMALL_WINDOW;
use dreaming::{
    KnownMemory, MaterialItem, Objection, Proposals, Refusal, ReplyFrom, consolidate_requests,
    corrected, objections, parse_proposals, retry_request, sentence_request,
};

use crate::runtime::{ChatEngine, Runtime};
use crate::writers::asking::Timeout;
use crate::writers::asking::{Account, Phrased, TextReply};
use crate::writers::grounds::OFFLINE_READING;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Extracted {
    pub(super) proposals: Proposals,
    /// Input and output tokens of remote engines.
    pub(super) spent: (TokenCount, TokenCount),
    /// Warnings for the owner, without repetitions.
    pub(super) warnings: Vec<String>,
}

/// Size limit of each request: the smallest window of the engines, so that one set of requests fits all of them.
fn window(engine: &ChatEngine) -> TokenCount {
    let context_window = engine.settings.context_window;
    let remote = engine.models.remote(Purpose::Consolidate).into_iter();
    let windows = remote.map(|model| engine.models.window_of(&**model, context_window));
    windows.min().unwrap_or(context_window)
}

/// Asks one engine after another, the offline engine last.
pub(super) async fn extract(
    runtime: &Runtime,
    items: &[MaterialItem],
    known: KnownMemory<'_>,
) -> Result<Extracted, String> {
    let mut account = Account::new(Timeout::Never);
    let mut proposals = Proposals::default();
    for asked in consolidate_requests(items, known, window(&runtime.engine), runtime.home.timezone)
    {
        let evidence = ExtractorInput::from(asked.1.clone());
        let offline = Quoting {
            extractor: &*runtime.engine.models.offline,
            evidence: &evidence,
        };
        let asking = ProposalEngine {
            runtime,
            items,
            known,
            asked: &asked,
            model: &offline,
            offline: &offline,
        };
        let found = asking.first_usable(&mut account).await?;
        proposals.operations.extend(found.operations);
        proposals.unreadable.extend(found.unreadable);
        proposals.cut_off.extend(found.cut_off);
    }
    let mut known_already = BTreeSet::new();
    account
        .warnings
        .retain(|it| known_already.insert(it.clone()));
    Ok(Extracted {
        proposals,
        spent: account.spent,
        warnings: account.warnings,
    })
}

/// One request to one engine.
#[derive(Clone, Copy)]
struct ProposalEngine<'a> {
    runtime: &'a Runtime,
    items: &'a [MaterialItem],
    known: KnownMemory<'a>,
    asked: &'a (Request, Vec<Excerpt>),
    model: &'a dyn Model,
    offline: &'a dyn Model,
}

impl ProposalEngine<'_> {
    /// The proposals of the first engine that gives usable ones.
    async fn first_usable(self, account: &mut Account) -> Result<Proposals, String> {
        let mut failures: Vec<String> = Vec::new();
        let remote = self
            .runtime
            .engine
            .models
            .remote(Purpose::Consolidate)
            .into_iter();
        let remote = remote.map(|model| &**model);
        for model in remote.chain([self.offline]) {
            let profile = model.profile();
            let is_small = profile
                .context_window
                .is_some_and(|own| own <= SMALL_WINDOW);
            let asking = ProposalEngine { model, ..self };
            let found = if profile.only_quotes {
                asking.quoted(account).await
            } else if is_small {
                asking.small_steps(account).await
            } else {
                asking.judged(account).await
            };
            match found {
                Ok(found) => {
                    let fell = failures.iter();
                    let fell = fell.map(|it| format!("{it}; falling back to {}", profile.name));
                    account.warnings.extend(fell);
                    return Ok(found);
                }
                Err(reason) => failures.push(format!("{}: {reason}", profile.name)),
            }
        }
        Err(failures.join("; "))
    }

    /// Parses a reply; its labels refer to the lines that the request showed.
    fn parsed(self, reply: &str, from: ReplyFrom) -> Proposals {
        parse_proposals(reply, from, self.known)
    }

    async fn quoted(self, account: &mut Account) -> Result<Proposals, String> {
        let reply = account.reply(self.offline, &self.asked.0).await?;
        usable(self.parsed(&reply.text, ReplyFrom::Engine))
    }

    /// A model's proposals, after one retry for those that are unusable or were cut off.
    async fn judged(self, account: &mut Account) -> Result<Proposals, String> {
        let request = &self.asked.0;
        let name = self.model.profile().name;
        let reply = account.reply(self.model, request).await?;
        let (mut found, objections, wrong) = self.read(&reply);
        let was_cut = reply.is_cut;
        let mut is_whole = !was_cut;
        if !wrong.is_empty() {
            let again = retry_request(request, &reply.text, &wrong);
            match account.reply(self.model, &again).await {
                Ok(reply) => {
                    let mended = self.read(&reply).0.operations;
                    let wrong = objections.iter().map(|own| own.place).collect();
                    found.operations = corrected(found.operations, &wrong, mended);
                    is_whole |= !reply.is_cut;
                    if reply.is_cut {
                        account.warnings.push(format!(
                            "{name} reached its length limit twice; the next dream reads what it left out"
                        ));
                    }
                }
                Err(reason) => {
                    let warning = format!("{name} did not correct its proposals: {reason}");
                    account.warnings.push(warning);
                }
            }
        }
        let cited = found.operations.iter().flat_map(|own| &own.evidence);
        let cited: BTreeSet<&String> = cited.collect();
        let labels = self.asked.1.iter().map(|excerpt| &excerpt.label);
        let (covered, left): (Vec<_>, Vec<_>) = labels.partition(|label| cited.contains(label));
        if was_cut && covered.is_empty() {
            return Err(
                "its reply hit the length limit before the first complete operation".to_owned(),
            );
        }
        if !is_whole {
            found.cut_off = left.into_iter().cloned().collect();
        }
        usable(found)
    }

    /// A reply's proposals, the doubts about them, and the pieces to ask for again, each with the reason.
    fn read(self, reply: &TextReply) -> (Proposals, Vec<Objection>, Vec<(String, String)>) {
        let mut found = self.parsed(&reply.text, ReplyFrom::Model);
        if reply.is_cut {
            let start = reply.text.rfind('{');
            let last = start
                .and_then(|at| reply.text.get(at..))
                .unwrap_or_default();
            // A cut-off last piece is not the model's mistake.
            found
                .unreadable
                .retain(|piece| !last.starts_with(piece.as_str()));
        }
        let today = self.runtime.home.today();
        let shown = (self.items, self.known.lines);
        let objections = objections(&found.operations, shown, today, &OFFLINE_READING);
        let mut wrong = wrong(&found, &objections);
        if reply.is_cut {
            let last = found.operations.last();
            let last = last.map_or_else(String::new, |last| last.text.clone());
            wrong.push((last, CUT.to_owned()));
        }
        (found, objections, wrong)
    }

    /// Has a small model phrase each sentence that the offline engine chose.
    async fn small_steps(self, account: &mut Account) -> Result<Proposals, String> {
        let chosen = self.quoted(account).await?.operations;
        let chosen = chosen.into_iter().map(|own| {
            let (lines, timezone) = (self.known.lines, self.runtime.home.timezone);
            let request = sentence_request(&own, self.items, lines, timezone);
            (own, request)
        });
        let read = |request: &Request, reply: &TextReply| {
            let (found, objections, wrong) = self.read(reply);
            if found == Proposals::default() && wrong.is_empty() {
                return Phrased::NotWorthIt;
            }
            let own = found.operations.into_iter().next();
            let is_refused = objections.iter().any(|it| it.place == 0 && it.is_refused);
            let own = own.filter(|_| !is_refused);
            let again = (!wrong.is_empty()).then(|| retry_request(request, &reply.text, &wrong));
            own.map_or(Phrased::Unusable(String::new(), again), Phrased::Item)
        };
        let says = "proposed nothing usable for";
        Ok(Proposals {
            operations: account
                .one_by_one(self.model, says, chosen.collect(), read)
                .await?,
            ..Proposals::default()
        })
    }
}

/// The reason given to the model when a cut reply is retried.
const CUT: &str = "the reply was cut off after it; write the remaining operations, more briefly";

/// Fails if a reply holds no operation at all, so that the next engine is asked.
fn usable(found: Proposals) -> Result<Proposals, String> {
    if found.operations.is_empty() && !found.unreadable.is_empty() {
        return Err("its reply contains no valid operation".to_owned());
    }
    Ok(found)
}

/// The pieces worth a retry, each with the reason.
fn wrong(found: &Proposals, objections: &[Objection]) -> Vec<(String, String)> {
    let unreadable = found.unreadable.iter();
    let why = Refusal::Unreadable.for_model().unwrap_or_default();
    let unreadable = unreadable.map(|piece| (piece.clone(), why.to_owned()));
    let doubtful = objections.iter().filter(|own| !own.because.is_empty());
    let doubtful = doubtful.filter_map(|own| {
        let operation = found.operations.get(own.place)?;
        Some((operation.text.clone(), own.because.clone()))
    });
    unreadable.chain(doubtful).collect()
}

#[cfg(test)]
#[path = "model_tests.rs"]
mod tests;

//! Requests items from models, in one reply or sentence by sentence, and retries an unusable reply once.
//!
//! Does not parse replies.

use std::time::Duration;

use base::model::{Model, Request};
use base::{Message, StopReason, TokenCount, estimate_message};

use crate::metered::cost_of;
use crate::writers::unseen::complete_unseen;

/// Limit of sentences sent to a small model per request; the rest are kept verbatim.
const SENTENCES_ASKED_MAX: usize = 16;

/// The time limit, warnings and token costs of requests for items.
#[derive(Debug)]
pub(crate) struct Account {
    /// Time limit of each reply.
    pub(crate) timeout: Timeout,
    /// Warnings for the owner.
    pub(crate) warnings: Vec<String>,
    /// Input and output tokens of remote models.
    pub(crate) spent: (TokenCount, TokenCount),
}

/// A model's reply as text.
pub(crate) struct TextReply {
    pub(crate) text: String,
    /// Whether the reply hit its length limit.
    pub(crate) is_cut: bool,
}

impl Account {
    pub(crate) fn new(timeout: Timeout) -> Self {
        Self {
            timeout,
            warnings: Vec::new(),
            spent: (TokenCount::ZERO, TokenCount::ZERO),
        }
    }

    pub(crate) async fn reply(
        &mut self,
        model: &dyn Model,
        request: &Request,
    ) -> Result<TextReply, String> {
        let mut on_warning = |warning: String| self.warnings.push(warning);
        let asked = complete_unseen(model, request, &mut on_warning);
        let reply = self.timeout.limit(asked).await?;
        let reply = reply.map_err(|error| error.to_string())?;
        let (stop, usage) = (reply.stop, reply.usage);
        if matches!(stop, StopReason::Aborted | StopReason::Error) {
            return Err("the reply was interrupted".to_owned());
        }
        let reply = Message::Assistant(reply);
        if !model.profile().only_quotes {
            let (input, output) = cost_of(request, usage, estimate_message(&reply));
            self.spent.0 += input;
            self.spent.1 += output;
        }
        Ok(TextReply {
            text: reply.text(),
            is_cut: stop == StopReason::Length,
        })
    }

    /// Has a small model rephrase each chosen sentence that comes with a request; keeps the sentence itself if the
    /// reply is unusable. `says` introduces the number of unusable replies in the warning.
    pub(crate) async fn one_by_one<T>(
        &mut self,
        model: &dyn Model,
        says: &str,
        chosen: Vec<(T, Option<Request>)>,
        read: impl Fn(&Request, &TextReply) -> Phrased<T>,
    ) -> Result<Vec<T>, String> {
        let name = model.profile().name;
        let n_chosen = chosen.len();
        let mut chosen = chosen.into_iter();
        let mut items = Vec::new();
        let mut n_answered = 0;
        let mut unusable = Vec::new();
        for (sentence, request) in chosen.by_ref().take(SENTENCES_ASKED_MAX) {
            let Some(request) = request else {
                items.push(sentence);
                continue;
            };
            let reply = self.reply(model, &request).await;
            let mut asked = reply.map(|reply| read(&request, &reply));
            // Retry an unusable reply once.
            if let Ok(Phrased::Unusable(why, Some(again))) = asked {
                let mended = self.reply(model, &again).await;
                asked = mended.map(|mended| match read(&again, &mended) {
                    Phrased::Item(item) => Phrased::Item(item),
                    Phrased::NotWorthIt | Phrased::Unusable(..) => Phrased::Unusable(why, None),
                });
            }
            match asked {
                Ok(Phrased::Item(item)) => items.push(item),
                Ok(Phrased::NotWorthIt) => {}
                Ok(Phrased::Unusable(why, _)) => {
                    unusable.push(why);
                    items.push(sentence);
                }
                Err(reason) if n_answered == 0 => return Err(reason),
                // Keep the earlier answers.
                Err(reason) => {
                    self.warnings.push(format!(
                        "{name} answered for {n_answered} of {n_chosen} sentences; the others are kept verbatim: \
                         {reason}"
                    ));
                    items.push(sentence);
                    break;
                }
            }
            n_answered += 1;
        }
        if let Some(why) = unusable.first() {
            let n_unusable = unusable.len();
            self.warnings.push(format!(
                "{name} {says} {n_unusable} of {n_answered} sentences, which are kept verbatim{why}"
            ));
        }
        items.extend(chosen.map(|(sentence, _)| sentence));
        Ok(items)
    }
}

/// A model's version of a sentence.
pub(crate) enum Phrased<T> {
    Item(T),
    NotWorthIt,
    /// The reason, as the end of a sentence, and the request for a retry.
    Unusable(String, Option<Request>),
}

/// A time limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Timeout {
    /// No limit: no timer runs.
    Never,
    After(Duration),
}

impl Timeout {
    /// Runs the work; an error says that the limit passed first.
    pub(crate) async fn limit<T>(self, work: impl Future<Output = T>) -> Result<T, String> {
        match self {
            Self::Never => Ok(work.await),
            Self::After(longest) => tokio::time::timeout(longest, work)
                .await
                .map_err(|_| format!("no answer within {} s", longest.as_secs())),
        }
    }
}

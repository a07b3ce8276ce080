//! Asks models for items: one reply at a time, and of a small model one sentence at a time, once more where a reply cannot be taken.
//!
//! Reads no reply itself.

use std::time::Duration;

use base::model::{Model, Request, complete_telling};
use base::{Message, StopReason, TokenCount, estimate_message};

use crate::metered::cost_of;

/// More sentences of one request are not sent to a small model; the others stay as they were said.
const SENTENCES_ASKED_MAX: usize = 16;

/// What requests for items yield besides the items.
#[derive(Debug)]
pub(crate) struct Account {
    /// How long each reply may take.
    pub(crate) timeout: Timeout,
    /// What the owner should know of how they were made.
    pub(crate) warnings: Vec<String>,
    /// Tokens that remote models read and wrote.
    pub(crate) spent: (TokenCount, TokenCount),
}

/// What a model answered.
pub(crate) struct TextReply {
    pub(crate) text: String,
    /// Whether it ended at its length limit.
    pub(crate) is_cut: bool,
}

impl Account {
    /// An empty one.
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
        let asked = complete_telling(model, request, &mut on_warning);
        let reply = self.timeout.limit(asked).await?;
        let reply = reply.map_err(|error| error.to_string())?;
        let (stop, usage) = (reply.stop, reply.usage);
        if matches!(stop, StopReason::Aborted | StopReason::Error) {
            return Err("it was broken off".to_owned());
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

    /// What a small model makes of each sentence that was chosen, by a request where there is one; the sentence itself where it
    /// has nothing better. `says` introduces the number of invalid replies in the warning.
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
            let mut asked = self.phrased(model, &request, &read).await;
            // A reply that cannot be taken is sent back once.
            if let Ok(Phrased::Unusable(why, Some(again))) = asked {
                asked = self
                    .phrased(model, &again, &read)
                    .await
                    .map(|mended| match mended {
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
                // What was answered is kept.
                Err(reason) => {
                    self.warnings.push(format!(
                        "{name} answered for {n_answered} of {n_chosen} sentences, the others stay as they were said: \
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
                "{name} {says} {n_unusable} of {n_answered} sentences, which stay as they were said{why}"
            ));
        }
        items.extend(chosen.map(|(sentence, _)| sentence));
        Ok(items)
    }

    async fn phrased<T>(
        &mut self,
        model: &dyn Model,
        request: &Request,
        read: impl Fn(&Request, &TextReply) -> Phrased<T>,
    ) -> Result<Phrased<T>, String> {
        let reply = self.reply(model, request).await?;
        Ok(read(request, &reply))
    }
}

/// What a model makes of a sentence.
pub(crate) enum Phrased<T> {
    Item(T),
    NotWorthIt,
    /// Why, for the end of a sentence, and what asks for a better reply.
    Unusable(String, Option<Request>),
}

/// How long a piece of work may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Timeout {
    /// As long as it needs: no timer runs.
    Never,
    After(Duration),
}

impl Timeout {
    /// The result of the work, or why it was given up.
    pub(crate) async fn limit<T>(self, work: impl Future<Output = T>) -> Result<T, String> {
        match self {
            Self::Never => Ok(work.await),
            Self::After(longest) => tokio::time::timeout(longest, work)
                .await
                .map_err(|_| format!("no answer within {} s", longest.as_secs())),
        }
    }
}

//! Chooses models by purpose and orders fallbacks. Asks no model.

use std::sync::Arc;

use base::TokenCount;
use base::model::{Extractor, Model, Purpose};

/// The models of an assistant, by purpose.
#[derive(Debug, Clone)]
pub struct Models {
    /// Answers the owner; also writes notes and summaries unless other models are set.
    pub primary: Arc<dyn Model>,
    /// The last fallback: extraction, which needs no network.
    pub offline: Arc<dyn Extractor>,
    /// All other models.
    pub others: OtherModels,
}

/// Models other than the primary one, each list in order of preference.
#[derive(Debug, Clone, Default)]
pub struct OtherModels {
    /// Fallbacks of the primary model.
    pub chat: Vec<Arc<dyn Model>>,
    /// Write notes; if empty, the chat models do.
    pub flush: Vec<Arc<dyn Model>>,
    /// Write summaries; if empty, the chat models do.
    pub summarise: Vec<Arc<dyn Model>>,
    /// Propose operations on long-term memory; if empty, the chat models do.
    pub consolidate: Vec<Arc<dyn Model>>,
}

impl Models {
    /// One model for every purpose, with the offline engine as its fallback.
    pub fn new(primary: Arc<dyn Model>, offline: Arc<dyn Extractor>) -> Self {
        Self {
            primary,
            offline,
            others: OtherModels::default(),
        }
    }

    /// Wraps each model other than the offline engine in `meter`.
    #[must_use]
    pub fn metered(mut self, meter: impl Fn(Arc<dyn Model>) -> Arc<dyn Model>) -> Self {
        let offline = Arc::clone(&self.offline);
        let OtherModels {
            chat,
            flush,
            summarise,
            consolidate,
        } = &mut self.others;
        let lists = [chat, flush, summarise, consolidate].into_iter().flatten();
        for model in std::iter::once(&mut self.primary).chain(lists) {
            if !is_same(model, &offline) {
                *model = meter(Arc::clone(model));
            }
        }
        self
    }

    /// The names of the models that can answer the owner, in order; without the offline engine.
    pub fn names(&self) -> Vec<String> {
        let remote = self.remote(Purpose::Chat).into_iter();
        remote.map(|model| model.profile().name).collect()
    }

    /// The same with this model as the first one that answers the owner; unchanged if none has this name.
    #[must_use]
    pub fn preferring(mut self, name: &str) -> Self {
        let mut others = self.others.chat.iter();
        let place = others.position(|model| model.profile().name == name);
        if let Some(model) = place.and_then(|place| self.others.chat.get_mut(place)) {
            std::mem::swap(&mut self.primary, model);
        }
        self
    }

    /// Whether the offline engine answers the owner.
    pub fn is_offline(&self) -> bool {
        self.is_stand_in(&self.primary)
    }

    /// Whether the chat model of this name only quotes.
    pub fn only_quotes(&self, name: &str) -> bool {
        let mut profiles = self.answering().map(|model| model.profile());
        profiles.any(|profile| profile.only_quotes && profile.name == name)
    }

    /// Whether only the offline engine serves a purpose.
    pub fn is_offline_for(&self, purpose: Purpose) -> bool {
        self.remote(purpose).is_empty()
    }

    /// The models that answer the owner, in order.
    pub(crate) fn answering(&self) -> impl Iterator<Item = &Arc<dyn Model>> {
        std::iter::once(&self.primary).chain(&self.others.chat)
    }

    /// The models for a purpose, in order, up to the offline engine, which never fails.
    pub(crate) fn remote(&self, purpose: Purpose) -> Vec<&Arc<dyn Model>> {
        let own = match purpose {
            Purpose::Chat => &[][..],
            Purpose::Flush => &self.others.flush,
            Purpose::Summarise => &self.others.summarise,
            Purpose::Consolidate => &self.others.consolidate,
        };
        let is_remote = |model: &&Arc<dyn Model>| !self.is_stand_in(model);
        if own.is_empty() {
            self.answering().take_while(is_remote).collect()
        } else {
            own.iter().take_while(is_remote).collect()
        }
    }

    /// Whether the models for notes and summaries can serve concurrent requests.
    pub(crate) fn can_work_beside(&self) -> bool {
        let is_free = |purpose| {
            let remote = self.remote(purpose);
            let first = remote.first();
            first.is_none_or(|model| model.profile().concurrency > 1)
        };
        is_free(Purpose::Flush) && is_free(Purpose::Summarise)
    }

    /// The window for a request to a model: its own, or `context_window` if unknown. A model that answers the owner
    /// never gets more than `context_window`.
    pub(crate) fn window_of(&self, model: &dyn Model, context_window: TokenCount) -> TokenCount {
        let answers = self
            .answering()
            .any(|known| std::ptr::addr_eq(Arc::as_ptr(known), model));
        match model.profile().context_window {
            Some(own) if answers => own.min(context_window),
            Some(own) => own,
            None => context_window,
        }
    }

    pub(crate) fn is_stand_in(&self, model: &Arc<dyn Model>) -> bool {
        is_same(model, &self.offline)
    }
}

fn is_same(model: &Arc<dyn Model>, offline: &Arc<dyn Extractor>) -> bool {
    std::ptr::addr_eq(Arc::as_ptr(model), Arc::as_ptr(offline))
}

#[cfg(test)]
#[path = "models_tests.rs"]
mod tests;

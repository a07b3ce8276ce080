//! The passes of one dream: ask for proposals, settle them, apply the plan.
//!
//! Each pass takes effect as a whole or not at all. Reads no session.

use std::collections::BTreeMap;

use base::model::Purpose;
use base::{EntryId, LineRange, Locator, Origin, TokenCount};
use dreaming::{
    DreamReport, DreamSettings, DueDream, Earned, GatherError, KnownMemory, Left, Material,
    MaterialItem, PlanInput, compared_lines, plan_promotions, still_standing,
};
use memory::candidates::{Access, DreamResult, MemoryTxn, MemoryTxnError};
use memory::curated::memory_lines;
use memory::{FileError, reinstate, spent_on};
use search::IndexError;

use super::conversations::SessionConversations;
use super::model::{Extracted, extract};
use super::outcome::{DreamError, DreamOutcome, DreamProgress, Unread};
use super::past_questions::{PastQuestions, tried_lines, tried_operations};
use crate::knowledge::replaced::{ComparedPassage, ReplacedValues};
use crate::runtime::Runtime;
use crate::writers::grounds::OFFLINE_READING;

/// Retries of planning if `MEMORY.md` is saved or something is forgotten at the same moment.
const TRIES_MAX: usize = 3;

/// Whether a note or a message says something that the owner has since taken back or called never true.
fn says_untrue(replaced: &ReplacedValues, item: &MaterialItem) -> bool {
    let sources = item.sources.iter();
    let entries: Vec<EntryId> = sources.map(|own| EntryId::new(own.key.clone())).collect();
    let place = item
        .sources
        .first()
        .map(|own| Locator::new(own.path.clone(), LineRange::line(own.line)));
    let said = |place: &Locator| {
        replaced.is_untrue(&ComparedPassage {
            text: &item.text,
            day: Some(item.day),
            place,
            entries: &entries,
            // A note is as old as what it is based on.
            is_after: &|at| item.offset.is_some() && item.origin == Origin::Owner && item.at > at,
        })
    };
    place.as_ref().is_some_and(said)
}

/// How far a pass came.
#[derive(Debug, Default)]
pub(super) struct PassEnd {
    /// Whether some of the material must be read again because the pass reached its limit of lines.
    pub(super) is_full: bool,
    /// Up to which byte each session is read.
    pub(super) reached: BTreeMap<String, u64>,
}

/// A running dream.
pub(super) struct DreamRun<'a> {
    pub(super) runtime: &'a Runtime,
    settings: &'a DreamSettings,
    /// The triggers that fired; `None` once a pass has taken effect.
    due: Option<DueDream>,
    report: DreamReport,
    n_parts: usize,
    budget_spent: bool,
    conversations: &'a SessionConversations,
    /// The owner's past questions; `None` before a pass that proposes something.
    questions: Option<PastQuestions>,
}

impl<'a> DreamRun<'a> {
    pub(super) fn new(
        (runtime, conversations): (&'a Runtime, &'a SessionConversations),
        settings: &'a DreamSettings,
        due: Option<DueDream>,
    ) -> Self {
        Self {
            conversations,
            questions: None,
            runtime,
            settings,
            due,
            report: DreamReport::default(),
            n_parts: 0,
            budget_spent: false,
        }
    }

    /// Processes the material, if there is any and the budget allows it.
    pub(super) async fn pass(
        &mut self,
        material: &Material,
        tell: &mut (dyn FnMut(DreamProgress) + Send),
    ) -> Result<PassEnd, DreamError> {
        if material.is_empty() {
            return Ok(PassEnd::default());
        }
        if self.is_budget_spent()? {
            self.budget_spent = true;
            return Ok(PassEnd::default());
        }
        let replaced = self.runtime.home.replaced();
        let material = &material.without_untrue(|item| says_untrue(&replaced, item));
        let extracted = self.ask(material, tell).await?;
        for warning in &extracted.warnings {
            tell(DreamProgress::Warning(warning.clone()));
        }
        let earned = self.earned(material, &extracted, tell)?;
        let (report, reached) = self.settle(material, (&extracted, &earned))?;
        let is_full = report.is_full() && !report.promoted.is_empty();
        self.report.extend(report);
        self.due = None;
        self.n_parts += 1;
        Ok(PassEnd { is_full, reached })
    }

    /// Whether the token budget of the day is spent, so that the rest is left for the next backfill.
    pub(super) fn is_enough(&self) -> Result<bool, DreamError> {
        Ok(self.budget_spent || self.is_budget_spent()?)
    }

    pub(super) fn leave(&mut self, n_parts: usize) {
        self.report.left = Some((n_parts, Left::BudgetSpent));
    }

    pub(super) fn outcome(
        self,
        triggers: Option<Vec<String>>,
        unread: Unread,
    ) -> Result<DreamOutcome, DreamError> {
        let budget = self.settings.daily_tokens;
        let spent = self.spent()?;
        if self.n_parts > 0 {
            return Ok(DreamOutcome::Dreamt {
                report: Box::new(self.report),
                triggers: triggers.unwrap_or_default(),
                spent: (spent, budget),
            });
        }
        if self.budget_spent || self.report.left.is_some() {
            return Ok(DreamOutcome::BudgetSpent { spent, budget });
        }
        Ok(DreamOutcome::NothingNew(unread))
    }

    fn is_budget_spent(&self) -> Result<bool, DreamError> {
        let is_free = self
            .runtime
            .engine
            .models
            .is_offline_for(Purpose::Consolidate);
        Ok(!is_free && self.spent()? >= self.settings.daily_tokens)
    }

    fn spent(&self) -> Result<TokenCount, DreamError> {
        let today = self.runtime.home.today();
        Ok(spent_on(&self.runtime.home.workspace, today)?
            .dreams
            .total())
    }

    /// Opens memory and candidates in their current state.
    fn desk(&self) -> Result<MemoryTxn<'_>, DreamError> {
        Ok(self.runtime.home.desk(Access::Write)?)
    }

    async fn ask(
        &self,
        material: &Material,
        tell: &mut (dyn FnMut(DreamProgress) + Send),
    ) -> Result<Extracted, DreamError> {
        let runtime = self.runtime;
        let desk = self.desk()?;
        let mut lines = compared_lines(desk.memory());
        let n_left_out = memory_lines(desk.memory()).len() - lines.len();
        // The file may still contain a forgotten line.
        lines.retain(|line| !desk.tombstones().hides_text(&line.text));
        let waiting = desk.state().pending.iter();
        let waiting: Vec<String> = waiting.map(|own| own.finding.clone()).collect();
        // Release the lock while a model works.
        drop(desk);
        if n_left_out > 0 {
            tell(DreamProgress::Warning(format!(
                "MEMORY.md is too long: its first {n_left_out} lines were not compared with the findings of this \
                 dream; move lines that you no longer need into another note"
            )));
        }
        let known = KnownMemory {
            lines: &lines,
            waiting: &waiting,
        };
        let extracted = extract(runtime, &material.items, known).await;
        extracted.map_err(|reasons| DreamError::Model { reasons })
    }

    /// How many past questions the lines of memory and the proposals help to answer. If memory cannot be searched, the
    /// dream goes on without that knowledge.
    fn earned(
        &mut self,
        material: &Material,
        extracted: &Extracted,
        tell: &mut (dyn FnMut(DreamProgress) + Send),
    ) -> Result<Earned, DreamError> {
        let operations = &extracted.proposals.operations;
        if operations.is_empty() {
            return Ok(Earned::default());
        }
        let mut lines = tried_operations(material, operations);
        lines.extend(tried_lines(self.desk()?.memory()));
        let mut warn = |error: IndexError| {
            let why = format!("your past questions could not be asked again: {error}");
            tell(DreamProgress::Warning(why));
        };
        let questions = if let Some(known) = self.questions.take() {
            known
        } else {
            let asked = PastQuestions::newest(self.conversations, &self.runtime.home);
            let asked = asked.map_err(GatherError::from)?;
            // A dream tries once.
            let asked = PastQuestions::ask(self.runtime, asked);
            asked.map_err(&mut warn).unwrap_or_default()
        };
        let earned = questions.with_lines(&lines);
        self.questions = Some(questions);
        Ok(earned.map_err(warn).unwrap_or_default())
    }

    /// Plans against the current memory and applies the plan before another process can change it.
    fn settle(
        &self,
        material: &Material,
        found: (&Extracted, &Earned),
    ) -> Result<(DreamReport, BTreeMap<String, u64>), DreamError> {
        let mut tries = 0;
        loop {
            match self.take_effect(material, found) {
                Ok((report, result, reached)) => return Ok((report.with_result(result), reached)),
                Err(DreamError::MemoryTxn(
                    MemoryTxnError::File(FileError::Changed(_)) | MemoryTxnError::Forgotten,
                )) if tries < TRIES_MAX => {
                    tries += 1;
                }
                Err(error) => return Err(error),
            }
        }
    }

    fn take_effect(
        &self,
        material: &Material,
        (extracted, earned): (&Extracted, &Earned),
    ) -> Result<(DreamReport, DreamResult, BTreeMap<String, u64>), DreamError> {
        let mut desk = self.desk()?;
        let workspace = &self.runtime.home.workspace;
        // The files may have changed while the model worked.
        let material = still_standing(
            material,
            (workspace, desk.tombstones()),
            self.runtime.home.timezone,
        )?;
        let input = PlanInput {
            reading: &OFFLINE_READING,
            tombstones: desk.tombstones(),
            material: &material,
            memory: desk.memory(),
            state: desk.state(),
            earned,
            settings: self.settings,
            now: self.runtime.home.clock.now(),
            timezone: self.runtime.home.timezone,
            due: self.due.as_ref(),
            spent: extracted.spent,
        };
        let (plan, report) = plan_promotions(&input, &extracted.proposals);
        // Hidden text cannot be promoted: reinstate what the owner restated. A crash after this leaves it visible.
        for candidate in plan.promoted.iter().chain(&plan.staged) {
            reinstate(workspace, &candidate.finding)?;
        }
        Ok((report, desk.dream(&plan)?, plan.backfilled))
    }
}

//! Plans what a forget would hide and remove.
//!
//! Forgets nothing.

use base::{LineRange, Locator, redact};
use memory::{
    ForgetPlan, Keeper, OwnerLines, Reason, TextHash, Tombstone, TombstoneId, TombstoneProgress,
    load_tombstones,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::for_good::is_left;
use super::plans::PlannedForget;
use crate::forgetting::{ForgetLines, ForgetPlanError, already};
use crate::knowledge::index::Knowledge;
use crate::ops::{OpContext, OpError, OpEvent, Operation};

const LIMIT_DEFAULT: usize = 20;
const LIMIT_MAX: usize = 100;

/// Asks what would be forgotten.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PlanForget {
    /// A description of what to forget, as for a search; needed unless `places` names something.
    #[serde(default)]
    pub what: String,
    /// Places to forget instead, such as `memory/2026-04-20.md:12-14`.
    #[serde(default)]
    pub places: Vec<String>,
    /// Maximum number of passages, and of candidates; 20 by default.
    #[schemars(range(min = 1, max = LIMIT_MAX))]
    pub limit: Option<usize>,
    /// Whether lines in the owner's own words are to leave their files; by default they stay there, hidden from
    /// everything else.
    #[serde(default)]
    pub remove_own_lines: bool,
    /// Whether it is to be removed for good: the plan then has every line of a transcript that loses text, and what the
    /// same request has hidden before.
    #[serde(default)]
    pub now: bool,
    /// The message that asks, which stays: transcript and line.
    #[serde(skip)]
    pub request: Option<(String, usize)>,
    /// Whether the plan is carried out without being looked at. What such a request matches when it is made again was
    /// never meant; it can only remove the owner's lines that it hid before.
    #[serde(skip)]
    pub is_command: bool,
}

/// What would be forgotten.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ForgetPlanReply {
    /// The token that confirms the plan; null if nothing was found.
    pub token: Option<String>,
    /// The passages: of notes first, then candidates, then messages.
    pub items: Vec<ForgetItem>,
    /// Passages that have only some of the words, and stay.
    pub near: Vec<NearPassage>,
    /// Number of further passages that match; they are above the limit.
    pub more: usize,
    /// The id under which all of it is hidden already, so that only removing the owner's lines would change anything.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hidden_under: Option<String>,
    /// What else carrying out the plan does, in words.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// What a removal for good ends.
const ENDS_UNDO: &str = "removing it for good cannot be undone, and ends the undo of every earlier forget, dream, edit and review, whose copies may contain it; `--as-of` can no longer show the files that these copies were of";

/// A passage to forget.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ForgetItem {
    /// The file.
    pub path: String,
    /// The first line.
    pub start_line: usize,
    /// The last line.
    pub end_line: usize,
    /// The text, without secrets.
    pub text: String,
    /// `remove` if the lines leave their file, `hide` if they stay there and are hidden everywhere else.
    pub action: &'static str,
    /// Whose lines they are: `openclaw`, `owner`, `folder` for a note in a folder elsewhere, or `transcript` for a
    /// message.
    pub keeper: &'static str,
    /// `chosen`, `sameText`, `madeFromIt` or `isEvidence`.
    #[schemars(with = "String")]
    pub because: Reason,
}

/// A passage that stays.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct NearPassage {
    /// The file.
    pub path: String,
    /// The first line.
    pub start_line: usize,
    /// The last line.
    pub end_line: usize,
    /// The text, without secrets.
    pub text: String,
}

impl NearPassage {
    /// Where it is.
    pub fn place(&self) -> String {
        let lines = LineRange::asked(Some(self.start_line), Some(self.end_line));
        Locator::new(self.path.as_str(), lines).to_string()
    }
}

impl ForgetItem {
    /// Where it is.
    pub fn place(&self) -> Locator {
        Locator {
            path: self.path.clone(),
            start_line: self.start_line,
            end_line: self.end_line,
        }
    }

    pub(super) fn new(
        place: Locator,
        text: &str,
        (action, keeper): (&'static str, &'static str),
        because: Reason,
    ) -> Self {
        Self {
            path: place.path,
            start_line: place.start_line,
            end_line: place.end_line,
            text: redact(text).into_owned(),
            action,
            keeper,
            because,
        }
    }

    /// The passages of a plan that does this with lines of the owner.
    pub(super) fn all(plan: &ForgetPlan, owner_lines: OwnerLines) -> Vec<Self> {
        let lines = plan.lines.iter().map(|line| {
            let done = match (line.keeper, owner_lines) {
                (Keeper::Program, _) => ("remove", "openclaw"),
                (Keeper::Owner, OwnerLines::Remove) => ("remove", "owner"),
                (Keeper::Owner, OwnerLines::Leave) => ("hide", "owner"),
                (Keeper::Folder, _) => ("hide", "folder"),
            };
            Self::new(line.place(), &line.text, done, line.because)
        });
        let candidates = plan.candidates.iter().map(|own| {
            let done = ("remove", "openclaw");
            Self::new(own.place(), &own.finding, done, own.because)
        });
        let entries = plan.entries.iter().map(|own| {
            let done = ("hide", "transcript");
            Self::new(own.place(), &own.text, done, own.because)
        });
        lines.chain(candidates).chain(entries).collect()
    }
}

impl ForgetPlanReply {
    /// Whether it has lines of the owner that would stay.
    pub fn leaves_own_lines(&self) -> bool {
        let mut items = self.items.iter();
        items.any(|it| it.keeper == "owner" && it.action == "hide")
    }
}

impl Operation for PlanForget {
    type Reply = ForgetPlanReply;

    fn run(self, at: &OpContext<'_>) -> Result<ForgetPlanReply, OpError> {
        let knowledge = at.knowledge()?;
        let owner_lines = self.remove_own_lines.into();
        let (plan, earlier) = self.plan(knowledge, at)?;
        let planned = PlannedForget {
            plan,
            owner_lines,
            earlier,
        };
        let removal = self.now.then(|| planned.removal(owner_lines, at));
        let removal = removal.transpose()?;
        let items = planned.items(owner_lines, removal.as_ref(), at)?;
        let PlannedForget { plan, earlier, .. } = &planned;
        if let Some(own) = earlier.last()
            && plan.is_empty()
            && !is_left(earlier, &items, at)?
        {
            return Err(already(&at.home.workspace, &own.id).into());
        }
        let is_planned = !plan.is_empty() || !earlier.is_empty();
        let near = plan.near.iter().map(|(place, text)| NearPassage {
            path: place.path.clone(),
            start_line: place.start_line,
            end_line: place.end_line,
            text: redact(text).into_owned(),
        });
        let hidden_under = if earlier.is_empty() {
            hidden_under(plan, at)?.map(|id| id.to_string())
        } else {
            None
        };
        let warning = (self.now && is_planned).then(|| ENDS_UNDO.to_owned());
        Ok(ForgetPlanReply {
            near: near.collect(),
            more: plan.n_more,
            hidden_under,
            warnings: warning.into_iter().collect(),
            token: is_planned.then(|| {
                let now = at.home.clock.now();
                knowledge.plans().keep(planned, at.viewer, now)
            }),
            items,
        })
    }
}

impl PlanForget {
    /// The plan, and what the same request has hidden before and is to be removed for good.
    fn plan(
        &self,
        knowledge: &Knowledge,
        at: &OpContext<'_>,
    ) -> Result<(ForgetPlan, Vec<Tombstone>), OpError> {
        let limit = self.limit.unwrap_or(LIMIT_DEFAULT);
        if !(1..=LIMIT_MAX).contains(&limit) {
            let why = format!("must be 1 to {LIMIT_MAX}");
            return Err(OpError::invalid("limit", why));
        }
        if self.places.is_empty() && self.what.trim().is_empty() {
            return Err(OpError::invalid("what", "must not be empty".to_owned()));
        }
        let asked = self.asked();
        if self.is_command
            && let Some(left) = self.asked_before(asked.as_ref(), knowledge)?
        {
            let (left, earlier) = left;
            return Ok((ForgetPlan { asked, ..left }, earlier));
        }
        let plan = match self.plan_anew(limit, knowledge, at) {
            Err(OpError::Forget(ForgetPlanError::Already { id, .. })) if self.now => {
                let all = knowledge.tombstones()?;
                let earlier = all.all().iter().filter(|own| own.id == id).cloned();
                return Ok((ForgetPlan::default(), earlier.collect()));
            }
            planned => planned?,
        };
        let mut plan = ForgetPlan { asked, ..plan };
        // The same text may stand in another repository; a program must not learn that.
        plan.lines.retain(|it| !at.is_hidden(&it.place()));
        plan.entries.retain(|it| !at.is_hidden(&it.place()));
        Ok((plan, Vec::new()))
    }

    fn plan_anew(
        &self,
        limit: usize,
        knowledge: &Knowledge,
        at: &OpContext<'_>,
    ) -> Result<ForgetPlan, OpError> {
        if self.places.is_empty() {
            let source = (at.viewer, self.request.as_ref());
            let mut on_progress = |progress| (at.on_event)(OpEvent::Sync(progress));
            return Ok(knowledge.plan_question(&self.what, limit, source, &mut on_progress)?);
        }
        let places = self.places.iter().map(|place| place_of(place));
        let places: Vec<ForgetLines> = places.collect::<Result<_, _>>()?;
        Ok(knowledge.plan_lines(&places)?)
    }

    /// Identifies the request, so that a repeated request is recognised.
    fn asked(&self) -> Option<TextHash> {
        let words = if self.places.is_empty() {
            self.what.clone()
        } else {
            self.places.join(" ")
        };
        TextHash::of(&match self.limit {
            Some(limit) if self.is_command => format!("{words} --limit {limit}"),
            _ => words,
        })
    }

    /// The plan for the lines that the same request left in their files: the owner's, and all if a crash cut it off;
    /// and what it has hidden, if that is to be removed for good.
    ///
    /// # Errors
    ///
    /// The request was carried out before: its words may now match, and its places may now contain, text that was never
    /// meant.
    fn asked_before(
        &self,
        asked: Option<&TextHash>,
        knowledge: &Knowledge,
    ) -> Result<Option<(ForgetPlan, Vec<Tombstone>)>, OpError> {
        let before = asked
            .map(|asked| knowledge.asked_before(asked))
            .transpose()?;
        let before = before.unwrap_or_default();
        let Some(newest) = before.last() else {
            return Ok(None);
        };
        let is_cut_off = newest.progress == TombstoneProgress::Begun;
        if is_cut_off || self.remove_own_lines && newest.owner_lines == OwnerLines::Leave {
            let left = knowledge.plan_hidden_lines(newest);
            if !left.is_empty() {
                let earlier = if self.now { before } else { Vec::new() };
                return Ok(Some((left, earlier)));
            }
        }
        if self.now {
            return Ok(Some((ForgetPlan::default(), before)));
        }
        Err(already(knowledge.workspace(), &newest.id).into())
    }
}

fn place_of(place: &str) -> Result<ForgetLines, OpError> {
    let invalid = |why: String| OpError::invalid("places", why);
    // A path alone stands for all of its lines.
    let (path, lines) = match place.rsplit_once(':') {
        Some(_) => {
            let place: Locator = place
                .parse()
                .map_err(|error: base::LocatorError| invalid(error.to_string()))?;
            let lines = place.lines();
            (place.path, Some(lines))
        }
        None => (place.to_owned(), None),
    };
    Ok(ForgetLines { path, lines })
}

/// The tombstone that hides all of a plan already: it has only lines of the owner.
fn hidden_under(plan: &ForgetPlan, at: &OpContext<'_>) -> Result<Option<TombstoneId>, OpError> {
    if plan.lines.is_empty() || !plan.entries.is_empty() || !plan.candidates.is_empty() {
        return Ok(None);
    }
    let tombstones = load_tombstones(&at.home.workspace)?;
    let hidden_by = plan.lines.iter().map(|line| {
        let is_owners = line.keeper == Keeper::Owner;
        tombstones.forgotten_by(&line.text).filter(|_| is_owners)
    });
    let hidden_by: Option<Vec<&TombstoneId>> = hidden_by.collect();
    Ok(hidden_by.and_then(|all| all.first().map(|id| (*id).clone())))
}

#[cfg(test)]
mod tests {
    use memory::PlannedCandidate;
    use memory::candidates::CandidateId;

    use super::*;

    #[test]
    fn i14_planned_candidate_is_redacted() {
        let finding = "The vault opens with password: hunter2hunter2";
        let plan = ForgetPlan {
            candidates: vec![PlannedCandidate {
                id: CandidateId::of(finding, &[], |_| false),
                lines: None,
                finding: finding.to_owned(),
                hash: TextHash::of(finding).unwrap(),
                evidence: Vec::new(),
                because: Reason::Chosen,
            }],
            ..ForgetPlan::default()
        };
        let items = ForgetItem::all(&plan, OwnerLines::Leave);
        assert!(!items[0].text.contains("hunter2"), "{}", items[0].text);
    }
}

//! Accepts the names that other programs use for settings of this program.
//!
//! Translates one layer at a time; sets no default.

use serde_json::Value;

use super::error::wrong;
use super::values::{Setting, ValueOrigin, Values, is_above};
use crate::error::Result;

/// The dotted name in another program, the setting of this program, and the strategies for which it is valid.
///
/// The name implies the first of these strategies; with an empty list it implies none.
#[derive(Clone, Copy)]
struct Alias(&'static str, &'static str, &'static [&'static str]);

const STRATEGY: &str = "compaction.strategy";

const REPLACE: &[&str] = &["replace"];
const TIERED: &[&str] = &["tiered"];
const MIDDLE: &[&str] = &["middle", "none"];
const ANY: &[&str] = &[];

#[rustfmt::skip]
const ALIASES: &[Alias] = &[
    Alias("CompactionStrategy", STRATEGY, ANY),
    Alias("auto_compact_threshold", "compaction.replace.threshold", REPLACE),
    Alias("compaction.threshold", "compaction.replace.threshold", REPLACE),
    Alias("context_warnings", "compaction.contextWarnings", ANY),
    Alias("defaults.compaction.background_threshold", "compaction.tiered.backgroundThreshold", TIERED),
    Alias("defaults.compaction.aggressive_threshold", "compaction.tiered.aggressiveThreshold", TIERED),
    Alias("defaults.compaction.emergency_threshold", "compaction.tiered.emergencyThreshold", TIERED),
    Alias("defaults.context_window", "compaction.tiered.contextWindow", TIERED),
    Alias("compaction.background_threshold", "compaction.tiered.backgroundThreshold", TIERED),
    Alias("compaction.aggressive_threshold", "compaction.tiered.aggressiveThreshold", TIERED),
    Alias("compaction.emergency_threshold", "compaction.tiered.emergencyThreshold", TIERED),
    Alias("CompactionThresholdTokens", "compaction.middle.thresholdTokens", MIDDLE),
    Alias("ProtectedTailMessages", "compaction.middle.protectedTailMessages", MIDDLE),
    Alias("MaxToolResultChars", "compaction.middle.maxToolResultChars", MIDDLE),
    Alias("MaxConversationMessages", "compaction.middle.maxConversationMessages", MIDDLE),
];

/// A strategy's name in another program, and its name here.
const SUMMARIZE: (&str, &str) = ("summarize", "middle");

/// Whether `key` is a group in another program's settings.
pub(super) fn is_group(key: &str) -> bool {
    ALIASES.iter().any(|Alias(name, ..)| is_above(key, name))
}

/// Renames every alias in the layer, and sets the strategy that the aliases imply unless the layer sets one. Fails if
/// an alias contradicts its setting or the strategy.
pub(super) fn resolve(mut layer: Values) -> Result<Values> {
    let mut used: Vec<(Alias, ValueOrigin)> = Vec::new();
    for alias in ALIASES.iter().copied() {
        let Alias(name, setting, _) = alias;
        let Some(mut found) = layer.shift_remove(name) else {
            continue;
        };
        if setting == STRATEGY && found.value == SUMMARIZE.0 {
            found.value = SUMMARIZE.1.into();
        }
        let standing = layer.get(setting);
        if let Some(standing) = standing.filter(|standing| standing.value != found.value) {
            let problem = format!(
                "it is another name for {setting}, which {} sets differently",
                standing.origin
            );
            return Err(wrong(name, &found.origin, &problem));
        }
        used.push((alias, found.origin.clone()));
        layer.insert(setting.to_owned(), found);
    }
    for (Alias(name, _, strategies), origin) in used {
        let Some(wanted) = strategies.first() else {
            continue;
        };
        match layer.get(STRATEGY).map(|setting| &setting.value) {
            Some(Value::String(chosen)) => {
                if !strategies.contains(&chosen.as_str()) {
                    let problem = format!(
                        "it belongs to the strategy {wanted}, but the chosen strategy is {chosen}"
                    );
                    return Err(wrong(name, &origin, &problem));
                }
            }
            // Any other value is reported when the settings are deserialized.
            Some(_) => {}
            None => {
                let value = Value::from(*wanted);
                layer.insert(STRATEGY.to_owned(), Setting { value, origin });
            }
        }
    }
    Ok(layer)
}

#[cfg(test)]
#[path = "aliases_tests.rs"]
mod tests;

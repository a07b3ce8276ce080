//! Names that settings have in other programs, taken as if they stood under their own.
//!
//! Translates one layer at a time; sets no default.

use serde_json::Value;

use super::error::ConfigError;
use super::values::{Origin, Setting, Values, is_above};

/// A name from elsewhere.
///
/// As it is written there, its groups joined by dots; the setting; and the strategies that it goes with, the one
/// first that it asks for, none where it says nothing of that.
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

/// The strategy as another program names it, and here.
const SUMMARIZE: (&str, &str) = ("summarize", "middle");

/// Whether other programs have a group of this name.
pub(super) fn is_group(key: &str) -> bool {
    ALIASES.iter().any(|Alias(name, ..)| is_above(key, name))
}

/// The layer with every such name replaced, and with the strategy that the names ask for where it names
/// none.
pub(super) fn resolve(mut layer: Values) -> Result<Values, ConfigError> {
    let mut used: Vec<(Alias, Origin)> = Vec::new();
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
                "it is another name of {setting}, which {} sets otherwise",
                standing.origin
            );
            return Err(wrong(name, found.origin, problem));
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
                        "it belongs to the strategy {wanted}, and the strategy asked for is {chosen}"
                    );
                    return Err(wrong(name, origin, problem));
                }
            }
            // Any other value is reported when the settings are read.
            Some(_) => {}
            None => {
                let value = Value::from(*wanted);
                layer.insert(STRATEGY.to_owned(), Setting { value, origin });
            }
        }
    }
    Ok(layer)
}

fn wrong(name: &str, origin: Origin, problem: String) -> ConfigError {
    ConfigError::Wrong {
        key: name.to_owned(),
        origin,
        problem,
    }
}

#[cfg(test)]
#[path = "aliases_tests.rs"]
mod tests;

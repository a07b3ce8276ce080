//! Names that settings have in other programs, taken as if they stood under their own.
//!
//! Translates one layer at a time; sets no default.

use serde_json::{Value, json};

use super::error::ConfigError;
use super::origin::Origin;
use super::tree::{Node, Tree};

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

/// The layer with every such name replaced, and with the strategy that the names ask for where it names
/// none.
pub(super) fn resolve(mut layer: Tree<Origin>) -> Result<Tree<Origin>, ConfigError> {
    let mut used: Vec<(Alias, Origin)> = Vec::new();
    for alias in ALIASES.iter().copied() {
        let Alias(name, setting, _) = alias;
        let Some(mut found) = layer.take(name) else {
            continue;
        };
        if setting == STRATEGY && found.node == Node::Value(json!(SUMMARIZE.0)) {
            found.node = Node::Value(json!(SUMMARIZE.1));
        }
        let standing = layer.find(setting);
        if let Some(standing) = standing.filter(|standing| standing.node != found.node) {
            let problem = format!(
                "it is another name of {setting}, which {} sets otherwise",
                standing.origin
            );
            return Err(wrong(name, found.origin, problem));
        }
        used.push((alias, found.origin.clone()));
        layer.put(setting, found);
    }
    for (Alias(name, _, strategies), origin) in used {
        let Some(wanted) = strategies.first() else {
            continue;
        };
        match layer.find(STRATEGY).map(|tree| &tree.node) {
            Some(Node::Value(Value::String(chosen))) => {
                if !strategies.contains(&chosen.as_str()) {
                    let problem = format!(
                        "it belongs to the strategy {wanted}, and the strategy asked for is {chosen}"
                    );
                    return Err(wrong(name, origin, problem));
                }
            }
            // Whatever else stands there is told where settings are read.
            Some(_) => {}
            None => {
                let chosen = Tree {
                    origin,
                    node: Node::Value(json!(wanted)),
                };
                layer.put(STRATEGY, chosen);
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

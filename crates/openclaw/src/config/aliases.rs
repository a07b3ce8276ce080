//! Names that settings have in other programs, taken as if they stood under their own.
//!
//! Translates one layer at a time; sets no default.

use serde_json::{Value, json};

use super::error::ConfigError;
use super::origin::Origin;
use super::tree::{Node, Tree};

/// A name from elsewhere.
struct Alias {
    /// As it is written there, its groups joined by dots.
    name: &'static str,
    setting: &'static str,
    /// The strategies that it goes with, the one first that it asks for; none where it says nothing of that.
    strategies: &'static [&'static str],
}

const fn alias(
    name: &'static str,
    setting: &'static str,
    strategies: &'static [&'static str],
) -> Alias {
    Alias {
        name,
        setting,
        strategies,
    }
}

const STRATEGY: &str = "compaction.strategy";

const REPLACE: &[&str] = &["replace"];
const TIERED: &[&str] = &["tiered"];
const MIDDLE: &[&str] = &["middle", "none"];
const ANY: &[&str] = &[];

#[rustfmt::skip]
const ALIASES: &[Alias] = &[
    alias("CompactionStrategy", STRATEGY, ANY),
    alias("auto_compact_threshold", "compaction.replace.threshold", REPLACE),
    alias("compaction.threshold", "compaction.replace.threshold", REPLACE),
    alias("context_warnings", "compaction.contextWarnings", ANY),
    alias("defaults.compaction.background_threshold", "compaction.tiered.backgroundThreshold", TIERED),
    alias("defaults.compaction.aggressive_threshold", "compaction.tiered.aggressiveThreshold", TIERED),
    alias("defaults.compaction.emergency_threshold", "compaction.tiered.emergencyThreshold", TIERED),
    alias("defaults.context_window", "compaction.tiered.contextWindow", TIERED),
    alias("compaction.background_threshold", "compaction.tiered.backgroundThreshold", TIERED),
    alias("compaction.aggressive_threshold", "compaction.tiered.aggressiveThreshold", TIERED),
    alias("compaction.emergency_threshold", "compaction.tiered.emergencyThreshold", TIERED),
    alias("CompactionThresholdTokens", "compaction.middle.thresholdTokens", MIDDLE),
    alias("ProtectedTailMessages", "compaction.middle.protectedTailMessages", MIDDLE),
    alias("MaxToolResultChars", "compaction.middle.maxToolResultChars", MIDDLE),
    alias("MaxConversationMessages", "compaction.middle.maxConversationMessages", MIDDLE),
];

/// The strategy as another program names it, and here.
const SUMMARIZE: (&str, &str) = ("summarize", "middle");

/// The layer with every such name replaced, and with the strategy that the names ask for where it names
/// none.
pub(super) fn resolve(mut layer: Tree<Origin>) -> Result<Tree<Origin>, ConfigError> {
    let mut used: Vec<(&Alias, Origin)> = Vec::new();
    for alias in ALIASES {
        let Some(mut found) = layer.take(alias.name.split('.')) else {
            continue;
        };
        if alias.setting == STRATEGY && found.node == Node::Value(json!(SUMMARIZE.0)) {
            found.node = Node::Value(json!(SUMMARIZE.1));
        }
        let standing = layer.find(alias.setting.split('.'));
        if let Some(standing) = standing.filter(|standing| standing.node != found.node) {
            let problem = format!(
                "it is another name of {}, which {} sets otherwise",
                alias.setting, standing.origin
            );
            return Err(wrong(alias, found.origin, problem));
        }
        used.push((alias, found.origin.clone()));
        layer.put(alias.setting.split('.'), found);
    }
    let asking = used
        .iter()
        .filter(|(alias, _)| !alias.strategies.is_empty());
    for (alias, origin) in asking {
        let Some(wanted) = alias.strategies.first() else {
            continue;
        };
        match layer.find(STRATEGY.split('.')).map(|tree| &tree.node) {
            Some(Node::Value(Value::String(chosen))) => {
                if !alias.strategies.contains(&chosen.as_str()) {
                    let problem = format!(
                        "it belongs to the strategy {wanted}, and the strategy asked for is {chosen}"
                    );
                    return Err(wrong(alias, origin.clone(), problem));
                }
            }
            // Whatever else stands there is told where settings are read.
            Some(_) => {}
            None => {
                let chosen = Tree {
                    origin: origin.clone(),
                    node: Node::Value(json!(wanted)),
                };
                layer.put(STRATEGY.split('.'), chosen);
            }
        }
    }
    Ok(layer)
}

fn wrong(alias: &Alias, origin: Origin, problem: String) -> ConfigError {
    ConfigError::Wrong {
        key: alias.name.to_owned(),
        origin,
        problem,
    }
}

#[cfg(test)]
#[path = "aliases_tests.rs"]
mod tests;

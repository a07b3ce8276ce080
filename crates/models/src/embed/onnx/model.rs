//! Describes an ONNX model: its files, their place and its settings.
//!
//! Reads only the small configuration files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use base::disk::{DiskError, read_all};
use base::{Disk, EmbedRole};
use serde::Deserialize;

use super::error::OnnxError;

/// A model in ONNX format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OnnxModel {
    pub(super) name: String,
    pub(super) directory: PathBuf,
    /// The repository to download from; `None` for a directory of the owner.
    pub(super) repository: Option<String>,
    pub(super) graph: String,
    /// Weight files that the graph refers to.
    pub(super) weights: Vec<String>,
    /// Length of a vector, if known before the first run.
    pub(super) dimensions: Option<usize>,
    /// Whether to pool by the first token and not by the mean of all.
    pub(super) is_first_token: bool,
    /// Prefixes of texts, by role.
    pub(super) before: TextPrefixes,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct TextPrefixes {
    pub(super) passage: String,
    pub(super) question: String,
}

impl TextPrefixes {
    pub(super) fn of(&self, role: EmbedRole) -> &str {
        match role {
            EmbedRole::Passage => &self.passage,
            EmbedRole::Question => &self.question,
        }
    }

    /// The prefixes that the authors of a known model recommend.
    pub(super) fn of_name(name: &str) -> Self {
        let name = name.to_lowercase();
        let (passage, question) = if name.contains("e5") {
            ("passage: ", "query: ")
        } else if name.contains("nomic") || name.contains("modernbert") {
            ("search_document: ", "search_query: ")
        } else if name.contains("embeddinggemma") {
            ("title: none | text: ", "task: search result | query: ")
        } else if name.contains("env15") && name.starts_with("bge")
            || name.contains("mxbai")
            || name.contains("arctic")
        {
            (
                "",
                "Represent this sentence for searching relevant passages: ",
            )
        } else {
            ("", "")
        };
        Self {
            passage: passage.to_owned(),
            question: question.to_owned(),
        }
    }
}

/// Files of the tokenizer.
pub(super) const TOKENIZER: &str = "tokenizer.json";
pub(super) const CONFIG: &str = "config.json";
pub(super) const TOKENIZER_CONFIG: &str = "tokenizer_config.json";

/// An optional file.
pub(super) const SPECIAL_TOKENS: &str = "special_tokens_map.json";

/// Possible paths of the graph in a directory of the owner, likeliest first.
const GRAPHS: [&str; 4] = [
    "model.onnx",
    "onnx/model.onnx",
    "model_optimized.onnx",
    "onnx/model_quantized.onnx",
];

/// Suffix of a weight file next to a graph.
const WEIGHTS_SUFFIX: &str = "_data";

/// Maximum bytes of a configuration file.
const SMALL_BYTES_MAX: u64 = 1024 * 1024;

/// The prefixes in the configuration of a sentence model.
#[derive(Debug, Deserialize)]
struct Prompts {
    #[serde(default)]
    prompts: BTreeMap<String, String>,
}

/// The pooling in the configuration of a sentence model.
#[derive(Debug, Deserialize)]
struct Pooling {
    #[serde(default)]
    pooling_mode_cls_token: bool,
}

impl OnnxModel {
    /// The model in a directory of the owner, with the settings from its configuration files.
    pub fn in_directory(disk: &dyn Disk, directory: &Path) -> Result<Self, OnnxError> {
        let name = directory.file_name().map(|name| name.to_string_lossy());
        let name = name.unwrap_or_default().into_owned();
        let has = |file: &str| -> Result<bool, DiskError> {
            let stat = disk.stat(&directory.join(file))?;
            Ok(stat.is_some_and(|stat| !stat.is_dir))
        };
        let mut graph = None;
        for file in GRAPHS {
            if graph.is_none() && has(file)? {
                graph = Some(file.to_owned());
            }
        }
        let Some(graph) = graph else {
            return Err(OnnxError::NoModel {
                name,
                directory: directory.to_owned(),
                files: vec!["model.onnx".to_owned()],
            });
        };
        let beside = format!("{graph}{WEIGHTS_SUFFIX}");
        let prompts: Option<Prompts> =
            small(disk, &directory.join("config_sentence_transformers.json"))?;
        let said = |words: &[&str]| {
            let prompts = &prompts.as_ref()?.prompts;
            words.iter().find_map(|word| prompts.get(*word)).cloned()
        };
        let pooling: Option<Pooling> = small(disk, &directory.join("1_Pooling/config.json"))?;
        Ok(Self {
            before: TextPrefixes {
                passage: said(&["document", "passage"]).unwrap_or_default(),
                question: said(&["query"]).unwrap_or_default(),
            },
            weights: if has(&beside)? {
                vec![beside]
            } else {
                Vec::new()
            },
            directory: directory.to_owned(),
            repository: None,
            dimensions: None,
            is_first_token: pooling.is_some_and(|pooling| pooling.pooling_mode_cls_token),
            graph,
            name,
        })
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether it can be downloaded.
    pub fn is_fetchable(&self) -> bool {
        self.repository.is_some()
    }

    /// Fails if a required file is missing.
    pub fn check(&self, disk: &dyn Disk) -> Result<(), OnnxError> {
        let missing = self.missing(disk)?;
        if missing.is_empty() {
            return Ok(());
        }
        Err(OnnxError::NoModel {
            name: self.name.clone(),
            directory: self.directory.clone(),
            files: missing,
        })
    }

    /// The required files that do not exist.
    pub fn missing(&self, disk: &dyn Disk) -> Result<Vec<String>, DiskError> {
        let files = [TOKENIZER, CONFIG, TOKENIZER_CONFIG].map(str::to_owned);
        let mut missing = Vec::new();
        // The graph is downloaded last, being the largest: if it exists, so do the others.
        for file in files.iter().chain(&self.weights).chain([&self.graph]) {
            if disk.stat(&self.directory.join(file))?.is_none() {
                missing.push(file.clone());
            }
        }
        Ok(missing)
    }

    /// The identity of its vectors: another graph file gives other vectors.
    pub(super) fn identity(&self, disk: &dyn Disk) -> Result<String, DiskError> {
        let stat = disk.stat(&self.directory.join(&self.graph))?;
        let (len, modified_at) = stat.map_or((0, None), |stat| (stat.len, stat.modified_at));
        if self.repository.is_some() {
            return Ok(format!("fastembed:{}:{len}", self.name));
        }
        let modified_at = modified_at.map_or(0, |at| at.timestamp_millis());
        let directory = self.directory.display();
        Ok(format!("fastembed:{directory}:{len}:{modified_at}"))
    }
}

/// Parses a small JSON file; `None` if it is missing or has another content.
fn small<T: serde::de::DeserializeOwned>(
    disk: &dyn Disk,
    path: &Path,
) -> Result<Option<T>, DiskError> {
    let Some(stat) = disk.stat(path)? else {
        return Ok(None);
    };
    if stat.is_dir || stat.len > SMALL_BYTES_MAX {
        return Ok(None);
    }
    Ok(serde_json::from_slice(&read_all(disk, path, SMALL_BYTES_MAX)?).ok())
}

#[cfg(test)]
#[path = "model_tests.rs"]
mod tests;

//! Which model is run, of which files it consists and where they lie.
//!
//! Reads nothing but the small files that say how a model wants to be used.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use base::disk::{DiskError, read_all};
use base::{Disk, EmbedRole};
use serde::Deserialize;

use super::error::OnnxError;

/// A model in the form of ONNX.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OnnxModel {
    pub(super) name: String,
    pub(super) directory: PathBuf,
    /// Whence it can be fetched; a directory of the owner cannot.
    pub(super) repository: Option<String>,
    pub(super) graph: String,
    /// Files of weights that the graph names.
    pub(super) weights: Vec<String>,
    /// Numbers in a vector, where that is known before it is run.
    pub(super) dimensions: Option<usize>,
    /// Whether the vector of a text is that of its first token, and not the mean of all.
    pub(super) is_first_token: bool,
    /// What is put before a text, by what it is embedded for.
    pub(super) before: Before,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Before {
    pub(super) passage: String,
    pub(super) question: String,
}

impl Before {
    pub(super) fn of(&self, role: EmbedRole) -> &str {
        match role {
            EmbedRole::Passage => &self.passage,
            EmbedRole::Question => &self.question,
        }
    }

    /// What a model by name wants before a text, as those who trained it say.
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

/// The tokenizer with what belongs to it.
pub(super) const TOKENIZER: &str = "tokenizer.json";
pub(super) const CONFIG: &str = "config.json";
pub(super) const TOKENIZER_CONFIG: &str = "tokenizer_config.json";

/// Some models do without it.
pub(super) const SPECIAL_TOKENS: &str = "special_tokens_map.json";

/// Where the graph stands in a directory of the owner, the likeliest first.
const GRAPHS: [&str; 4] = [
    "model.onnx",
    "onnx/model.onnx",
    "model_optimized.onnx",
    "onnx/model_quantized.onnx",
];

/// Weights beside a graph have its name and this.
const WEIGHTS_SUFFIX: &str = "_data";

/// A file that says how a model wants to be used is not longer.
const SMALL_BYTES_MAX: u64 = 1024 * 1024;

/// What sentence models say about the words before a text.
#[derive(Debug, Deserialize)]
struct Prompts {
    #[serde(default)]
    prompts: BTreeMap<String, String>,
}

/// What sentence models say about how one vector comes of many.
#[derive(Debug, Deserialize)]
struct Pooling {
    #[serde(default)]
    pooling_mode_cls_token: bool,
}

impl OnnxModel {
    /// The model in a directory of the owner, which says itself how it wants to be used.
    pub fn in_directory(disk: &dyn Disk, directory: &Path) -> Result<Self, OnnxError> {
        let name = directory.file_name().map(|name| name.to_string_lossy());
        let name = name.unwrap_or_default().into_owned();
        let has = |file: &str| -> Result<bool, DiskError> {
            Ok(disk
                .stat(&directory.join(file))?
                .is_some_and(|it| !it.is_dir))
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
            before: Before {
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

    /// Whether it can be fetched by its name.
    pub fn is_fetchable(&self) -> bool {
        self.repository.is_some()
    }

    /// The files that are needed and not there.
    pub fn missing(&self, disk: &dyn Disk) -> Result<Vec<String>, DiskError> {
        let files = [TOKENIZER, CONFIG, TOKENIZER_CONFIG].map(str::to_owned);
        let mut missing = Vec::new();
        // The graph is the largest and is fetched last: where it is there, all is.
        for file in files.iter().chain(&self.weights).chain([&self.graph]) {
            if disk.stat(&self.directory.join(file))?.is_none() {
                missing.push(file.clone());
            }
        }
        Ok(missing)
    }

    /// Says which vectors can be compared: another file of the graph gives others.
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

/// What a small file says; `None` where it is not there or says something else.
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
    Ok(serde_json::from_slice(&whole(disk, path)?).ok())
}

/// All bytes of a file.
pub(super) fn whole(disk: &dyn Disk, path: &Path) -> Result<Vec<u8>, DiskError> {
    read_all(disk, path, u64::MAX)
}

#[cfg(test)]
#[path = "model_tests.rs"]
mod tests;

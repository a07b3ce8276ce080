//! Builds the embedder that the owner chose, or the bundled one if a part of the chosen one is missing.
//!
//! Sends nothing.

use std::num::NonZeroU32;

use agent::Knowledge;
use base::Embedder;
use models::{
    BundledEmbedder, Connection, Dialect, FastEmbedder, HttpEmbedder, ModelLoad, Patience,
    SetUpError,
};
use search::Degraded;

use super::endpoint::{EndpointSettings, KeyFallback};
use super::onnx;
use crate::config::{EmbeddingProvider, EmbeddingSettings, Limited};
use crate::host::Host;
use crate::prelude::*;

#[derive(Debug, Clone, Default)]
pub struct ChosenEmbedder {
    /// The embedder; `None` means that search compares words only.
    pub embedder: Option<Arc<dyn Embedder>>,
    /// The reason why the bundled embedder replaces the chosen one, if it does.
    pub stands_in: Option<EmbedderFallback>,
}

impl ChosenEmbedder {
    /// Search with this embedder. If the bundled one replaces the chosen one, results are marked as degraded.
    pub fn equip(&self, knowledge: Knowledge) -> Knowledge {
        let lack = self.stands_in.as_ref().map(|_| Degraded::EmbedderMissing);
        knowledge.with_embedder(self.embedder.clone()).lacking(lack)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmbedderFallback {
    pub reason: String,
    pub hint: &'static str,
}

impl EmbedderFallback {
    pub fn warning(&self) -> String {
        format!(
            "{}; the bundled model is used instead; {}",
            self.reason, self.hint
        )
    }
}

/// Builds the embedder in the settings; `held` says when a fastembed model is loaded.
pub(crate) fn choose_embedder(
    settings: &EmbeddingSettings,
    host: &Host,
    home: &Home,
    held: ModelLoad,
) -> Result<ChosenEmbedder> {
    let embedder: Option<Arc<dyn Embedder>> = match settings.provider {
        EmbeddingProvider::Auto | EmbeddingProvider::Bundled => bundled(),
        EmbeddingProvider::Fastembed => return fastembed(settings, host, home, held),
        EmbeddingProvider::Http => {
            let server = server(settings, host, home)?;
            let per_minute = requests_per_minute(settings);
            let embedder = HttpEmbedder::new(server, per_minute, Arc::clone(&host.clock));
            let embedder = embedder.map_err(|error| not_set_up(&error))?;
            Some(Arc::new(embedder))
        }
        EmbeddingProvider::None => None,
    };
    Ok(ChosenEmbedder {
        embedder,
        stands_in: None,
    })
}

fn bundled() -> Option<Arc<dyn Embedder>> {
    Some(Arc::new(BundledEmbedder::new()?))
}

/// The named ONNX model; the bundled embedder if the model's files or the runtime are missing.
fn fastembed(
    settings: &EmbeddingSettings,
    host: &Host,
    home: &Home,
    held: ModelLoad,
) -> Result<ChosenEmbedder> {
    let name = needed("model", settings.model.as_deref(), onnx::HINT)?;
    let prepared = onnx::find(&name, host, home)?.and_then(|model| {
        let runtime = onnx::runtime(host)?;
        let embedder = FastEmbedder::new(model, runtime, Arc::clone(&host.disk), held)?;
        Ok(Arc::new(embedder) as Arc<dyn Embedder>)
    });
    Ok(match prepared {
        Ok(embedder) => ChosenEmbedder {
            embedder: Some(embedder),
            stands_in: None,
        },
        Err(error) => ChosenEmbedder {
            embedder: bundled(),
            stands_in: Some(EmbedderFallback {
                hint: onnx::hint(&error),
                reason: error.to_string(),
            }),
        },
    })
}

const NEEDS_SERVER: &str = "set server and model with `--set memory.embedding.baseUrl=http://localhost:8080/v1 --set \
    memory.embedding.model=NAME`, or in config.yaml";

fn server(settings: &EmbeddingSettings, host: &Host, home: &Home) -> Result<Connection> {
    let endpoint = EndpointSettings {
        group: "memory.embedding",
        dialect: Dialect::OpenAiCompatible,
        base_url: Some(&needed(
            "baseUrl",
            settings.base_url.as_deref(),
            NEEDS_SERVER,
        )?),
        model: &needed("model", settings.model.as_deref(), NEEDS_SERVER)?,
        variable: settings.api_key_env.as_deref(),
        file: None,
        fallback: KeyFallback::Optional,
    };
    Ok(Connection {
        patience: Patience::for_vectors(),
        ..endpoint.connection(host, home)?
    })
}

fn requests_per_minute(settings: &EmbeddingSettings) -> Option<NonZeroU32> {
    let per_minute = settings.requests_per_minute.map(Limited::get)?;
    NonZeroU32::new(u32::try_from(per_minute).ok()?)
}

fn needed(name: &str, value: Option<&str>, hint: &str) -> Result<String> {
    let value = value.map(str::trim).unwrap_or_default();
    if value.is_empty() {
        let message =
            format!("memory.embedding.{name} is not set, but the chosen provider needs it");
        return Err(CliError::new(ErrorKind::Config, message).hint(hint));
    }
    Ok(value.to_owned())
}

fn not_set_up(error: &SetUpError) -> CliError {
    CliError::from_error(ErrorKind::Config, error).hint(
        "set the server with `--set memory.embedding.baseUrl=http://localhost:8080/v1`, or use the bundled model \
         with `--set memory.embedding.provider=bundled`",
    )
}

#[cfg(test)]
#[path = "embedder_tests.rs"]
mod tests;

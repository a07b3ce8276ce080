//! Which embedder the owner chose, and the key with which a server of vectors is asked.
//!
//! Sends nothing: it reads settings and one variable.

use std::num::NonZeroU32;
use std::sync::Arc;

use base::{Clock, Embedder};
use models::{ApiKey, BundledEmbedder, EmbeddingServer, HttpEmbedder, Patience, SetUpError};

use crate::config::{EmbeddingProvider, EmbeddingSettings, Limited};
use crate::environment::Environment;
use crate::error::{CliError, ErrorKind};
use crate::model_choice::is_variable;

/// What compares passages by their meaning, as the owner set it; `None` where words alone are compared.
///
/// # Errors
///
/// Where a setting is missing or wrong.
pub(crate) fn choose_embedder(
    settings: &EmbeddingSettings,
    environment: &Environment,
    clock: &Arc<dyn Clock>,
) -> Result<Option<Arc<dyn Embedder>>, CliError> {
    Ok(match settings.provider {
        EmbeddingProvider::Auto | EmbeddingProvider::Bundled => match BundledEmbedder::new() {
            Some(embedder) => Some(Arc::new(embedder)),
            None => None,
        },
        EmbeddingProvider::Http => {
            let server = server(settings, environment)?;
            let embedder =
                HttpEmbedder::new(server, Arc::clone(clock)).map_err(|error| not_set_up(&error))?;
            Some(Arc::new(embedder))
        }
        EmbeddingProvider::None => None,
    })
}

fn server(
    settings: &EmbeddingSettings,
    environment: &Environment,
) -> Result<EmbeddingServer, CliError> {
    let (key, key_source) = match settings.api_key_env.as_deref() {
        None => (
            None,
            "memory.embedding.apiKeyEnv can name a variable that holds one".to_owned(),
        ),
        Some(variable) if !is_variable(variable) => {
            return Err(CliError::new(
                ErrorKind::Config,
                "memory.embedding.apiKeyEnv must be the name of a variable; what stands there is none, \
                 and may be a key itself",
            )
            .hint(
                "put the key into a variable such as MY_KEY and set memory.embedding.apiKeyEnv to MY_KEY",
            ));
        }
        Some(variable) => match environment.others.get(variable).and_then(ApiKey::new) {
            Some(key) => (
                Some(key),
                format!("it is read from the variable {variable}"),
            ),
            None => (None, format!("the variable {variable} is not set")),
        },
    };
    let per_minute = settings.requests_per_minute.map(Limited::get);
    Ok(EmbeddingServer {
        base_url: needed("baseUrl", settings.base_url.as_deref())?,
        model: needed("model", settings.model.as_deref())?,
        key,
        key_source,
        requests_per_minute: per_minute
            .and_then(|limit| u32::try_from(limit).ok())
            .and_then(NonZeroU32::new),
        patience: Patience::for_vectors(),
    })
}

fn needed(name: &str, value: Option<&str>) -> Result<String, CliError> {
    let value = value.map(str::trim).unwrap_or_default();
    if value.is_empty() {
        let message = format!(
            "the setting memory.embedding.{name} is missing: the provider http is chosen, and it needs one"
        );
        return Err(CliError::new(ErrorKind::Config, message).hint(
            "name server and model with `--set memory.embedding.baseUrl=http://localhost:8080/v1 --set \
             memory.embedding.model=NAME`, or in config.yaml",
        ));
    }
    Ok(value.to_owned())
}

fn not_set_up(error: &SetUpError) -> CliError {
    CliError::from_error(ErrorKind::Config, error).hint(
        "name the server with `--set memory.embedding.baseUrl=http://localhost:8080/v1`, or compare by \
         the model inside the program with `--set memory.embedding.provider=bundled`",
    )
}

#[cfg(test)]
mod tests {
    use base::SystemClock;

    use super::*;

    fn settings(provider: EmbeddingProvider) -> EmbeddingSettings {
        EmbeddingSettings {
            provider,
            model: Some("m".to_owned()),
            base_url: Some("http://localhost:1/v1".to_owned()),
            api_key_env: None,
            requests_per_minute: None,
        }
    }

    #[track_caller]
    fn check(settings: &EmbeddingSettings, expected: &str) {
        let environment = Environment::default();
        let clock: Arc<dyn Clock> = Arc::new(SystemClock::new());
        let found = match choose_embedder(settings, &environment, &clock) {
            Ok(embedder) => embedder.map_or("none".to_owned(), |it| it.profile().identity),
            Err(error) => error.one_line(),
        };
        assert_eq!(found, expected);
    }

    #[test]
    fn the_embedder_is_the_one_that_is_set() {
        let bundled = "bundled:all-MiniLM-L6-v2:static-128:1";
        check(&settings(EmbeddingProvider::Auto), bundled);
        check(&settings(EmbeddingProvider::Bundled), bundled);
        check(&settings(EmbeddingProvider::None), "none");
        let http = settings(EmbeddingProvider::Http);
        check(&http, "http:http://localhost:1/v1/:m");
        let missing = EmbeddingSettings {
            model: Some(" ".to_owned()),
            ..http.clone()
        };
        check(
            &missing,
            "the setting memory.embedding.model is missing: the provider http is chosen, and it needs one",
        );
        let wrong = EmbeddingSettings {
            base_url: Some("localhost".to_owned()),
            ..http.clone()
        };
        check(
            &wrong,
            "the address \"localhost\" of the model is wrong: relative URL without a base",
        );
        let key = EmbeddingSettings {
            api_key_env: Some("sk-abcdef0123456789abcdef0123".to_owned()),
            ..http
        };
        check(
            &key,
            "memory.embedding.apiKeyEnv must be the name of a variable; what stands there is none, and may \
             be a key itself",
        );
    }
}

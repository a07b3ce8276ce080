//! Lists the models of a server.
//!
//! Sends no user text.

use std::time::Duration;

use super::question::ServerQuestion;
use super::{Connection, Dialect, SetUpError};

/// Timeout for the list.
const PATIENCE: Duration = Duration::from_secs(10);

/// The models of a server, by its own names; `None` if it does not list them. Ignores the model of the connection.
pub async fn list_models(connection: &Connection) -> Result<Option<Vec<String>>, SetUpError> {
    listed(connection, PATIENCE).await
}

/// Like [`list_models`], with another timeout.
pub(super) async fn listed(
    connection: &Connection,
    patience: Duration,
) -> Result<Option<Vec<String>>, SetUpError> {
    let (path, list, name) = match connection.dialect {
        Dialect::Ollama => ("api/tags", "models", "name"),
        Dialect::Gemini => ("models?pageSize=1000", "models", "name"),
        Dialect::Anthropic => ("models?limit=1000", "data", "id"),
        Dialect::OpenAi | Dialect::OpenAiCompatible => ("models", "data", "id"),
    };
    let question = ServerQuestion::new(connection, patience)?;
    let Ok(answer) = question.get(path).await else {
        return Ok(None);
    };
    let models = answer.as_ref().and_then(|it| it.get(list)?.as_array());
    let named = models.map(|models| {
        let names = models.iter().filter_map(|model| model.get(name)?.as_str());
        // Google prefixes names with the kind of resource.
        let names = names.map(|name| name.strip_prefix("models/").unwrap_or(name));
        names.map(str::to_owned).collect()
    });
    Ok(named)
}

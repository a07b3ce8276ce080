//! Tests the chosen model with a real request: only that shows that it works.
//!
//! Sends no text of the owner.

use std::time::Duration;

use base::Message;
use base::model::{ModelError, Purpose, Request, Sampling, complete};
use models::RemoteModel;

use super::model_choice::{Choice, ModelSource, choose};
use crate::prelude::*;

/// How long the model may stay silent; a local server may have to load it first.
const SILENCE_MAX: Duration = Duration::from_mins(2);

/// Enough for one word, and for a model that reasons first.
const OUTPUT_MAX: TokenCount = TokenCount(256);

/// Asks the chosen model for one word, once.
pub async fn try_model(source: ModelSource<'_>) -> Result<()> {
    let Choice::Remote(mut connection) = choose(source)? else {
        return Ok(());
    };
    connection.patience.n_retries = 0;
    connection.patience.silence = SILENCE_MAX;
    let model = RemoteModel::new(connection)?;
    let request = Request {
        purpose: Purpose::Chat,
        system: String::new(),
        messages: vec![Message::user("Answer with the word yes.")],
        format: None,
        tools: Vec::new(),
        output_max: OUTPUT_MAX,
        sampling: Sampling::Usual,
    };
    match complete(&model, &request).await {
        // Even with a broken reply, the server has accepted the request.
        Ok(_) | Err(ModelError::Broken { .. }) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

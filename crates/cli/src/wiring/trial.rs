//! Tests the chosen model with a real request, because only a request shows that the model works.
//!
//! Never sends the owner's text.

use std::time::Duration;

use base::Message;
use base::model::{ModelError, Purpose, Request, Sampling, complete};
use models::RemoteModel;

use super::model_choice::{Choice, ModelSource, choose};
use crate::prelude::*;

/// How long the model may send nothing. A local server may have to load the model first.
const SILENCE_MAX: Duration = Duration::from_mins(2);

/// Enough for one word, and for the reasoning that some models do first.
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
        // Even a broken reply shows that the server accepted the request.
        Ok(_) | Err(ModelError::Broken { .. }) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

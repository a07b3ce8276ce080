//! Builds the reranker that the owner chose.

use base::Reranker;
use models::{FastReranker, OnnxModel};

use super::onnx;
use crate::prelude::*;

/// The reranker of the settings; `None` if none is set, or with a warning if a part of it is missing.
pub fn reranker(context: &mut Context, home: &Home) -> Result<Option<Arc<dyn Reranker>>> {
    let config = context.config(home)?;
    let Some(name) = &config.settings.memory.reranker.model else {
        return Ok(None);
    };
    let host = context.host;
    let found = onnx::RERANKER.find(name, host, home)?;
    let prepared = found
        .and_then(|model: OnnxModel| FastReranker::new(model, &onnx::runtime(host)?, &*host.disk));
    Ok(match prepared {
        Ok(reranker) => Some(Arc::new(reranker)),
        Err(error) => {
            let hint = onnx::hint(&error);
            let warning = format!("{error}; results are not reranked; {hint}");
            context.output.warn(&warning);
            None
        }
    })
}

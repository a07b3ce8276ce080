//! Sends a text to an address of the owner's choice, as JSON.
//!
//! Follows no redirect, so that nothing goes to another address.

use std::time::Duration;

use serde_json::Value;

use super::client::http_client;
use super::{Patience, address, root_cause};

/// The timeout of a request.
const PATIENCE: Duration = Duration::from_secs(10);

/// Posts JSON to an address; returns why it failed.
pub async fn post_json(to: &str, body: &Value) -> Result<(), String> {
    // The check of a base address; the path is sent as it was typed.
    address(to).map_err(|error| error.to_string())?;
    let url = reqwest::Url::parse(to.trim()).map_err(|error| error.to_string())?;
    // The path of many services is the secret that lets anybody post there.
    let shown = url.host_str().unwrap_or_default().to_owned();
    let failed = |why: &str| format!("the webhook at {shown}: {why}");
    let client = http_client(Patience::default(), &url).map_err(|error| error.to_string())?;
    let sent = client.post(url).json(body).timeout(PATIENCE).send().await;
    let response = sent.map_err(|error| failed(&root_cause(&error.without_url())))?;
    let status = response.status();
    if status.is_success() {
        Ok(())
    } else {
        Err(failed(&format!("it answered {status}")))
    }
}

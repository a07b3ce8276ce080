//! Turns the settings of a server into a connection: its address, its model and its key.
//!
//! Reads one variable or one file; sends nothing.

use base::disk::read_some;
use models::{ApiKey, Connection, Dialect, NoKey};

use super::encryption::in_home;
use crate::host::Host;
use crate::prelude::*;

/// The settings of a server.
#[derive(Debug, Clone, Copy)]
pub(super) struct EndpointSettings<'a> {
    /// The group of settings, such as `model`.
    pub(super) group: &'a str,
    pub(super) dialect: Dialect,
    /// The address, unless it is that of the dialect.
    pub(super) base_url: Option<&'a str>,
    pub(super) model: &'a str,
    /// The variable with the key.
    pub(super) variable: Option<&'a str>,
    /// The setting for a key file: a path that begins with `~/`, or is relative to the home.
    pub(super) file: Option<&'a str>,
    /// The key to use if neither is set.
    pub(super) fallback: KeyFallback,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum KeyFallback {
    /// The key is in the provider's own variable. This applies to the provider at its usual address.
    Variable(&'static str),
    /// There is no key. A provider's key must not be sent to another server, so the settings must name a variable.
    Elsewhere,
    /// There is no key, and the server may need none.
    Optional,
}

/// A key, and a clause that says where it was looked for.
struct FoundKey {
    key: Option<ApiKey>,
    source: String,
}

/// The size of the largest key file, in bytes. A key is one line.
const KEY_BYTES_MAX: u64 = 1 << 14;

impl EndpointSettings<'_> {
    /// The connection to the server, with its key if there is one.
    pub(super) fn connection(&self, host: &Host, home: &Home) -> Result<Connection> {
        let FoundKey { key, source } = self.key(host, home)?;
        Ok(Connection {
            base_url: self.base_url.map(str::to_owned),
            key,
            key_source: source,
            ..Connection::new(self.dialect, self.model)
        })
    }

    fn key(&self, host: &Host, home: &Home) -> Result<FoundKey> {
        let group = self.group;
        let source = match (self.variable, self.file, self.fallback) {
            (Some(variable), _, _) => {
                self.check_variable(variable)?;
                return of_variable(variable, host);
            }
            (None, Some(file), _) => return self.of_file(file, host, home),
            (None, None, KeyFallback::Variable(variable)) => return of_variable(variable, host),
            (None, None, KeyFallback::Elsewhere) => format!(
                "with {group}.baseUrl set, {group}.apiKeyEnv must name the variable that holds the key"
            ),
            (None, None, KeyFallback::Optional) => {
                format!("{group}.apiKeyEnv can name a variable that holds one")
            }
        };
        Ok(FoundKey { key: None, source })
    }

    /// Rejects anything but a variable name, without printing it, because it may be a key.
    fn check_variable(&self, name: &str) -> Result<()> {
        let is_name = |character: char| character.is_ascii_alphanumeric() || character == '_';
        if !name.is_empty() && name.chars().all(is_name) && base::redact(name) == name {
            return Ok(());
        }
        let group = self.group;
        let failure = format!(
            "{group}.apiKeyEnv must be the name of a variable; its value is not one, and may be a key itself"
        );
        Err(CliError::new(ErrorKind::Config, failure).hint(format!(
            "put the key in a variable such as MY_KEY and set {group}.apiKeyEnv to MY_KEY"
        )))
    }

    fn of_file(&self, file: &str, host: &Host, home: &Home) -> Result<FoundKey> {
        let path = in_home(host, home, file);
        let (group, shown) = (self.group, path.display());
        let read = read_some(host.disk.as_ref(), &path, KEY_BYTES_MAX)
            .map_err(|error| CliError::from(error).doing(format!("reading {group}.apiKeyFile")))?;
        let Some(bytes) = read else {
            let source = format!("{group}.apiKeyFile names {shown}, which does not exist");
            return Ok(FoundKey { key: None, source });
        };
        let place = format!("the file {shown}");
        let absent = format!("{place} is empty");
        found(&String::from_utf8_lossy(&bytes), &place, absent)
    }
}

fn of_variable(variable: &str, host: &Host) -> Result<FoundKey> {
    let text = host.environment.others.get(variable).unwrap_or_default();
    let place = format!("the variable {variable}");
    let absent = format!("{place} is not set");
    found(text, &place, absent)
}

/// Checks a key at once, so that the error does not appear only with the first request.
fn found(text: &str, place: &str, absent: String) -> Result<FoundKey> {
    let key = ApiKey::new(text).map_err(|error: NoKey| {
        let message = format!("cannot read a key from {place}: {error}");
        let hint = format!("put only the key in {place}");
        CliError::new(ErrorKind::Config, message).hint(hint)
    })?;
    let source = match key {
        Some(_) => format!("it is read from {place}"),
        None => absent,
    };
    Ok(FoundKey { key, source })
}

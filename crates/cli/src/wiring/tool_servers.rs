//! The tool servers in the settings, with the environment that each receives.
//!
//! Starts nothing.

use std::collections::BTreeSet;
use std::time::Duration;

use base::tool_server::Consent;
use mcp::{Hidden, Reach, ServerProblem, ServerSettings};
use models::ApiKey;

use crate::config::{ApprovalSetting, McpServer, McpSettings};
use crate::environment::Environment;
use crate::error::{CliError, ErrorKind};

/// The default timeout of a server.
const PATIENCE: Duration = Duration::from_mins(1);

/// The longest server name in characters. It prefixes tool names, whose length providers limit.
const NAME_CHARS_MAX: usize = 24;

/// Variables that every server program inherits if they are set. None of them contains a secret.
const INHERITED: [&str; 10] = [
    "PATH",
    "USER",
    "LOGNAME",
    "SHELL",
    "LANG",
    "LC_ALL",
    "LC_CTYPE",
    "TMPDIR",
    "XDG_RUNTIME_DIR",
    "SSL_CERT_FILE",
];

/// The servers that can be started, and the problems of the others. Fails on an invalid setting.
pub fn tool_servers(
    settings: &McpSettings,
    environment: &Environment,
) -> Result<(Vec<ServerSettings>, Vec<ServerProblem>), CliError> {
    let mut names = BTreeSet::new();
    let mut servers = Vec::new();
    let mut problems = Vec::new();
    for server in &settings.servers {
        if !is_name(&server.name) {
            return Err(wrong(
                &server.name,
                "a name has lower-case letters, digits and dashes, starts with a letter, and is at most 24 \
                 characters long",
            ));
        }
        if !names.insert(&server.name) {
            return Err(wrong(&server.name, "the name is used twice"));
        }
        match reach(server, environment)? {
            Ok(reach) => servers.push(ServerSettings {
                name: server.name.clone(),
                reach,
                allow: server.allow.clone(),
                consent: match server.approval {
                    ApprovalSetting::Ask => Consent::Ask,
                    ApprovalSetting::Always => Consent::Given,
                },
                patience: server
                    .timeout_seconds
                    .map_or(PATIENCE, |seconds| Duration::from_secs(seconds.get())),
            }),
            Err(what) => problems.push(ServerProblem {
                server: server.name.clone(),
                what,
            }),
        }
    }
    Ok((servers, problems))
}

fn is_name(name: &str) -> bool {
    let is_plain = |character: char| {
        character.is_ascii_lowercase() || character.is_ascii_digit() || character == '-'
    };
    name.starts_with(|first: char| first.is_ascii_lowercase())
        && name.len() <= NAME_CHARS_MAX
        && name.chars().all(is_plain)
}

fn wrong(name: &str, problem: &str) -> CliError {
    CliError::new(
        ErrorKind::Config,
        format!("invalid server {name:?} in mcp.servers: {problem}"),
    )
    .hint("`openclaw config show` prints where mcp.servers is set; docs/tools.md has examples")
}

/// How to reach the server. The outer error is an invalid setting, the inner error a missing variable.
fn reach(server: &McpServer, environment: &Environment) -> Result<Result<Reach, String>, CliError> {
    let of_variable = |variable: &String| match environment.others.get(variable) {
        Some(value) => Ok(Hidden::new(value.trim())),
        None => Err(format!("the variable {variable} is not set")),
    };
    match (&server.command, &server.url) {
        (Some(command), None) if server.token_env.is_none() => {
            let secrets: Result<Vec<(String, Hidden)>, String> = server
                .pass_env
                .iter()
                .map(|name| Ok((name.clone(), of_variable(name)?)))
                .collect();
            Ok(secrets.map(|secrets| Reach::Program {
                command: command.clone(),
                arguments: server.args.clone(),
                variables: variables(server, environment),
                secrets,
            }))
        }
        (None, Some(url))
            if server.args.is_empty() && server.env.is_empty() && server.pass_env.is_empty() =>
        {
            let of_token = |variable: &String| {
                let text = environment.others.get(variable).unwrap_or_default();
                let told =
                    |error| format!("cannot read a token from the variable {variable}: {error}");
                ApiKey::new(text).map_err(told)?;
                of_variable(variable)
            };
            let token = server.token_env.as_ref().map(of_token).transpose();
            Ok(token.map(|token| Reach::Http {
                url: url.clone(),
                token,
            }))
        }
        (Some(_), None) => Err(wrong(&server.name, "tokenEnv needs a url")),
        (None, Some(_)) => Err(wrong(&server.name, "args, env and passEnv need a command")),
        (Some(_), Some(_)) | (None, None) => Err(wrong(&server.name, "set either command or url")),
    }
}

fn variables(server: &McpServer, environment: &Environment) -> Vec<(String, String)> {
    let inherited = INHERITED.iter().filter_map(|name| {
        let value = environment.others.get(name)?;
        Some(((*name).to_owned(), value.to_owned()))
    });
    let home = environment.user_home.as_ref().map(|home| {
        let home = home.to_string_lossy().into_owned();
        ("HOME".to_owned(), home)
    });
    let tz = environment.tz.clone().map(|tz| ("TZ".to_owned(), tz));
    let own = server.env.clone();
    // Later entries override earlier ones.
    inherited.chain(home).chain(tz).chain(own).collect()
}

#[cfg(test)]
#[path = "tool_servers_tests.rs"]
mod tests;

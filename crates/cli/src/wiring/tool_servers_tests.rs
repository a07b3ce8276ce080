//! The servers that the settings name, and the environment of each.
//!
//! Compares whole servers, because a variable that must not be passed on matters as much as one that must.

use std::path::PathBuf;

use super::*;

fn settings(yaml: &str) -> McpSettings {
    serde_saphyr::from_str(&format!("servers: {yaml}")).unwrap()
}

fn environment() -> Environment {
    let others = Environment::default()
        .others
        .with("PATH", "/bin")
        .with("OPENAI_API_KEY", "from-openai")
        .with("BOX_TOKEN", "hunter2-and-more");
    Environment {
        others,
        user_home: Some(PathBuf::from("/home/ann")),
        ..Environment::default()
    }
}

fn found(yaml: &str) -> Result<(Vec<ServerSettings>, Vec<ServerProblem>), CliError> {
    tool_servers(&settings(yaml), &environment())
}

#[test]
fn i14_tool_server_gets_only_named_variables() {
    let yaml = "[{name: box, command: box-server, args: [-v], env: {MODE: fast, PATH: /opt}, \
                passEnv: [BOX_TOKEN], allow: ['read_*'], approval: always, timeoutSeconds: 5}]";
    let (servers, problems) = found(yaml).unwrap();
    let variable = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let expected = ServerSettings {
        name: "box".to_owned(),
        reach: Reach::Program {
            command: "box-server".to_owned(),
            arguments: vec!["-v".to_owned()],
            variables: vec![
                variable("PATH", "/bin"),
                variable("HOME", "/home/ann"),
                variable("MODE", "fast"),
                variable("PATH", "/opt"),
            ],
            secrets: vec![("BOX_TOKEN".to_owned(), Hidden::new("hunter2-and-more"))],
        },
        allow: vec!["read_*".to_owned()],
        consent: Consent::Given,
        patience: Duration::from_secs(5),
    };
    assert!(!format!("{servers:?}").contains("hunter2"), "{servers:?}");
    assert_eq!((servers, problems), (vec![expected], vec![]));
}

#[test]
fn remote_tool_server_gets_token_and_cautious_defaults() {
    let yaml = "[{name: web, url: 'https://example.org/mcp', tokenEnv: BOX_TOKEN}]";
    let (servers, problems) = found(yaml).unwrap();
    let expected = ServerSettings {
        name: "web".to_owned(),
        reach: Reach::Http {
            url: "https://example.org/mcp".to_owned(),
            token: Some(Hidden::new("hunter2-and-more")),
        },
        allow: vec!["*".to_owned()],
        consent: Consent::Ask,
        patience: PATIENCE,
    };
    assert_eq!((servers, problems), (vec![expected], vec![]));
}

#[test]
fn invalid_tool_server_is_rejected_and_missing_variable_skips_it() {
    for (yaml, expected) in [
        ("[{name: Box, command: a}]", "a name has lower-case letters"),
        ("[{name: '', command: a}]", "a name has lower-case letters"),
        (
            "[{name: b, command: a}, {name: b, command: c}]",
            "the name is used twice",
        ),
        ("[{name: b}]", "set either command or url"),
        (
            "[{name: b, command: a, url: c}]",
            "set either command or url",
        ),
        (
            "[{name: b, command: a, tokenEnv: T}]",
            "tokenEnv needs a url",
        ),
        ("[{name: b, url: c, args: [d]}]", "need a command"),
    ] {
        let error = found(yaml).unwrap_err();
        assert!(
            error.message.contains(expected),
            "{yaml}: {}",
            error.message
        );
    }
    let (servers, problems) =
        found("[{name: a, command: a, passEnv: [NONE]}, {name: b, command: b}]").unwrap();
    let names: Vec<&str> = servers.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names, ["b"]);
    let expected = ServerProblem {
        server: "a".to_owned(),
        what: "the variable NONE is not set".to_owned(),
    };
    assert_eq!(problems, [expected]);
}

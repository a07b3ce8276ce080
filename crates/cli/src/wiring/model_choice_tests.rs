//! The model and the key that settings choose.
//!
//! Compares whole choices, because a key that must not be sent matters as much as one that must.

use std::path::Path;

use base::SystemClock;
use base::disk::{MemoryDisk, replace};
use models::ApiKey;
use session::StateCache;

use super::*;
use crate::config::test_kit::settings_with;

const FOREIGN: &str = "http://localhost:8080/v1";

fn sources_of(assignments: &[(&str, &str)]) -> (ModelSettings, Home, MemoryDisk) {
    let home = Home::new("/h");
    let disk = MemoryDisk::default();
    base::disk::create_dir(&disk, Path::new("/h")).unwrap();
    replace(&disk, Path::new("/h/key"), b"from-a-file\n").unwrap();
    let keys: Vec<String> = assignments
        .iter()
        .map(|it| format!("model.{}", it.0))
        .collect();
    let assigned = keys
        .iter()
        .zip(assignments)
        .map(|(key, it)| (key.as_str(), it.1));
    let settings = settings_with(&assigned.collect::<Vec<_>>());
    (settings.model, home, disk)
}

const VARIABLES: [(&str, &str); 3] = [
    ("OPENAI_API_KEY", "from-openai"),
    ("ANTHROPIC_API_KEY", "from-anthropic"),
    ("MINE", "from-mine"),
];

fn host(variables: &[(&str, &str)], disk: MemoryDisk) -> Host {
    let mut environment = Environment::default();
    for (name, value) in variables {
        environment.others = environment.others.with(name, value);
    }
    Host {
        environment,
        disk: Arc::new(disk),
        clock: Arc::new(SystemClock::new()),
        states: StateCache::default(),
    }
}

fn chosen(assignments: &[(&str, &str)], variables: &[(&str, &str)]) -> Result<Choice, CliError> {
    let (settings, home, disk) = sources_of(assignments);
    let host = host(variables, disk);
    choose(ModelSource::new(&settings, &host, &home))
}

/// Checks the key that would be sent, and the text that says where it was searched.
#[track_caller]
fn check_key(settings: &str, key: Option<&str>, source: &str) {
    let settings = settings.split(' ').filter_map(|it| it.split_once('='));
    let assignments: Vec<(&str, &str)> = [("name", "m")].into_iter().chain(settings).collect();
    let Choice::Remote(connection) = chosen(&assignments, &VARIABLES).unwrap() else {
        panic!("offline");
    };
    let found = (connection.key, connection.key_source.as_str());
    assert_eq!(
        found,
        (key.and_then(|key| ApiKey::new(key).unwrap()), source)
    );
}

#[test]
fn model_choice_stays_offline_until_set_and_offers_found_key() {
    assert_eq!(chosen(&[], &[]), Ok(Choice::Offline { offer: None }));
    let offer = "answering offline, although ANTHROPIC_API_KEY is set: `openclaw init` lets you choose a provider \
        and saves it; `--set model.provider=anthropic --set model.name=NAME` uses that provider for one run";
    assert_eq!(
        chosen(&[], &[("ANTHROPIC_API_KEY", "k")]),
        Ok(Choice::Offline {
            offer: Some(offer.to_owned())
        })
    );
    assert_eq!(
        chosen(&[("provider", "offline")], &[("ANTHROPIC_API_KEY", "k")]),
        Ok(Choice::Offline { offer: None })
    );
}

#[test]
fn api_key_is_read_for_its_own_provider_only() {
    let variable = "it is read from the variable OPENAI_API_KEY";
    check_key("provider=openai", Some("from-openai"), variable);
    let unset = "the variable GEMINI_API_KEY is not set";
    check_key("provider=gemini", None, unset);
    let elsewhere = format!("baseUrl={FOREIGN}");
    let unnamed =
        "with model.baseUrl set, model.apiKeyEnv must name the variable that holds the key";
    check_key(&format!("provider=openai {elsewhere}"), None, unnamed);
    let unneeded = "model.apiKeyEnv can name a variable that holds one";
    check_key(
        &format!("provider=openai-compatible {elsewhere}"),
        None,
        unneeded,
    );
    let mine = "it is read from the variable MINE";
    check_key(
        "provider=openai-compatible apiKeyEnv=MINE",
        Some("from-mine"),
        mine,
    );
    let file = "it is read from the file /h/key";
    check_key(
        "provider=anthropic apiKeyFile=key",
        Some("from-a-file"),
        file,
    );
    let nowhere = "model.apiKeyFile names /h/nowhere, which does not exist";
    check_key("provider=anthropic apiKeyFile=nowhere", None, nowhere);
}

#[test]
fn i14_key_in_place_of_variable_name_is_rejected_without_echo() {
    let key = "sk-proj-abcdefghijklmnopqrstuvwxyz";
    let assignments = [("provider", "openai"), ("name", "m"), ("apiKeyEnv", key)];
    let error = chosen(&assignments, &[]).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Config);
    assert!(!format!("{error:?}").contains(key), "{error:?}");
}

#[test]
fn provider_without_model_name_is_rejected() {
    let error = chosen(&[("provider", "ollama")], &[]).unwrap_err();
    assert_eq!(
        error.message,
        "model.name is not set: a provider is chosen, but no model"
    );
}

/// The choice for another model with these settings.
fn other(first: &[(&str, &str)], yaml: &str) -> Result<Choice, CliError> {
    let assignments = [first, &[("fallbacks", yaml)]].concat();
    let (settings, home, disk) = sources_of(&assignments);
    let host = host(&VARIABLES, disk);
    let source = ModelSource::new(&settings, &host, &home);
    choose_other("model.fallbacks", &settings.fallbacks.0[0], source)
}

#[track_caller]
fn check_other(first: &[(&str, &str)], yaml: &str, expected: (&str, Option<&str>, Option<&str>)) {
    let Choice::Remote(connection) = other(first, yaml).unwrap() else {
        panic!("offline");
    };
    let (model, base_url, key) = expected;
    assert_eq!(
        (
            connection.model.as_str(),
            connection.base_url.as_deref(),
            connection.key
        ),
        (
            model,
            base_url,
            key.and_then(|key| ApiKey::new(key).unwrap())
        ),
        "{yaml}"
    );
}

#[test]
fn further_model_inherits_address_and_key_from_same_provider() {
    let first = [
        ("provider", "openai-compatible"),
        ("name", "m"),
        ("baseUrl", FOREIGN),
        ("apiKeyEnv", "MINE"),
    ];
    let mine = Some("from-mine");
    check_other(&first, "{name: small}", ("small", Some(FOREIGN), mine));
    check_other(&first, "[{name: small}]", ("small", Some(FOREIGN), mine));
    let file = "{name: small, apiKeyFile: key}";
    check_other(&first, file, ("small", Some(FOREIGN), Some("from-a-file")));
    let elsewhere = "{name: small, baseUrl: 'http://other:1/v1'}";
    check_other(
        &first,
        elsewhere,
        ("small", Some("http://other:1/v1"), None),
    );
    let anthropic = "{provider: anthropic, name: claude}";
    check_other(&first, anthropic, ("claude", None, Some("from-anthropic")));
    let offline = other(&first, "{provider: offline}");
    assert_eq!(offline, Ok(Choice::Offline { offer: None }));
    let error = other(&first, "{provider: ollama}").unwrap_err();
    assert_eq!(
        (error.message.as_str(), error.hints[0].as_str()),
        (
            "model.fallbacks.name is not set: a provider is chosen, but no model",
            "choose one of the provider's models, as in `model.fallbacks: {name: NAME}` in config.yaml"
        )
    );
}

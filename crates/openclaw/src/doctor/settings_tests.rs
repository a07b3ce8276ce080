//! Valid settings that name something that does not exist.
//!
//! Each is a problem, with the next command to type.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;

use base::SystemClock;
use base::disk::{OsDisk, create_dir, replace};
use cli::config::test_kit::settings_with;
use cli::environment::Environment;

use super::*;

/// The code, place and hint of each finding, for one setting or more, with TZ.
fn found(settings: &[(&str, &str)], tz: &str) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let environment = Environment {
        tz: Some(tz.to_owned()),
        ..Environment::default()
    };
    let home = Home::new(folder.path().join("home"));
    create_dir(&OsDisk, home.root()).unwrap();
    for (name, mode) in [("open", 0o644), ("closed", 0o600), ("home/inside", 0o644)] {
        let path = folder.path().join(name);
        replace(&OsDisk, &path, b"correct horse battery staple\n").unwrap();
        std::fs::set_permissions(&path, Permissions::from_mode(mode)).unwrap();
    }
    let host = Host {
        environment,
        disk: Arc::new(OsDisk),
        clock: Arc::new(SystemClock::new()),
        states: session::StateCache::default(),
    };
    let folder = OsDisk.resolve(folder.path()).unwrap().display().to_string();
    let findings = missing(&settings_with(settings), &host, &home);
    let shown = findings.into_iter().map(|it| {
        assert_eq!(it.weight, FindingWeight::Problem);
        let place = it.place.unwrap_or_default();
        format!("{} {place}: {}", it.code, it.hint.replace(&folder, "~"))
    });
    shown.collect()
}

#[test]
fn settings_naming_existing_things_pass() {
    let inside = ("backup.passphraseFile", "inside");
    for settings in [&[][..], &[("homes.passphraseFile", "../closed")], &[inside]] {
        assert_eq!(found(settings, "UTC"), [""; 0], "{settings:?}");
    }
}

#[test]
fn settings_naming_missing_things_report_next_command() {
    let settings = [
        &[
            ("memory.embedding.provider", "fastembed"),
            ("memory.embedding.model", "/nowhere/model"),
        ][..],
        &[("model.provider", "anthropic")],
        &[
            ("model.provider", "ollama"),
            ("model.name", "m"),
            ("model.apiKeyFile", "../gone"),
        ],
        &[("model.fallbacks", "{provider: ollama}")],
        &[("backup.passphraseFile", "../gone")],
        &[("homes.identityFile", "../gone")],
        &[("homes.passphraseFile", "../open")],
    ];
    let findings = settings.map(|settings| found(settings, "UTC").join("\n"));
    insta::assert_snapshot!(findings.join("\n\n"));
    let zone = "timezone : `openclaw config set timezone Europe/Berlin`";
    assert_eq!(found(&[], "Mars/Base"), [zone]);
}

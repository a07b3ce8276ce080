//! Checks the settings, and whether what they name is there: models, key files, the time zone.
//!
//! Asks no server.

use base::Disk;
use cli::config::{Config, Settings};
use cli::host::Host;
use cli::shell;
use cli::wiring::ModelSource;
use compaction::BudgetError;

use super::finding::{DoctorFinding, FindingWeight};
use crate::prelude::*;

const SHOW: &str = "`openclaw config show`";

pub(crate) fn look_at_settings(context: &Context, home: &Home) -> Vec<DoctorFinding> {
    match context.load(home, &[]) {
        Ok(config) => {
            let mut findings = look_at_named(&config.settings, context.host, home);
            findings.extend(without_room(&config, context.host, home));
            findings
        }
        Err(failure) => {
            let next = "correct it there, or remove it";
            vec![DoctorFinding {
                place: failure.whiles.first().cloned(),
                ..DoctorFinding::of_failure("settings", &failure, next)
            }]
        }
    }
}

/// Finds window settings that leave no room for a conversation, which every chat refuses.
fn without_room(config: &Config, host: &Host, home: &Home) -> Option<DoctorFinding> {
    // A prompt that cannot be read is another finding.
    let error = wiring::check_room(config, &host.workspace(home))
        .ok()?
        .err()?;
    let next = if let BudgetError::PrefixTooLarge { needed, .. } = &error {
        format!(
            "`openclaw config set compaction.contextWindow {}`",
            needed.0
        )
    } else {
        SHOW.to_owned()
    };
    let finding = DoctorFinding::new(FindingWeight::Problem, "noRoom", error.to_string(), next);
    Some(finding.at("compaction"))
}

/// Finds what valid settings name but which does not exist.
fn look_at_named(settings: &Settings, host: &Host, home: &Home) -> Vec<DoctorFinding> {
    let problem = |code, failure: &CliError| DoctorFinding::of_failure(code, failure, SHOW);
    let lacking = wiring::lacking(ModelSource::new(&settings.model, host, home));
    let mut findings: Vec<DoctorFinding> = lacking
        .iter()
        .map(|it| problem("model", it).at("model"))
        .collect();
    let recipients = wiring::backup_recipients(&settings.backup, host, home).err();
    let key = wiring::homes_key(&settings.homes, host, home).err();
    for (group, failure) in [("backup", recipients), ("homes", key)] {
        findings.extend(failure.map(|it| problem("keyFile", &it).at(group)));
    }
    let unusable = wiring::unusable_model(&settings.memory.embedding, host, home);
    findings.extend(unusable.map(|(key, it)| problem("localModel", &it).at(key)));
    findings.extend(open_files(settings, host, home));
    let zone = settings.timezone.find(&host.environment);
    findings.extend(zone.warning.map(|warning| {
        let next = "`openclaw config set timezone Europe/Berlin`";
        DoctorFinding::new(FindingWeight::Problem, "timezone", warning, next)
    }));
    findings
}

/// Finds secret files outside the home that other users can read; the check of the home's files finds those in it.
fn open_files(settings: &Settings, host: &Host, home: &Home) -> Vec<DoctorFinding> {
    let disk: &dyn Disk = host.disk.as_ref();
    let (backup, homes) = (&settings.backup, &settings.homes);
    let named = [
        ("model.apiKeyFile", &settings.model.api_key_file),
        ("backup.passphraseFile", &backup.passphrase_file),
        ("homes.identityFile", &homes.identity_file),
        ("homes.passphraseFile", &homes.passphrase_file),
    ];
    let open = named.into_iter().filter_map(|(setting, file)| {
        let path = wiring::in_home(host, home, file.as_ref()?);
        let (path, root) = (disk.resolve(&path).ok()?, disk.resolve(home.root()).ok()?);
        // A file that cannot be looked at is another finding.
        let is_open = !path.starts_with(root) && !disk.is_private(&path).ok()?;
        let what = format!("other users can read or write {}", path.display());
        let next = format!("`chmod 600 {}`", shell::word(&path));
        let finding = DoctorFinding::new(FindingWeight::Problem, "notPrivate", what, next);
        is_open.then(|| finding.at(setting))
    });
    open.collect()
}

#[cfg(test)]
#[path = "settings_tests.rs"]
mod tests;

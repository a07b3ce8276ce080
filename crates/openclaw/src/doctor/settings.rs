//! Checks the settings, and whether the things that they name exist: models, key files, the time zone.
//!
//! Asks no server.

use base::{Disk, shell_word};
use cli::config::{Config, Settings};
use cli::host::Host;
use cli::wiring::ModelSource;
use compaction::BudgetError;

use super::finding::{CheckRow, DoctorFinding, FindingWeight, SHOW_SETTINGS};
use super::home_files::NOT_PRIVATE;
use crate::prelude::*;

pub(super) const SETTINGS: CheckRow = CheckRow {
    code: "settings",
    checks: "The settings are valid.",
    weight: FindingWeight::Problem,
    fix: "correct it there, or remove it",
};

pub(super) const NO_ROOM: CheckRow = CheckRow {
    code: "noRoom",
    checks: "The window leaves room for a conversation.",
    weight: FindingWeight::Problem,
    fix: SHOW_SETTINGS,
};

const MODEL: CheckRow = CheckRow {
    code: "model",
    checks: "Each model has what it needs: a server, a name, a key.",
    weight: FindingWeight::Problem,
    fix: SHOW_SETTINGS,
};

const KEY_FILE: CheckRow = CheckRow {
    code: "keyFile",
    checks: "The key files of backups and homes can be read.",
    weight: FindingWeight::Problem,
    fix: SHOW_SETTINGS,
};

const LOCAL_MODEL: CheckRow = CheckRow {
    code: "localModel",
    checks: "The files and the library of a local embedding model are there.",
    weight: FindingWeight::Problem,
    fix: SHOW_SETTINGS,
};

const TIMEZONE: CheckRow = CheckRow {
    code: "timezone",
    checks: "The time zone is known.",
    weight: FindingWeight::Problem,
    fix: "`openclaw config set timezone Europe/Berlin`",
};

/// The checks that the files and programs named by settings can be used.
pub(super) const NAMED: [CheckRow; 4] = [MODEL, KEY_FILE, LOCAL_MODEL, TIMEZONE];

pub(super) fn valid(context: &Context, home: &Home) -> Vec<DoctorFinding> {
    let invalid = context.load(home, &[]).err().map(|failure| DoctorFinding {
        place: failure.whiles.first().cloned(),
        ..DoctorFinding::of_failure(&SETTINGS, &failure)
    });
    Vec::from_iter(invalid)
}

/// Finds window settings that leave no room for a conversation, which every chat refuses.
pub(super) fn room(context: &Context, home: &Home) -> Vec<DoctorFinding> {
    let loaded = context.load(home, &[]).ok();
    let found = loaded.and_then(|config| without_room(&config, context.host, home));
    Vec::from_iter(found)
}

/// Finds things that valid settings name but that do not exist.
pub(super) fn named(context: &Context, home: &Home) -> Vec<DoctorFinding> {
    match context.load(home, &[]) {
        Ok(config) => missing(&config.settings, context.host, home),
        Err(_) => Vec::new(),
    }
}

fn without_room(config: &Config, host: &Host, home: &Home) -> Option<DoctorFinding> {
    // A prompt that cannot be read is another finding.
    let error = wiring::check_room(config, &host.workspace(home))
        .ok()?
        .err()?;
    let finding = DoctorFinding::new(&NO_ROOM, error.to_string()).at("compaction");
    let BudgetError::PrefixTooLarge { needed, .. } = error else {
        return Some(finding);
    };
    let hint = format!(
        "`openclaw config set compaction.contextWindow {}`",
        needed.0
    );
    Some(finding.with_hint(hint))
}

fn missing(settings: &Settings, host: &Host, home: &Home) -> Vec<DoctorFinding> {
    let lacking = wiring::lacking(ModelSource::new(&settings.model, host, home));
    let mut findings: Vec<DoctorFinding> = lacking
        .iter()
        .map(|it| DoctorFinding::of_failure(&MODEL, it).at("model"))
        .collect();
    let recipients = wiring::backup_recipients(&settings.backup, host, home).err();
    let key = wiring::homes_key(&settings.homes, host, home).err();
    for (group, failure) in [("backup", recipients), ("homes", key)] {
        findings.extend(failure.map(|it| DoctorFinding::of_failure(&KEY_FILE, &it).at(group)));
    }
    let unusable = wiring::unusable_model(&settings.memory.embedding, host, home);
    findings.extend(unusable.map(|(key, it)| DoctorFinding::of_failure(&LOCAL_MODEL, &it).at(key)));
    findings.extend(open_files(settings, host, home));
    let zone = settings.timezone.find(&host.environment);
    let warning = zone.warning;
    findings.extend(warning.map(|warning| DoctorFinding::new(&TIMEZONE, warning)));
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
        let next = format!("`chmod 600 {}`", shell_word(&path));
        let finding = DoctorFinding::new(&NOT_PRIVATE, what).with_weight(FindingWeight::Problem);
        is_open.then(|| finding.at(setting).with_hint(next))
    });
    open.collect()
}

#[cfg(test)]
#[path = "settings_tests.rs"]
mod tests;

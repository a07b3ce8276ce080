//! Configurations of a home in memory, for tests.
//!
//! Only compiled for tests.
#![expect(
    clippy::unwrap_used,
    clippy::missing_panics_doc,
    reason = "in a test a failure ends the test"
)]

use std::path::Path;

use base::Disk;
use base::disk::{MemoryDisk, replace};

use super::{Assignment, Config, ConfigSources, Settings, load};
use crate::environment::Variable;
use crate::error::Result;
use crate::home::Home;

/// The assignments that `--set` would give.
pub fn assigned(settings: &[(&str, &str)]) -> Vec<Assignment> {
    let assigned = settings.iter().map(|(key, value)| Assignment {
        key: (*key).to_owned(),
        value: (*value).to_owned(),
    });
    assigned.collect()
}

/// The settings that result from these files of a home, these variables and these `--set` options.
pub fn read(
    files: &[(&str, &str)],
    variables: &[(&str, Option<&str>)],
    settings: &[(&str, &str)],
) -> Result<Config> {
    let disk = MemoryDisk::default();
    for (name, text) in files {
        let path = Path::new("/h").join(name);
        disk.create_dir(path.parent().unwrap()).unwrap();
        replace(&disk, &path, text.as_bytes()).unwrap();
    }
    let variables = variables.iter().map(|(name, value)| Variable {
        name: (*name).to_owned(),
        value: value.map(str::to_owned),
    });
    load(ConfigSources {
        disk: &disk,
        home: &Home::new("/h"),
        variables: &variables.collect::<Vec<_>>(),
        assignments: &assigned(settings),
    })
}

/// The settings that result from these `--set` options alone.
pub fn settings_with(settings: &[(&str, &str)]) -> Settings {
    read(&[], &[], settings).unwrap().settings
}

//! A program in an artificial world: a disk in memory, a stopped clock, and an environment with a user and a time
//! zone.
//!
//! Only compiled for tests.
#![expect(
    clippy::unwrap_used,
    clippy::missing_panics_doc,
    reason = "in a test a failure ends the test"
)]

use std::ffi::OsString;

use base::FixedClock;
use base::disk::{MemoryDisk, replace};
use session::StateCache;

use crate::environment::{Environment, Variable};
use crate::host::Host;
use crate::prelude::*;

/// The entry point of a program.
pub type Run = fn(&[OsString], &Host, &mut Output) -> Exit;

/// A world that contains only a home at `/home/ada/.openclaw`.
pub struct World {
    pub host: Host,
    run: Run,
}

impl World {
    /// A world for this program.
    pub fn of(run: Run) -> Self {
        let environment = Environment {
            user_home: Some("/home/ada".into()),
            machine_timezone: Some("Europe/Berlin".into()),
            ..Environment::default()
        };
        let now = "2026-04-20T12:00:00Z";
        Self {
            host: Host {
                environment,
                disk: Arc::new(MemoryDisk::default()),
                clock: Arc::new(FixedClock::new(now.parse().unwrap())),
                states: StateCache::default(),
            },
            run,
        }
    }

    /// Writes a file of the home.
    #[must_use]
    pub fn with_file(self, path: &str, content: impl AsRef<[u8]>) -> Self {
        let path = Path::new("/home/ada/.openclaw").join(path);
        self.host.disk.create_dir(path.parent().unwrap()).unwrap();
        replace(self.host.disk.as_ref(), &path, content.as_ref()).unwrap();
        self
    }

    /// Sets an environment variable.
    #[must_use]
    pub fn with_variable(mut self, name: &str, value: &str) -> Self {
        self.host.environment.settings.push(Variable {
            name: name.to_owned(),
            value: Some(value.to_owned()),
        });
        self
    }

    /// Runs a command line; returns its exit code, stdout and stderr as one text.
    #[must_use]
    pub fn run(&self, command_line: &str) -> String {
        let arguments: Vec<OsString> = command_line.split_whitespace().map(Into::into).collect();
        let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
        let mut output = Output::new(&mut stdout, &mut stderr);
        let exit = (self.run)(&arguments, &self.host, &mut output);
        let [stdout, stderr] = [stdout, stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        format!(
            "exit {}\n--- stdout\n{stdout}--- stderr\n{stderr}",
            exit.code()
        )
    }
}

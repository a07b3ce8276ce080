//! The data that every command receives: the host, the global options, and the output.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use agent::{HomeAccess, Knowledge};
use base::disk::MemoryDisk;
use base::{FolderKind, Invocation, Tz, shell_word, vault_around};
use memory::Workspace;
use serde::Serialize;
use serde_json::json;
use session::{SessionStore, StateCache};

use crate::config::{self, Assignment, Config, TimezoneSetting};
use crate::environment::Stream;
use crate::error::{CliError, ErrorKind, Result};
use crate::exit_code::Exit;
use crate::home::{Home, LAYOUT, find_home};
use crate::host::{Host, Operations};
use crate::output::{DRY_RUN, Output, OutputFormat, Report, wrap};
use crate::wiring;

pub struct Context<'a, 'out> {
    pub host: &'a Host,
    pub home_option: Option<PathBuf>,
    pub assignments: Vec<Assignment>,
    pub output: &'a mut Output<'out>,
    /// The home whose settings were loaded, and the settings. Their warnings have been printed.
    pub known: Option<(PathBuf, Config)>,
    /// The time zone setting that was resolved, and the zone. Its warning has been printed.
    pub known_timezone: Option<(TimezoneSetting, Tz)>,
}

impl Context<'_, '_> {
    pub fn home(&mut self) -> Result<Home> {
        let home = self.named_home()?;
        let root = std::path::absolute(home.root())?;
        // A failure is ignored here: the command itself reports why it cannot use the home.
        if let Ok(Some(vault)) = vault_around(&*self.host.disk, &root) {
            let (root, vault) = (root.display(), vault.display());
            let message =
                format!("{root} is in the vault {vault}, but would be stored in clear text");
            return Err(CliError::new(ErrorKind::Usage, message).hint(format!(
                "use a directory outside of it; `openclaw-fleet --home DIR pull vault://{vault} NAME` \
                 copies a home from it to one"
            )));
        }
        self.output
            .note(&format!("the home is {}", home.root().display()));
        Ok(home)
    }

    /// The home that the command line or the environment names. A file does not count as a home.
    fn named_home(&self) -> Result<Home> {
        let home = find_home(self.home_option.as_deref(), &self.host.environment)?;
        let found = self.host.disk.stat(home.root());
        // The command itself reports what cannot be examined.
        if !matches!(found, Ok(Some(stat)) if !stat.is_dir) {
            return Ok(home);
        }
        let file = home.root();
        let message = format!("{} is a file, but a home is a directory", file.display());
        let parent = file.parent().filter(|it| !it.as_os_str().is_empty());
        let parent = shell_word(parent.unwrap_or(Path::new(".")));
        Err(CliError::new(ErrorKind::Usage, message)
            .hint(format!("did you mean `--home {parent}`?")))
    }

    /// The home. Fails if the directory does not exist or is not a home, because a mistyped path would look like an
    /// empty home.
    pub fn existing_home(&mut self) -> Result<Home> {
        let home = self.home()?;
        let (disk, root) = (&*self.host.disk, home.root());
        if disk.stat(root)?.is_none() {
            let message = format!("there is no home at {}", root.display());
            return Err(CliError::new(ErrorKind::NotFound, message)
                .hint("create it with `openclaw init`, or choose another one with `--home DIR`"));
        }
        // A directory that cannot be listed may be a home; the command reports the reason.
        if matches!(LAYOUT.kind_of(disk, root), Ok(FolderKind::Foreign)) {
            let message = format!(
                "{} is not a home: it has none of {}",
                root.display(),
                LAYOUT.signs.join(", ")
            );
            return Err(CliError::new(ErrorKind::Input, message).hint(
                "choose another one with `--home DIR`, or make it one with `openclaw init`",
            ));
        }
        Ok(home)
    }

    /// Makes messages name the home from now on, unless it is the default one, because their readers type in another
    /// shell.
    pub fn name_home(&mut self, home: &Home) -> Result<()> {
        self.output.modes.invocation = self.invocation_elsewhere(home)?;
        Ok(())
    }

    /// How a home is named in a command for another shell.
    pub fn invocation_elsewhere(&self, home: &Home) -> Result<Invocation> {
        let home = Home::new(std::path::absolute(home.root())?);
        let user_home = self.host.environment.user_home.as_ref();
        Ok(if user_home.is_some_and(|it| home == Home::of_user(it)) {
            Invocation::default()
        } else {
            Invocation::at(home.root())
        })
    }

    /// The effective settings; prints their warnings once.
    pub fn config(&mut self, home: &Home) -> Result<Config> {
        if let Some(config) = self.known_of(home) {
            return Ok(config.clone());
        }
        let config = self.load(home, &[])?;
        for path in &config.files {
            self.output
                .note(&format!("settings are in {}", path.display()));
        }
        for warning in &config.warnings {
            self.output.warn(warning);
        }
        self.known = Some((home.root().to_owned(), config.clone()));
        Ok(config)
    }

    pub fn sessions(&self, home: &Home) -> SessionStore {
        self.host.sessions(home, Arc::clone(&self.host.clock))
    }

    /// Search over a home by words only, within the limits of its settings.
    pub fn knowledge(&mut self, home: &Home) -> Result<Knowledge> {
        let config = self.config(home)?;
        let timezone = self.timezone(&config);
        let access = wiring::access(&config.settings);
        let folders = wiring::note_folders(&config.settings, self.host, home);
        Ok(self.host.knowledge(home, folders, (timezone, access)))
    }

    /// The workspace of a home, with the folders of notes elsewhere.
    pub fn workspace(&mut self, home: &Home) -> Result<Workspace> {
        let config = self.config(home)?;
        let folders = wiring::note_folders(&config.settings, self.host, home);
        Ok(self.host.workspace(home).with_folders(folders))
    }

    /// The stores for operations on a home, with search by words only.
    pub fn operations(&mut self, home: &Home) -> Result<Operations> {
        let knowledge = self.knowledge(home)?;
        self.operations_with(home, knowledge)
    }

    /// The stores for operations on a home, with this search.
    pub fn operations_with(&mut self, home: &Home, knowledge: Knowledge) -> Result<Operations> {
        let config = self.config(home)?;
        let at = (Arc::clone(&self.host.clock), self.timezone(&config));
        let workspace = Arc::new(self.workspace(home)?);
        let access = HomeAccess::new(at, self.sessions(home), workspace);
        Ok(Operations {
            home: access.called(self.output.modes.invocation.clone()),
            window: wiring::settings(&config),
            knowledge,
        })
    }

    /// Prints a report: an object for programs, text for people.
    pub fn emit<R: Report>(&mut self, report: &R) -> Result<Exit> {
        let stdout = self.host.environment.stdout();
        if self.output.format() == OutputFormat::Json {
            self.output.object(&report.json())?;
            return Ok(Exit::Done);
        }
        if report.is_dry_run() {
            self.output.text(DRY_RUN)?;
        }
        let text = report.human(stdout);
        match R::INDENT {
            None => self.output.text(&text)?,
            Some(indent) => self.output.lines(&text, stdout, indent)?,
        }
        Ok(Exit::Done)
    }

    /// Prints the reply of an operation: unchanged for programs, rendered by `human` for people.
    pub fn emit_reply<R: Serialize>(
        &mut self,
        reply: &R,
        human: impl FnOnce(&R, Stream) -> String,
    ) -> Result<Exit> {
        let stdout = self.host.environment.stdout();
        if self.output.format() == OutputFormat::Json {
            self.output.object(&json!(reply))?;
        } else {
            self.output.text(&human(reply, stdout))?;
        }
        Ok(Exit::Done)
    }

    /// Like `emit_reply`, but wraps the lines for people; continuation lines begin with `indent`.
    pub fn emit_lines<R: Serialize>(
        &mut self,
        reply: &R,
        indent: &str,
        human: impl FnOnce(&R) -> String,
    ) -> Result<Exit> {
        self.emit_reply(reply, |reply, stdout| {
            wrap(&human(reply), stdout.text_columns(), indent)
        })
    }

    /// Like `emit_lines`, for a change. If the change was only planned, a first line says so.
    pub fn emit_change<R: Serialize>(
        &mut self,
        reply: &R,
        is_dry_run: fn(&R) -> bool,
        human: impl FnOnce(&R) -> String,
    ) -> Result<Exit> {
        let note = if is_dry_run(reply) { DRY_RUN } else { "" };
        self.emit_lines(reply, "  ", |reply| format!("{note}{}", human(reply)))
    }

    /// Overrides a setting for the rest of this run, as `--set` does. `config` is the configuration loaded with it.
    pub fn assign(&mut self, home: &Home, assignment: Assignment, config: Config) {
        self.assignments.push(assignment);
        self.known = Some((home.root().to_owned(), config));
    }

    fn known_of(&self, home: &Home) -> Option<&Config> {
        let (root, config) = self.known.as_ref()?;
        (root == home.root()).then_some(config)
    }

    /// The effective settings with the assignments in `more`, which override all others.
    pub fn load(&self, home: &Home, more: &[Assignment]) -> Result<Config> {
        config::load(config::ConfigSources {
            disk: self.host.disk.as_ref(),
            home,
            variables: &self.host.environment.settings,
            assignments: &[self.assignments.as_slice(), more].concat(),
        })
    }

    /// The effective settings, without printing warnings.
    pub fn settings_of(&self, home: &Home) -> Result<config::Settings> {
        match self.known_of(home) {
            Some(config) => Ok(config.settings.clone()),
            None => Ok(self.load(home, &[])?.settings),
        }
    }

    pub fn refuse_in_sandbox(&mut self, what: &str) -> Result<()> {
        if self.is_sandbox()? {
            let refusal = format!("{what} is not possible in a read-only sandbox: it writes files");
            let failure = CliError::new(ErrorKind::Usage, refusal);
            return Err(failure.hint("`--set sandbox.readOnly=false` leaves the sandbox"));
        }
        Ok(())
    }

    /// Like `refuse_in_sandbox`, but accepts invalid settings, because the command reports or corrects them.
    pub fn refuse_in_known_sandbox(&mut self, what: &str) -> Result<()> {
        match self.refuse_in_sandbox(what) {
            Err(error) if error.kind == ErrorKind::Config => Ok(()),
            refused => refused,
        }
    }

    pub fn is_sandbox(&self) -> Result<bool> {
        let home = self.named_home()?;
        Ok(self.settings_of(&home)?.sandbox.read_only)
    }

    /// Runs `act` on an overlay of the disk in memory, so that its writes never reach the disk.
    pub fn on_overlay<R>(&mut self, act: impl FnOnce(&mut Context) -> R) -> R {
        let host = Host {
            disk: Arc::new(MemoryDisk::above(Arc::clone(&self.host.disk))),
            states: StateCache::default(),
            ..self.host.clone()
        };
        act(&mut Context {
            host: &host,
            home_option: self.home_option.clone(),
            assignments: self.assignments.clone(),
            output: self.output,
            known: self.known.clone(),
            known_timezone: self.known_timezone,
        })
    }

    /// Runs `act` without output, for callers whose progress and notices are not read by anybody.
    pub fn silently<R>(
        host: &Host,
        (home_option, assignments): (Option<PathBuf>, Vec<Assignment>),
        act: impl FnOnce(&mut Context) -> R,
    ) -> R {
        let (mut stdout, mut stderr) = (std::io::sink(), std::io::sink());
        act(&mut Context {
            host,
            home_option,
            assignments,
            output: &mut Output::new(&mut stdout, &mut stderr),
            known: None,
            known_timezone: None,
        })
    }

    /// The owner's time zone. If it is unknown, UTC with a warning that is printed once.
    pub fn timezone(&mut self, config: &Config) -> Tz {
        let setting = config.settings.timezone;
        if let Some((known, zone)) = self.known_timezone
            && known == setting
        {
            return zone;
        }
        let found = setting.find(&self.host.environment);
        if let Some(warning) = &found.warning {
            self.output.warn(warning);
        }
        self.known_timezone = Some((setting, found.zone));
        found.zone
    }
}

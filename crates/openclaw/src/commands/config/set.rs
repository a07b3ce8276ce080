//! `openclaw config set`: sets a value in the owner's config.yaml.
//!
//! Checks the changed file together with all other layers before it writes a byte.

use base::disk::{
    MemoryDisk, ReplaceOutcome, create_dir, create_parent, read_some, replace, replace_unchanged,
};
use cli::config::{self, Assignment, Config, ValueOrigin, not_utf8};
use cli::wiring::ModelSource;
use serde::Serialize;

use super::show::scalar;
use crate::prelude::*;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  openclaw config set model.provider anthropic
  openclaw config set timezone Europe/Berlin --dry-run")]
pub(crate) struct Arguments {
    /// Setting, as in compaction.contextWindow
    #[arg(value_name = "KEY")]
    key: String,
    /// Value, read as YAML
    #[arg(value_name = "VALUE", allow_hyphen_values = true)]
    value: String,
    /// Check the value and show the change; write nothing
    #[arg(long)]
    dry_run: bool,
}

const FILE_BYTES_MAX: u64 = 1 << 20;

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct SettingReport {
    key: String,
    value: Value,
    path: String,
    line: Option<u64>,
    changed: bool,
    dry_run: bool,
    /// The layer that overrides the value, if any.
    hidden_by: Option<ValueOrigin>,
}

/// Refuses a value that looks like a key or a password: config.yaml is shown, backed up and pushed.
pub(super) fn refuse_secret(assignment: &Assignment) -> Result<()> {
    let (key, value) = (&assignment.key, &assignment.value);
    if base::redact(value) == *value {
        return Ok(());
    }
    let text = format!("the value for {key} looks like a key or a password; nothing was written");
    Err(CliError::new(ErrorKind::Config, text).hint(
        "put it into an environment variable and name that in model.apiKeyEnv, or into a one-line file \
         and name that in model.apiKeyFile",
    ))
}

pub(crate) fn run(arguments: &Arguments, context: &mut Context) -> Result<Exit> {
    let assignment = Assignment {
        key: arguments.key.clone(),
        value: arguments.value.clone(),
    };
    // First of all: any other error might print the value.
    refuse_secret(&assignment)?;
    config::check(&assignment).map_err(plainly)?;
    let home = context.home()?;
    let edited = edit(context, &home, |path, text| {
        config::with_setting(path, text, &assignment)
    })?;
    let config = &edited.config;
    if WINDOW_KEYS.contains(&arguments.key.as_str()) {
        check_window(context, &home, config)?;
    }
    let report = report(arguments, &edited)?;
    if !report.dry_run {
        edited.write(context)?;
    }
    if let Some(origin) = &report.hidden_by {
        context.output.warn(&format!(
            "{} is overridden: {origin} sets it too",
            arguments.key
        ));
    }
    // Say now what the chosen model still lacks; otherwise only the next chat would.
    if arguments.key.starts_with("model.") {
        let source = ModelSource::new(&config.settings.model, context.host, &home);
        for lack in wiring::lacking(source) {
            context.output.warn(&lack.with_hints());
        }
    }
    context.emit(&report)
}

/// Settings that determine the budget.
const WINDOW_KEYS: [&str; 6] = [
    "compaction.contextWindow",
    "compaction.reserveTokensFloor",
    "compaction.softThresholdTokens",
    "compaction.strategy",
    "compaction.tiered.contextWindow",
    "model.contextWindow",
];

/// Checks that the window leaves room for a conversation.
fn check_window(context: &Context, home: &Home, config: &Config) -> Result<()> {
    let found = wiring::check_room(config, &context.host.workspace(home))?;
    found.map_err(|error| {
        CliError::from_error(ErrorKind::Config, &error)
            .hint(
                "nothing was written; set a larger window or a smaller compaction.reserveTokensFloor, or shorten \
                 AGENTS.md, SOUL.md, USER.md or MEMORY.md",
            )
    })
}

/// Drops the location from errors about typed values.
fn plainly(error: CliError) -> CliError {
    CliError {
        whiles: Vec::new(),
        ..error
    }
}

/// The owner's config.yaml before and after a change, and the settings that result.
pub(super) struct Edited {
    pub(super) path: PathBuf,
    pub(super) config: Config,
    before: Option<Vec<u8>>,
    text: String,
    after: String,
}

/// Applies `change` to the text and loads the result with all layers; writes nothing.
pub(super) fn edit(
    context: &mut Context,
    home: &Home,
    change: impl FnOnce(&Path, &str) -> Result<String>,
) -> Result<Edited> {
    context.refuse_in_known_sandbox("changing a setting")?;
    let disk = context.host.disk.as_ref();
    // Write through a symbolic link instead of replacing it.
    let path = disk.resolve(&home.user_config())?;
    let before = read_some(disk, &path, FILE_BYTES_MAX)?;
    let text = String::from_utf8(before.clone().unwrap_or_default());
    let text = text.map_err(|_| not_utf8(path.display()))?;
    let after = change(&path, &text).map_err(plainly)?;
    let overlay = MemoryDisk::above(Arc::clone(&context.host.disk));
    create_dir(&overlay, home.root())?;
    replace(&overlay, &home.user_config(), after.as_bytes())?;
    let config = config::load(config::ConfigSources {
        disk: &overlay,
        home,
        variables: &context.host.environment.settings,
        assignments: &context.assignments,
    })?;
    Ok(Edited {
        path,
        config,
        before,
        text,
        after,
    })
}

impl Edited {
    pub(super) fn is_changed(&self) -> bool {
        self.after != self.text
    }

    pub(super) fn write(&self, context: &Context) -> Result<()> {
        if !self.is_changed() {
            return Ok(());
        }
        let (disk, path) = (context.host.disk.as_ref(), &self.path);
        create_parent(disk, path)?;
        match replace_unchanged(disk, path, self.before.as_deref(), self.after.as_bytes())? {
            ReplaceOutcome::Done => Ok(()),
            ReplaceOutcome::Changed => {
                let failure = format!("{} has changed in the meantime", path.display());
                Err(CliError::new(ErrorKind::Input, failure)
                    .hint("nothing was written; run the command again"))
            }
        }
    }
}

fn report(arguments: &Arguments, edited: &Edited) -> Result<SettingReport> {
    let key = &arguments.key;
    let lost = || {
        let message = format!("{key} was set but is missing");
        CliError::new(ErrorKind::Internal, message)
    };
    let setting = edited.config.values.get(key).ok_or_else(lost)?.clone();
    let (line, hidden_by) = if let ValueOrigin::User { line, .. } = setting.origin {
        (Some(line), None)
    } else {
        (None, Some(setting.origin))
    };
    Ok(SettingReport {
        key: key.to_owned(),
        value: setting.value,
        path: edited.path.display().to_string(),
        line,
        changed: edited.is_changed(),
        dry_run: arguments.dry_run,
        hidden_by,
    })
}

impl Report for SettingReport {
    const INDENT: Option<&'static str> = Some("  ");

    fn json(&self) -> Value {
        json!(self)
    }

    fn is_dry_run(&self) -> bool {
        self.dry_run
    }

    fn human(&self, _: Stream) -> String {
        let SettingReport {
            key, path, value, ..
        } = self;
        let place = match self.line {
            Some(line) => format!("{path}:{line}"),
            None => path.clone(),
        };
        if !self.changed {
            return format!("{key} already has this value in {place}\n");
        }
        let what = match self.hidden_by {
            Some(_) => "set".to_owned(),
            None => scalar(value),
        };
        format!("{key} is {what} in {place}\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(value: &str) -> Option<String> {
        let assignment = Assignment {
            key: "model.apiKeyFile".into(),
            value: value.into(),
        };
        refuse_secret(&assignment)
            .err()
            .map(|error| format!("{error:?}"))
    }

    #[test]
    fn i14_config_set_rejects_key_value_without_printing_it() {
        let key = format!("sk-{}", "a1B2c3D4e5F6g7H8i9J0".repeat(2));
        let refused = refusal(&key).unwrap();
        assert!(!refused.contains(&key), "{refused}");
        assert!(refused.contains("model.apiKeyEnv"), "{refused}");
        assert_eq!(refusal("~/.config/openclaw/key"), None);
    }
}

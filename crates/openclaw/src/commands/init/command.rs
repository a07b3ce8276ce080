//! Creates the home with its settings and access token.
//!
//! Never changes an existing file.

use base::disk::{create_dir, replace};
use cli::output::wrap;
use gateway::http::AccessToken;
use memory::WorkspacePath;
use serde::Serialize;

use super::found::{self, FoundHere};
use super::{choice, owner};
use crate::commands::imported::ImportReport;
use crate::commands::migrate::{check_source, migrate};
use crate::commands::undo_import;
use crate::prelude::*;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  openclaw init
  openclaw init --from ~/.openclaw-old")]
pub(crate) struct Arguments {
    /// Import notes and sessions from another home, without changing it
    #[arg(long, value_name = "DIR")]
    from: Option<PathBuf>,
}

#[derive(Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
struct HomeReport {
    home: String,
    made: Vec<String>,
    kept: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    taken: Option<ImportReport>,
    /// What could be taken in.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    found: Vec<FoundHere>,
}

const USER_CONFIG: &str = "\
# Settings of this assistant; what does not differ from the defaults can be left
# out. `openclaw config show` prints every setting and where its value comes from.
#
# compaction:
#   contextWindow: 200000 # tokens
# timezone: Europe/Berlin
";

pub(crate) fn run(arguments: &Arguments, context: &mut Context) -> Result<Exit> {
    context.refuse_in_sandbox("creating a home")?;
    let home = context.home()?;
    let disk = context.host.disk.as_ref();
    let mut report = HomeReport {
        home: home.root().display().to_string(),
        made: Vec::new(),
        kept: Vec::new(),
        taken: None,
        found: Vec::new(),
    };
    if let Some(from) = &arguments.from {
        check_source(from, &home, &context.host.disk)?;
    }
    create_dir(disk, home.workspace())
        .map_err(|error| CliError::from(error).doing("creating the home"))?;
    let before = disk.list(home.workspace())?;
    // Before the templates, so that the owner's files take their place.
    if let Some(from) = &arguments.from {
        let mut taken = migrate(from, &home, context)?;
        taken.undo = undo_import::keep_migrated((&taken, from), (context, &home))?;
        report.taken = Some(taken);
    }
    let workspace = context.host.workspace(&home);
    let init = workspace.init()?;
    let under = |path: &WorkspacePath| path.under(workspace.root()).display().to_string();
    report.made.extend(init.written.iter().map(under));
    // The import report lists what was just imported.
    let mut kept = init.kept;
    kept.retain(|path| before.iter().any(|own| own == Path::new(path.as_str())));
    report.kept.extend(kept.iter().map(under));
    let config = home.user_config();
    let list = if disk.stat(&config)?.is_some() {
        &mut report.kept
    } else {
        replace(disk, &config, USER_CONFIG.as_bytes())?;
        &mut report.made
    };
    list.push(config.display().to_string());
    // Programs show this token to the service; the owner has no need to open it, so it is not reported.
    create_dir(disk, &home.state())?;
    AccessToken::load_or_make(disk, &home.state())?;
    report.found = found::look(&home, context);
    context.emit(&report)?;
    let undo = report
        .taken
        .as_ref()
        .and_then(|taken| taken.undo.as_deref());
    undo_import::tell(undo, context);
    owner::ask(&workspace, context)?;
    found::offer(&report.found, context)?;
    // Last, because it ends with the next step.
    choice::ask(&home, context)?;
    let is_whole = report.taken.as_ref().is_none_or(ImportReport::is_whole);
    Ok(if is_whole { Exit::Done } else { Exit::Failure })
}

impl Report for HomeReport {
    fn json(&self) -> Value {
        json!(self)
    }

    fn human(&self, stdout: Stream) -> String {
        let made = self.made.iter().map(|path| format!("created {path}\n"));
        let kept = self.kept.iter().map(|path| format!("kept {path}\n"));
        let taken = self.taken.as_ref().map(|taken| {
            let text = Report::human(taken, stdout);
            wrap(&text, stdout.text_columns(), "    ")
        });
        made.chain(kept).chain(taken).collect()
    }
}

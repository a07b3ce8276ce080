//! The command `man`: generates the manual from the same command tree as the help.
//!
//! Installs nothing.

use base::disk::{create_dir, replace};
use clap_mangen::Man;

use crate::prelude::*;

#[derive(Debug, Args)]
pub struct Arguments {
    /// Write one page per command to this directory
    #[arg(value_name = "DIR")]
    directory: Option<PathBuf>,
}

struct Pages(Vec<String>);

pub fn run(
    arguments: &Arguments,
    mut command: clap::Command,
    context: &mut Context,
) -> Result<Exit> {
    command.build();
    let Some(directory) = &arguments.directory else {
        context.output.text(&page(&Man::new(command))?)?;
        return Ok(Exit::Done);
    };
    let disk = context.host.disk.as_ref();
    create_dir(disk, directory)?;
    let mut pages = Vec::new();
    for man in manual(command) {
        let path = directory.join(man.get_filename());
        replace(disk, &path, page(&man)?.as_bytes())?;
        pages.push(path.display().to_string());
    }
    context.emit(&Pages(pages))
}

impl Report for Pages {
    fn json(&self) -> Value {
        json!({ "pages": self.0 })
    }

    fn human(&self, _: Stream) -> String {
        let lines = self.0.iter().map(|path| format!("wrote {path}\n"));
        lines.collect()
    }
}

/// The page of the program, then those of its subcommands, level by level.
fn manual(command: clap::Command) -> Vec<Man> {
    let mut commands = vec![command];
    let mut n_seen = 0;
    while let Some(command) = commands.get(n_seen) {
        let inner: Vec<clap::Command> = command.get_subcommands().cloned().collect();
        commands.extend(inner);
        n_seen += 1;
    }
    commands.into_iter().map(Man::new).collect()
}

fn page(man: &Man) -> Result<String> {
    let mut page = Vec::new();
    man.render(&mut page)
        .map_err(|error| CliError::internal(&error))?;
    Ok(String::from_utf8_lossy(&page).into_owned())
}

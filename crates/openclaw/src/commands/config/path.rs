//! `openclaw config path`: where the owner's settings lie.
//!
//! Reads nothing.

use crate::prelude::*;

#[derive(Debug, Args)]
pub(crate) struct Arguments {}

pub(crate) fn run(_: &Arguments, context: &mut Context) -> Result<Exit> {
    let home = context.home()?;
    context.emit(&home)
}

/// Where the files lie, whether they are there or not.
impl Report for Home {
    fn json(&self) -> Value {
        json!({
            "user": self.user_config().display().to_string(),
            "workspace": self.workspace_config().display().to_string(),
        })
    }

    fn human(&self, _: Stream) -> String {
        format!("{}\n", self.user_config().display())
    }
}

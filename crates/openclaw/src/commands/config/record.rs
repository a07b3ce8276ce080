//! Records settings that the owner agreed to.
//!
//! Leaves the rest of the file unchanged.

use cli::config::{Assignment, with_setting};

use super::set::{edit, refuse_secret};
use crate::prelude::*;

/// Writes all of the settings into the owner's config.yaml, or none; returns its path.
pub(crate) fn record(
    assignments: &[Assignment],
    home: &Home,
    context: &mut Context,
) -> Result<PathBuf> {
    for assignment in assignments {
        refuse_secret(assignment)?;
    }
    let edited = edit(context, home, |path, text| {
        let mut settings = assignments.iter();
        settings.try_fold(text.to_owned(), |text, it| with_setting(path, &text, it))
    })?;
    edited.write(context)?;
    Ok(edited.path)
}

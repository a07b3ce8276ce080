//! The days of the lines of `MEMORY.md`, by which search recognises the newer of two values.

use base::{Disk, LineRange, Locator, Tz, day};
use memory::curated::{LineOwner, LinesByHand};
use memory::{Workspace, curated_lines};
use search::StandingLine;

/// The days of the lines of `MEMORY.md`; a line that the owner wrote by hand has the day on which it was first there,
/// or that of the file's last change if no write of ours has seen it.
pub(crate) fn standing_lines(
    workspace: &Workspace,
    disk: &dyn Disk,
    timezone: Tz,
) -> Vec<StandingLine> {
    let path = workspace.memory_path();
    let lines = curated_lines(workspace).unwrap_or_default();
    let file = workspace.root().join(path.as_str());
    let stat = disk.stat(&file).ok().flatten();
    let changed = stat.and_then(|it| it.modified_at);
    let first = LinesByHand::read(workspace);
    let standing = lines.into_iter().filter_map(|line| {
        let is_by_hand = line.owner == LineOwner::Owner;
        let known = line.last_confirmed();
        let since = || first.since(&line.text).or(changed).filter(|_| is_by_hand);
        let since = || since().map(|at| day(at, timezone));
        Some(StandingLine {
            place: Locator::new(path.as_str(), LineRange::line(line.number)),
            day: known.or_else(since)?,
            is_by_hand,
        })
    });
    standing.collect()
}

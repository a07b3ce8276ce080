//! What tells a slow program from a busy machine: processor time, load, the machine itself.
//!
//! Says nothing where the system does not.

use std::path::Path;
use std::time::Duration;

use base::Disk;

/// Processor time of this process so far, all its threads together, in steps of [`TICK`].
pub(crate) fn processor_time(disk: &dyn Disk) -> Duration {
    let stat = text(disk, "/proc/self/stat");
    // The name of the program, in brackets, may hold spaces.
    let fields = stat.rsplit_once(')').map_or("", |(_, fields)| fields);
    let ticks = fields.split_whitespace().skip(USER_FIELD).take(2);
    let ticks = ticks.filter_map(|field| field.parse::<u32>().ok());
    TICK * ticks.sum::<u32>()
}

/// In what steps the system tells processor time.
const TICK: Duration = Duration::from_millis(10);

/// Where time in the program stands behind its name; time in the system for it is next.
const USER_FIELD: usize = 11;

/// The machine in a line: processors, memory, and how many programs want to run.
pub(crate) fn machine(disk: &dyn Disk) -> String {
    let n_processors = std::thread::available_parallelism().map_or(1, usize::from);
    let model = field(disk, "/proc/cpuinfo", "model name");
    let memory = field(disk, "/proc/meminfo", "MemTotal");
    let load = text(disk, "/proc/loadavg");
    let load: Vec<&str> = load.split(' ').take(3).collect();
    format!(
        "{n_processors} processors ({model}), memory {memory}, load {}",
        load.join(" ")
    )
}

pub(crate) fn peak(disk: &dyn Disk) -> String {
    field(disk, "/proc/self/status", "VmHWM")
}

/// What stands behind a name and a colon.
fn field(disk: &dyn Disk, path: &str, name: &str) -> String {
    let text = text(disk, path);
    let mut lines = text.lines().filter_map(|line| line.split_once(':'));
    let found = lines.find(|(found, _)| found.trim() == name);
    found.map_or_else(
        || "unknown".to_owned(),
        |(_, value)| value.trim().to_owned(),
    )
}

/// The beginning of a file that has no length of its own, as those of the system have none.
fn text(disk: &dyn Disk, path: &str) -> String {
    let mut bytes = vec![0; SHOWN_BYTES];
    let file = disk.open(Path::new(path));
    let n_read = file.and_then(|file| file.read_at(0, &mut bytes));
    bytes.truncate(n_read.unwrap_or(0));
    String::from_utf8_lossy(&bytes).into_owned()
}

/// What is asked for stands near the beginning.
const SHOWN_BYTES: usize = 16 * 1024;

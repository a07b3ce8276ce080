//! CPU time, load and hardware, which show whether a slow run was caused by a busy machine.
//!
//! Reads `/proc`; on a system without it, values are zero or unknown.

use std::path::Path;
use std::time::Duration;

use base::Disk;

/// The CPU time of this process so far, over all threads, in steps of [`TICK`].
pub(crate) fn processor_time(disk: &dyn Disk) -> Duration {
    let stat = text(disk, "/proc/self/stat");
    // The program's name in parentheses may contain spaces.
    let fields = stat.rsplit_once(')').map_or("", |(_, fields)| fields);
    let ticks = fields.split_whitespace().skip(USER_FIELD).take(2);
    let ticks = ticks.filter_map(|field| field.parse::<u32>().ok());
    TICK * ticks.sum::<u32>()
}

/// The kernel's unit of CPU time.
const TICK: Duration = Duration::from_millis(10);

/// The index of the user time in the fields after the program's name. The system time follows it.
const USER_FIELD: usize = 11;

/// The machine in one line: CPUs, memory and load.
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

/// The value of a `name: value` line.
fn field(disk: &dyn Disk, path: &str, name: &str) -> String {
    let text = text(disk, path);
    let mut lines = text.lines().filter_map(|line| line.split_once(':'));
    let found = lines.find(|(found, _)| found.trim() == name);
    found.map_or_else(
        || "unknown".to_owned(),
        |(_, value)| value.trim().to_owned(),
    )
}

/// The beginning of a `/proc` file, whose reported length is 0.
fn text(disk: &dyn Disk, path: &str) -> String {
    let mut bytes = vec![0; SHOWN_BYTES];
    let file = disk.open(Path::new(path));
    let n_read = file.and_then(|file| file.read_at(0, &mut bytes));
    bytes.truncate(n_read.unwrap_or(0));
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The number of bytes read of a file; the fields are near its beginning.
const SHOWN_BYTES: usize = 16 * 1024;

//! A home that vanishes, with the program run in it as a user would.
//!
//! Nothing of the real environment reaches the program.

use std::fs;
use std::io::Write;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use base::disk::{Disk, OsDisk, read_all};
use tempfile::TempDir;

use crate::{Run, binary};

/// Longest file that a test reads at once.
const FILE_BYTES_MAX: u64 = 64 * 1024 * 1024;

/// The user `nobody`, who may write nowhere.
const NOBODY: u32 = 65_534;

/// A folder that vanishes, with the home of the program inside and inputs beside it.
#[derive(Debug)]
pub struct TestHome {
    folder: TempDir,
}

impl Default for TestHome {
    fn default() -> Self {
        Self::new()
    }
}

impl TestHome {
    /// A folder whose home does not exist yet.
    ///
    /// # Panics
    ///
    /// Where no temporary folder can be made.
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        Self { folder }
    }

    /// The folder around the home.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The home; the program makes it.
    pub fn path(&self) -> PathBuf {
        self.folder().join("home")
    }

    /// Writes an input file beside the home.
    ///
    /// # Panics
    ///
    /// Where it cannot be written.
    pub fn input(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.folder().join(name);
        base::disk::replace(&OsDisk, &path, bytes.as_ref()).unwrap();
        path
    }

    /// Writes a file of the home, with the folders above it.
    ///
    /// # Panics
    ///
    /// Where it cannot be written.
    pub fn write(&self, relative: &str, bytes: impl AsRef<[u8]>) {
        let path = self.path().join(relative);
        OsDisk.create_dir(path.parent().unwrap()).unwrap();
        base::disk::replace(&OsDisk, &path, bytes.as_ref()).unwrap();
    }

    /// A file of the home as text.
    ///
    /// # Panics
    ///
    /// Where it is not there or not UTF-8.
    #[track_caller]
    pub fn read(&self, relative: &str) -> String {
        let path = self.path().join(relative);
        let bytes = read_all(&OsDisk, &path, FILE_BYTES_MAX).unwrap();
        String::from_utf8(bytes).unwrap()
    }

    /// A file of the home as text, damaged characters and all.
    ///
    /// # Panics
    ///
    /// Where it is not there.
    #[track_caller]
    pub fn read_lossy(&self, relative: &str) -> String {
        let path = self.path().join(relative);
        let bytes = read_all(&OsDisk, &path, FILE_BYTES_MAX).unwrap();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// The names in a folder of the home, sorted; none where there is no such folder.
    ///
    /// # Panics
    ///
    /// Where the folder cannot be read.
    pub fn list(&self, relative: &str) -> Vec<String> {
        let names = OsDisk.list(&self.path().join(relative)).unwrap();
        let as_text = |name: PathBuf| name.to_string_lossy().into_owned();
        names.into_iter().map(as_text).collect()
    }

    /// Every file of the home with its bytes: what must not change when nothing was to be done. Lock
    /// files are left out.
    ///
    /// # Panics
    ///
    /// Where a file cannot be read.
    pub fn files(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let mut files = self.all_files();
        files.retain(|(path, _)| path.extension().is_none_or(|extension| extension != "lock"));
        files
    }

    /// Every file of the home with its bytes, lock files and all.
    ///
    /// # Panics
    ///
    /// Where a file cannot be read.
    pub fn all_files(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let mut files = Vec::new();
        let mut waiting = vec![self.path()];
        while let Some(folder) = waiting.pop() {
            for name in OsDisk.list(&folder).unwrap() {
                let path = folder.join(name);
                if OsDisk.stat(&path).unwrap().is_some_and(|stat| stat.is_dir) {
                    waiting.push(path);
                } else {
                    let bytes = read_all(&OsDisk, &path, FILE_BYTES_MAX).unwrap();
                    files.push((path, bytes));
                }
            }
        }
        files.sort();
        files
    }

    /// The program with `--home` and these arguments, ready to be spawned.
    pub fn command(&self, arguments: &[&str]) -> Command {
        self.prepare(binary(), arguments)
    }

    /// Runs the program to its end.
    ///
    /// # Panics
    ///
    /// Where it cannot be started.
    pub fn run(&self, arguments: &[&str]) -> Run {
        let output = self.command(arguments).output().unwrap();
        Run::new(self, arguments, &output)
    }

    /// Runs the program to its end, with this on its standard input.
    ///
    /// # Panics
    ///
    /// Where it cannot be started, or where it reads no more.
    pub fn run_with_input(&self, arguments: &[&str], input: &str) -> Run {
        let mut child = self
            .command(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(input.as_bytes()).unwrap();
        drop(stdin);
        Run::new(self, arguments, &child.wait_with_output().unwrap())
    }

    /// Runs the program where a file may not grow beyond `n_blocks` blocks of 512 bytes: a write stops in
    /// the middle, as on a full disk.
    ///
    /// # Panics
    ///
    /// Where it cannot be started.
    pub fn run_on_full_disk(&self, n_blocks: u32, arguments: &[&str]) -> Run {
        self.run_limited(&format!("-f {n_blocks}"), arguments)
    }

    /// Runs the program under a limit of the system, as `ulimit` takes it.
    ///
    /// # Panics
    ///
    /// Where it cannot be started.
    pub fn run_limited(&self, limit: &str, arguments: &[&str]) -> Run {
        let mut command = self.prepare(Path::new("/bin/sh"), &[]);
        command
            .args(["-c", &format!("ulimit {limit} && exec \"$0\" \"$@\"")])
            .arg(binary())
            .arg("--home")
            .arg(self.path())
            .args(arguments);
        Run::new(self, arguments, &command.output().unwrap())
    }

    /// Runs the program as somebody who may read the home and write nowhere.
    ///
    /// # Panics
    ///
    /// Where permissions cannot be set or the program cannot be started.
    pub fn run_read_only(&self, arguments: &[&str]) -> Run {
        self.run_as_nobody((0o555, 0o444), &[], arguments)
    }

    /// Runs the program as somebody who may do everything in the home, but not read these files of it.
    ///
    /// # Panics
    ///
    /// Where permissions cannot be set or the program cannot be started.
    pub fn run_without_reading(&self, unreadable: &[&str], arguments: &[&str]) -> Run {
        self.run_as_nobody((0o777, 0o666), unreadable, arguments)
    }

    fn run_as_nobody(&self, modes: (u32, u32), unreadable: &[&str], arguments: &[&str]) -> Run {
        // A private folder on the way to the real binary would hide it from the other user.
        let program = self.folder().join("openclaw");
        // Another process copies it: a handle of ours that is open for writing while another test starts
        // a program would be inherited, and the copy could not be run.
        let copied = Command::new("/bin/cp").arg(binary()).arg(&program).status();
        assert!(copied.unwrap().success());
        OsDisk.create_dir(&self.path()).unwrap();
        let before = set_modes(self.folder(), modes.0, modes.1);
        fs::set_permissions(&program, fs::Permissions::from_mode(0o555)).unwrap();
        for path in unreadable {
            let path = self.path().join(path);
            fs::set_permissions(path, fs::Permissions::from_mode(0o0)).unwrap();
        }
        let mut command = self.prepare(&program, arguments);
        // Modes do not bind root.
        if fs::metadata(self.folder()).unwrap().uid() == 0 {
            command.uid(NOBODY);
        }
        let output = command.output().unwrap();
        for (path, mode) in before {
            // What the run took away needs no mode.
            if path.exists() {
                fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
            }
        }
        Run::new(self, arguments, &output)
    }

    fn prepare(&self, program: &Path, arguments: &[&str]) -> Command {
        let mut command = Command::new(program);
        command
            .env_clear()
            .env("TZ", "UTC")
            .current_dir(self.folder())
            .stdin(Stdio::null());
        if program != Path::new("/bin/sh") {
            command.arg("--home").arg(self.path()).args(arguments);
        }
        command
    }
}

/// Sets the modes of a folder and of all below it; gives what they were, folders first.
fn set_modes(folder: &Path, folder_mode: u32, file_mode: u32) -> Vec<(PathBuf, u32)> {
    let mut before = Vec::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(path) = waiting.pop() {
        let metadata = fs::metadata(&path).unwrap();
        let mode = if metadata.is_dir() {
            let names = OsDisk.list(&path).unwrap();
            waiting.extend(names.into_iter().map(|name| path.join(name)));
            folder_mode
        } else {
            file_mode
        };
        before.push((path.clone(), metadata.permissions().mode()));
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
    }
    before
}

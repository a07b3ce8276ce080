//! A temporary home, and ways to run the program in it.
//!
//! The program gets nothing from the real environment.

use std::fs;
use std::io::Write;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use base::disk::{Disk, Lock, OsDisk, read_all};
use tempfile::TempDir;

use crate::duration::Stopwatch;
use crate::{Arguments, ProgramRun, binary, fleet_binary};

/// The size of the largest file that a test reads, in bytes.
const FILE_BYTES_MAX: u64 = 64 * 1024 * 1024;

/// A file system in memory, where Linux has one: syncs cost nothing there, and a killed process leaves the same bytes
/// as on a disk.
const FOLDER_IN_MEMORY: &str = "/dev/shm";

/// The user id of `nobody`, a user without write access.
const NOBODY: u32 = 65_534;

/// A temporary folder that contains the program's home and, next to it, input files.
#[derive(Debug)]
pub struct TestHome {
    folder: TempDir,
    _stopwatch: Stopwatch,
}

impl Default for TestHome {
    fn default() -> Self {
        Self::new()
    }
}

impl TestHome {
    /// Creates the folder, but not the home.
    pub fn new() -> Self {
        let folder = tempfile::tempdir_in(FOLDER_IN_MEMORY).or_else(|_absent| tempfile::tempdir());
        Self {
            folder: folder.unwrap(),
            _stopwatch: Stopwatch::start(),
        }
    }

    /// Creates the folder, and runs `init` to create the home in it.
    #[track_caller]
    pub fn init() -> Self {
        let home = Self::new();
        home.ok("init");
        home
    }

    /// The folder around the home.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The path of the home; the program creates it.
    pub fn path(&self) -> PathBuf {
        self.folder().join("home")
    }

    /// Writes an input file next to the home; returns its path.
    pub fn input(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.folder().join(name);
        base::disk::replace(&OsDisk, &path, bytes.as_ref()).unwrap();
        path
    }

    /// Writes a file of the home; creates its parent folders.
    pub fn write(&self, relative: &str, bytes: impl AsRef<[u8]>) {
        let path = self.path().join(relative);
        OsDisk.create_dir(path.parent().unwrap()).unwrap();
        base::disk::replace(&OsDisk, &path, bytes.as_ref()).unwrap();
    }

    /// Writes the daily log of a day, or another note in the folder of daily logs.
    pub fn note(&self, name: &str, bytes: impl AsRef<[u8]>) {
        self.write(&format!("workspace/memory/{name}.md"), bytes);
    }

    /// Writes `MEMORY.md`.
    pub fn write_memory(&self, bytes: impl AsRef<[u8]>) {
        self.write("workspace/MEMORY.md", bytes);
    }

    /// The text of all daily logs and other notes in their folder.
    pub fn notes(&self) -> String {
        let names = self.list("workspace/memory").into_iter();
        let names = names.filter(|name| Path::new(name).extension() == Some("md".as_ref()));
        names
            .map(|name| self.read(&format!("workspace/memory/{name}")))
            .collect()
    }

    /// The text of `MEMORY.md`.
    #[track_caller]
    pub fn memory(&self) -> String {
        self.read("workspace/MEMORY.md")
    }

    /// Takes a lock of the home, as another process would.
    pub fn hold(&self, lock: &str) -> Lock {
        let path = self.path().join("state/locks").join(lock);
        OsDisk.try_lock(&path).unwrap()
    }

    /// Reads a file of the home.
    #[track_caller]
    pub fn read(&self, relative: &str) -> String {
        let path = self.path().join(relative);
        let bytes = read_all(&OsDisk, &path, FILE_BYTES_MAX).unwrap();
        String::from_utf8(bytes).unwrap()
    }

    /// Reads a file of the home; replaces invalid UTF-8.
    #[track_caller]
    pub fn read_lossy(&self, relative: &str) -> String {
        let path = self.path().join(relative);
        let bytes = read_all(&OsDisk, &path, FILE_BYTES_MAX).unwrap();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// The sorted names in a folder of the home; empty if the folder does not exist.
    pub fn list(&self, relative: &str) -> Vec<String> {
        let names = OsDisk.list(&self.path().join(relative)).unwrap();
        let as_text = |name: PathBuf| name.to_string_lossy().into_owned();
        names.into_iter().map(as_text).collect()
    }

    /// Every file of the home with its bytes, except lock files. For checking that a run changed nothing.
    pub fn files(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let mut files = self.all_files();
        files.retain(|(path, _)| path.extension().is_none_or(|extension| extension != "lock"));
        files
    }

    /// Every file of the home with its bytes, including lock files.
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

    /// A command that runs the program on this home with these arguments.
    pub fn command(&self, arguments: &(impl Arguments + ?Sized)) -> Command {
        let mut command = self.prepare(binary());
        command.args(arguments.words());
        command
    }

    /// A command that runs `openclaw-fleet` on this home with these arguments.
    pub fn fleet_command(&self, arguments: &(impl Arguments + ?Sized)) -> Command {
        let mut command = self.prepare(fleet_binary());
        command.args(arguments.words());
        command
    }

    /// Runs `openclaw-fleet` to completion.
    #[must_use = "a run that nobody looks at proves nothing"]
    pub fn fleet(&self, arguments: &(impl Arguments + ?Sized)) -> ProgramRun {
        self.finish(self.fleet_command(arguments))
    }

    /// Starts the program with pipes for its input and its output.
    pub fn spawn(&self, arguments: &(impl Arguments + ?Sized)) -> Child {
        piped(self.command(arguments))
    }

    /// Runs the program to completion.
    #[must_use = "a run that nobody looks at proves nothing"]
    pub fn run(&self, arguments: &(impl Arguments + ?Sized)) -> ProgramRun {
        self.finish(self.command(arguments))
    }

    /// Runs the program to completion; panics unless it succeeds.
    #[track_caller]
    pub fn ok(&self, arguments: &(impl Arguments + ?Sized)) -> ProgramRun {
        self.run(arguments).with_code(0)
    }

    /// Replays a recording into a session of this name.
    #[track_caller]
    pub fn replay(&self, session: &str, recording: impl AsRef<[u8]>) {
        let file = format!("{session}.jsonl");
        self.input(&file, recording);
        self.ok(&["replay", &file, "-s", session]);
    }

    /// Runs a command of [`command`](Self::command) to completion.
    #[must_use = "a run that nobody looks at proves nothing"]
    pub fn finish(&self, mut command: Command) -> ProgramRun {
        let output = command.output().unwrap();
        ProgramRun::of(self, &command, &output)
    }

    /// Runs the program to completion, with `input` on its stdin.
    #[must_use = "a run that nobody looks at proves nothing"]
    pub fn run_with_input(
        &self,
        arguments: &(impl Arguments + ?Sized),
        input: impl AsRef<[u8]>,
    ) -> ProgramRun {
        let mut child = self.spawn(arguments);
        send(&mut child, input);
        let output = child.wait_with_output().unwrap();
        ProgramRun::of(self, &self.command(arguments), &output)
    }

    /// Runs the program with a file size limit of `n_blocks` blocks of 512 bytes. A write then stops in the middle,
    /// as on a full disk.
    #[must_use = "a run that nobody looks at proves nothing"]
    pub fn run_on_full_disk(
        &self,
        n_blocks: u32,
        arguments: &(impl Arguments + ?Sized),
    ) -> ProgramRun {
        self.run_limited(&format!("-f {n_blocks}"), arguments)
    }

    /// Runs the program under a resource limit, given as arguments of `ulimit`.
    #[must_use = "a run that nobody looks at proves nothing"]
    pub fn run_limited(&self, limit: &str, arguments: &(impl Arguments + ?Sized)) -> ProgramRun {
        let program = self.command(arguments);
        let mut command = self.prepare(Path::new("/bin/sh"));
        command
            .args(["-c", &format!("ulimit {limit} && exec \"$0\" \"$@\"")])
            .arg(binary())
            .args(program.get_args());
        ProgramRun::of(self, &program, &command.output().unwrap())
    }

    /// Runs the program as a user who can read the home but not write.
    #[must_use = "a run that nobody looks at proves nothing"]
    pub fn run_read_only(&self, arguments: &(impl Arguments + ?Sized)) -> ProgramRun {
        self.run_as_nobody((0o555, 0o444), &[], arguments)
    }

    /// Runs the program as a user with full access to the home, except for the `unreadable` files.
    #[must_use = "a run that nobody looks at proves nothing"]
    pub fn run_without_reading(
        &self,
        unreadable: &[&str],
        arguments: &(impl Arguments + ?Sized),
    ) -> ProgramRun {
        let unreadable: Vec<_> = unreadable.iter().map(|path| (*path, 0)).collect();
        self.run_as_nobody((0o777, 0o666), &unreadable, arguments)
    }

    /// Runs the program as a user with full access except to the directory of the home, which has this mode.
    #[must_use = "a run that nobody looks at proves nothing"]
    pub fn run_with_home_mode(
        &self,
        mode: u32,
        arguments: &(impl Arguments + ?Sized),
    ) -> ProgramRun {
        self.run_as_nobody((0o777, 0o666), &[("", mode)], arguments)
    }

    fn run_as_nobody(
        &self,
        modes: (u32, u32),
        exceptions: &[(&str, u32)],
        arguments: &(impl Arguments + ?Sized),
    ) -> ProgramRun {
        // The binary is copied because the other user may lack access to a folder above the original.
        let program = self.folder().join("openclaw");
        // Copying happens in a child process. Otherwise a child of another test could inherit the open write handle,
        // and running the copy would fail with `ETXTBSY`.
        let copied = Command::new("/bin/cp").arg(binary()).arg(&program).status();
        assert!(copied.unwrap().success());
        OsDisk.create_dir(&self.path()).unwrap();
        let before = set_modes(self.folder(), modes.0, modes.1);
        fs::set_permissions(&program, fs::Permissions::from_mode(0o555)).unwrap();
        for (path, mode) in exceptions {
            let path = self.path().join(path);
            fs::set_permissions(path, fs::Permissions::from_mode(*mode)).unwrap();
        }
        let mut command = self.prepare(&program);
        command.args(arguments.words());
        // File modes do not restrict root.
        if fs::metadata(self.folder()).unwrap().uid() == 0 {
            command.uid(NOBODY);
        }
        let run = self.finish(command);
        for (path, mode) in before {
            // The run may have removed the file.
            if path.exists() {
                fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
            }
        }
        run
    }

    /// A command for a program that gets nothing from the real environment.
    fn prepare(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command
            .env_clear()
            .env("TZ", "UTC")
            .env("OPENCLAW_HOME", self.path())
            .current_dir(self.folder())
            .stdin(Stdio::null());
        command
    }
}

/// Starts a command with pipes for its input and its output.
pub fn piped(mut command: Command) -> Child {
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped());
    command.stderr(Stdio::piped()).spawn().unwrap()
}

/// Writes all input of a process, then closes its stdin.
pub fn send(child: &mut Child, input: impl AsRef<[u8]>) {
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(input.as_ref()).unwrap();
}

/// Sends a signal to a process, such as `-INT`.
#[track_caller]
pub fn signal(child: &Child, signal: &str) {
    let sent = Command::new("kill")
        .args([signal, &child.id().to_string()])
        .status();
    assert!(sent.unwrap().success());
}

/// Sets the modes of a folder and everything below it. Returns the old modes, each folder before its contents.
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

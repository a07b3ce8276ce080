//! A temporary home, and ways to run the program in it.
//!
//! The program sees nothing of the real environment.

use std::fs;
use std::io::Write;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use base::disk::{Disk, Lock, OsDisk, read_all};
use tempfile::TempDir;

use crate::{Arguments, ProgramRun, binary, fleet_binary};

/// The largest file that a test reads.
const FILE_BYTES_MAX: u64 = 64 * 1024 * 1024;

/// The user id of `nobody`, who may write nowhere.
const NOBODY: u32 = 65_534;

/// A temporary folder with the program's home in it, and input files beside the home.
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
    /// Creates the folder, but not the home.
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        Self { folder }
    }

    /// Creates the folder, and in it the home that `init` makes.
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

    /// The home; the program creates it.
    pub fn path(&self) -> PathBuf {
        self.folder().join("home")
    }

    /// Writes an input file beside the home.
    pub fn input(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.folder().join(name);
        base::disk::replace(&OsDisk, &path, bytes.as_ref()).unwrap();
        path
    }

    /// Writes a file of the home, and creates its parent folders.
    pub fn write(&self, relative: &str, bytes: impl AsRef<[u8]>) {
        let path = self.path().join(relative);
        OsDisk.create_dir(path.parent().unwrap()).unwrap();
        base::disk::replace(&OsDisk, &path, bytes.as_ref()).unwrap();
    }

    /// Writes the daily log of a day, or another note in its folder.
    pub fn note(&self, name: &str, bytes: impl AsRef<[u8]>) {
        self.write(&format!("workspace/memory/{name}.md"), bytes);
    }

    /// Writes the long-term memory.
    pub fn write_memory(&self, bytes: impl AsRef<[u8]>) {
        self.write("workspace/MEMORY.md", bytes);
    }

    /// All daily logs and notes beside them, one after the other.
    pub fn notes(&self) -> String {
        let names = self.list("workspace/memory").into_iter();
        let names = names.filter(|name| Path::new(name).extension() == Some("md".as_ref()));
        names
            .map(|name| self.read(&format!("workspace/memory/{name}")))
            .collect()
    }

    /// The long-term memory.
    #[track_caller]
    pub fn memory(&self) -> String {
        self.read("workspace/MEMORY.md")
    }

    /// Holds a lock of the home, as another process does.
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

    /// Reads a file of the home, replacing invalid UTF-8.
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

    /// Every file of the home with its bytes, except lock files: for checking that a run changed nothing.
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

    /// The program at this home with these arguments, ready to be spawned.
    pub fn command(&self, arguments: &(impl Arguments + ?Sized)) -> Command {
        let mut command = self.prepare(binary());
        command.args(arguments.words());
        command
    }

    /// `openclaw-fleet` at this home with these arguments, ready to be spawned.
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

    /// Runs the program to completion, which must succeed.
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

    /// Runs the program with a file size limit of `n_blocks` blocks of 512 bytes: a write stops in the middle, as on a
    /// full disk.
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

    /// Runs the program as a user who can read the home but write nothing.
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

    /// Runs the program as a user with full access to all but the directory of the home, which has this mode.
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
        // Copy the binary: the other user may lack access to a folder above the original.
        let program = self.folder().join("openclaw");
        // Copy in a child process: a child of another test could inherit our open write handle, and running the copy
        // would fail with ETXTBSY.
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
            // The run may have removed files.
            if path.exists() {
                fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
            }
        }
        run
    }

    /// A program that sees nothing of the real environment.
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

/// Writes the input of a process to its end.
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

/// Sets the modes of a folder and everything below it; returns the old modes, each folder before its contents.
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

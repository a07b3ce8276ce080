//! Finds the ONNX runtime library.
//!
//! Loads nothing; a missing library must be detected beforehand, because loading it would panic.

use std::path::{Path, PathBuf};

use base::Disk;

use super::error::OnnxError;

/// The path of the ONNX runtime.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OnnxRuntime {
    pub(super) library: PathBuf,
}

/// File names of the library on the supported systems.
const NAMES: [&str; 3] = [
    "libonnxruntime.so",
    "libonnxruntime.so.1",
    "libonnxruntime.dylib",
];

/// Usual library directories.
const USUAL: [&str; 7] = [
    "/usr/local/lib",
    "/usr/lib",
    "/usr/lib64",
    "/usr/lib/x86_64-linux-gnu",
    "/usr/lib/aarch64-linux-gnu",
    "/opt/homebrew/lib",
    "/opt/onnxruntime/lib",
];

impl OnnxRuntime {
    /// The named library, or else the first one in `directories` or the usual places. A missing named library is an
    /// error.
    pub fn find(
        disk: &dyn Disk,
        named: Option<&Path>,
        directories: &[PathBuf],
    ) -> Result<Self, OnnxError> {
        let is_there =
            |path: &Path| Ok::<_, OnnxError>(disk.stat(path)?.is_some_and(|it| !it.is_dir));
        if let Some(library) = named {
            if is_there(library)? {
                let library = library.to_owned();
                return Ok(Self { library });
            }
            let looked = format!("{} is not a file", library.display());
            return Err(OnnxError::NoRuntime(looked));
        }
        let usual = USUAL.iter().map(PathBuf::from);
        for directory in directories.iter().cloned().chain(usual) {
            for name in NAMES {
                let library = directory.join(name);
                if is_there(&library)? {
                    return Ok(Self { library });
                }
            }
        }
        let (files, usual) = (NAMES.join(" or "), USUAL.join(", "));
        let looked = format!("no {files} in {usual}, and so on");
        Err(OnnxError::NoRuntime(looked))
    }
}

#[cfg(test)]
mod tests {
    use base::disk::MemoryDisk;

    use super::*;

    #[track_caller]
    fn check(named: Option<&str>, directories: &[&str], expected: &str) {
        let disk = MemoryDisk::new();
        for path in [
            "/usr/lib/libonnxruntime.so.1",
            "/mine/libonnxruntime.so",
            "/other/runtime.so",
        ] {
            let path = Path::new(path);
            disk.create_dir(path.parent().unwrap()).unwrap();
            disk.append(path, b"library").unwrap();
        }
        let directories: Vec<PathBuf> = directories.iter().map(PathBuf::from).collect();
        let found = OnnxRuntime::find(&disk, named.map(Path::new), &directories);
        let found = found.map_or_else(
            |error| error.to_string(),
            |runtime| runtime.library.display().to_string(),
        );
        assert_eq!(found, expected);
    }

    #[test]
    fn runtime_uses_nearest_library_or_exactly_named_one() {
        check(Some("/other/runtime.so"), &["/mine"], "/other/runtime.so");
        check(None, &["/nothing", "/mine"], "/mine/libonnxruntime.so");
        check(None, &[], "/usr/lib/libonnxruntime.so.1");
        check(
            Some("/mine/gone.so"),
            &["/mine"],
            "cannot find the ONNX runtime: /mine/gone.so is not a file",
        );
    }

    #[test]
    fn missing_runtime_error_lists_searched_folders() {
        let error = OnnxRuntime::find(&MemoryDisk::new(), None, &[]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "cannot find the ONNX runtime: no libonnxruntime.so or libonnxruntime.so.1 or \
             libonnxruntime.dylib in /usr/local/lib, /usr/lib, /usr/lib64, /usr/lib/x86_64-linux-gnu, \
             /usr/lib/aarch64-linux-gnu, /opt/homebrew/lib, /opt/onnxruntime/lib, and so on"
        );
    }
}

//! Where a passage can be read: its address on the page.

use base::layout::session_of_path;
use memory::Workspace;

use super::words::encoded;

/// The address of a line of a note or of a message; `None` for a note that only its own folder shows.
pub(super) fn address_of(path: &str, line: usize, workspace: &Workspace) -> Option<String> {
    if let Some((vault, file)) = workspace.vault_of(path) {
        let (vault, file) = (encoded(&vault), encoded(file));
        return Some(format!("obsidian://open?vault={vault}&file={file}"));
    }
    if workspace.folder_of(path).is_some() {
        return None;
    }
    Some(match session_of_path(path) {
        Some(name) => format!("/sessions/{}?line={line}#line-{line}", encoded(name)),
        None => format!("/memory/file?path={}", encoded(path)),
    })
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::Arc;

    use base::disk::MemoryDisk;
    use base::{Disk, HomeLayout, Origin};
    use memory::NoteFolder;

    use super::*;

    #[test]
    fn note_of_vault_opens_in_obsidian_and_other_notes_do_not() {
        let disk = MemoryDisk::new();
        let settings = Path::new("/Second Brain/.obsidian");
        disk.create_dir(settings).unwrap();
        let folder = |name: &str, root: &str| NoteFolder {
            name: name.to_owned(),
            root: root.into(),
            origin: Origin::Owner,
            ignore: Vec::new(),
        };
        let folders = vec![folder("Brain", "/Second Brain"), folder("web", "/clips")];
        let workspace = Workspace::new(Arc::new(disk), HomeLayout::new("/home"));
        let workspace = workspace.with_folders(folders);
        let address = |path: &str| address_of(path, 3, &workspace).unwrap_or_default();
        let vault = "obsidian://open?vault=Second%20Brain&file=";
        let note = address("Brain/People/Clara Meier.md");
        assert!(note.starts_with(vault), "{note}");
        assert!(note.ends_with("Clara%20Meier%2Emd"), "{note}");
        assert_eq!(address("web/clip.md"), "");
        assert!(address("memory/2026-03-02.md").starts_with("/memory/file?path="));
        assert_eq!(
            address("sessions/main.jsonl"),
            "/sessions/main?line=3#line-3"
        );
    }
}

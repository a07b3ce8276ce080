//! Reads labelled sentences: one file per language, with a line `[class]` before the sentences of each class.

use std::path::Path;

use base::disk::{Disk, OsDisk, read_all};
use extract::Class;

use crate::Result;

/// The largest file of sentences, in bytes.
const FILE_BYTES_MAX: u64 = 16 * 1024 * 1024;

#[derive(Debug)]
pub(crate) struct Labelled {
    /// The language: the file's name without its extension.
    pub(crate) language: String,
    pub(crate) text: String,
    pub(crate) class: Class,
}

/// Reads the sentences of all files in a folder, in order of file name.
pub(crate) fn labelled(folder: &Path) -> Result<Vec<Labelled>> {
    let mut found = Vec::new();
    for name in OsDisk.list(folder)? {
        let path = folder.join(name);
        let language = path.file_stem().unwrap_or_default().to_string_lossy();
        let bytes = read_all(&OsDisk, &path, FILE_BYTES_MAX)?;
        let shown = path.display();
        let text = String::from_utf8(bytes).map_err(|_| format!("{shown} is not UTF-8"))?;
        let mut class = Class::Fact;
        for line in text.lines().map(str::trim) {
            if let Some(name) = line.strip_prefix('[').and_then(|it| it.strip_suffix(']')) {
                class = name
                    .parse()
                    .map_err(|_| format!("{shown} names {name}, which is not a sentence class"))?;
            } else if !line.is_empty() && !line.starts_with('#') {
                found.push(Labelled {
                    language: language.to_string(),
                    text: line.to_owned(),
                    class,
                });
            }
        }
    }
    Ok(found)
}

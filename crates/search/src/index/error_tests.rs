//! The failures that rebuilding the index repairs.

use std::path::Path;

use tantivy::directory::error::OpenReadError;

use super::*;

#[test]
fn lack_of_memory_or_file_handles_is_not_index_damage() {
    let met = |errno: i32| {
        let cause = io::Error::from_raw_os_error(errno);
        let error = OpenReadError::wrap_io_error(cause, Path::new("a.term").to_owned());
        IndexError::from(TantivyError::from(error))
    };
    let (too_many_open, no_memory, broken, denied) = (24, 12, 5, 13);
    for errno in [too_many_open, no_memory] {
        assert!(matches!(met(errno), IndexError::Disk(_)), "{errno}");
    }
    for errno in [broken, denied] {
        assert!(met(errno).is_damage(), "{errno}");
    }
}

//! The directories that a client works in, which it calls its roots.
//!
//! Later versions of the protocol have no roots.
#![expect(
    deprecated,
    reason = "clients of the protocol's earlier versions name their roots"
)]

use std::path::PathBuf;
use std::time::Duration;

use percent_encoding::percent_decode_str;
use rmcp::model::Root;
use rmcp::{Peer, RoleServer};
use tokio::time::timeout;

/// How long a client may take to name its roots.
const WAIT: Duration = Duration::from_secs(2);

/// The roots that are directories of this machine; none if the client gives no answer.
pub(super) async fn directories_of(client: &Peer<RoleServer>) -> Vec<PathBuf> {
    let listed = timeout(WAIT, client.list_roots()).await;
    let roots = listed.ok().and_then(Result::ok).map(|listed| listed.roots);
    roots.iter().flatten().filter_map(directory_of).collect()
}

fn directory_of(root: &Root) -> Option<PathBuf> {
    let path = root.uri.strip_prefix("file://")?;
    let path = path.strip_prefix("localhost").unwrap_or(path);
    let path = percent_decode_str(path).decode_utf8().ok()?;
    path.starts_with('/').then(|| PathBuf::from(&*path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_file_urls_of_this_machine_become_directories() {
        let path = |uri: &str| directory_of(&Root::new(uri)).map(|it| it.display().to_string());
        assert_eq!(
            path("file:///home/ada/my%20code").as_deref(),
            Some("/home/ada/my code")
        );
        assert_eq!(path("file://localhost/srv").as_deref(), Some("/srv"));
        for other in ["https://example.org/a", "file://elsewhere/srv", "/srv"] {
            assert_eq!(path(other), None, "{other}");
        }
    }
}

//! The limits of a home's settings on a worker.
//!
//! Uses a real disk, because the index needs one.

use base::FixedClock;
use base::disk::{OsDisk, create_dir, replace};
use cli::environment::Environment;
use cli::home::LAYOUT;

use super::*;
use crate::FolderHomes;

const SETTINGS: &str = "\
model: {provider: offline}
hooks: {beforeCompaction: [touch ran], afterCompaction: [touch ran]}
memory: {embedding: {provider: none}}
mcp: {servers: [{name: box, command: box-server}]}
";

/// For each runtime that works in a home: whether it runs hooks, and whether it has tool servers.
fn runs(assembled: Assembled) -> [(bool, bool); 3] {
    let Assembled {
        setup,
        beside,
        index,
    } = assembled;
    index.close();
    // The runtime of `door` is private, so its debug output is searched.
    let door = format!("{:?}", setup.door);
    let of = |runtime: &Runtime| (runtime.hooks.is_some(), runtime.tools.servers.is_some());
    [
        of(&setup.runtime),
        of(&beside),
        (
            !door.contains("hooks: None"),
            !door.contains("servers: None"),
        ),
    ]
}

#[test]
fn i14_settings_of_served_home_run_no_programs_on_worker() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("anna");
    create_dir(&OsDisk, &root).unwrap();
    replace(&OsDisk, &root.join("config.yaml"), SETTINGS.as_bytes()).unwrap();
    let (disk, now): (Arc<dyn base::Disk>, _) = (Arc::new(OsDisk), "2026-04-20T12:00:00Z");
    let token = AccessToken::given("0123456789abcdef", "a test").unwrap();
    let opener = Opener {
        homes: Arc::new(FolderHomes::new(
            Arc::clone(&disk),
            folder.path().to_owned(),
            LAYOUT,
        )),
        terms: LeaseTerms {
            holder: "test".to_owned(),
            time: LEASE,
        },
        host: Host {
            environment: Environment::default(),
            disk,
            clock: Arc::new(FixedClock::new(now.parse().unwrap())),
            states: StateCache::default(),
        },
        assignments: Vec::new(),
        hosts: Vec::new(),
        tell: unbounded_channel().0,
    };
    // The service of a single home does run them.
    let options = (Some(root), Vec::new());
    let alone = Context::silently(&opener.host, options, |context| {
        let admission = Admission {
            token: token.clone(),
            feed: None,
            hosts: Vec::new(),
            programs: None,
            repositories: None,
            runs_commands: true,
        };
        let home = context.home().unwrap();
        assembled(context, &home, admission).unwrap()
    });
    assert_eq!(runs(alone), [(true, false); 3]);

    let leased = opener.lease("anna").unwrap();
    let assembled = opener.assemble(("anna", &*leased), &token).unwrap();
    assert_eq!(runs(assembled), [(false, false); 3]);
}

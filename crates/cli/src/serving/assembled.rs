//! Assembles the parts that are needed to serve a home.
//!
//! Opens no socket, and starts only the thread of the index.

use agent::service::IndexRefresh;
use agent::{Door, FileAccess, Repositories, Runtime};
use gateway::http::{AccessToken, FeedToken, HttpSetup, Programs};
use memory::load_tombstones;
use models::ModelLoad;

use crate::prelude::*;

/// The access token, the accepted host names, and the programs that can be connected.
pub struct Admission {
    pub token: AccessToken,
    pub feed: Option<FeedToken>,
    pub hosts: Vec<String>,
    pub programs: Option<Arc<dyn Programs>>,
    /// Finds the repositories of the directories that clients work in, if they are on this machine.
    pub repositories: Option<Arc<dyn Repositories>>,
    /// Whether the settings of the home may run hooks and tool servers.
    pub runs_commands: bool,
}

/// A home that is ready to be served.
pub struct Assembled {
    pub setup: HttpSetup,
    /// The runtime for dreams and notes.
    pub beside: Runtime,
    pub index: IndexRefresh,
}

pub fn assembled(context: &mut Context, home: &Home, admission: Admission) -> Result<Assembled> {
    let dreaming = wiring::dreaming_settings(context, home)?;
    let mut runtime = wiring::runtime(context, home, Arc::clone(&context.host.clock))?;
    if !admission.runs_commands {
        runtime.hooks = None;
        runtime.tools.servers = None;
    }
    // Without the tombstones nothing can be answered, because they say which text is forgotten.
    load_tombstones(&runtime.home.workspace)?;
    let chosen = wiring::embedder(context, home, ModelLoad::FromFirstText)?;
    let access = wiring::access_of(&runtime);
    let (host, timezone) = (context.host, runtime.home.timezone);
    let folders = runtime.home.workspace.shared_folders();
    let knowledge = || {
        let knowledge = host.knowledge(home, Arc::clone(&folders), (timezone, access));
        chosen.equip(knowledge)
    };
    let index = IndexRefresh::start(knowledge());
    let shared = Arc::new(knowledge().refreshed_by(index.refresher()));
    let beside = runtime.beside();
    runtime.memory.knowledge = Some(Arc::clone(&shared));
    runtime.tools.files = FileAccess::None;
    let setup = HttpSetup {
        door: Arc::new(
            Door::new(runtime.beside(), Arc::clone(&shared), None).finding(admission.repositories),
        ),
        embedder: chosen.embedder.clone(),
        knowledge: shared,
        runtime,
        dreaming,
        token: admission.token,
        feed: admission.feed,
        hosts: admission.hosts,
        programs: admission.programs,
    };
    Ok(Assembled {
        setup,
        beside,
        index,
    })
}

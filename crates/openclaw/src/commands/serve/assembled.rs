//! What a home takes to be served, put together.
//!
//! Listens nowhere and begins nothing but the thread of the index.

use agent::service::IndexRefresh;
use agent::{Door, FileAccess, PrivateSessions, Runtime};
use gateway::http::{AccessToken, HttpSetup, Programs};
use memory::load_tombstones;
use models::Held;

use crate::prelude::*;

/// Who may ask, and under which names.
pub(super) struct Admission {
    pub(super) token: AccessToken,
    pub(super) hosts: Vec<String>,
    pub(super) programs: Option<Arc<dyn Programs>>,
}

/// A home that can be served.
pub(super) struct Assembled {
    pub(super) setup: HttpSetup,
    /// What dreams and notes work with.
    pub(super) beside: Runtime,
    pub(super) index: IndexRefresh,
}

pub(super) fn assembled(
    context: &mut Context,
    home: &Home,
    admission: Admission,
) -> Result<Assembled> {
    let dreaming = wiring::dreaming_settings(context, home)?;
    let mut runtime = wiring::runtime(context, home, Arc::clone(&context.host.clock))?;
    // Without knowing what is forgotten nothing can be answered.
    load_tombstones(&runtime.home.workspace)?;
    let chosen = wiring::embedder(context, home, Held::FromFirstText)?;
    let access = wiring::access_of(&runtime);
    let lack = chosen.lack();
    let (host, timezone) = (context.host, runtime.home.timezone);
    let knowledge = || {
        host.knowledge(home, timezone, access)
            .with_embedder(chosen.embedder.clone())
            .lacking(lack)
    };
    let index = IndexRefresh::start(knowledge());
    let shared = Arc::new(knowledge().refreshed_by(index.refresher()));
    let beside = runtime.beside();
    runtime.memory.knowledge = Some(Arc::clone(&shared));
    // Nobody but the owner has the token.
    runtime.memory.private_sessions = PrivateSessions::All;
    runtime.tools.files = FileAccess::None;
    let setup = HttpSetup {
        door: Arc::new(Door::new(runtime.beside(), Arc::clone(&shared), None)),
        embedder: chosen.embedder.clone(),
        knowledge: shared,
        runtime,
        dreaming,
        token: admission.token,
        hosts: admission.hosts,
        programs: admission.programs,
    };
    Ok(Assembled {
        setup,
        beside,
        index,
    })
}

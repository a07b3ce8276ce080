//! Mends what was found.
//!
//! Takes the locks that everybody takes; what is in use is left for another time.

use memory::finish_forgetting;
use models::Held;

use super::finding::Mend;
use crate::prelude::*;

pub(crate) fn mend(mend: &Mend, home: &Home, context: &mut Context) -> Result<()> {
    let disk = Arc::clone(&context.host.disk);
    match mend {
        Mend::MakePrivate(path) => Ok(disk.make_private(path)?),
        Mend::Remove(path) => Ok(base::disk::remove(&*disk, path)?),
        Mend::CutTornEnd(name) => {
            let config = context.config(home)?;
            let store = context.sessions(home);
            // Beginning a turn makes the file whole.
            drop(store.begin_turn(name, assistant::resume_limit(&config))?);
            Ok(())
        }
        Mend::FinishForgetting => Ok(finish_forgetting(
            &assistant::workspace(context.host, home),
            context.host.clock.now(),
        )?),
        Mend::Index => {
            let config = context.config(home)?;
            let timezone = context.timezone(&config);
            let access = assistant::access(&config);
            let embedder = assistant::embedder(context, home, Held::FromStart)?.embedder;
            let knowledge =
                assistant::knowledge(context.host, home, timezone, access).with_embedder(embedder);
            knowledge.sync(&mut |_| {})?;
            Ok(())
        }
    }
}

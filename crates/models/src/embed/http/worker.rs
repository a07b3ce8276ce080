//! The thread that sends the requests, so that `embed` can be called from any context.
//!
//! Ends with the embedder; handles one request at a time.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use base::EmbedRole;

use super::ask::EmbeddingClient;
use super::failure::Failure;

type Vectors = Result<Vec<Vec<f32>>, Failure>;

/// A handle to the thread.
#[derive(Debug)]
pub(super) struct Worker {
    jobs: Sender<EmbedJob>,
}

struct EmbedJob {
    role: EmbedRole,
    texts: Vec<String>,
    answer: Sender<Vectors>,
}

impl Worker {
    pub(super) fn start(
        asker: impl FnOnce() -> Result<EmbeddingClient, Failure> + Send + 'static,
    ) -> Self {
        let (jobs, given) = channel();
        // The thread ends when the sender of the channel is dropped.
        thread::spawn(move || work(&asker(), &given));
        Self { jobs }
    }

    pub(super) fn vectors(&self, role: EmbedRole, texts: Vec<String>) -> Vectors {
        let (answer, answered) = channel();
        let job = EmbedJob {
            role,
            texts,
            answer,
        };
        let gone = || Failure::Lasting("the request thread has ended".to_owned());
        self.jobs.send(job).map_err(|_| gone())?;
        answered.recv().map_err(|_| gone())?
    }
}

fn work(asker: &Result<EmbeddingClient, Failure>, jobs: &Receiver<EmbedJob>) {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = runtime.enable_all().build();
    let runtime = runtime
        .map_err(|error| Failure::Lasting(format!("cannot start the async runtime: {error}")));
    for job in jobs {
        let done = match (asker, &runtime) {
            (Ok(asker), Ok(runtime)) => {
                let texts: Vec<&str> = job.texts.iter().map(String::as_str).collect();
                runtime.block_on(asker.vectors(job.role, &texts))
            }
            (Err(failure), _) | (_, Err(failure)) => Err(failure.clone()),
        };
        // The caller may be gone by now, which is fine.
        job.answer.send(done).ok();
    }
}

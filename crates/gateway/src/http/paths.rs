//! The paths for programs, in the order of their description.
//!
//! The router and `/api/openapi.json` are made from this table.

use agent::ops::{
    About, AddNote, AddPromise, Agenda, Archive, Correct, Decide, DecidePromise, DreamLog,
    ExpandSession, Forget, Get, ListCandidates, ListForgotten, PlanForget, Remember, Search,
    SessionTimeline, SessionWindow, ShowCandidate, UndoChange, UndoForget, Why,
};
use axum::routing::{get, post};

use super::api::{dreams, events, metrics, sessions, status};
use super::event_bus::NewsItem;
use super::openai;
use super::route::{Method, Route};

/// The errors of a reply by a model.
const TURN_ERRORS: &[(u16, &str)] = &[
    (409, "Another turn of the session is under way"),
    (502, "The model gave no reply"),
];

pub(super) const PATHS: &[Route] = &[
    Route::other(
        Method::Post,
        "/v1/chat/completions",
        "Replies to a conversation; as server-sent events if `stream` is true.",
        || post(openai::complete),
    )
    .request::<openai::ChatRequest>()
    .reply::<openai::ChatCompletion>()
    .names_session()
    .errors(TURN_ERRORS),
    Route::other(
        Method::Post,
        "/v1/responses",
        "Replies to a conversation, in the newer form; as server-sent events if `stream` is true.",
        || post(openai::respond),
    )
    .request::<openai::ResponseRequest>()
    .reply::<openai::ResponseBody>()
    .names_session()
    .errors(TURN_ERRORS),
    Route::other(
        Method::Get,
        "/v1/models",
        "Lists the names that a request may give as `model`.",
        || get(openai::list_models),
    )
    .reply::<openai::ModelList>(),
    Route::other(
        Method::Get,
        "/v1/models/{name}",
        "Shows a name that a request may give as `model`; every session name is one.",
        || get(openai::show_model),
    )
    .reply::<openai::ListedModel>()
    .errors(&[(404, "The name is neither `openclaw` nor `openclaw:NAME`")]),
    Route::other(
        Method::Post,
        "/v1/embeddings",
        "Embeds texts; the vectors are in the order of the texts.",
        || post(openai::embed),
    )
    .request::<openai::EmbeddingRequest>()
    .reply::<openai::EmbeddingList>()
    .errors(&[
        (502, "The embedder does not answer"),
        (503, "No embedder is set"),
    ]),
    Route::read::<Search>(
        "/api/memory/search",
        "Searches notes and conversations; the best passage comes first.",
    ),
    Route::read::<Get>(
        "/api/memory/lines",
        "Reads lines of a note, or messages of a conversation.",
    ),
    Route::act::<AddNote>(
        "/api/memory/notes",
        "Adds a note of the owner to today's log.",
    ),
    Route::act::<Remember>(
        "/api/memory/remember",
        "Adds a line to `MEMORY.md` at the owner's word.",
    ),
    Route::act::<Correct>(
        "/api/memory/correct",
        "Replaces a line of `MEMORY.md` at the owner's word.",
    ),
    Route::act::<Archive>(
        "/api/memory/archive",
        "Moves lines of `MEMORY.md` to the archive, or lists those that helped to answer no past question.",
    ),
    Route::read::<About>(
        "/api/memory/about",
        "Shows what memory contains about the owner, theme by theme.",
    ),
    Route::read::<Why>(
        "/api/memory/why",
        "Returns the history of a line of `MEMORY.md`, a note or a message.",
    ),
    Route::read::<Agenda>(
        "/api/memory/agenda",
        "Lists promises, and what notes and `MEMORY.md` plan for the days ahead.",
    ),
    Route::act::<AddPromise>(
        "/api/memory/promises",
        "Adds a promise: its text and its time.",
    ),
    Route::act::<DecidePromise>(
        "/api/memory/promises/decide",
        "Ticks off, moves or drops a promise.",
    ),
    Route::act::<PlanForget>(
        "/api/memory/forget",
        "Plans what would be forgotten, and returns the token that confirms the plan; forgets nothing yet.",
    ),
    Route::act::<Forget>("/api/memory/forget/confirm", "Carries out a plan."),
    Route::act::<UndoForget>("/api/memory/forget/undo", "Restores what was forgotten."),
    Route::read::<ListForgotten>(
        "/api/memory/forgotten",
        "Lists what was forgotten, without telling it.",
    ),
    Route::other(
        Method::Get,
        "/api/sessions",
        "Lists the sessions, by name.",
        || get(sessions::list),
    )
    .reply::<sessions::SessionList>(),
    Route::read::<SessionWindow>(
        "/api/sessions/{name}",
        "Shows the window of a session: its summary and messages.",
    ),
    Route::read::<SessionTimeline>(
        "/api/sessions/{name}/timeline",
        "Shows the timeline of a session: its days with their events, and the size of its context over time.",
    ),
    Route::read::<ExpandSession>(
        "/api/sessions/{name}/expand",
        "Brings back the messages that a summary replaces, as many as fit.",
    ),
    Route::read::<ListCandidates>(
        "/api/dreams/candidates",
        "Lists the candidates that wait for the owner's decision.",
    ),
    Route::read::<ShowCandidate>(
        "/api/dreams/candidates/{id}",
        "Shows a candidate with its evidence and the change that accepting it would make.",
    ),
    Route::act::<Decide>(
        "/api/dreams/candidates/{id}",
        "Carries out the owner's decision about a candidate.",
    ),
    Route::act::<UndoChange>(
        "/api/dreams/undo",
        "Undoes the last change of long-term memory, byte for byte.",
    ),
    Route::read::<DreamLog>(
        "/api/dreams/log",
        "Lists what dreams and decisions changed, newest first.",
    ),
    Route::other(
        Method::Post,
        "/api/dreams/run",
        "Runs a dream now, due or not.",
        || post(dreams::run),
    )
    .reply::<dreams::DreamBody>()
    .errors(&[(409, "Another dream is under way, or this one failed")]),
    Route::other(
        Method::Get,
        "/api/status",
        "Shows the state of the service.",
        || get(status::status),
    )
    .reply::<status::StatusBody>(),
    Route::other(
        Method::Get,
        "/api/events",
        "Streams news from now on, one item per event, until the client disconnects.",
        || get(events::events),
    )
    .reply::<NewsItem>()
    .media("text/event-stream"),
    Route::other(
        Method::Get,
        "/metrics",
        "Serves metrics in the Prometheus text format.",
        || get(metrics::metrics),
    )
    .reply::<String>()
    .media("text/plain"),
];

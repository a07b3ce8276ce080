//! `/api/openapi.json`: the `OpenAPI` description of the paths for programs, generated from their handlers.

use std::collections::BTreeMap;

use axum::Json;
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::openapi::{Content, OpenApi as Document, Ref, RefOr, Response, ResponseBuilder};
use utoipa::{IntoResponses, Modify, OpenApi};

use super::{api, openai};

#[derive(OpenApi)]
#[openapi(
    info(
        title = "openclaw",
        description = "An assistant's memory: conversations, notes, dreams",
        license(name = "MIT OR Apache-2.0", identifier = "MIT OR Apache-2.0")
    ),
    paths(
        openai::complete,
        openai::respond,
        openai::list_models,
        openai::show_model,
        openai::embed,
        api::memory::search,
        api::memory::lines,
        api::memory::add,
        api::memory::plan_forgetting,
        api::memory::forget,
        api::sessions::list,
        api::sessions::show,
        api::sessions::course,
        api::sessions::bring_back,
        api::dreams::candidates,
        api::dreams::decide,
        api::dreams::undo,
        api::dreams::run,
        api::status::status,
        api::events::events,
        api::metrics::metrics,
    ),
    modifiers(&BearerScheme),
    security(("bearer" = []))
)]
struct ApiDescription;

struct BearerScheme;

impl Modify for BearerScheme {
    fn modify(&self, document: &mut Document) {
        let scheme = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).build();
        let components = document.components.get_or_insert_default();
        components.add_security_scheme("bearer", SecurityScheme::Http(scheme));
    }
}

type Responses = BTreeMap<String, RefOr<Response>>;

/// The errors of every path.
pub(crate) struct Refusals;

impl IntoResponses for Refusals {
    fn responses() -> Responses {
        errors(&[
            ("401", "The token is missing or wrong"),
            ("429", "Too many requests at once"),
            ("500", "Internal error"),
        ])
    }
}

/// The errors of every path that takes JSON.
pub(crate) struct BodyRefusals;

impl IntoResponses for BodyRefusals {
    fn responses() -> Responses {
        let mut own = errors(&[
            ("400", "The body is malformed or not supported"),
            ("413", "The body is too large"),
            ("415", "The body is not JSON"),
        ]);
        own.append(&mut Refusals::responses());
        own
    }
}

fn errors(described: &[(&str, &str)]) -> Responses {
    let response = |(status, description): &(&str, &str)| {
        let body = Content::new(Some(Ref::from_schema_name("ErrorBody")));
        let response = ResponseBuilder::new()
            .description(*description)
            .content("application/json", body);
        ((*status).to_owned(), response.build().into())
    };
    described.iter().map(response).collect()
}

/// Serves the description.
pub(crate) async fn document() -> Json<Document> {
    Json(ApiDescription::openapi())
}

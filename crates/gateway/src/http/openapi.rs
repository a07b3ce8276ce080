//! `/api/openapi.json`: the `OpenAPI` description of the paths for programs, generated from their handlers.

use axum::Json;
use utoipa::openapi::OpenApi as Document;
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::{Modify, OpenApi};

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
        openai::list_models,
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

/// Serves the description.
pub(crate) async fn document() -> Json<Document> {
    Json(ApiDescription::openapi())
}

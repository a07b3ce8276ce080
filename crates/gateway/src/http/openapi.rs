//! `/api/openapi.json`: the `OpenAPI` description of the paths for programs, made from their table and types.
//!
//! Describes nothing that a type or the table does not say.

use axum::Json;
use schemars::generate::SchemaSettings;
use schemars::{Schema, SchemaGenerator};
use serde_json::{Map, Value, json};

use super::error::ErrorBody;
use super::paths::PATHS;
use super::route::{Method, Route};

/// The errors of every path.
const ERRORS: &[(u16, &str)] = &[
    (401, "The token is missing or wrong"),
    (429, "Too many requests at once"),
    (500, "Internal error"),
];

/// The errors of every path that takes JSON.
const BODY_ERRORS: &[(u16, &str)] = &[
    (400, "The body is malformed or not supported"),
    (413, "The body is too large"),
    (415, "The body is not JSON"),
];

/// Serves the description.
pub(super) async fn document() -> Json<Value> {
    Json(described())
}

fn described() -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.definitions_path = "/components/schemas".into();
        settings.meta_schema = None;
    });
    let mut replies = settings.clone().for_serialize().into_generator();
    // A request and a reply may share a type and differ in what is required.
    let mut requests = settings
        .with(|settings| settings.inline_subschemas = true)
        .into_generator();
    let error = replies.subschema_for::<ErrorBody>();
    let mut paths: Map<String, Value> = Map::new();
    for route in PATHS {
        let methods = paths.entry(route.path).or_insert_with(|| json!({}));
        let path = Path {
            route,
            error: &error,
        };
        methods[route.method.as_str()] = path.described(&mut requests, &mut replies);
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "openclaw",
            "description": "An assistant's memory: conversations, notes, dreams",
            "license": { "name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0" },
            "version": env!("CARGO_PKG_VERSION"),
        },
        "paths": paths,
        "components": {
            "schemas": replies.take_definitions(true),
            "securitySchemes": { "bearer": { "type": "http", "scheme": "bearer" } },
        },
        "security": [{ "bearer": [] }],
    })
}

impl Method {
    fn as_str(self) -> &'static str {
        match self {
            Self::Get => "get",
            Self::Post => "post",
        }
    }
}

struct Path<'a> {
    route: &'a Route,
    error: &'a Schema,
}

impl Path<'_> {
    fn described(&self, requests: &mut SchemaGenerator, replies: &mut SchemaGenerator) -> Value {
        let route = self.route;
        let request = route.request.map(|request| Value::from(request(requests)));
        let mut request = request.unwrap_or_else(|| json!({}));
        let mut parameters: Vec<Value> = Vec::new();
        for name in route.path_parameters() {
            let given = take(&mut request, name).unwrap_or_else(|| json!({ "type": "string" }));
            parameters.push(parameter((name, "path"), given, &[]));
        }
        if route.method == Method::Get {
            let required = required(&request);
            for (name, schema) in properties(&request) {
                parameters.push(parameter((&name, "query"), schema, &required));
            }
        }
        if route.names_session {
            let named = json!({ "type": "string", "description": "Names the session" });
            parameters.push(parameter(("x-openclaw-session-key", "header"), named, &[]));
        }
        let mut described = Map::new();
        let mut add = |key: &str, value| described.insert(key.to_owned(), value);
        add("tags", json!([tag(route.path)]));
        add("summary", json!(route.summary));
        add("operationId", json!(operation_id(route)));
        add("responses", self.responses(replies));
        if !parameters.is_empty() {
            add("parameters", Value::Array(parameters));
        }
        if route.method == Method::Post && route.request.is_some() {
            let body = json!({
                "required": true,
                "content": { "application/json": { "schema": request } },
            });
            add("requestBody", body);
        }
        Value::Object(described)
    }

    fn responses(&self, replies: &mut SchemaGenerator) -> Value {
        let route = self.route;
        let reply = match route.reply {
            Some(reply) => Value::from(reply(replies)),
            None => json!({ "type": "object" }),
        };
        let done = json!({
            "description": route.summary,
            "content": { route.media: { "schema": reply } },
        });
        let mut responses = Map::from_iter([("200".to_owned(), done)]);
        let takes_body = route.method == Method::Post && route.request.is_some();
        let of_body = if takes_body { BODY_ERRORS } else { &[] };
        for (status, description) in ERRORS.iter().chain(of_body).chain(route.errors) {
            let refused = json!({
                "description": description,
                "content": { "application/json": { "schema": self.error } },
            });
            responses.insert(status.to_string(), refused);
        }
        Value::Object(responses)
    }
}

/// The part of the interface that a path belongs to.
fn tag(path: &str) -> &str {
    let mut parts = path.trim_start_matches('/').split('/');
    match (parts.next(), parts.next()) {
        (Some("v1"), _) => "openai",
        (Some("api"), Some(part @ ("memory" | "sessions" | "dreams"))) => part,
        _ => "status",
    }
}

/// A name for the function that calls the path, in clients that are made from the description.
fn operation_id(route: &Route) -> String {
    let parts = route.path.split('/').filter(|part| !part.is_empty());
    let parts = parts.map(|part| part.trim_matches(['{', '}']));
    let method = route.method.as_str();
    [method]
        .into_iter()
        .chain(parts)
        .collect::<Vec<_>>()
        .join("_")
}

/// A parameter; it is required in a path, and where the request requires it.
fn parameter((name, place): (&str, &str), mut schema: Value, required: &[Value]) -> Value {
    let description = schema
        .as_object_mut()
        .and_then(|it| it.remove("description"));
    let is_required = place == "path" || required.iter().any(|it| it == name);
    let members = [
        ("name", Some(json!(name))),
        ("in", Some(json!(place))),
        ("required", Some(json!(is_required))),
        ("description", description),
        ("schema", Some(schema)),
    ];
    let members = members.into_iter();
    members
        .filter_map(|(key, value)| Some((key.to_owned(), value?)))
        .collect::<Map<_, _>>()
        .into()
}

fn properties(schema: &Value) -> Map<String, Value> {
    let properties = schema.get("properties").and_then(Value::as_object);
    properties.cloned().unwrap_or_default()
}

fn required(schema: &Value) -> Vec<Value> {
    let required = schema.get("required").and_then(Value::as_array);
    required.cloned().unwrap_or_default()
}

/// Removes a property from the schema of an object.
fn take(schema: &mut Value, name: &str) -> Option<Value> {
    let given = schema.get_mut("properties")?.as_object_mut()?.remove(name);
    if let Some(required) = schema.get_mut("required").and_then(Value::as_array_mut) {
        required.retain(|it| it != name);
    }
    given
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn description_matches_snapshot() {
        let mut document = described();
        document["info"]["version"] = json!("[version]");
        insta::assert_snapshot!(serde_json::to_string_pretty(&document).unwrap());
    }

    #[test]
    fn writes_of_our_own_paths_reject_unknown_parameters() {
        let document = described();
        let paths = document["paths"].as_object().unwrap().iter();
        let bodies = paths.filter_map(|(path, methods)| {
            let body = &methods.get("post")?["requestBody"]["content"]["application/json"];
            let is_ours = path.starts_with("/api/") && body.is_object();
            is_ours.then_some((path, &body["schema"]))
        });
        let bodies: Vec<_> = bodies.collect();
        assert!(bodies.len() >= 7, "{bodies:?}");
        for (path, schema) in bodies {
            assert_eq!(schema["additionalProperties"], false, "{path}: {schema}");
        }
    }
}

//! The front of a service with many homes: the checks that every request passes, and the credentials that it shows.
//!
//! Independent of homes: the code that answers finds the home by the credentials.

use std::sync::Arc;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{Form, FromRequest, Request, State};
use axum::http::{Method, header};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::Response;
use axum::routing::post;
use base::Clock;

use super::error::HttpError;
use super::guard::{BodyRoom, bearer, bound_body, checked_sender, security_headers, turned_away};
use super::limits::{ALL_REQUESTS, Budgets, FORM_BYTES_MAX};
use super::routes::open_routes;
use super::sign_in::{self, SIGN_IN, SignIn, cookie};
use super::state::wrong_token;
use crate::page;

/// The front of a service with many homes.
pub struct Front {
    hosts: Vec<String>,
    /// Hint on where to get a token.
    token_place: &'static str,
    clock: Arc<dyn Clock>,
    budgets: Budgets,
}

/// The sender of a request, as its headers show it.
pub enum Credentials {
    /// A bearer token; empty if the header holds none.
    Bearer(String),
    /// The token in the form with which a browser signs in.
    SignIn(String),
    /// The cookie of a browser that signed in.
    Cookie(String),
    /// Nothing.
    Missing,
}

impl Front {
    /// A front that admits `hosts` besides IP addresses and `localhost`; `token_place` says where a token comes from.
    pub fn new(hosts: Vec<String>, token_place: &'static str, clock: Arc<dyn Clock>) -> Self {
        Self {
            hosts,
            token_place,
            clock,
            budgets: Budgets::new(ALL_REQUESTS),
        }
    }

    /// The routes of the service: requests that do not need a home are answered here, all others by `answer`.
    pub fn router<F>(
        self: &Arc<Self>,
        answer: impl Fn(Request) -> F + Clone + Send + Sync + 'static,
    ) -> Router
    where
        F: Future<Output = Response> + Send + 'static,
    {
        // A request passes the last layer first.
        open_routes()
            .route(SIGN_IN, post(answer.clone()))
            .layer(from_fn_with_state(
                BodyRoom::new(FORM_BYTES_MAX),
                bound_body,
            ))
            .fallback(answer)
            .layer(from_fn_with_state(Arc::clone(self), check_sender))
            .layer(from_fn(page::show_errors))
            .layer(from_fn(security_headers))
    }

    /// The error for a wrong token; counts it.
    pub fn wrong_token(&self) -> HttpError {
        wrong_token(&self.budgets, self.clock.monotonic(), self.token_place)
    }

    /// The sign-in form again, with the reason.
    pub fn refused(error: &HttpError) -> Response {
        sign_in::refused(error)
    }

    /// The response to a request without valid credentials.
    pub fn turned_away(&self, request: &Request) -> Response {
        turned_away(request, self.token_place)
    }
}

impl Credentials {
    /// Finds the credentials of a request, and returns the request, whose form may have been read.
    pub async fn of(request: Request) -> (Self, Request) {
        if request.headers().contains_key(header::AUTHORIZATION) {
            let token = bearer(request.headers()).unwrap_or_default().to_owned();
            return (Self::Bearer(token), request);
        }
        if request.method() == Method::POST && request.uri().path() == SIGN_IN {
            let (parts, body) = request.into_parts();
            let bytes = to_bytes(body, FORM_BYTES_MAX).await.unwrap_or_default();
            let again = || Request::from_parts(parts.clone(), Body::from(bytes.clone()));
            let form = Form::<SignIn>::from_request(again(), &()).await;
            let sent = form.map_or_else(|_| String::new(), |Form(sent)| sent.token);
            return (Self::SignIn(sent), again());
        }
        match cookie(request.headers()).map(str::to_owned) {
            Some(secret) => (Self::Cookie(secret), request),
            None => (Self::Missing, request),
        }
    }
}

/// Refuses foreign hosts and origins, and requests over the rate limit, before anybody looks for a home.
async fn check_sender(
    State(front): State<Arc<Front>>,
    request: Request,
    next: Next,
) -> Result<Response, HttpError> {
    let asked = (&front.budgets, front.clock.monotonic());
    checked_sender(request.headers(), &front.hosts, asked)?;
    Ok(next.run(request).await)
}

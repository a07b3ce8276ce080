//! A remote model as the port shows it.
//!
//! Implements no dialect, and judges no reply.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use backon::{BackoffBuilder, ExponentialBackoff};
use base::Model;
use base::model::{ModelError, ModelProfile, ReplyEvent, ReplyStream, Request, SaidSizes};
use futures_util::{StreamExt, stream};
use genai::chat::ChatStream;
use tokio::sync::{Semaphore, SemaphorePermit};

use super::client::{Route, route};
use super::deadline::{ContentDeadline, DeadlinePassed};
use super::failure::AskedServer;
use super::form::RequestForm;
use super::page::is_page;
use super::relay::{Relay, ReplyShape};
use super::reply::Assembler;
use super::request::{chat_options, chat_request, is_near};
use super::retry::{After, Failed, waits};
use super::set_up_error::SetUpError;
use super::{Connection, Dialect};

/// A model on a server.
#[derive(Debug)]
pub struct RemoteModel {
    connection: Connection,
    route: Route,
    calls: Semaphore,
    /// The form of requests that the server accepts, as far as known.
    form: Mutex<RequestForm>,
}

impl RemoteModel {
    /// Prepares a model; nothing is sent.
    pub fn new(connection: Connection) -> Result<Self, SetUpError> {
        let route = route(&connection)?;
        let calls = Semaphore::new(connection.concurrency.get());
        let form = Mutex::new(RequestForm::first(connection.dialect));
        Ok(Self {
            connection,
            route,
            calls,
            form,
        })
    }

    fn dialect(&self) -> Dialect {
        self.connection.dialect
    }

    fn asked(&self) -> AskedServer<'_> {
        AskedServer {
            connection: &self.connection,
            base_url: &self.route.shown,
        }
    }

    /// The next event of a request, which is retried if need be.
    async fn step<'a>(
        &'a self,
        request: &'a Request,
        course: StreamState<'a>,
    ) -> Option<StreamStep<'a>> {
        let (mut waits, wait, mut form) = match course {
            StreamState::Asking { waits, wait, form } => (waits, wait, form),
            StreamState::Replying(reply) => return reply.step(self.deadline()).await,
            StreamState::Ended => return None,
        };
        if !wait.is_zero() {
            tokio::time::sleep(wait).await;
        }
        let failed = match self.begin_in_form(request, &mut form).await {
            Ok(reply) => return Box::new(reply).step(self.deadline()).await,
            Err(failed) => failed,
        };
        if let Some(lesser) = lesser(request, (&failed, form)) {
            let shape = lesser.shape.in_words();
            let warning = format!("{}; {shape}", failed.error);
            let again = StreamState::Asking {
                waits,
                wait: Duration::ZERO,
                form: lesser,
            };
            return Some((Ok(ReplyEvent::Warning(warning)), again));
        }
        let Some(wait) = failed.wait(waits.next()) else {
            let error = self.overflow_or(failed, request);
            return Some((Err(error), StreamState::Ended));
        };
        let reason = failed.error.to_string();
        let again = ReplyEvent::AskedAgain { reason, wait };
        Some((Ok(again), StreamState::Asking { waits, wait, form }))
    }

    /// The deadline for the next content, from now on.
    fn deadline(&self) -> ContentDeadline {
        ContentDeadline::new(self.connection.patience.silence)
    }

    async fn relay(&self, shape: ReplyShape) -> std::io::Result<Relay> {
        let Route { http, base_url, .. } = &self.route;
        Relay::open((http, base_url), shape).await
    }

    fn form(&self) -> MutexGuard<'_, RequestForm> {
        base::locked(&self.form)
    }

    /// Starts a reply in this form, and drops options that the server refuses, but keeps the shape. Remembers a form
    /// only once a reply has started in it: a refusal may have another cause.
    async fn begin_in_form<'a>(
        &'a self,
        request: &'a Request,
        form: &mut RequestForm,
    ) -> Result<ReplyInProgress<'a>, Failed> {
        loop {
            let failed = match self.begin(request, *form).await {
                Ok(reply) => {
                    *self.form() = *form;
                    return Ok(reply);
                }
                Err(failed) => failed,
            };
            match lesser(request, (&failed, *form)) {
                Some(lesser) if lesser.shape == form.shape => *form = lesser,
                Some(_) | None => return Err(failed),
            }
        }
    }

    /// Sends a request and waits for the first piece of its reply.
    async fn begin<'a>(
        &'a self,
        request: &'a Request,
        form: RequestForm,
    ) -> Result<ReplyInProgress<'a>, Failed> {
        let (mut reply, deadline) = self.open(request, form).await?;
        let Err(failed) = reply.fill(deadline).await else {
            return Ok(reply);
        };
        let Route { http, base_url, .. } = &self.route;
        // After a silence, asking in another way would only wait as long again.
        let is_broken = matches!(failed.error, ModelError::Broken { .. });
        if !is_broken || failed.after == After::Silence {
            return Err(failed);
        }
        if is_page(http, base_url, self.dialect()).await {
            return Err(self.asked().page().into());
        }
        if !reply.assembler.may_not_stream() {
            return Err(failed);
        }
        let is_whole = self.ask_whole((request, form), &mut reply).await?;
        is_whole.then_some(reply).ok_or(failed)
    }

    /// Asks again without streaming, after a stream in which nothing came: the client library shows nothing of a server
    /// that cannot stream, and some servers report only here that a request is too large. Returns whether a reply came.
    async fn ask_whole(
        &self,
        (request, form): (&Request, RequestForm),
        reply: &mut ReplyInProgress<'_>,
    ) -> Result<bool, ModelError> {
        let chat = chat_request(self.dialect(), request, form);
        let options = chat_options(self.dialect(), request, form);
        let Ok(relay) = self.relay(ReplyShape::Whole).await else {
            return Ok(false);
        };
        let target = self.route.target(&relay.base_url);
        let asked = self.route.client.exec_chat(target, chat, Some(&options));
        let answered = tokio::time::timeout(self.connection.patience.silence, asked).await;
        let whole = match answered {
            Ok(Ok(whole)) => whole,
            Ok(Err(error)) => {
                let error = self.asked().failed(error).error;
                let is_overflow = matches!(error, ModelError::ContextOverflow { .. });
                return if is_overflow { Err(error) } else { Ok(false) };
            }
            Err(_) => return Ok(false),
        };
        let Some(events) = reply.assembler.take_whole(whole) else {
            return Ok(false);
        };
        reply.ready = events.into();
        reply.has_ended = true;
        Ok(true)
    }

    /// Reads a reply that broke off before its first piece as an overflow, if the request is near the window: some
    /// streaming servers have no other answer to a request that is too large.
    fn overflow_or(&self, failed: Failed, request: &Request) -> ModelError {
        let Failed { error, after } = failed;
        let window = self.connection.context_window;
        let is_near = window.is_some_and(|window| is_near(request, window));
        let broke_off = matches!(error, ModelError::Broken { .. }) && after != After::Silence;
        if broke_off && is_near {
            self.asked().overflow(SaidSizes::default())
        } else {
            error
        }
    }

    /// Prepares a request, and the deadline for the first content of its reply.
    async fn open<'a>(
        &'a self,
        request: &'a Request,
        form: RequestForm,
    ) -> Result<(ReplyInProgress<'a>, ContentDeadline), Failed> {
        let permit = self.calls.acquire().await;
        let permit = permit.map_err(|error| self.asked().unavailable(&error.to_string()))?;
        let deadline = self.deadline();
        let chat = chat_request(self.dialect(), request, form);
        let options = chat_options(self.dialect(), request, form);
        let shape = match self.dialect() {
            Dialect::Ollama => ReplyShape::Lines,
            Dialect::Anthropic | Dialect::Gemini | Dialect::OpenAi | Dialect::OpenAiCompatible => {
                ReplyShape::Events
            }
        };
        let relay = self.relay(shape).await;
        let relay = relay.map_err(|error| self.asked().unavailable(&error.to_string()))?;
        let target = self.route.target(&relay.base_url);
        let client = &self.route.client;
        let opened = client.exec_chat_stream(target, chat, Some(&options)).await;
        let opened = opened.map_err(|error| self.asked().failed_behind(&relay, error))?;
        let reply = ReplyInProgress {
            model: self,
            relay,
            stream: opened.stream,
            assembler: Assembler::new(self.dialect(), &self.connection.model, (request, form)),
            ready: VecDeque::new(),
            has_ended: false,
            _permit: permit,
        };
        Ok((reply, deadline))
    }
}

fn lesser(request: &Request, (failed, form): (&Failed, RequestForm)) -> Option<RequestForm> {
    let ModelError::Refused { reason, .. } = &failed.error else {
        return None;
    };
    if request.format.is_none() || failed.after != After::Form {
        return None;
    }
    form.after(reason)
}

type StreamStep<'a> = (Result<ReplyEvent, ModelError>, StreamState<'a>);

enum StreamState<'a> {
    Asking {
        waits: ExponentialBackoff,
        wait: Duration,
        form: RequestForm,
    },
    Replying(Box<ReplyInProgress<'a>>),
    Ended,
}

struct ReplyInProgress<'a> {
    model: &'a RemoteModel,
    relay: Relay,
    stream: ChatStream,
    assembler: Assembler,
    ready: VecDeque<ReplyEvent>,
    has_ended: bool,
    /// Held until the reply ends or is dropped.
    _permit: SemaphorePermit<'a>,
}

impl<'a> ReplyInProgress<'a> {
    /// The next event; `None` after the end.
    async fn step(mut self: Box<Self>, deadline: ContentDeadline) -> Option<StreamStep<'a>> {
        match self.fill(deadline).await {
            Ok(()) => {
                let event = self.ready.pop_front()?;
                Some((Ok(event), StreamState::Replying(self)))
            }
            Err(failed) => Some((Err(failed.error), StreamState::Ended)),
        }
    }

    /// Waits until an event is ready or the reply has ended.
    async fn fill(&mut self, mut deadline: ContentDeadline) -> Result<(), Failed> {
        while self.ready.is_empty() && !self.has_ended {
            let asked = self.model.asked();
            let next = deadline.next(&mut self.stream).await;
            let Some(event) = next.map_err(|DeadlinePassed| asked.silent(&self.relay))? else {
                return Err(self.assembler.broken("the stream ended early").into());
            };
            let event = event.map_err(|error| asked.failed_behind(&self.relay, error))?;
            let n_bytes = self.assembler.n_bytes();
            let events = self.assembler.take(event)?;
            // A piece of a call is content, but no event.
            if self.assembler.n_bytes() > n_bytes {
                deadline.extend();
            }
            self.has_ended = matches!(events.last(), Some(ReplyEvent::Done { .. }));
            self.ready.extend(events);
        }
        Ok(())
    }
}

impl Model for RemoteModel {
    fn profile(&self) -> ModelProfile {
        ModelProfile {
            name: self.connection.model.clone(),
            context_window: self.connection.context_window,
            concurrency: self.connection.concurrency.get(),
            only_quotes: false,
        }
    }

    fn stream<'a>(&'a self, request: &'a Request) -> ReplyStream<'a> {
        let course = StreamState::Asking {
            waits: waits(self.connection.patience).build(),
            wait: Duration::ZERO,
            form: *self.form(),
        };
        stream::unfold(course, |course| self.step(request, course)).boxed()
    }
}

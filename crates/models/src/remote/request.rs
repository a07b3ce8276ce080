//! Builds requests for the client library.
//!
//! Pure: equal requests become equal bytes, so that providers can cache the prefix.

use base::model::{ReplyFormat, Request, Sampling, ToolSpec};
use base::{
    Block, Image, Message, TokenCount, ToolCall, ToolCallId, ToolResult, estimate_message,
    estimate_text,
};
use genai::chat::{
    CacheControl, ChatMessage, ChatOptions, ChatRequest, ChatResponseFormat, ContentPart, JsonSpec,
    MessageContent, ReasoningEffort, Tool, ToolCall as WireCall, ToolChoice, ToolResponse,
};
use serde_json::{Map, Value, json};

use super::Dialect;
use super::form::{RequestForm, SchemaShape};

/// Maximum reply tokens ever requested; several providers refuse more than their model can write.
const OUTPUT_MAX: TokenCount = TokenCount(16_384);

/// Maximum length of a call id that every provider accepts.
const ID_CHARS_MAX: usize = 40;

/// Maximum length of a tool name that every provider accepts.
const NAME_CHARS_MAX: usize = 64;

/// The key under which malformed arguments are sent back to the model.
const MALFORMED: &str = "malformedArguments";

/// Tells OpenAI that the requests of this program share a prefix.
const CACHE_KEY: &str = "openclaw";

pub(super) fn chat_request(dialect: Dialect, request: &Request, form: RequestForm) -> ChatRequest {
    let mut chat = ChatRequest::default();
    let system = &system(request, form.shape);
    if dialect == Dialect::Anthropic {
        if !system.is_empty() {
            let message = ChatMessage::system(system.as_str());
            chat.messages
                .push(message.with_options(CacheControl::Ephemeral));
        }
    } else if !system.is_empty() {
        chat.system = Some(system.clone());
    }
    let messages = messages(dialect, &request.messages);
    chat.messages.extend(messages);
    let own = tool_format(request, form).map(|format| ToolSpec {
        name: format.name.to_owned(),
        description: TOOL_FOR_FORMAT.to_owned(),
        parameters: format.schema.clone(),
    });
    let tools: Vec<Tool> = request.tools.iter().chain(&own).map(tool).collect();
    if !tools.is_empty() {
        chat.tools = Some(tools);
    }
    chat
}

/// Asks for a schema in the system prompt.
const SCHEMA_IN_WORDS: &str =
    "Answer with one JSON object that matches this schema, and nothing else:";

/// The description of the tool whose arguments are the reply.
const TOOL_FOR_FORMAT: &str = "Takes the answer. Call it once, with the whole answer.";

fn system(request: &Request, shape: SchemaShape) -> String {
    match (&request.format, shape) {
        (Some(ReplyFormat { schema, .. }), SchemaShape::Text) => {
            let system = format!("{}\n\n{SCHEMA_IN_WORDS}\n\n{schema}", request.system);
            system.trim_start().to_owned()
        }
        (Some(_) | None, _) => request.system.clone(),
    }
}

/// The name of the tool whose arguments are the reply.
pub(super) fn tool_of(request: &Request, form: RequestForm) -> Option<&'static str> {
    tool_format(request, form).map(|format| format.name)
}

fn tool_format(request: &Request, form: RequestForm) -> Option<&ReplyFormat> {
    let format = request.format.as_ref();
    format.filter(|_| form.shape == SchemaShape::Tool)
}

/// Whether a request and its reply may exceed the window: for models with a small vocabulary, estimates are off by
/// up to a factor of two.
pub(super) fn is_near(request: &Request, window: TokenCount) -> bool {
    let messages: TokenCount = request.messages.iter().map(estimate_message).sum();
    let tools = request.tools.iter();
    let tools: TokenCount = tools.map(|tool| estimate_text(&tool.parameters)).sum();
    let format = request.format.iter();
    let format: TokenCount = format.map(|own| estimate_text(&own.schema)).sum();
    let all = estimate_text(&request.system) + messages + tools + format + request.output_max;
    all >= window.percent(50)
}

pub(super) fn chat_options(dialect: Dialect, request: &Request, form: RequestForm) -> ChatOptions {
    let output_max = request.output_max.min(OUTPUT_MAX).0.max(1);
    let mut options = ChatOptions::default()
        .with_max_tokens(u32::try_from(output_max).unwrap_or(u32::MAX))
        .with_capture_usage(true)
        .with_capture_tool_calls(true);
    let is_likeliest = match &request.format {
        Some(_) => form.takes_temperature,
        None => request.sampling == Sampling::Likeliest,
    };
    if is_likeliest {
        options = options.with_temperature(0.0);
    }
    if let Some(format) = &request.format {
        options = with_form(options, format, (dialect, form));
    }
    match dialect {
        // This dialect never sends a budget; setting one keeps the library from reading the end of a name such as
        // `qwen-max` as an effort level.
        Dialect::OpenAiCompatible => options.with_reasoning_effort(ReasoningEffort::Budget(0)),
        Dialect::OpenAi => options
            .with_reasoning_effort(ReasoningEffort::Budget(0))
            .with_prompt_cache_key(CACHE_KEY),
        Dialect::Anthropic | Dialect::Ollama | Dialect::Gemini => options,
    }
}

/// Adds the options that ask for a reply in this form.
fn with_form(
    mut options: ChatOptions,
    format: &ReplyFormat,
    (dialect, form): (Dialect, RequestForm),
) -> ChatOptions {
    if form.takes_no_thinking {
        options = without_thinking(options, dialect);
    }
    match form.shape {
        SchemaShape::Schema => match serde_json::from_str::<Value>(&format.schema) {
            Ok(schema) => options.with_response_format(JsonSpec::new(format.name, schema)),
            Err(_) => options,
        },
        SchemaShape::Tool => options.with_tool_choice(ToolChoice::tool(format.name)),
        // JSON mode, without a schema.
        SchemaShape::Text if dialect == Dialect::Ollama => {
            options.with_response_format(ChatResponseFormat::JsonMode)
        }
        SchemaShape::Text => options,
    }
}

fn without_thinking(options: ChatOptions, dialect: Dialect) -> ChatOptions {
    match dialect {
        Dialect::Ollama => options.with_reasoning_effort(ReasoningEffort::Zero),
        Dialect::Gemini => options.with_reasoning_effort(ReasoningEffort::Budget(0)),
        // A parameter of the model's chat template, which local servers pass on.
        Dialect::OpenAiCompatible => {
            options.with_extra_body(json!({"chat_template_kwargs": {"enable_thinking": false}}))
        }
        // They reason only on request, or cannot turn it off.
        Dialect::Anthropic | Dialect::OpenAi => options,
    }
}

fn messages(dialect: Dialect, messages: &[Message]) -> Vec<ChatMessage> {
    let is_of_user = |message: &Message| matches!(message, Message::User { .. });
    let newest_user = messages.iter().rposition(is_of_user);
    let mut sent: Vec<ChatMessage> = Vec::new();
    let mut n_before_newest = 0;
    let is_result = |message: &Message| matches!(message, Message::ToolResult(_));
    let runs = messages.chunk_by(|a, b| dialect.joins_results() && is_result(a) && is_result(b));
    let mut n_seen = 0;
    for run in runs {
        if Some(n_seen) == newest_user {
            n_before_newest = sent.len();
        }
        n_seen += run.len();
        sent.extend(message(run));
    }
    // The newest user message changes with each request; all before it is stable, so cache up to there.
    if dialect == Dialect::Anthropic
        && let Some(last) = n_before_newest.checked_sub(1)
        && let Some(message) = sent.get_mut(last)
    {
        message.options = Some(CacheControl::Ephemeral.into());
    }
    sent
}

/// One message, or the results of one reply together; `None` if it is empty.
fn message(run: &[Message]) -> Option<ChatMessage> {
    let first = run.first()?;
    let mut parts: Vec<ContentPart> = Vec::new();
    for message in run {
        match message {
            Message::User { content, name } => parts.extend(user_part(content, name.as_deref())),
            Message::Assistant(reply) => parts.extend(reply.content.iter().filter_map(reply_part)),
            Message::ToolResult(result) => parts.push(result_part(result)),
        }
    }
    let content = MessageContent::from_parts(parts);
    let is_empty = content.parts().is_empty();
    let message = match first {
        Message::User { .. } => ChatMessage::user(content),
        Message::Assistant(_) => ChatMessage::assistant(content),
        Message::ToolResult(_) => ChatMessage::tool(content),
    };
    (!is_empty).then_some(message)
}

/// Joins all text: the library joins several blocks differently for each dialect, for one of them without a space.
fn user_part(content: &[Block], name: Option<&str>) -> Option<ContentPart> {
    let texts: Vec<String> = content.iter().filter_map(shown_text).collect();
    let text = texts.join("\n\n");
    let said = match name {
        Some(name) => format!("{name}: {text}"),
        None => text.clone(),
    };
    (!text.is_empty()).then_some(ContentPart::Text(said))
}

/// A block of a reply; without reasoning, which only its own provider could read.
fn reply_part(block: &Block) -> Option<ContentPart> {
    match block {
        Block::ToolCall(call) => Some(ContentPart::ToolCall(wire_call(call))),
        Block::Text(_) | Block::Thinking(_) | Block::Image(_) | Block::Unknown { .. } => {
            shown_text(block).map(ContentPart::Text)
        }
    }
}

/// A block as text; `None` if empty, which providers refuse.
fn shown_text(block: &Block) -> Option<String> {
    match block {
        Block::Text(text) if !text.trim().is_empty() => Some(text.clone()),
        Block::Image(Image { mime_type, .. }) => Some(format!("[image: {mime_type}]")),
        Block::Text(_) | Block::Thinking(_) | Block::ToolCall(_) | Block::Unknown { .. } => None,
    }
}

fn wire_call(call: &ToolCall) -> WireCall {
    WireCall {
        call_id: wire_id(&call.id),
        fn_name: wire_name(&call.name),
        fn_arguments: wire_arguments(&call.arguments),
        thought_signatures: None,
    }
}

fn result_part(result: &ToolResult) -> ContentPart {
    let texts: Vec<String> = result.content.iter().filter_map(shown_text).collect();
    let response = ToolResponse::new(wire_id(&result.call_id), texts.join("\n"))
        .with_fn_name(wire_name(&result.tool_name));
    ContentPart::ToolResponse(response)
}

/// An id that every provider accepts: imported ids may hold anything.
fn wire_id(id: &ToolCallId) -> String {
    let id = id.as_str();
    if (1..=ID_CHARS_MAX).contains(&id.len()) && id.chars().all(is_plain) {
        id.to_owned()
    } else {
        format!("call_{}", base::short_hash(id))
    }
}

fn wire_name(name: &str) -> String {
    let plain = |character| if is_plain(character) { character } else { '_' };
    let name: String = name.chars().map(plain).take(NAME_CHARS_MAX).collect();
    if name.is_empty() {
        "_".to_owned()
    } else {
        name
    }
}

fn is_plain(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '_' | '-')
}

/// Arguments as an object, the only form that providers accept.
fn wire_arguments(arguments: &str) -> Value {
    if arguments.trim().is_empty() {
        return Value::Object(Map::new());
    }
    if let Ok(Value::Object(arguments)) = serde_json::from_str(arguments) {
        return Value::Object(arguments);
    }
    let text = Value::String(arguments.to_owned());
    Value::Object(Map::from_iter([(MALFORMED.to_owned(), text)]))
}

fn tool(spec: &ToolSpec) -> Tool {
    let tool = Tool::new(spec.name.as_str()).with_description(spec.description.as_str());
    match serde_json::from_str(&spec.parameters) {
        Ok(schema) => tool.with_schema(schema),
        Err(_) => tool,
    }
}

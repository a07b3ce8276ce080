//! How to ask a server for a JSON reply: by schema, as a tool, or in words.
//!
//! Pure; stores nothing.

use super::Dialect;

/// How to send the schema of a reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SchemaShape {
    /// As the response format, which the server enforces.
    Schema,
    /// As the parameters of a tool that must be called.
    Tool,
    /// In the system prompt.
    Text,
}

/// The options that a server is assumed to accept in a request with a format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RequestForm {
    pub(super) shape: SchemaShape,
    /// Whether it accepts a temperature.
    pub(super) takes_temperature: bool,
    /// Whether it accepts an option to turn off reasoning.
    pub(super) takes_no_thinking: bool,
}

impl RequestForm {
    pub(super) fn first(dialect: Dialect) -> Self {
        let shape = match dialect {
            Dialect::Anthropic | Dialect::OpenAi | Dialect::OpenAiCompatible | Dialect::Gemini => {
                SchemaShape::Schema
            }
            // The library sends Ollama no schema, and Ollama cannot force a tool call, but it has a JSON mode.
            Dialect::Ollama => SchemaShape::Text,
        };
        Self {
            shape,
            takes_temperature: true,
            takes_no_thinking: true,
        }
    }

    /// The form to try after a refusal; `None` if none is left.
    pub(super) fn after(self, refusal: &str) -> Option<Self> {
        let refusal = refusal.to_lowercase();
        let names = |words: &[&str]| words.iter().any(|word| refusal.contains(word));
        if self.takes_temperature && names(&["temperature"]) {
            return Some(Self {
                takes_temperature: false,
                ..self
            });
        }
        if self.takes_no_thinking && names(&["think", "reasoning", "chat_template"]) {
            return Some(Self {
                takes_no_thinking: false,
                ..self
            });
        }
        let shape = match self.shape {
            SchemaShape::Schema => SchemaShape::Tool,
            SchemaShape::Tool => SchemaShape::Text,
            SchemaShape::Text => return None,
        };
        Some(Self { shape, ..self })
    }
}

impl SchemaShape {
    /// The wording of the warning when the shape changes.
    pub(super) fn in_words(self) -> &'static str {
        match self {
            Self::Schema => "retrying with a JSON schema",
            Self::Tool => "retrying with a tool call",
            Self::Text => "retrying with the schema in the prompt",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn request_form_drops_named_feature_else_next_shape() {
        let first = RequestForm::first(Dialect::OpenAi);
        let cooler = first.after("400: `temperature` is deprecated for this model");
        let expected = RequestForm {
            takes_temperature: false,
            ..first
        };
        assert_eq!(cooler, Some(expected));
        let thinking = first.after("Budget 0 is invalid. This model only works in thinking mode");
        let expected = RequestForm {
            takes_no_thinking: false,
            ..first
        };
        assert_eq!(thinking, Some(expected));
        let tool = first.after("response_format is not supported").unwrap();
        assert_eq!(tool.shape, SchemaShape::Tool);
        let text = tool.after("tools are not supported").unwrap();
        assert_eq!(text.shape, SchemaShape::Text);
        assert_eq!(text.after("no"), None);
        assert_eq!(RequestForm::first(Dialect::Ollama).shape, SchemaShape::Text);
    }
}

//! The tools that a client is offered, with their descriptions.
//!
//! Calls none.

use std::collections::BTreeMap;

use rmcp::model::Tool;

/// The tool names and formats that a client expects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum McpDialect {
    /// All tools, under our own names.
    Openclaw,
    /// The nine tools of the reference memory server.
    Graph,
    /// The `search` and `fetch` that ChatGPT's connectors call.
    Chatgpt,
}

const DESCRIPTIONS: &str = include_str!("tools.json");

/// The tools of a dialect.
///
/// Empty only if the embedded file did not parse, which a test rules out.
pub(crate) fn tools(dialect: McpDialect) -> Vec<Tool> {
    let all: Result<BTreeMap<String, Vec<Tool>>, _> = serde_json::from_str(DESCRIPTIONS);
    let name = match dialect {
        McpDialect::Openclaw => "openclaw",
        McpDialect::Chatgpt => "chatgpt",
        McpDialect::Graph => "graph",
    };
    all.unwrap_or_default().remove(name).unwrap_or_default()
}

pub(crate) fn is_read_only(tool: &Tool) -> bool {
    let hints = tool.annotations.as_ref();
    hints.is_some_and(|hints| hints.read_only_hint == Some(true))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(tools: impl IntoIterator<Item = Tool>) -> Vec<String> {
        let tools = tools.into_iter();
        tools.map(|tool| tool.name.into_owned()).collect()
    }

    fn read_only(dialect: McpDialect) -> Vec<String> {
        names(tools(dialect).into_iter().filter(is_read_only))
    }

    #[test]
    fn read_only_client_is_offered_only_reading_tools() {
        let reading = [
            "memory_search",
            "memory_get",
            "session_search",
            "session_expand",
            "dream_candidates",
            "agenda",
        ];
        let writing = ["remember", "forget", "dream_review", "promise"];
        assert_eq!(read_only(McpDialect::Openclaw), reading);
        assert_eq!(
            names(tools(McpDialect::Openclaw)),
            [&reading[..], &writing].concat()
        );
        assert_eq!(names(tools(McpDialect::Chatgpt)), ["search", "fetch"]);
        assert_eq!(read_only(McpDialect::Chatgpt), ["search", "fetch"]);
        let reading = ["read_graph", "search_nodes", "open_nodes"];
        assert_eq!(read_only(McpDialect::Graph), reading);
        assert_eq!(tools(McpDialect::Graph).len(), 9);
    }
}

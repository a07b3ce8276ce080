//! Converts a server's reply to text.
//!
//! Pure; does not judge the content.

use rmcp::model::{CallToolResult, ContentBlock, ResourceContents};

/// The text of a reply; an error if the server reports that the call failed.
pub(crate) fn text(result: CallToolResult) -> Result<String, String> {
    let has_failed = result.is_error == Some(true);
    let mut parts: Vec<String> = result.content.into_iter().map(part).collect();
    if parts.is_empty() {
        parts.extend(result.structured_content.map(|value| value.to_string()));
    }
    let text = match parts.join("\n") {
        text if text.trim().is_empty() => "No output.".to_owned(),
        text => text,
    };
    if has_failed { Err(text) } else { Ok(text) }
}

fn part(block: ContentBlock) -> String {
    match block {
        ContentBlock::Text(text) => text.text,
        ContentBlock::Image(image) => format!("[image: {}]", image.mime_type),
        ContentBlock::Audio(audio) => format!("[audio: {}]", audio.mime_type),
        ContentBlock::ResourceLink(link) => format!("[see {}]", link.uri),
        ContentBlock::Resource(resource) => match resource.resource {
            ResourceContents::TextResourceContents { uri, text, .. } => format!("{uri}:\n{text}"),
            ResourceContents::BlobResourceContents { uri, .. } => format!("[bytes of {uri}]"),
            _ => "[unknown content]".to_owned(),
        },
        _ => "[unknown content]".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(json: &str, expected: Result<&str, &str>) {
        let result: CallToolResult = serde_json::from_str(json).unwrap();
        let expected = expected.map(str::to_owned).map_err(str::to_owned);
        assert_eq!(text(result), expected, "{json}");
    }

    #[test]
    fn tool_answers_of_every_kind_become_text() {
        check(
            r#"{"content":[{"type":"text","text":"one"},{"type":"image","data":"AA==","mimeType":"image/png"},{"type":"text","text":"two"}]}"#,
            Ok("one\n[image: image/png]\ntwo"),
        );
        check(
            r#"{"content":[{"type":"resource","resource":{"uri":"file:///a","text":"inside"}}]}"#,
            Ok("file:///a:\ninside"),
        );
        check(
            r#"{"content":[{"type":"text","text":"no such city"}],"isError":true}"#,
            Err("no such city"),
        );
        check(
            r#"{"content":[],"structuredContent":{"a":1}}"#,
            Ok("{\"a\":1}"),
        );
        check(r#"{"content":[]}"#, Ok("No output."));
    }
}

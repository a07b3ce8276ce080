//! Reads ChatGPT's `conversations.json`: trees of messages.
//!
//! Takes the branch on which each conversation ended.

use std::collections::BTreeMap;

use base::{Block, Image, Message, Origin, Timestamp};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::blocks::{ANY_IMAGE, assistant, each};
use super::branch::{BranchLink, way_to};
use super::model::{
    Conversation, ConversationSource, ImportFormat, ImportedMessage, NotUnderstood,
};

#[derive(Deserialize)]
struct ChatgptConversation {
    id: Option<String>,
    conversation_id: Option<String>,
    title: Option<String>,
    mapping: BTreeMap<String, ChatgptNode>,
    current_node: Option<String>,
}

#[derive(Deserialize)]
struct ChatgptNode {
    message: Option<ChatgptMessage>,
    parent: Option<String>,
}

#[derive(Deserialize)]
struct ChatgptMessage {
    #[serde(default)]
    author: AuthorIn,
    create_time: Option<f64>,
    #[serde(default)]
    content: ChatgptContent,
    metadata: Option<MetadataIn>,
}

#[derive(Deserialize, Default)]
struct AuthorIn {
    #[serde(default)]
    role: String,
    name: Option<String>,
}

#[derive(Deserialize, Default)]
struct ChatgptContent {
    #[serde(default)]
    content_type: String,
    parts: Option<Vec<Box<RawValue>>>,
    text: Option<String>,
}

#[derive(Deserialize)]
struct MetadataIn {
    is_visually_hidden_from_conversation: Option<bool>,
    attachments: Option<Box<RawValue>>,
}

/// Metadata of an attached file.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ChatgptAttachment {
    id: Option<String>,
    name: Option<String>,
    #[serde(default, alias = "mime_type")]
    mime_type: Option<String>,
}

#[derive(Deserialize)]
struct AssetIn {
    #[serde(default)]
    content_type: String,
    asset_pointer: Option<String>,
    text: Option<String>,
}

/// Parses a conversation; `None` if the element is something else.
pub(super) fn read(element: &str) -> Option<Conversation> {
    let found: ChatgptConversation = serde_json::from_str(element).ok()?;
    let mut not_understood = NotUnderstood::default();
    let nodes: Vec<(&String, &ChatgptNode)> = found.mapping.iter().collect();
    let is_known = |parent: &&str| found.mapping.contains_key(*parent);
    let links = nodes.iter().map(|(id, node)| BranchLink {
        id: id.as_str(),
        parent: node.parent.as_deref().filter(is_known),
    });
    let links: Vec<BranchLink<'_>> = links.collect();
    let is_leaf = |link: &BranchLink<'_>| found.current_node.as_deref() == Some(link.id);
    let leaf = links.iter().position(is_leaf);
    let leaf = leaf.or_else(|| newest(&nodes)).unwrap_or_default();
    let way = way_to(leaf, &links).into_iter();
    let way = way.filter_map(|place| nodes.get(place)?.1.message.as_ref());
    let messages = way.filter_map(|message| imported(message, &mut not_understood));
    let messages = messages.collect();
    Some(Conversation {
        format: ImportFormat::ChatGpt,
        id: found.conversation_id.or(found.id).unwrap_or_default(),
        source: ConversationSource::default(),
        title: found.title.filter(|title| !title.is_empty()),
        messages,
        not_understood,
    })
}

/// The index of the newest node.
fn newest(nodes: &[(&String, &ChatgptNode)]) -> Option<usize> {
    let made = |(_, node): &(&String, &ChatgptNode)| {
        let message = node.message.as_ref();
        message.and_then(|message| message.create_time)
    };
    let times = nodes.iter().map(made).enumerate();
    let known = times.filter_map(|(place, at)| Some((place, at?)));
    let newest = known.max_by(|(_, a), (_, b)| a.total_cmp(b));
    newest.map(|(place, _)| place)
}

fn imported(
    message: &ChatgptMessage,
    not_understood: &mut NotUnderstood,
) -> Option<ImportedMessage> {
    let metadata = message.metadata.as_ref();
    if metadata.and_then(|it| it.is_visually_hidden_from_conversation) == Some(true) {
        return None;
    }
    let attachments = metadata.and_then(|it| it.attachments.as_deref());
    let attachments: Vec<ChatgptAttachment> = each(attachments, not_understood);
    let content = parts(&message.content, &attachments, not_understood);
    if content.is_empty() {
        return None;
    }
    let said = content.clone();
    let by_user = |name| Message::User {
        content: said,
        name,
    };
    let (origin, message_read) = match message.author.role.as_str() {
        "user" => (Origin::Owner, by_user(None)),
        "system" => (Origin::System, by_user(None)),
        "assistant" => (Origin::Agent, assistant(content)),
        // The export does not name the call that this result answers.
        "tool" => {
            let name = message.author.name.clone();
            (Origin::Untrusted, by_user(name.or(Some("tool".to_owned()))))
        }
        role => {
            not_understood.add(format!("a message of role {role:?}"));
            return None;
        }
    };
    Some(ImportedMessage {
        at: message.create_time.and_then(|at| instant(at * 1000.0)),
        origin,
        message: message_read,
    })
}

fn parts(
    content: &ChatgptContent,
    attachments: &[ChatgptAttachment],
    not_understood: &mut NotUnderstood,
) -> Vec<Block> {
    let mut found: Vec<Block> = Vec::new();
    let mut say = |text: String| {
        if !text.trim().is_empty() {
            found.push(Block::Text(text));
        }
    };
    if let Some(text) = &content.text {
        say(text.clone());
    }
    let mut assets = Vec::new();
    for part in content.parts.iter().flatten() {
        if let Ok(text) = serde_json::from_str::<String>(part.get()) {
            say(text);
        } else if let Ok(asset) = serde_json::from_str::<AssetIn>(part.get()) {
            match (asset.text, asset.asset_pointer) {
                (Some(text), _) => say(text),
                (None, Some(reference)) if asset.content_type.starts_with("image") => {
                    assets.push(reference);
                }
                (None, _) => not_understood.add(format!("a part of type {:?}", asset.content_type)),
            }
        } else {
            not_understood.add("a part that cannot be read");
        }
    }
    found.extend(assets.iter().map(|asset| image(asset, attachments)));
    if found.is_empty() && content.parts.is_none() && content.text.is_none() {
        not_understood.add(format!("content of type {:?}", content.content_type));
    }
    found
}

/// An image, with its metadata from the attachments.
fn image(asset: &str, attachments: &[ChatgptAttachment]) -> Block {
    let is_meant = |it: &&ChatgptAttachment| {
        let id = it.id.as_deref().unwrap_or_default();
        !id.is_empty() && asset.ends_with(id)
    };
    let known = attachments.iter().find(is_meant);
    let name = known.and_then(|it| it.name.as_deref());
    let mime_type = known.and_then(|it| it.mime_type.as_deref());
    Block::Image(Image {
        mime_type: mime_type.unwrap_or(ANY_IMAGE).to_owned(),
        reference: name.map_or_else(|| asset.to_owned(), |name| format!("{name} ({asset})")),
    })
}

/// Converts milliseconds since 1970.
pub(crate) fn instant(milliseconds: f64) -> Option<Timestamp> {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the cast saturates to a value that is out of range"
    )]
    Timestamp::from_timestamp_millis(milliseconds.round() as i64)
}

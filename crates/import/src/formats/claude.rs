//! Reads Claude's `conversations.json`: lists of messages, some of them regenerated.
//!
//! Takes the branch on which each conversation ended.

use base::{Message, Origin};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::blocks::{self, ForeignBlockIn, KnownCalls, Speaker, each};
use super::branch::{BranchLink, way_to};
use super::model::{
    Conversation, ConversationSource, ImportFormat, ImportedMessage, NotUnderstood,
};

#[derive(Deserialize)]
struct ClaudeConversation {
    uuid: String,
    name: Option<String>,
    chat_messages: Vec<ClaudeMessage>,
}

#[derive(Deserialize)]
struct ClaudeMessage {
    #[serde(default)]
    uuid: String,
    parent_message_uuid: Option<String>,
    text: Option<String>,
    content: Option<Box<RawValue>>,
    sender: String,
    created_at: Option<String>,
    attachments: Option<Box<RawValue>>,
    /// Files that were attached but are not in the export.
    files: Option<Box<RawValue>>,
}

#[derive(Deserialize)]
struct FileIn {
    file_kind: Option<String>,
    file_name: Option<String>,
}

#[derive(Deserialize)]
struct ClaudeAttachment {
    file_name: Option<String>,
    extracted_content: Option<String>,
}

/// Parses a conversation; `None` if the element is something else.
pub(super) fn read(element: &str) -> Option<Conversation> {
    let found: ClaudeConversation = serde_json::from_str(element).ok()?;
    let mut not_understood = NotUnderstood::default();
    let mut calls = KnownCalls::default();
    let mut messages = Vec::new();
    for message in on_its_branch(&found.chat_messages) {
        imported(message, &mut messages, (&mut calls, &mut not_understood));
    }
    Some(Conversation {
        format: ImportFormat::Claude,
        id: found.uuid,
        source: ConversationSource::default(),
        title: found.name.filter(|name| !name.is_empty()),
        messages,
        not_understood,
    })
}

/// The images of a message. Records other files that are not in the export as not understood.
fn shown(
    attachments: &[ClaudeAttachment],
    files: &[FileIn],
    not_understood: &mut NotUnderstood,
) -> Vec<ForeignBlockIn> {
    let attached = attachments.iter();
    let attached = attached.filter(|attachment| attachment.extracted_content.is_none());
    let attached = attached.map(|attachment| (attachment.file_name.as_deref(), None));
    let files = files.iter();
    let files = files.map(|file| (file.file_name.as_deref(), file.file_kind.as_deref()));
    let mut images = Vec::new();
    for (name, kind) in attached.chain(files) {
        let name = name.unwrap_or("an image without a name");
        if kind == Some("image") || blocks::mime_type_of(name).is_some() {
            images.push(ForeignBlockIn::image(name));
        } else {
            not_understood.add("a file that is not in the export");
        }
    }
    images
}

/// The messages on the last branch. Older exports name no parents and have only one branch.
fn on_its_branch(messages: &[ClaudeMessage]) -> Vec<&ClaudeMessage> {
    let mut parents = messages.iter().map(|it| &it.parent_message_uuid);
    if parents.all(Option::is_none) {
        return messages.iter().collect();
    }
    let links = (0..).zip(messages).map(|(place, message)| BranchLink {
        id: &message.uuid,
        // The first message names a parent that does not exist.
        parent: message.parent_message_uuid.as_deref().filter(|_| place > 0),
    });
    let links: Vec<BranchLink<'_>> = links.collect();
    let way = way_to(messages.len().saturating_sub(1), &links).into_iter();
    way.filter_map(|place| messages.get(place)).collect()
}

fn imported(
    message: &ClaudeMessage,
    messages: &mut Vec<ImportedMessage>,
    (calls, not_understood): (&mut KnownCalls, &mut NotUnderstood),
) {
    let (speaker, origin) = match message.sender.as_str() {
        "human" => (Speaker::User, Origin::Owner),
        "assistant" => (Speaker::Assistant, Origin::Agent),
        sender => return not_understood.add(format!("a message from {sender:?}")),
    };
    let at = message.created_at.as_ref().and_then(|at| at.parse().ok());
    let blocks = blocks::read(message.content.as_deref()).filter(|blocks| !blocks.is_empty());
    let blocks = blocks.unwrap_or_else(|| {
        let text = message.text.clone();
        text.map(ForeignBlockIn::text).into_iter().collect()
    });
    let attachments: Vec<ClaudeAttachment> = each(message.attachments.as_deref(), not_understood);
    let files: Vec<FileIn> = each(message.files.as_deref(), not_understood);
    let shown = shown(&attachments, &files, not_understood);
    let blocks = blocks.into_iter().chain(shown).collect();
    let said = blocks::messages(speaker, origin, blocks, (calls, not_understood));
    let said = said.into_iter();
    messages.extend(said.map(|said| ImportedMessage::new(at, said)));
    for attachment in &attachments {
        // The owner attached this file, but its text need not be the owner's own words.
        if let Some(text) = &attachment.extracted_content {
            let name = attachment.file_name.as_deref().unwrap_or("a file");
            let message = Message::user(format!("[{name}]\n{text}"));
            messages.push(ImportedMessage::new(at, (Origin::Untrusted, message)));
        }
    }
}

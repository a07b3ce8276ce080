//! The text of a note as its reader sees it: without comments and the marks of blocks, and links by their shown words.
//!
//! Pure. Keeps every line break, so that line numbers stay those of the file; code stays as it is.

/// The text as its reader sees it.
pub(super) fn shown(text: &str) -> String {
    let mut reader = ShownText {
        out: String::with_capacity(text.len()),
        line_start: 0,
        has_code: false,
    };
    let mut rest = text;
    while !rest.is_empty() {
        rest = reader.next(rest);
    }
    reader.end_line();
    reader.out
}

struct ShownText {
    out: String,
    /// Where the current line begins.
    line_start: usize,
    /// Whether the current line ends in code, where nothing is a mark.
    has_code: bool,
}

impl ShownText {
    /// Takes the next part of the text; returns the rest.
    fn next<'t>(&mut self, rest: &'t str) -> &'t str {
        let is_line_start = self.out.len() == self.line_start;
        if let Some(end) = is_line_start.then(|| fenced_end(rest)).flatten() {
            return self.copy(rest, end);
        }
        if rest.starts_with('`') {
            let n_marks = rest.bytes().take_while(|byte| *byte == b'`').count();
            let end = code_end(rest, n_marks).unwrap_or(n_marks);
            self.has_code = true;
            return self.copy(rest, end);
        }
        for (open, close) in [("%%", "%%"), ("<!--", "-->")] {
            let inside = rest.strip_prefix(open);
            if let Some((comment, after)) = inside.and_then(|it| it.split_once(close)) {
                for _ in comment.matches('\n') {
                    self.line_break();
                }
                return after;
            }
        }
        let embed = rest.strip_prefix("![[");
        let link = embed.or_else(|| rest.strip_prefix("[["));
        let words: fn(&str) -> String = match embed {
            Some(_) => shown_embed,
            None => shown_link,
        };
        let inner = link.and_then(|link| link.split_once("]]"));
        if let Some((inner, after)) = inner.filter(|(inner, _)| !inner.contains('\n')) {
            self.out.push_str(&words(inner));
            self.has_code = false;
            return after;
        }
        let mut characters = rest.chars();
        match characters.next() {
            Some('\n') => self.line_break(),
            Some(character) => {
                self.has_code &= character.is_whitespace();
                self.out.push(character);
            }
            None => {}
        }
        characters.as_str()
    }

    fn copy<'t>(&mut self, rest: &'t str, end: usize) -> &'t str {
        let (whole, after) = rest.split_at_checked(end).unwrap_or((rest, ""));
        self.out.push_str(whole);
        if let Some(at) = whole.rfind('\n') {
            self.line_start = self.out.len() - whole.len() + at + 1;
        }
        after
    }

    fn line_break(&mut self) {
        self.end_line();
        self.out.push('\n');
        self.line_start = self.out.len();
        self.has_code = false;
    }

    /// Takes the mark of a block, such as ` ^4f2a`, and that of a callout off the line.
    fn end_line(&mut self) {
        let line = self.out.get(self.line_start..).unwrap_or_default();
        let mut kept = line.trim_end();
        if !self.has_code {
            kept = without_block_mark(kept);
        }
        let callout = kept
            .split_once("[!")
            .filter(|(before, _)| {
                before.contains('>') && before.trim_matches(['>', ' ']).is_empty()
            })
            .and_then(|(before, rest)| Some((before, rest.split_once(']')?.1)));
        let kept = match callout {
            Some((before, after)) => {
                format!(
                    "{before}{}",
                    after.trim_start_matches(['+', '-']).trim_start()
                )
            }
            None => kept.to_owned(),
        };
        self.out.truncate(self.line_start);
        self.out.push_str(&kept);
    }
}

/// A line without the mark of its block.
fn without_block_mark(line: &str) -> &str {
    let is_of_id = |c: char| c.is_ascii_alphanumeric() || c == '-';
    let marked = line.rsplit_once('^');
    let marked = marked.filter(|(before, id)| {
        let is_apart = before.is_empty() || before.ends_with(char::is_whitespace);
        is_apart && !id.is_empty() && id.chars().all(is_of_id)
    });
    marked.map_or(line, |(before, _)| before.trim_end())
}

/// The end of the code block that begins with this line; one that is never closed reaches to the end.
fn fenced_end(rest: &str) -> Option<usize> {
    let start = rest.trim_start_matches([' ', '\t']);
    let mark = start.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let n_marks = start.chars().take_while(|c| *c == mark).count();
    let first = start.lines().next().unwrap_or_default();
    let is_inline = mark == '`' && first.get(n_marks..).is_some_and(|it| it.contains('`'));
    if n_marks < 3 || is_inline {
        return None;
    }
    let mut end = 0;
    for (idx, line) in rest.split_inclusive('\n').enumerate() {
        let text = line.trim();
        let is_closing = text.len() >= n_marks && text.chars().all(|c| c == mark);
        end += line.trim_end_matches('\n').len();
        if idx > 0 && is_closing {
            return Some(end);
        }
        end += line.len() - line.trim_end_matches('\n').len();
    }
    Some(rest.len())
}

/// The end of code that begins with this many marks; code ends within its paragraph.
fn code_end(rest: &str, n_marks: usize) -> Option<usize> {
    let paragraph = rest.find("\n\n").unwrap_or(rest.len());
    let text = rest.get(..paragraph)?;
    let mut from = n_marks;
    loop {
        let at = from + text.get(from..)?.find('`')?;
        let n_found = text
            .get(at..)?
            .bytes()
            .take_while(|byte| *byte == b'`')
            .count();
        if n_found == n_marks {
            return Some(at + n_found);
        }
        from = at + n_found;
    }
}

/// The words that an embedded file shows: its name, even if a size follows it.
fn shown_embed(inner: &str) -> String {
    let is_size = |it: &str| it.chars().all(|c| c.is_ascii_digit() || c == 'x');
    let target = inner.rsplit_once('|').filter(|(_, it)| is_size(it.trim()));
    shown_link(target.map_or(inner, |(target, _)| target))
}

/// The words that a link shows.
fn shown_link(inner: &str) -> String {
    let (target, shown) = match inner.split_once('|') {
        Some((target, shown)) => (target, Some(shown.trim())),
        None => (inner, None),
    };
    // In a table the bar is escaped.
    let target = target.trim_end_matches('\\').trim();
    if let Some(shown) = shown.filter(|it| !it.is_empty()) {
        return shown.to_owned();
    }
    let mut parts = target.split('#').map(str::trim);
    let note = parts.next().unwrap_or_default();
    let note = note.strip_suffix(".md").unwrap_or(note);
    let headings = parts.filter(|part| !part.starts_with('^'));
    let named = std::iter::once(note).chain(headings);
    let named: Vec<&str> = named.filter(|part| !part.is_empty()).collect();
    named.join(" > ")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn links_show_their_text() {
        for (text, expected) in [
            (
                "with [[Clara Meier|Clara]] at [[Mole]].",
                "with Clara at Mole.",
            ),
            (
                "[[Boat#Repairs]], [[#Below]], [[Boat#^4f2a]]",
                "Boat > Repairs, Below, Boat",
            ),
            (
                "![[clara.jpg|300]] ![[plan.pdf]] ![[x.png|the plan]]",
                "clara.jpg plan.pdf the plan",
            ),
            ("| [[Boat\\|the boat]] | [[a.md]] |", "| the boat | a |"),
            ("[[no end and [one](two)", "[[no end and [one](two)"),
            ("`[[Boat]]` stays", "`[[Boat]]` stays"),
        ] {
            assert_eq!(shown(text), expected, "{text}");
        }
    }

    #[test]
    fn comments_and_block_marks_are_blanked_and_lines_keep_numbers() {
        for (text, expected) in [
            ("a %%b%% c", "a  c"),
            ("a\n%%\nb\n%%\nc", "a\n\n\n\nc"),
            ("a <!-- b\nc --> d", "a\n d"),
            ("100 %% sure", "100 %% sure"),
            ("```sh\n%% x %%\n```\n%%y%%", "```sh\n%% x %%\n```\n"),
            ("Tea at five ^4f2a\n^other-id\nx^2", "Tea at five\n\nx^2"),
            (
                "`a ^b`\n~~~\nnever closed %%x%%",
                "`a ^b`\n~~~\nnever closed %%x%%",
            ),
            ("> [!warning]- Leak\n> dry it", "> Leak\n> dry it"),
            ("``a ` %%b%%`` %%c%%", "``a ` %%b%%``"),
        ] {
            assert_eq!(shown(text), expected, "{text}");
        }
    }

    proptest! {
        #[test]
        fn i16_any_text_keeps_its_number_of_lines(text in "[a`~%\\[\\]!|#^<>\n -]{0,60}") {
            let n_lines = |text: &str| text.matches('\n').count();
            prop_assert_eq!(n_lines(&shown(&text)), n_lines(&text));
        }
    }
}

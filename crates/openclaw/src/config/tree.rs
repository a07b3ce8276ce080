//! Settings as a tree in which every node knows where it comes from.
//!
//! Lays one layer over another; knows no setting but those of the lowest layer.

use serde_json::Value;

/// A value or a group, and where it comes from.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Tree<O> {
    pub(crate) origin: O,
    pub(crate) node: Node<O>,
}

/// A value or a group.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Node<O> {
    Group(Group<O>),
    /// A value; a list is one value.
    Value(Value),
}

/// Settings by name, in the order of their file.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Group<O> {
    entries: Vec<(String, Tree<O>)>,
}

/// One setting with its value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Leaf<'a, O> {
    pub(crate) path: Vec<&'a str>,
    pub(crate) value: &'a Value,
    pub(crate) origin: &'a O,
}

/// Why a layer does not fit over another.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Misfit<O> {
    Unknown {
        path: Vec<String>,
        origin: O,
    },
    /// A group has a value where its settings should stand.
    NotAGroup {
        path: Vec<String>,
        found: Value,
        origin: O,
    },
}

impl<O> Default for Group<O> {
    fn default() -> Self {
        Self {
            entries: Vec::new(),
        }
    }
}

impl<O> Group<O> {
    /// The setting or group of a name.
    pub(crate) fn get(&self, name: &str) -> Option<&Tree<O>> {
        let found = self.entries.iter().find(|(key, _)| key == name);
        found.map(|(_, tree)| tree)
    }

    /// Adds a setting or a group at the end.
    pub(crate) fn push(&mut self, name: String, tree: Tree<O>) {
        self.entries.push((name, tree));
    }

    fn get_mut(&mut self, name: &str) -> Option<&mut Tree<O>> {
        let found = self.entries.iter_mut().find(|(key, _)| key == name);
        found.map(|(_, tree)| tree)
    }
}

impl<O> Node<O> {
    /// The same without origins.
    pub(crate) fn into_value(self) -> Value {
        match self {
            Self::Value(value) => value,
            Self::Group(group) => {
                let entries = group.entries.into_iter();
                let values = entries.map(|(name, tree)| (name, tree.node.into_value()));
                Value::Object(values.collect())
            }
        }
    }
}

impl<O> Tree<O> {
    /// The same with other origins.
    pub(crate) fn map_origin<P>(self, of: &impl Fn(O) -> P) -> Tree<P> {
        let node = match self.node {
            Node::Value(value) => Node::Value(value),
            Node::Group(group) => {
                let entries = group.entries.into_iter();
                Node::Group(Group {
                    entries: entries
                        .map(|(name, tree)| (name, tree.map_origin(of)))
                        .collect(),
                })
            }
        };
        Tree {
            origin: of(self.origin),
            node,
        }
    }

    /// A tree with one setting.
    pub(crate) fn of_setting<'a>(
        path: impl DoubleEndedIterator<Item = &'a str>,
        setting: Self,
    ) -> Self
    where
        O: Clone,
    {
        path.rev().fold(setting, |inner, name| Self {
            origin: inner.origin.clone(),
            node: Node::Group(Group {
                entries: vec![(name.to_owned(), inner)],
            }),
        })
    }

    /// The node at the end of a path.
    pub(crate) fn find<'a>(&self, mut path: impl Iterator<Item = &'a str>) -> Option<&Self> {
        let Some(name) = path.next() else {
            return Some(self);
        };
        match &self.node {
            Node::Group(group) => group.get(name)?.find(path),
            Node::Value(_) => None,
        }
    }

    /// Takes the node at the end of a path out, and every group with it that is empty then.
    pub(crate) fn take<'a>(&mut self, mut path: impl Iterator<Item = &'a str>) -> Option<Self> {
        let name = path.next()?;
        let Node::Group(group) = &mut self.node else {
            return None;
        };
        let position = group.entries.iter().position(|(key, _)| key == name)?;
        let mut rest = path.peekable();
        if rest.peek().is_none() {
            return Some(group.entries.remove(position).1);
        }
        let (_, inner) = group.entries.get_mut(position)?;
        let found = inner.take(&mut rest as &mut dyn Iterator<Item = &'a str>)?;
        if matches!(&inner.node, Node::Group(group) if group.entries.is_empty()) {
            group.entries.remove(position);
        }
        Some(found)
    }

    /// Puts a node at the end of a path, in the place of what stands there.
    pub(crate) fn put<'a>(&mut self, mut path: impl DoubleEndedIterator<Item = &'a str>, tree: Self)
    where
        O: Clone,
    {
        let Some(name) = path.next() else {
            *self = tree;
            return;
        };
        let Node::Group(group) = &mut self.node else {
            // A value where a group should be is told when the layer is laid.
            return;
        };
        match group.get_mut(name) {
            Some(inner) => inner.put(path, tree),
            None => group.push(name.to_owned(), Self::of_setting(path, tree)),
        }
    }

    /// The innermost node on a path: that of the path, or the value in which it leads on.
    pub(crate) fn innermost<'a>(&self, mut path: impl Iterator<Item = &'a str>) -> &Self {
        let Node::Group(group) = &self.node else {
            return self;
        };
        match path.next().and_then(|name| group.get(name)) {
            Some(tree) => tree.innermost(path),
            None => self,
        }
    }

    /// Lays a layer over this tree: what it sets counts, what it leaves out stays.
    ///
    /// A group without content, as when all its lines are comments, sets nothing.
    pub(crate) fn overlay(&mut self, layer: Self) -> Result<(), Misfit<O>> {
        self.overlay_at(layer, &mut Vec::new())
    }

    fn overlay_at(&mut self, layer: Self, path: &mut Vec<String>) -> Result<(), Misfit<O>> {
        match (&mut self.node, layer.node) {
            (Node::Group(group), Node::Group(given)) => {
                for (name, tree) in given.entries {
                    path.push(name);
                    match path.last().and_then(|name| group.get_mut(name)) {
                        Some(known) => known.overlay_at(tree, path)?,
                        None => {
                            return Err(Misfit::Unknown {
                                path: path.clone(),
                                origin: tree.origin,
                            });
                        }
                    }
                    path.pop();
                }
                Ok(())
            }
            (Node::Group(_), Node::Value(Value::Null)) => Ok(()),
            (Node::Group(_), Node::Value(found)) => Err(Misfit::NotAGroup {
                path: path.clone(),
                found,
                origin: layer.origin,
            }),
            // What is no group below is one value, whatever it holds: the next layer takes its place whole.
            (Node::Value(_), given) => {
                self.node = Node::Value(given.into_value());
                self.origin = layer.origin;
                Ok(())
            }
        }
    }
}

/// Every setting of a tree, in the order of the lowest layer.
pub(crate) fn leaves<O>(tree: &Tree<O>) -> Vec<Leaf<'_, O>> {
    let mut found = Vec::new();
    collect(tree, &mut Vec::new(), &mut found);
    found
}

fn collect<'a, O>(tree: &'a Tree<O>, path: &mut Vec<&'a str>, found: &mut Vec<Leaf<'a, O>>) {
    match &tree.node {
        Node::Value(value) => found.push(Leaf {
            path: path.clone(),
            value,
            origin: &tree.origin,
        }),
        Node::Group(group) => {
            for (name, inner) in &group.entries {
                path.push(name);
                collect(inner, path, found);
                path.pop();
            }
        }
    }
}

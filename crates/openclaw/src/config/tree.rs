//! Settings as a tree in which every node knows where it comes from.
//!
//! Lays one layer over another; knows no setting but those of the lowest layer.

use indexmap::IndexMap;
use serde_json::Value;

/// A value or a group, and where it comes from.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Tree<O> {
    pub(crate) origin: O,
    pub(crate) node: Node<O>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Node<O> {
    Group(Group<O>),
    /// A value; a list is one value.
    Value(Value),
}

/// Settings by name, in the order of their file.
pub(crate) type Group<O> = IndexMap<String, Tree<O>>;

/// One setting with its value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Leaf<'a, O> {
    pub(crate) path: Vec<&'a str>,
    pub(crate) value: &'a Value,
    pub(crate) origin: &'a O,
}

/// Where a layer does not fit over another.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Misfit<O> {
    /// The names from the root.
    pub(crate) path: Vec<String>,
    /// What stands in the place of a group; `None` where no setting has this name.
    pub(crate) found: Option<Value>,
    pub(crate) origin: O,
}

impl<O> Node<O> {
    pub(crate) fn into_value(self) -> Value {
        match self {
            Self::Value(value) => value,
            Self::Group(group) => {
                let values = group.into_iter();
                let values = values.map(|(name, tree)| (name, tree.node.into_value()));
                Value::Object(values.collect())
            }
        }
    }
}

impl<O> Tree<O> {
    pub(crate) fn map_origin<P>(self, of: &impl Fn(O) -> P) -> Tree<P> {
        let node = match self.node {
            Node::Value(value) => Node::Value(value),
            Node::Group(group) => {
                let entries = group.into_iter();
                let entries = entries.map(|(name, tree)| (name, tree.map_origin(of)));
                Node::Group(entries.collect())
            }
        };
        Tree {
            origin: of(self.origin),
            node,
        }
    }

    pub(crate) fn of_setting(key: &str, setting: Self) -> Self
    where
        O: Clone,
    {
        key.rsplit('.').fold(setting, |inner, name| Self {
            origin: inner.origin.clone(),
            node: Node::Group(Group::from([(name.to_owned(), inner)])),
        })
    }

    pub(crate) fn find(&self, key: &str) -> Option<&Self> {
        key.split('.')
            .try_fold(self, |tree, name| match &tree.node {
                Node::Group(group) => group.get(name),
                Node::Value(_) => None,
            })
    }

    /// Takes the node of a key out, and every group with it that is empty then.
    pub(crate) fn take(&mut self, key: &str) -> Option<Self> {
        let Node::Group(group) = &mut self.node else {
            return None;
        };
        let Some((name, rest)) = key.split_once('.') else {
            return group.shift_remove(key);
        };
        let inner = group.get_mut(name)?;
        let found = inner.take(rest)?;
        if matches!(&inner.node, Node::Group(group) if group.is_empty()) {
            group.shift_remove(name);
        }
        Some(found)
    }

    /// Puts a node in the place of what stands under a key.
    pub(crate) fn put(&mut self, key: &str, tree: Self)
    where
        O: Clone,
    {
        let Node::Group(group) = &mut self.node else {
            // A value where a group should be is told when the layer is laid.
            return;
        };
        match key.split_once('.') {
            Some((name, rest)) if let Some(inner) = group.get_mut(name) => inner.put(rest, tree),
            Some((name, rest)) => {
                group.insert(name.to_owned(), Self::of_setting(rest, tree));
            }
            None => {
                group.insert(key.to_owned(), tree);
            }
        }
    }

    /// The innermost node on the way to a key: that of the key, or the value in which it leads on.
    pub(crate) fn innermost(&self, key: &str) -> &Self {
        let mut found = self;
        for name in key.split(['.', '[']) {
            match &found.node {
                Node::Group(group) if let Some(inner) = group.get(name) => found = inner,
                Node::Group(_) | Node::Value(_) => break,
            }
        }
        found
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
                for (name, tree) in given {
                    path.push(name);
                    match path.last().and_then(|name| group.get_mut(name)) {
                        Some(known) => known.overlay_at(tree, path)?,
                        None => {
                            return Err(Misfit {
                                path: path.clone(),
                                found: None,
                                origin: tree.origin,
                            });
                        }
                    }
                    path.pop();
                }
                Ok(())
            }
            (Node::Group(_), Node::Value(Value::Null)) => Ok(()),
            (Node::Group(_), Node::Value(found)) => Err(Misfit {
                path: path.clone(),
                found: Some(found),
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
            for (name, inner) in group {
                path.push(name);
                collect(inner, path, found);
                path.pop();
            }
        }
    }
}

//! Stands for the engine in a program that was built without it.
//!
//! Runs nothing and knows no model.

use base::Disk;

use super::error::OnnxError;
use super::model::OnnxModel;
use super::runtime::OnnxRuntime;

/// How one vector comes of those of the tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pooled {
    Mean,
    FirstToken,
}

/// A model that is known by name.
#[derive(Debug)]
pub(super) struct Known {
    pub(super) name: String,
    pub(super) repository: String,
    pub(super) graph: String,
    pub(super) weights: Vec<String>,
    pub(super) dimensions: usize,
    pub(super) pooled: Pooled,
}

pub(super) fn known(_: &str) -> Result<Known, OnnxError> {
    Err(OnnxError::NotBuilt)
}

/// Nothing is ever one.
#[derive(Debug)]
pub(super) enum Engine {}

impl Engine {
    pub(super) fn batch_max(_: &OnnxModel) -> usize {
        1
    }

    pub(super) fn start(_: &OnnxModel, _: &OnnxRuntime, _: &dyn Disk) -> Result<Self, OnnxError> {
        Err(OnnxError::NotBuilt)
    }

    pub(super) fn vectors(&mut self, _: &[String]) -> Result<Vec<Vec<f32>>, String> {
        match *self {}
    }
}

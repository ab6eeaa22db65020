//! What a search works in: the transposition table's storage and the workspace, on the heap.

use engine::search::Workspace;
use engine::search::table::{Bucket, Table};

use crate::failure::Failure;
use crate::table_size::TableSize;

/// The storage of one search thread. It is large: made once, used for many searches.
pub struct Memory {
    buckets: Vec<Bucket>,
    workspace: Box<Workspace>,
}

impl Memory {
    /// Storage with an empty table of this size.
    ///
    /// # Errors
    /// The system does not give that much memory.
    pub fn new(size: TableSize) -> Result<Memory, Failure> {
        Ok(Memory { buckets: buckets(size)?, workspace: Box::new(Workspace::new()) })
    }

    /// The table, emptied, and the workspace.
    pub fn fresh(&mut self) -> (Table<'_>, &mut Workspace) {
        let (mut table, workspace) = self.parts();
        table.clear();
        (table, workspace)
    }

    /// The table as the last search left it, and the workspace.
    pub fn parts(&mut self) -> (Table<'_>, &mut Workspace) {
        (Table::new(&mut self.buckets), &mut self.workspace)
    }
}

/// The storage of an empty table of this size.
///
/// # Errors
/// The system does not give that much memory.
pub fn buckets(size: TableSize) -> Result<Vec<Bucket>, Failure> {
    let mut buckets = Vec::new();
    buckets
        .try_reserve_exact(size.buckets())
        .map_err(|_| Failure::Input(format!("not enough memory for a table of {size} bytes")))?;
    buckets.resize(size.buckets(), Bucket::EMPTY);
    Ok(buckets)
}

//! What a search works in: the transposition table's storage and the workspace, on the heap.

use engine::search::Workspace;
use engine::search::table::{Bucket, Table};

use crate::failure::Failure;
use crate::table_size::TableSize;

/// The storage of one search thread. It is large: made once, used for many searches.
pub struct Memory {
    buckets: Vec<Bucket>,
    /// What [`Table::resume`] needs to know of the last search.
    age: u8,
    workspace: Box<Workspace>,
}

impl Memory {
    /// Storage with an empty table of this size.
    ///
    /// # Errors
    /// The system does not give that much memory.
    pub fn new(size: TableSize) -> Result<Memory, Failure> {
        Ok(Memory { buckets: buckets(size)?, age: 0, workspace: Box::new(Workspace::new()) })
    }

    /// The table, emptied, and the workspace.
    pub fn fresh(&mut self) -> (Table<'_>, &mut Workspace) {
        let (mut table, workspace) = self.parts();
        table.clear();
        (table, workspace)
    }

    /// The table as the last search left it, if its age was [kept](Memory::keep_age), and the
    /// workspace.
    pub fn parts(&mut self) -> (Table<'_>, &mut Workspace) {
        (Table::resume(&mut self.buckets, self.age), &mut self.workspace)
    }

    /// Notes down a table's age for whoever goes on with it.
    pub fn keep_age(&mut self, age: u8) {
        self.age = age;
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

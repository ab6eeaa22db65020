//! Work that is shared out to all processors.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use crate::failure::Failure;

/// Does `work` for every item, each thread with a desk of its own from `desk`, and hands the results to `done` in
/// the order in which they are finished. The first failure ends it.
///
/// # Errors
/// The first failure of a desk, of the work or of `done`.
pub fn share<T: Sync, D, R: Send>(
    items: &[T],
    desk: impl Fn() -> Result<D, Failure> + Sync,
    work: impl Fn(&mut D, &T) -> Result<R, Failure> + Sync,
    mut done: impl FnMut(&T, R) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let next = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::channel();
    let threads = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 0..threads.min(items.len()) {
            let (sender, next, desk, work) = (sender.clone(), &next, &desk, &work);
            scope.spawn(move || {
                let mut desk = desk();
                while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let result = match &mut desk {
                        Ok(desk) => work(desk, item),
                        Err(_) => break,
                    };
                    // Nobody listens any more after a failure.
                    if sender.send(result.map(|result| (item, result))).is_err() {
                        return;
                    }
                }
                if let Err(failure) = desk {
                    drop(sender.send(Err(failure)));
                }
            });
        }
        drop(sender);
        for found in receiver {
            let (item, result) = found?;
            done(item, result)?;
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_item_is_done_once() {
        let items: Vec<u64> = (0..100).collect();
        let mut seen = vec![];
        let done = |&item: &u64, square: u64| {
            assert_eq!(square, item * item);
            seen.push(item);
            Ok(())
        };
        share(&items, || Ok(()), |(), item| Ok(item * item), done).expect("no failure");
        seen.sort_unstable();
        assert_eq!(seen, items);
    }

    #[test]
    fn the_first_failure_ends_it() {
        let failure = || Failure::Input("broken".into());
        let items = [1, 2, 3];
        let by_desk = share(&items, || Err::<(), _>(failure()), |(), _| Ok(()), |_, ()| Ok(()));
        let by_work = share(&items, || Ok(()), |(), _| Err::<(), _>(failure()), |_, ()| Ok(()));
        let by_done = share(&items, || Ok(()), |(), _| Ok(()), |_, ()| Err(failure()));
        for ended in [by_desk, by_work, by_done] {
            assert!(ended.is_err());
        }
    }
}

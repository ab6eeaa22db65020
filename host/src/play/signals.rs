//! Signals that ask the program to end, which have to wait until the terminal is in order.
//!
//! On Unix these are the end of the terminal or the session (`SIGHUP`), an interrupt from outside
//! (`SIGINT`; Ctrl-C is a key) and `kill` (`SIGTERM`). They set a flag that the loop of the screen
//! looks at with every event and tick; when the terminal has its usual ways back, the signal does
//! what it would have done. Elsewhere there is nothing to do.

use std::io;

#[cfg(unix)]
pub use unix::Signals;

#[cfg(unix)]
mod unix {
    use super::io;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::{flag, low_level};

    /// The signals that end the program.
    const ENDING: [i32; 3] = [SIGHUP, SIGINT, SIGTERM];
    /// No signal has this number.
    const NONE: usize = 0;

    /// An ear for signals that ask the program to end.
    pub struct Signals {
        came: Arc<AtomicUsize>,
    }

    impl Signals {
        /// Lets signals wait from now on.
        ///
        /// # Errors
        /// The system does not allow it.
        pub fn heed() -> io::Result<Signals> {
            let came = Arc::new(AtomicUsize::new(NONE));
            for signal in ENDING {
                let number = usize::try_from(signal).unwrap_or(NONE);
                flag::register_usize(signal, Arc::clone(&came), number)?;
            }
            Ok(Signals { came })
        }

        /// Whether one has come.
        #[must_use]
        pub fn came(&self) -> bool {
            self.came.load(Ordering::SeqCst) != NONE
        }

        /// Lets the signal that has come, if any, do its work: it ends the program.
        ///
        /// # Errors
        /// The signal cannot be raised.
        pub fn obey(&self) -> io::Result<()> {
            let came = i32::try_from(self.came.load(Ordering::SeqCst));
            match came.ok().filter(|signal| ENDING.contains(signal)) {
                Some(signal) => low_level::emulate_default_handler(signal),
                None => Ok(()),
            }
        }
    }
}

/// Without signals there is nothing to wait for.
#[cfg(not(unix))]
pub struct Signals;

#[cfg(not(unix))]
impl Signals {
    /// Does nothing.
    ///
    /// # Errors
    /// None.
    pub fn heed() -> io::Result<Signals> {
        Ok(Signals)
    }

    /// Never.
    #[must_use]
    pub fn came(&self) -> bool {
        false
    }

    /// Does nothing.
    ///
    /// # Errors
    /// None.
    pub fn obey(&self) -> io::Result<()> {
        Ok(())
    }
}

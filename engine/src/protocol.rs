//! What goes over the wire: bytes to lines, lines to commands, answers to text.
//!
//! The protocol is a superset of Gomocup's, described in `docs/protocol.md`. The parts, in the
//! order in which a byte meets them:
//!
//! | module | what it is |
//! | --- | --- |
//! | [`keys`] | what a person's terminal sends besides text: backspace, arrows, control keys |
//! | [`mod@line`] | bytes to lines, with the damaged ones refused |
//! | [`checksum`] | the two digits that guard a line |
//! | [`command`] | lines to commands; the table of all commands, which `HELP` prints |
//! | [`output`] | answers, piece by piece, with line ends and checksums |
//! | [`reply`] | answers as values, for programs that talk to a session |
//!
//! Nothing here knows a game in progress: that is [`crate::session`].

pub mod checksum;
pub mod command;
pub mod keys;
pub mod line;
pub mod output;
pub mod reply;

/// The version of the protocol, as `VERSION` tells it.
pub const PROTOCOL_VERSION: u32 = 1;

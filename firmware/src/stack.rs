//! How much of the stack was ever in use.
//!
//! Start-up code fills the stack with a pattern; the lowest word that lost it is the high-water
//! mark. It counts everything: search, executor and interrupts share one stack.

use core::ptr;

/// What cortex-m-rt paints the stack with.
const PAINT: u32 = 0xCCCC_CCCC;

unsafe extern "C" {
    static _stack_start: u32;
    static _stack_end: u32;
}

/// The lowest address of the stack. One less is not memory.
pub fn lowest() -> u32 {
    (&raw const _stack_end).addr() as u32
}

/// The size of the stack, in bytes.
pub fn size() -> usize {
    (&raw const _stack_start).addr() - (&raw const _stack_end).addr()
}

/// The most bytes that were in use at a time since the last reset.
pub fn high_water() -> usize {
    let words = size() / 4;
    let end = &raw const _stack_end;
    let untouched = (0..words)
        // SAFETY: the addresses lie between the stack's ends, where all is memory. Volatile, since
        // the program writes there in ways that the compiler does not know.
        .find(|&word| unsafe { ptr::read_volatile(end.add(word)) } != PAINT)
        .unwrap_or(words);
    (words - untouched) * 4
}

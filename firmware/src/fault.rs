//! The end of the road: panics and faults are written down in memory that a reset keeps, and the
//! chip starts again. The next boot tells what happened and the game goes on.
//!
//! The stack lies at the bottom of its memory, so running out of it is a fault as well. There is
//! no stack to stand on then: the veneer below looks at the stack pointer before it uses it.

use core::arch::global_asm;
use core::panic::PanicInfo;

use cortex_m::peripheral::SCB;
use cortex_m_rt::{ExceptionFrame, exception};

use crate::retained::{self, Kind};
use crate::stack;

/// Addresses this far below the stack's end count as an overflow, not as a wild pointer.
const GUARD_BYTES: u32 = 4096;

#[panic_handler]
fn panic(info: &PanicInfo<'_>) -> ! {
    cortex_m::interrupt::disable();
    let line = info.location().map_or(0, |location| location.line());
    let file = info.location().map_or("", |location| location.file());
    let message = info.message();
    retained::record(Kind::Panic, 0, 0, 0, format_args!("{file}:{line} {message}"));
    SCB::sys_reset()
}

/// An interrupt that nothing is bound to.
#[exception]
unsafe fn DefaultHandler(number: i16) -> ! {
    cortex_m::interrupt::disable();
    retained::record(Kind::Interrupt, 0, number as u32, 0, format_args!(""));
    SCB::sys_reset()
}

// The processor enters at HardFault (in emulated builds the shim looks at it first, and sends on
// here what is not for it). hard_fault gets the stacked registers, or null and a fresh stack if
// the stack pointer is not in the stack.
global_asm!(
    ".section .text.tavola_hard_fault, \"ax\"",
    ".global tavola_hard_fault",
    ".type tavola_hard_fault,%function",
    ".thumb_func",
    "tavola_hard_fault:",
    "mrs r0, msp",
    "ldr r1, =_stack_end",
    "cmp r0, r1",
    "blo 1f",
    "ldr r1, =_stack_start - 32",
    "cmp r0, r1",
    "bhi 1f",
    "bl {handler}",
    "1:",
    "ldr r0, =_stack_start",
    "mov sp, r0",
    "movs r0, #0",
    "bl {handler}",
    ".pool",
    handler = sym hard_fault,
);

#[cfg(not(feature = "emulator"))]
global_asm!(".global HardFault", ".thumb_set HardFault, tavola_hard_fault");

/// # Safety
/// For the veneer above only: `frame` is null or points to the registers that the fault stacked.
unsafe extern "C" fn hard_fault(frame: *const ExceptionFrame) -> ! {
    cortex_m::interrupt::disable();
    // SAFETY: see above; the veneer has checked that the frame lies in the stack.
    let pc = unsafe { frame.as_ref() }.map_or(0, |frame| frame.pc());
    let (status, address) = fault_status();
    let end = stack::lowest();
    let overflow = frame.is_null() || (end.wrapping_sub(GUARD_BYTES)..end).contains(&address);
    let kind = if overflow { Kind::StackOverflow } else { Kind::HardFault };
    retained::record(kind, pc, status, address, format_args!(""));
    SCB::sys_reset()
}

/// The fault status register and the address that was touched, or zeros on a Cortex-M0+.
fn fault_status() -> (u32, u32) {
    #[cfg(not(feature = "nucleo-g071rb"))]
    {
        const MEMORY_ADDRESS_VALID: u32 = 1 << 7;
        const BUS_ADDRESS_VALID: u32 = 1 << 15;
        // SAFETY: plain reads of registers that are always there.
        let scb = unsafe { &*SCB::PTR };
        let status = scb.cfsr.read();
        let address = match status {
            _ if status & MEMORY_ADDRESS_VALID != 0 => scb.mmfar.read(),
            _ if status & BUS_ADDRESS_VALID != 0 => scb.bfar.read(),
            _ => 0,
        };
        (status, address)
    }
    #[cfg(feature = "nucleo-g071rb")]
    (0, 0)
}

/// For tests: touches memory that is not there.
#[cfg(feature = "fault-commands")]
pub fn provoke() {
    // SAFETY: none. The address is not memory; the fault is the purpose.
    let _ = unsafe { core::ptr::read_volatile(0x6000_0000 as *const u32) };
}

/// For tests: never ends.
#[cfg(feature = "fault-commands")]
pub fn hang() -> ! {
    loop {
        cortex_m::asm::nop();
    }
}

/// For tests: fills the stack.
#[cfg(feature = "fault-commands")]
#[inline(never)]
pub fn recurse(depth: u32) -> u32 {
    let room = core::hint::black_box([depth; 64]);
    if depth == u32::MAX { 0 } else { recurse(depth + 1) + room[depth as usize % 64] }
}

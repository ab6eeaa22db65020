//! PWR and FLASH registers, which QEMU leaves out, kept in memory while the HAL sets up clocks.
//!
//! Two regions of the memory protection unit forbid all access to them, so each load or store
//! faults. It arrives as a HardFault, since the HAL works with interrupts masked. The handler reads
//! the instruction, does its work on a memory copy, and goes on behind it. Any other fault, and any
//! instruction that is not a plain load or store of one register, goes to the real handler.
//!
//! The regions are lifted when the clocks run: nothing touches these registers later.

use core::arch::global_asm;
use core::cell::UnsafeCell;
use core::sync::atomic::{AtomicBool, Ordering};

use cortex_m::peripheral::{MPU, SCB};

/// Start of each block; each is a region of 1 KiB.
const BLOCKS: [u32; 2] = [PWR, FLASH];
const PWR: u32 = 0x4000_7000;
const FLASH: u32 = 0x4002_2000;
/// Registers per block that are backed; all others read as zero.
const WORDS: usize = 32;

const REGION_SIZE_1K: u32 = 9 << 1;
const REGION_ENABLE: u32 = 1;
/// No access for anybody, no execution.
const REGION_FORBIDDEN: u32 = 1 << 28;
/// The default map where no region lies, and no protection inside fault handlers.
const MPU_ON: u32 = 0b101;

/// A data access that the MPU refused, whose address is known.
const REFUSED_ACCESS: u32 = 0b1000_0010;

struct Backing(UnsafeCell<[[u32; WORDS]; BLOCKS.len()]>);
// SAFETY: only the fault handler uses it, which cannot be interrupted by itself.
unsafe impl Sync for Backing {}

static BACKING: Backing = Backing(UnsafeCell::new([[0; WORDS]; BLOCKS.len()]));
static INSTALLED: AtomicBool = AtomicBool::new(false);

/// Runs `setup` with the registers backed by memory.
pub fn with_backing<T>(mpu: &mut MPU, setup: impl FnOnce() -> T) -> T {
    for (number, start) in BLOCKS.into_iter().enumerate() {
        // SAFETY: forbids access to two blocks of registers; all accesses to them are in `setup`,
        // where the fault handler stands in.
        unsafe {
            mpu.rnr.write(number as u32);
            mpu.rbar.write(start);
            mpu.rasr.write(REGION_FORBIDDEN | REGION_SIZE_1K | REGION_ENABLE);
        }
    }
    INSTALLED.store(true, Ordering::Relaxed);
    // SAFETY: as above.
    unsafe { mpu.ctrl.write(MPU_ON) };
    cortex_m::asm::dsb();
    cortex_m::asm::isb();
    let result = setup();
    // SAFETY: everything is allowed again.
    unsafe { mpu.ctrl.write(0) };
    cortex_m::asm::dsb();
    cortex_m::asm::isb();
    INSTALLED.store(false, Ordering::Relaxed);
    result
}

// stand_in gets the stacked registers (r0-r3, r12, lr, pc, xpsr) and the others (r4-r11). It is
// asked only while the shim is installed: at other times the stack may be what is broken.
global_asm!(
    ".section .text.HardFault, \"ax\"",
    ".global HardFault",
    ".type HardFault,%function",
    ".thumb_func",
    "HardFault:",
    "ldr r0, ={installed}",
    "ldrb r0, [r0]",
    "cmp r0, #0",
    "beq 1f",
    "mrs r0, msp",
    "push {{r4-r11, lr}}",
    "mov r1, sp",
    "bl {stand_in}",
    "pop {{r4-r11, lr}}",
    "cmp r0, #0",
    "beq 1f",
    "bx lr",
    "1:",
    "b.w tavola_hard_fault",
    ".pool",
    installed = sym INSTALLED,
    stand_in = sym stand_in,
);

/// Does the work of the faulting instruction and tells whether it could.
///
/// # Safety
/// For the veneer above only, which hands in both sets of registers.
unsafe extern "C" fn stand_in(frame: *mut [u32; 8], others: *mut [u32; 8]) -> bool {
    // SAFETY: the veneer's pointers are valid and apart, and nobody else uses what they point to.
    let mut state = unsafe { State { frame: &mut *frame, others: &mut *others } };
    // SAFETY: registers that are always there.
    let scb = unsafe { &*SCB::PTR };
    if scb.cfsr.read() & REFUSED_ACCESS != REFUSED_ACCESS {
        return false;
    }
    let address = scb.mmfar.read();
    let Some(block) = BLOCKS.iter().position(|start| address & !0x3FF == *start) else {
        return false;
    };
    let Some(access) = Access::decode(state.instruction()) else { return false };

    // SAFETY: see Backing.
    let words = unsafe { &mut (*BACKING.0.get())[block] };
    let mut nowhere = 0;
    let word = words.get_mut((address & 0x3FF) as usize / 4).unwrap_or(&mut nowhere);
    let shift = (address & 3) * 8;
    let mask = access.mask << shift;
    let Some(register) = state.register(access.register) else { return false };
    if access.is_load {
        *register = (*word & mask) >> shift;
    } else {
        *word = *word & !mask | *register << shift & mask;
    }
    state.go_on_behind(access.length);
    // SAFETY: forgets the status of this fault, by writing ones.
    unsafe { scb.cfsr.write(REFUSED_ACCESS) };
    true
}

/// The registers of the interrupted code.
struct State<'a> {
    frame: &'a mut [u32; 8],
    others: &'a mut [u32; 8],
}

const PC: usize = 6;
const XPSR: usize = 7;

impl State<'_> {
    /// The two halfwords at the program counter.
    fn instruction(&self) -> (u32, u32) {
        let pc = self.frame[PC] as *const u16;
        // SAFETY: the processor fetched an instruction from there; a halfword behind the last
        // instruction of the image is still flash.
        unsafe { (u32::from(pc.read()), u32::from(pc.add(1).read())) }
    }

    fn register(&mut self, number: u32) -> Option<&mut u32> {
        match number {
            0..=3 => self.frame.get_mut(number as usize),
            4..=11 => self.others.get_mut(number as usize - 4),
            12 => Some(&mut self.frame[4]),
            14 => Some(&mut self.frame[5]),
            _ => None,
        }
    }

    /// Moves to the next instruction, also within an IT block (conditional instructions, whose
    /// conditions are kept in eight bits of the status register).
    fn go_on_behind(&mut self, length: u32) {
        self.frame[PC] += length;
        let xpsr = self.frame[XPSR];
        let conditions = xpsr >> 8 & 0xFC | xpsr >> 25 & 3;
        let next = match conditions & 7 {
            0 => 0,
            _ => conditions & 0xE0 | conditions << 1 & 0x1F,
        };
        self.frame[XPSR] = xpsr & !0x0600_FC00 | (next & 0xFC) << 8 | (next & 3) << 25;
    }
}

/// A load or store of one register. The address is not decoded: the processor tells it.
struct Access {
    is_load: bool,
    register: u32,
    /// The bits of the register that count, as wide as the access.
    mask: u32,
    /// Of the instruction, in bytes.
    length: u32,
}

const BYTE: u32 = 0xFF;
const HALF: u32 = 0xFFFF;
const WORD: u32 = 0xFFFF_FFFF;

impl Access {
    fn decode((first, second): (u32, u32)) -> Option<Access> {
        let short = |is_load, mask| Some(Access { is_load, register: first & 7, mask, length: 2 });
        match first >> 11 {
            // With an offset in the instruction.
            0b01100 => short(false, WORD),
            0b01101 => short(true, WORD),
            0b01110 => short(false, BYTE),
            0b01111 => short(true, BYTE),
            0b10000 => short(false, HALF),
            0b10001 => short(true, HALF),
            // With an offset in a register. Loads with sign are left out.
            0b01010 | 0b01011 => match first >> 9 & 7 {
                0 => short(false, WORD),
                1 => short(false, HALF),
                2 => short(false, BYTE),
                4 => short(true, WORD),
                5 => short(true, HALF),
                6 => short(true, BYTE),
                _ => None,
            },
            // Four bytes long: STRB, LDRB, STRH, LDRH, STR, LDR.
            0b11111 if first >> 8 & 7 == 0 => {
                let mask = match first >> 5 & 3 {
                    0 => BYTE,
                    1 => HALF,
                    2 => WORD,
                    _ => return None,
                };
                let has_long_offset = first >> 7 & 1 == 1;
                let has_register_offset = second >> 6 & 0x3F == 0;
                // Short offsets, up or down; those that change the base register are left out.
                let has_short_offset = second >> 8 & 0xD == 0xC;
                (has_long_offset || has_register_offset || has_short_offset).then_some(Access {
                    is_load: first >> 4 & 1 == 1,
                    register: second >> 12,
                    mask,
                    length: 4,
                })
            }
            _ => None,
        }
    }
}

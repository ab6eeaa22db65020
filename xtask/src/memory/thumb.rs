//! What a Thumb function does to the stack, and whom it calls: read from its machine code.
//!
//! A small decoder of the few instructions that matter: those that lower the stack pointer, calls
//! and jumps. Everything else only has a length. All that lowers the stack pointer in a function
//! is added up, whichever way it goes through its code, so the sum is never too small.

/// What was found in a function's code.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// Bytes of stack that it takes at most.
    pub frame: u32,
    /// Where it calls.
    pub calls: Vec<u32>,
    /// Where it jumps outside of its own code: the last thing it does, when its frame is gone.
    pub jumps: Vec<u32>,
    /// Odd numbers that it uses: an address of a function is one.
    pub pointers: Vec<u32>,
    /// It calls or jumps to an address that is only known when it runs.
    pub indirect: bool,
    /// It lowers the stack pointer by something that is only known when it runs.
    pub unbounded: bool,
}

impl Facts {
    /// Whether it uses the address of the function there.
    pub fn uses(&self, function: u32) -> bool {
        self.pointers.contains(&(function | 1))
    }
}

/// Registers whose value is known, as constants are loaded just before their use.
#[derive(Default)]
struct Constants {
    values: [Option<u32>; 16],
    /// The low bits that an alignment has cleared, as 2^n.
    alignment: [u32; 16],
}

const LINK_REGISTER: usize = 14;

/// Reads a piece of code that begins at `address` and holds no data. `word_at` gives the words of
/// memory that the code loads constants from; `inside` tells whether an address belongs to the
/// same function.
pub fn read(
    code: &[u8],
    address: u32,
    word_at: &dyn Fn(u32) -> Option<u32>,
    inside: &dyn Fn(u32) -> bool,
    facts: &mut Facts,
) {
    let mut constants = Constants::default();
    let half =
        |at: usize| Some(u32::from(u16::from_le_bytes([*code.get(at)?, *code.get(at + 1)?])));
    let mut at = 0;
    while let Some(first) = half(at) {
        let here = address + at as u32;
        let is_long = first >> 11 >= 0b11101;
        if is_long {
            let Some(second) = half(at + 2) else { break };
            long(first, second, here, word_at, inside, &mut constants, facts);
        } else {
            short(first, here, word_at, inside, &mut constants, facts);
        }
        at += if is_long { 4 } else { 2 };
    }
}

/// The instructions of 16 bits.
fn short(
    op: u32,
    here: u32,
    word_at: &dyn Fn(u32) -> Option<u32>,
    inside: &dyn Fn(u32) -> bool,
    constants: &mut Constants,
    facts: &mut Facts,
) {
    let register = (op >> 3 & 15) as usize;
    let mut jump = |to: u32| {
        if !inside(to) {
            facts.jumps.push(to);
        }
    };
    match op {
        // push {..}
        _ if op & 0xFE00 == 0xB400 => facts.frame += 4 * (op & 0x1FF).count_ones(),
        // sub sp, #imm
        _ if op & 0xFF80 == 0xB080 => facts.frame += 4 * (op & 0x7F),
        // add sp, rm: lowers it if rm is negative
        _ if op & 0xFF87 == 0x4485 => match constants.values[register].map(|v| v as i32) {
            Some(value) => facts.frame += value.min(0).unsigned_abs(),
            None => facts.unbounded = true,
        },
        // mov sp, rm: to align it in a prologue, or to restore it
        _ if op & 0xFF87 == 0x4685 => facts.frame += constants.alignment[register],
        // ldr rt, [pc, #imm]
        _ if op & 0xF800 == 0x4800 => {
            let value = word_at(((here + 4) & !3) + 4 * (op & 0xFF));
            facts.pointers.extend(value.filter(|value| value & 1 == 1));
            constants.values[(op >> 8 & 7) as usize] = value;
        }
        // lsls rd, rm, #imm: the second half of an alignment on a Cortex-M0
        _ if op & 0xF800 == 0x0000 && op != 0 => {
            constants.alignment[(op & 7) as usize] = 1 << (op >> 6 & 31);
        }
        // blx rm
        _ if op & 0xFF87 == 0x4780 => facts.indirect = true,
        // bx rm, but for the return
        _ if op & 0xFF87 == 0x4700 => facts.indirect |= register != LINK_REGISTER,
        // b, and b with a condition
        _ if op & 0xF800 == 0xE000 => jump(relative(here, sign(op & 0x7FF, 11) << 1)),
        _ if op & 0xF000 == 0xD000 && op >> 8 & 15 < 14 => {
            jump(relative(here, sign(op & 0xFF, 8) << 1));
        }
        _ => {}
    }
}

/// The instructions of 32 bits.
fn long(
    first: u32,
    second: u32,
    here: u32,
    word_at: &dyn Fn(u32) -> Option<u32>,
    inside: &dyn Fn(u32) -> bool,
    constants: &mut Constants,
    facts: &mut Facts,
) {
    let target = (second >> 8 & 15) as usize;
    match (first, second) {
        // push.w {..}
        (0xE92D, _) => facts.frame += 4 * second.count_ones(),
        // str rt, [sp, #-imm]!
        (0xF84D, _) if second & 0x0F00 == 0x0D00 => facts.frame += second & 0xFF,
        // strd rt, rt2, [sp, #-imm]!
        (0xE96D, _) => facts.frame += 4 * (second & 0xFF),
        // vpush {..}
        (0xED2D | 0xED6D, _) if second & 0x0E00 == 0x0A00 => facts.frame += 4 * (second & 0xFF),
        // sub.w sp, sp, #constant
        _ if first & 0xFBEF == 0xF1AD && second & 0x8F00 == 0x0D00 => {
            facts.frame += constant(first, second);
        }
        // subw sp, sp, #imm12
        _ if first & 0xFBFF == 0xF2AD && second & 0x8F00 == 0x0D00 => {
            facts.frame += plain(first, second);
        }
        // sub.w sp, sp, rm
        (0xEBAD, _) if second & 0x0F00 == 0x0D00 => {
            match constants.values[(second & 15) as usize] {
                Some(value) => facts.frame += value,
                None => facts.unbounded = true,
            }
        }
        // movw, movt, mov.w
        _ if first & 0xFBF0 == 0xF240 && second & 0x8000 == 0 => {
            constants.values[target] = Some((first & 15) << 12 | plain(first, second));
        }
        _ if first & 0xFBF0 == 0xF2C0 && second & 0x8000 == 0 => {
            let high = (first & 15) << 12 | plain(first, second);
            let value = constants.values[target].map(|value| value & 0xFFFF | high << 16);
            facts.pointers.extend(value.filter(|value| value & 1 == 1));
            constants.values[target] = value;
        }
        _ if first & 0xFBEF == 0xF04F && second & 0x8000 == 0 => {
            constants.values[target] = Some(constant(first, second));
        }
        // ldr.w rt, [pc, #imm]
        (0xF8DF, _) => {
            let value = word_at(((here + 4) & !3) + (second & 0xFFF));
            facts.pointers.extend(value.filter(|value| value & 1 == 1));
            constants.values[(second >> 12 & 15) as usize] = value;
        }
        // bfc rd, #0, #width: an alignment
        (0xF36F, _) if second & 0x70C0 == 0 => {
            constants.alignment[target] = 1 << ((second & 31) + 1);
        }
        // bl; b.w; b.w with a condition
        _ if first & 0xF800 == 0xF000 && second & 0xD000 == 0xD000 => {
            facts.calls.push(relative(here, far(first, second)));
        }
        _ if first & 0xF800 == 0xF000 && second & 0xD000 == 0x9000 => {
            let to = relative(here, far(first, second));
            if !inside(to) {
                facts.jumps.push(to);
            }
        }
        _ if first & 0xF800 == 0xF000 && second & 0xD000 == 0x8000 && first >> 7 & 7 != 7 => {
            let bits = (first >> 10 & 1) << 19
                | (second >> 11 & 1) << 18
                | (second >> 13 & 1) << 17
                | (first & 0x3F) << 11
                | second & 0x7FF;
            let to = relative(here, sign(bits, 20) << 1);
            if !inside(to) {
                facts.jumps.push(to);
            }
        }
        _ => {}
    }
}

/// The distance of `bl` and `b.w`.
fn far(first: u32, second: u32) -> i32 {
    let s = first >> 10 & 1;
    let bit = |n: u32| second >> n & 1 ^ s ^ 1;
    let bits = s << 23 | bit(13) << 22 | bit(11) << 21 | (first & 0x3FF) << 11 | second & 0x7FF;
    sign(bits, 24) << 1
}

/// Where a branch over this distance goes: the program counter is two short instructions ahead.
fn relative(here: u32, distance: i32) -> u32 {
    here.wrapping_add(4).wrapping_add_signed(distance)
}

/// A number of so many bits, with its sign.
fn sign(bits: u32, width: u32) -> i32 {
    ((bits << (32 - width)) as i32) >> (32 - width)
}

/// The 12 bits of a plain constant.
fn plain(first: u32, second: u32) -> u32 {
    (first >> 10 & 1) << 11 | (second >> 12 & 7) << 8 | second & 0xFF
}

/// The constant that 12 bits stand for: a byte in one of several places.
fn constant(first: u32, second: u32) -> u32 {
    let bits = plain(first, second);
    let byte = bits & 0xFF;
    match bits >> 8 {
        0 => byte,
        1 => byte << 16 | byte,
        2 => byte << 24 | byte << 8,
        3 => byte * 0x0101_0101,
        _ => (0x80 | bits & 0x7F).rotate_right(bits >> 7),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads code at 0x0800_0000 whose constants are all -1024.
    fn facts(halves: &[u16]) -> Facts {
        let code: Vec<u8> = halves.iter().flat_map(|half| half.to_le_bytes()).collect();
        let end = 0x0800_0000 + code.len() as u32;
        let mut facts = Facts::default();
        let inside = |to| (0x0800_0000..end).contains(&to);
        read(&code, 0x0800_0000, &|_| Some(-1024i32 as u32), &inside, &mut facts);
        facts
    }

    #[test]
    fn frames_are_added_up() {
        // push {r4-r7, lr}; push.w {r8-r11}; vpush {d8, d9}; sub sp, #16
        assert_eq!(
            facts(&[0xB5F0, 0xE92D, 0x0F00, 0xED2D, 0x8B04, 0xB084]).frame,
            20 + 16 + 16 + 16
        );
        // sub.w sp, sp, #1024; subw sp, sp, #1028
        assert_eq!(facts(&[0xF5AD, 0x6D80]).frame, 1024);
        assert_eq!(facts(&[0xF2AD, 0x4D04]).frame, 1028);
        // str lr, [sp, #-8]!
        assert_eq!(facts(&[0xF84D, 0xED08]).frame, 8);
        // sub.w sp, r7, #24 and mov sp, r4 restore it
        assert_eq!(facts(&[0xF1A7, 0x0D18, 0x46A5]).frame, 0);
    }

    #[test]
    fn large_frames_come_from_a_register() {
        // ldr r6, [pc, #0]; add sp, r6
        let facts_of_constant = facts(&[0x4E00, 0x44B5]);
        assert_eq!((facts_of_constant.frame, facts_of_constant.unbounded), (1024, false));
        // add sp, r6 with an r6 that nobody knows
        assert!(facts(&[0x44B5]).unbounded);
    }

    #[test]
    fn alignment_counts() {
        // mov r4, sp; bfc r4, #0, #4; mov sp, r4
        assert_eq!(facts(&[0x466C, 0xF36F, 0x0403, 0x46A5]).frame, 16);
    }

    #[test]
    fn calls_and_jumps_are_found() {
        // bl +0x100 (from the address of the next instruction); b.w to itself; bx lr
        let found = facts(&[0xF000, 0xF880, 0xF7FF, 0xBFFE, 0x4770]);
        assert_eq!(found.calls, [0x0800_0104]);
        assert!(found.jumps.is_empty() && !found.indirect);
        // b.w -4: before the function
        assert_eq!(facts(&[0xF7FF, 0xBFFC]).jumps, [0x07FF_FFFC]);
        // blx r1; bx r3
        assert!(facts(&[0x4788]).indirect && facts(&[0x4718]).indirect);
    }
}

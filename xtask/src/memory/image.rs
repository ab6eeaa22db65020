//! A linked firmware: how much of each memory it takes, and its functions.

use std::collections::{BTreeMap, BTreeSet};

use object::elf::PT_LOAD;
use object::read::elf::{ElfFile32, ProgramHeader};
use object::{Endianness, Object, ObjectSection, ObjectSymbol, SymbolKind};

use super::thumb::{self, Facts};

/// A function of the firmware.
#[derive(Debug)]
pub struct Function {
    /// Its name as in the source, without the hash.
    pub name: String,
    /// What its code does.
    pub facts: Facts,
}

/// A linked firmware.
pub struct Image<'d> {
    file: ElfFile32<'d, Endianness>,
    /// The functions by their address.
    pub functions: BTreeMap<u32, Function>,
}

impl<'d> Image<'d> {
    /// Reads an ELF file.
    ///
    /// # Errors
    /// It is no firmware.
    pub fn new(data: &'d [u8]) -> Result<Image<'d>, String> {
        let file = ElfFile32::parse(data).map_err(|error| format!("no ELF file: {error}"))?;
        let mut image = Image { file, functions: BTreeMap::new() };
        image.read_functions();
        if image.functions.is_empty() {
            return Err("no functions in the ELF file: was it stripped?".into());
        }
        Ok(image)
    }

    /// The end of what is stored in the memory between two addresses, such as the flash.
    pub fn stored_end(&self, start: u32, end: u32) -> u32 {
        let little = Endianness::Little;
        let headers = self.file.elf_program_headers().iter();
        headers
            .filter(|header| header.p_type(little) == PT_LOAD && header.p_filesz(little) > 0)
            .map(|header| (header.p_paddr(little), header.p_filesz(little)))
            .filter(|(at, _)| (start..end).contains(at))
            .map(|(at, size)| at + size)
            .max()
            .unwrap_or(start)
    }

    /// The end of what lies in the memory between two addresses when the firmware runs. Sections
    /// that are only for tools have no address.
    pub fn used_end(&self, start: u32, end: u32) -> u32 {
        self.file
            .sections()
            .filter(|section| section.size() > 0)
            .map(|section| (section.address() as u32, section.size() as u32))
            .filter(|(at, _)| (start..end).contains(at))
            .map(|(at, size)| at + size)
            .max()
            .unwrap_or(start)
    }

    /// The addresses in the table of interrupts, each once, without the fault handlers (none of
    /// them returns) and what nothing is bound to.
    pub fn interrupts(&self) -> Vec<u32> {
        let Some(table) = self.file.section_by_name(".vector_table") else { return Vec::new() };
        let data = table.data().unwrap_or_default();
        let silent = ["Reset", "DefaultHandler", "HardFault", "tavola_hard_fault"];
        let mut found: Vec<u32> = data
            .chunks_exact(4)
            .skip(1)
            .filter_map(|word| Some(u32::from_le_bytes(word.try_into().ok()?) & !1))
            .filter(|at| {
                let function = self.functions.get(at);
                function.is_some_and(|f| !silent.iter().any(|name| f.name.contains(name)))
            })
            .collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The functions whose addresses are stored or used as numbers: those that can be called
    /// through pointers. Interrupt handlers are not among them.
    pub fn pointed_at(&self) -> BTreeSet<u32> {
        let stored = self
            .file
            .sections()
            .filter(|section| matches!(section.name(), Ok(".rodata" | ".data")))
            .flat_map(|section| section.data().unwrap_or_default().chunks_exact(4))
            .filter_map(|word| Some(u32::from_le_bytes(word.try_into().ok()?)));
        let used = self.functions.values().flat_map(|function| &function.facts.pointers).copied();
        stored
            .chain(used)
            .filter(|word| word & 1 == 1)
            .map(|word| word & !1)
            .filter(|address| self.functions.contains_key(address))
            .collect()
    }

    /// The address of the function with this name.
    pub fn address_of(&self, name: &str) -> Option<u32> {
        self.functions.iter().find(|(_, function)| function.name == name).map(|(&at, _)| at)
    }

    fn read_functions(&mut self) {
        // Where code (`$t`) and data (`$d`) begin, as the assembler has marked it.
        let mut marks = BTreeMap::new();
        let mut starts: BTreeMap<u32, (String, u32)> = BTreeMap::new();
        for symbol in self.file.symbols() {
            let (Ok(name), address) = (symbol.name(), symbol.address() as u32) else { continue };
            match name.get(..2) {
                Some("$t") => drop(marks.insert(address, true)),
                Some("$d" | "$a") => drop(marks.insert(address, false)),
                _ if symbol.kind() == SymbolKind::Text && symbol.section_index().is_some() => {
                    let name = format!("{:#}", rustc_demangle::demangle(name));
                    let (names, size) = starts.entry(address & !1).or_default();
                    // Equal functions may be one piece of code with several names.
                    if !names.is_empty() {
                        names.push_str(" = ");
                    }
                    names.push_str(&name);
                    *size = (*size).max(symbol.size() as u32);
                }
                _ => {}
            }
        }
        let addresses: Vec<u32> = starts.keys().copied().collect();
        for (index, (address, (name, size))) in starts.into_iter().enumerate() {
            let next = addresses.get(index + 1).copied().unwrap_or(u32::MAX);
            // Functions in assembly may not tell their size.
            let end = if size == 0 { next.min(address + 256) } else { address + size };
            let facts = self.facts(address, end, &marks);
            self.functions.insert(address, Function { name, facts });
        }
    }

    fn facts(&self, start: u32, end: u32, marks: &BTreeMap<u32, bool>) -> Facts {
        let mut facts = Facts::default();
        let inside = |to: u32| (start..end).contains(&to);
        let mut is_code = marks.range(..=start).next_back().is_none_or(|(_, &code)| code);
        let mut from = start;
        let edges = marks.range(start + 1..end).map(|(&at, &code)| (at, code));
        for (at, code) in edges.chain([(end, false)]) {
            if is_code && let Some(bytes) = self.bytes(from, at) {
                thumb::read(bytes, from, &|at| self.word(at), &inside, &mut facts);
            }
            (from, is_code) = (at, code);
        }
        facts
    }

    fn word(&self, address: u32) -> Option<u32> {
        let bytes = self.bytes(address, address.checked_add(4)?)?;
        Some(u32::from_le_bytes(bytes.try_into().ok()?))
    }

    /// What is stored in the sections that the program reads, such as constants.
    pub fn constants(&self) -> impl Iterator<Item = &'d [u8]> {
        let stored = |name: &str| matches!(name, ".rodata" | ".data" | ".text");
        self.file
            .sections()
            .filter(move |section| section.name().is_ok_and(stored))
            .filter_map(|section| section.data().ok())
    }

    /// What is stored between two addresses of one section.
    pub fn bytes(&self, start: u32, end: u32) -> Option<&'d [u8]> {
        let little = Endianness::Little;
        self.file.elf_program_headers().iter().find_map(|header| {
            let at = start.checked_sub(header.p_vaddr(little))? as usize;
            let data = header.data(little, self.file.data()).ok()?;
            data.get(at..at.checked_add(end.checked_sub(start)? as usize)?)
        })
    }
}

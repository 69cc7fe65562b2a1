//! What the tests share: a scratch directory, and writers of zips, images and class files.

use std::error::Error;
use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::{env, fs, process};

use heliostat_input::{Entry, Inputs, Request, open};

pub(crate) type Outcome<T = ()> = Result<T, Box<dyn Error>>;

/// A directory that goes away with its value.
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    pub(crate) fn new() -> Outcome<Self> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = env::temp_dir().join(format!("heliostat-input-{}-{number}", process::id()));
        fs::create_dir_all(&path)?;
        Ok(Self(fs::canonicalize(path)?))
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Writes a file, with the directories above it; returns its path.
    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> Outcome<PathBuf> {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap_or(&self.0))?;
        fs::write(&path, bytes)?;
        Ok(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A request for these inputs and no JDK.
pub(crate) fn request(inputs: &[&Path]) -> Request {
    let inputs = inputs.iter().map(|path| path.as_os_str().to_owned()).collect();
    Request { inputs, ..Request::default() }
}

/// Opens these inputs without a JDK.
pub(crate) fn open_all(inputs: &[&Path]) -> Outcome<Inputs> {
    Ok(open(&request(inputs))?)
}

/// Writes a zip into a scratch directory and opens it.
pub(crate) fn open_zip(zip: &Zip) -> Outcome<Inputs> {
    open_bytes(&zip.bytes())
}

/// Writes a file into a scratch directory and opens it.
pub(crate) fn open_bytes(bytes: &[u8]) -> Outcome<Inputs> {
    let scratch = Scratch::new()?;
    // The map outlives the name.
    open_all(&[&scratch.write("a.jar", bytes)?])
}

/// Paths joined as on a command line.
pub(crate) fn joined(paths: &[&Path]) -> Outcome<OsString> {
    Ok(env::join_paths(paths)?)
}

/// The names of entries.
pub(crate) fn names(inputs: &Inputs, entries: &[Entry]) -> Vec<String> {
    entries.iter().map(|entry| String::from_utf8_lossy(inputs.name(entry)).into_owned()).collect()
}

/// The file names of all archives, or what follows the first `!/`.
pub(crate) fn archive_names(inputs: &Inputs) -> Vec<&str> {
    inputs
        .archives
        .values()
        .map(|archive| match archive.name.split_once("!/") {
            Some((_, inner)) => inner,
            None => archive.name.rsplit('/').next().unwrap_or_default(),
        })
        .collect()
}

/// The bytes of the class with this name.
pub(crate) fn read_class(inputs: &Inputs, name: &str) -> Outcome<Vec<u8>> {
    let entry = inputs.classes.iter().find(|entry| inputs.name(entry) == name.as_bytes());
    let entry = entry.ok_or_else(|| format!("no class {name}"))?;
    Ok(inputs.read(entry).map_err(|problem| problem.to_string())?.to_vec())
}

/// All problems as text, without the scratch directory's path.
pub(crate) fn problems(inputs: &Inputs) -> Vec<String> {
    let text = |problem: &heliostat_input::Problem| {
        let archive = problem.archive.rsplit('/').next().unwrap_or_default().to_owned();
        heliostat_input::Problem { archive, ..problem.clone() }.to_string()
    };
    inputs.problems.iter().map(text).collect()
}

/// The start of a class file, up to `this_class`.
pub(crate) fn class(name: &str) -> Vec<u8> {
    let mut bytes = b"\xCA\xFE\xBA\xBE\0\0\0\x3D\0\x03\x01".to_vec();
    bytes.extend((name.len() as u16).to_be_bytes());
    bytes.extend(name.as_bytes());
    bytes.extend(b"\x07\0\x01\0\x21\0\x02");
    bytes
}

pub(crate) fn deflate(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::best());
    // Writing to a vector cannot fail.
    let _ = encoder.write_all(bytes);
    encoder.finish().unwrap_or_default()
}

/// One entry of a zip under construction. Every field may lie.
#[derive(Clone)]
pub(crate) struct Item {
    pub(crate) name: Vec<u8>,
    pub(crate) packed: Vec<u8>,
    pub(crate) size: u32,
    pub(crate) method: u16,
    /// With [`SIZES_FOLLOW`], the local header has no sizes.
    pub(crate) flags: u16,
    pub(crate) crc: u32,
}

/// The flag of an entry whose CRC and sizes follow its bytes.
pub(crate) const SIZES_FOLLOW: u16 = 8;

/// A zip under construction.
#[derive(Clone, Default)]
pub(crate) struct Zip {
    pub(crate) items: Vec<Item>,
    /// Bytes in front that the offsets do not count.
    pub(crate) prefix: Vec<u8>,
    pub(crate) zip64: bool,
}

impl Zip {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// Adds a stored entry.
    pub(crate) fn stored(mut self, name: &str, bytes: impl AsRef<[u8]>) -> Self {
        self.items.push(Item::stored(name.as_bytes(), bytes.as_ref()));
        self
    }

    /// Adds a deflated entry.
    pub(crate) fn deflated(mut self, name: &str, bytes: impl AsRef<[u8]>) -> Self {
        let bytes = bytes.as_ref();
        let (packed, size) = (deflate(bytes), bytes.len() as u32);
        let crc = rawzip::crc32(bytes);
        self.items.push(Item { name: name.into(), packed, size, method: 8, flags: 0, crc });
        self
    }

    /// Adds a class whose bytes are no class file but a tag that tells copies apart.
    pub(crate) fn class(self, path: &str, tag: &str) -> Self {
        self.deflated(path, tag)
    }

    pub(crate) fn manifest(self, text: &str) -> Self {
        self.deflated("META-INF/MANIFEST.MF", format!("Manifest-Version: 1.0\r\n{text}\r\n"))
    }

    pub(crate) fn item(mut self, item: Item) -> Self {
        self.items.push(item);
        self
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut local = Vec::new();
        let mut central = Vec::new();
        for item in &self.items {
            let offset = local.len() as u32;
            item.local(&mut local);
            central.extend(b"PK\x01\x02\x14\0\x14\0");
            item.common(item.crc, item.sizes(self.zip64), if self.zip64 { 28 } else { 0 }, &mut central);
            central.extend([0; 10]);
            central.extend(if self.zip64 { u32::MAX } else { offset }.to_le_bytes());
            central.extend(&item.name);
            if self.zip64 {
                central.extend([1, 0, 24, 0]);
                let sizes = [u64::from(item.size), item.packed.len() as u64, u64::from(offset)];
                central.extend(sizes.iter().flat_map(|size| size.to_le_bytes()));
            }
        }
        let end = self.end(local.len(), central.len());
        [&self.prefix[..], &local, &central, &end].concat()
    }

    /// The entries without the directory behind them.
    pub(crate) fn without_directory(&self) -> Vec<u8> {
        let mut local = Vec::new();
        self.items.iter().for_each(|item| item.local(&mut local));
        local
    }

    fn end(&self, directory: usize, size: usize) -> Vec<u8> {
        let count = self.items.len();
        let mut end = Vec::new();
        if self.zip64 {
            let record = (directory + size) as u64;
            end.extend(b"PK\x06\x06");
            end.extend(44_u64.to_le_bytes());
            end.extend([45, 0, 45, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
            end.extend([count, count, size, directory].iter().flat_map(|&n| (n as u64).to_le_bytes()));
            end.extend(b"PK\x06\x07\0\0\0\0");
            end.extend(record.to_le_bytes());
            end.extend(1_u32.to_le_bytes());
            end.extend(b"PK\x05\x06\0\0\0\0\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\0\0");
            return end;
        }
        end.extend(b"PK\x05\x06\0\0\0\0");
        end.extend((count as u16).to_le_bytes());
        end.extend((count as u16).to_le_bytes());
        end.extend((size as u32).to_le_bytes());
        end.extend((directory as u32).to_le_bytes());
        end.extend([0, 0]);
        end
    }
}

impl Item {
    pub(crate) fn stored(name: &[u8], bytes: &[u8]) -> Self {
        let (size, crc) = (bytes.len() as u32, rawzip::crc32(bytes));
        Self { name: name.into(), packed: bytes.into(), size, method: 0, flags: 0, crc }
    }

    /// The packed and the unpacked size; with `zip64`, they are elsewhere.
    fn sizes(&self, zip64: bool) -> [u32; 2] {
        if zip64 { [u32::MAX; 2] } else { [self.packed.len() as u32, self.size] }
    }

    /// Local header, bytes, and the descriptor behind them if there is one.
    fn local(&self, out: &mut Vec<u8>) {
        let sizes_follow = self.flags & SIZES_FOLLOW != 0;
        out.extend(b"PK\x03\x04\x14\0");
        let (crc, sizes) = if sizes_follow { (0, [0; 2]) } else { (self.crc, self.sizes(false)) };
        self.common(crc, sizes, 0, out);
        out.extend(&self.name);
        out.extend(&self.packed);
        if sizes_follow {
            out.extend(b"PK\x07\x08");
            out.extend(self.crc.to_le_bytes());
            out.extend(self.sizes(false).iter().flat_map(|size| size.to_le_bytes()));
        }
    }

    /// What local header and directory record have in common.
    fn common(&self, crc: u32, sizes: [u32; 2], extra: u16, out: &mut Vec<u8>) {
        out.extend(self.flags.to_le_bytes());
        out.extend(self.method.to_le_bytes());
        out.extend([0; 4]);
        out.extend(crc.to_le_bytes());
        out.extend(sizes.iter().flat_map(|size| size.to_le_bytes()));
        out.extend((self.name.len() as u16).to_le_bytes());
        out.extend(extra.to_le_bytes());
    }
}

//! Zip files: the list of entries, and the bytes of one.

use std::ops::Range;

use bytes::Bytes;
use rawzip::{CompressionMethod, ErrorKind, ZipArchiveEntryWayfinder, ZipLocator, ZipSliceArchive};

use crate::Limits;
use crate::inflate::{Wrapping, inflate};
use crate::problem::Defect;
use crate::recover;

/// How often a search for the end record goes on after one that was none.
const FALSE_END_RECORDS: usize = 16;
/// The fixed part of a record of the central directory; the name follows it.
const CENTRAL_RECORD: usize = 46;
/// Where an end record says at which offset the central directory begins.
const END_RECORD_DIRECTORY: usize = 16;

/// A zip file and the list of its entries.
pub(crate) struct Zip {
    data: Bytes,
    /// Nothing if the entries were recovered without a central directory.
    archive: Option<ZipSliceArchive<Bytes>>,
    records: Vec<Record>,
}

/// An entry. The name stays where it is in the file.
#[derive(Clone, Debug)]
pub(crate) struct Record {
    pub(crate) content: Content,
    pub(crate) header: u64,
    pub(crate) name: Range<usize>,
    pub(crate) method: CompressionMethod,
    pub(crate) size: u64,
    pub(crate) encrypted: bool,
}

/// Where the compressed bytes of an entry are.
#[derive(Clone, Debug)]
pub(crate) enum Content {
    /// Where the central directory says, which declares a CRC of what is inflated from it.
    Declared { way: ZipArchiveEntryWayfinder, crc: u32 },
    /// Behind a local header that was found.
    Found(Range<usize>),
}

impl Zip {
    /// Lists a zip file, at most `limit` entries of it. One whose directory breaks off or is missing is listed as
    /// far as it goes, with the defect beside it. A file that is no zip file at all is a defect.
    pub(crate) fn open(
        data: &Bytes,
        limit: usize,
        limits: &Limits,
    ) -> Result<(Self, Option<Defect>), Defect> {
        let mut records = Vec::new();
        let (archive, defect) = match locate(data) {
            Ok(archive) => {
                let defect = list(&archive, limit, &mut records);
                (Some(archive), defect)
            }
            Err(missing) => {
                let end = recover::local_entries(data, limit, limits, &mut records);
                if records.is_empty() {
                    return Err(missing);
                }
                let message = format!("{}; {} entries were recovered", missing.message, records.len());
                (None, Some(Defect::at(end as u64, message)))
            }
        };
        Ok((Self { data: data.clone(), archive, records }, defect))
    }

    /// The number of entries.
    pub(crate) fn len(&self) -> usize {
        self.records.len()
    }

    /// The path of an entry, as written.
    pub(crate) fn path(&self, entry: usize) -> &[u8] {
        let name = self.records.get(entry).and_then(|record| self.data.get(record.name.clone()));
        name.unwrap_or_default()
    }

    /// Where an entry begins.
    pub(crate) fn offset(&self, entry: usize) -> Option<u64> {
        self.records.get(entry).map(|record| record.header)
    }

    /// Why an entry cannot be read by us at all, if so.
    pub(crate) fn obstacle(&self, entry: usize) -> Option<String> {
        let record = self.records.get(entry)?;
        if record.encrypted {
            return Some("the entry is encrypted".to_owned());
        }
        let known = [CompressionMethod::STORE, CompressionMethod::DEFLATE].contains(&record.method);
        (!known).then(|| format!("unknown compression method {}", record.method.as_u16()))
    }

    /// The bytes of an entry: a slice of the file if stored, else inflated.
    pub(crate) fn read(&self, entry: usize, limits: &Limits) -> Result<Bytes, Defect> {
        let record = self.records.get(entry).ok_or_else(|| Defect::new("no such entry"))?;
        if let Some(obstacle) = self.obstacle(entry) {
            return Err(Defect::at(record.header, obstacle));
        }
        self.unpack(record, limits).map_err(|defect| Defect { offset: Some(record.header), ..defect })
    }

    /// What is wrong with the bytes that an entry was read as, though they could be read.
    pub(crate) fn damage(&self, entry: usize, bytes: &[u8]) -> Option<Defect> {
        let record = self.records.get(entry)?;
        let Content::Declared { crc: declared, .. } = record.content else { return None };
        (rawzip::crc32(bytes) != declared).then(|| {
            let message = "the CRC of the central directory does not fit the content; read all the same";
            Defect::at(record.header, message)
        })
    }

    /// Whether the bytes of an entry are a slice of the file.
    pub(crate) fn is_stored(&self, entry: usize) -> bool {
        self.records.get(entry).is_some_and(|record| record.method == CompressionMethod::STORE)
    }

    /// The bytes that an entry takes in memory besides the file's.
    pub(crate) fn unpacked_size(&self, entry: usize) -> u64 {
        let record = self.records.get(entry).filter(|record| record.method != CompressionMethod::STORE);
        record.map_or(0, |record| record.size)
    }

    /// The compressed bytes of an entry.
    fn packed(&self, content: &Content) -> Result<Bytes, Defect> {
        let range = match (content, &self.archive) {
            (Content::Declared { way, .. }, Some(archive)) => {
                let found = archive.get_entry(*way).map_err(|e| Defect::new(plain(&e)))?;
                let (start, end) = found.compressed_data_range();
                start as usize..end as usize
            }
            (Content::Found(range), _) => range.clone(),
            (Content::Declared { .. }, None) => return Err(Defect::new("no such entry")),
        };
        Ok(self.data.slice(range))
    }

    fn unpack(&self, record: &Record, limits: &Limits) -> Result<Bytes, Defect> {
        let packed = self.packed(&record.content)?;
        let size = record.size;
        if record.method == CompressionMethod::DEFLATE {
            return inflate(&packed, size, Wrapping::Raw, limits).map(Bytes::from);
        }
        if packed.len() as u64 != size {
            return Err(Defect::new(format!("is stored in {} bytes but declares {size}", packed.len())));
        }
        Ok(packed)
    }
}

/// Finds the end record, past bytes behind it that only look like one.
fn locate(data: &Bytes) -> Result<ZipSliceArchive<Bytes>, Defect> {
    let locator = ZipLocator::new();
    let mut candidate = data.clone();
    let mut first: Option<Defect> = None;
    for _ in 0..FALSE_END_RECORDS {
        let error = match locator.locate_in_slice(candidate) {
            Ok(archive) if is_inner(&archive, data) => {
                return Err(Defect::new(plain(&ErrorKind::MissingEndOfCentralDirectory.into())));
            }
            Ok(archive) => return Ok(archive),
            Err((_, error)) => error,
        };
        let offset = error.eocd_offset();
        first.get_or_insert_with(|| Defect { offset, message: plain(&error) });
        match offset.filter(|&offset| offset > 0) {
            Some(offset) => candidate = data.slice(..(offset as usize).min(data.len())),
            None => break,
        }
    }
    Err(first.unwrap_or_else(|| Defect::new("no end of central directory")))
}

/// Whether an end record is that of a stored jar inside a file that was cut behind it: bytes follow, and offsets
/// count from behind the file's first entry.
fn is_inner(archive: &ZipSliceArchive<Bytes>, data: &Bytes) -> bool {
    let field = archive.eocd_offset() as usize + END_RECORD_DIRECTORY;
    let declared = archive.get_ref().get(field..).and_then(<[u8]>::first_chunk).copied();
    let declared = declared.map_or(u32::MAX, u32::from_le_bytes);
    let base = archive.directory_offset().saturating_sub(u64::from(declared));
    declared != u32::MAX
        && archive.end_offset() < data.len() as u64
        && recover::first_entry(data).is_some_and(|first| base > first as u64)
}

/// An error of the zip reader in words that need no knowledge of the format.
fn plain(error: &rawzip::Error) -> String {
    let mut detail = error.to_string();
    if let Some(first) = detail.get_mut(..1) {
        first.make_ascii_lowercase();
    }
    match error.kind() {
        ErrorKind::MissingEndOfCentralDirectory | ErrorKind::Eof => {
            format!("not a complete zip file: it is truncated or damaged ({detail})")
        }
        _ => format!("the zip file is damaged ({detail})"),
    }
}

/// Fills `records` from the central directory; says where it breaks off, if it does.
fn list(archive: &ZipSliceArchive<Bytes>, limit: usize, records: &mut Vec<Record>) -> Option<Defect> {
    let mut at = archive.directory_offset();
    // The file bounds the number of its entries, whatever it declares.
    let possible = archive.get_ref().len() / CENTRAL_RECORD;
    records.reserve((archive.entries_hint() as usize).min(possible).min(limit));
    for record in archive.entries() {
        let record = match record {
            Ok(record) => record,
            Err(e) => {
                return Some(Defect::at(at, format!("the central directory breaks off: {}", plain(&e))));
            }
        };
        if records.len() == limit {
            return Some(Defect::at(at, "the limit on the number of entries is reached"));
        }
        let name = record.file_path().as_bytes().len();
        let start = record.central_directory_offset() as usize + CENTRAL_RECORD;
        at = (start + name) as u64;
        records.push(Record {
            content: Content::Declared { way: record.wayfinder(), crc: record.crc32() },
            header: record.local_header_offset(),
            name: start..start + name,
            method: record.compression_method(),
            size: record.uncompressed_size_hint(),
            encrypted: record.flags().is_encrypted(),
        });
    }
    // Old tools write the number of entries modulo 2^16.
    let (declared, found) = (archive.entries_hint(), records.len() as u64);
    (declared != found && declared != found & 0xFFFF).then(|| {
        Defect::at(archive.eocd_offset(), format!("{declared} entries are declared, {found} were found"))
    })
}

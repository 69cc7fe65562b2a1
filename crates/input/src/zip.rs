//! Zip files: the list of entries, and the bytes of one.

use std::ops::Range;

use bytes::Bytes;
use rawzip::{CompressionMethod, ZipArchiveEntryWayfinder, ZipLocator, ZipSliceArchive};

use crate::Limits;
use crate::inflate::{Wrapping, inflate};
use crate::problem::Defect;

/// How often a search for the end record goes on after one that was none.
const FALSE_END_RECORDS: usize = 16;
/// The fixed part of a record of the central directory; the name follows it.
const CENTRAL_RECORD: usize = 46;

/// A zip file and its central directory.
pub(crate) struct Zip {
    archive: ZipSliceArchive<Bytes>,
    records: Vec<Record>,
}

/// An entry of the central directory. The name stays where it is in the file.
#[derive(Clone, Debug)]
struct Record {
    way: ZipArchiveEntryWayfinder,
    header: u64,
    name: Range<usize>,
    method: CompressionMethod,
    encrypted: bool,
}

impl Zip {
    /// Lists a zip file, at most `limit` entries of it. A file that has no end record is a defect; one whose
    /// directory breaks off is listed as far as it goes, with the defect beside it.
    pub(crate) fn open(data: &Bytes, limit: usize) -> Result<(Self, Option<Defect>), Defect> {
        let archive = locate(data)?;
        let mut records = Vec::new();
        let defect = list(&archive, limit, &mut records);
        Ok((Self { archive, records }, defect))
    }

    /// The number of entries.
    pub(crate) fn len(&self) -> usize {
        self.records.len()
    }

    /// The path of an entry, as in the central directory.
    pub(crate) fn path(&self, entry: usize) -> &[u8] {
        let name = self.records.get(entry).and_then(|record| self.archive.get_ref().get(record.name.clone()));
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

    /// The bytes that an entry takes in memory besides the file's.
    pub(crate) fn unpacked_size(&self, entry: usize) -> u64 {
        let record = self.records.get(entry).filter(|record| record.method != CompressionMethod::STORE);
        record.map_or(0, |record| record.way.uncompressed_size_hint())
    }

    fn unpack(&self, record: &Record, limits: &Limits) -> Result<Bytes, Defect> {
        let found = self.archive.get_entry(record.way).map_err(|e| Defect::new(e.to_string()))?;
        let (start, end) = found.compressed_data_range();
        let packed = self.archive.get_ref().slice(start as usize..end as usize);
        let size = record.way.uncompressed_size_hint();
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
            Ok(archive) => return Ok(archive),
            Err((_, error)) => error,
        };
        let offset = error.eocd_offset();
        first.get_or_insert_with(|| Defect { offset, message: error.to_string() });
        match offset.filter(|&offset| offset > 0) {
            Some(offset) => candidate = data.slice(..(offset as usize).min(data.len())),
            None => break,
        }
    }
    Err(first.unwrap_or_else(|| Defect::new("no end of central directory")))
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
            Err(e) => return Some(Defect::at(at, format!("the central directory breaks off: {e}"))),
        };
        if records.len() == limit {
            return Some(Defect::at(at, "the limit on the number of entries is reached"));
        }
        let name = record.file_path().as_bytes().len();
        let start = record.central_directory_offset() as usize + CENTRAL_RECORD;
        at = (start + name) as u64;
        records.push(Record {
            way: record.wayfinder(),
            header: record.local_header_offset(),
            name: start..start + name,
            method: record.compression_method(),
            encrypted: record.flags().is_encrypted(),
        });
    }
    // Old tools write the number of entries modulo 2^16.
    let (declared, found) = (archive.entries_hint(), records.len() as u64);
    (declared != found && declared != found & 0xFFFF).then(|| {
        Defect::at(archive.eocd_offset(), format!("{declared} entries are declared, {found} were found"))
    })
}

//! Lists the entries of one archive: what each is, and which cannot be used.

use bytes::Bytes;

use crate::catalog::{Catalog, Listing};
use crate::class_name;
use crate::directory::Files;
use crate::inputs::Store;
use crate::jimage::Image;
use crate::layout::{self, Layout, Placed, Role};
use crate::manifest::Manifest;
use crate::problem::Defect;
use crate::zip::Zip;
use crate::{ArchiveId, Kind, Limits};

/// Lists a lone class file under the name that it gives itself.
pub(crate) fn list_class(catalog: &mut Catalog, id: ArchiveId, bytes: &Bytes) {
    let mut listing = Listing::default();
    let role = match class_name::this_class(bytes) {
        Ok(b"module-info") => Role::ModuleInfo,
        Ok(name) => Role::Class(name),
        Err(defect) => return catalog.problem(id, None, defect),
    };
    catalog.record(id, 0, &Placed { role, release: 0 }, &mut listing);
    catalog.close(id, Store::Class(bytes.clone()), &listing);
}

/// Lists a modules image.
pub(crate) fn list_image(catalog: &mut Catalog, id: ArchiveId, bytes: Bytes) {
    let image = match Image::open(bytes) {
        Ok(image) => image,
        Err(defect) => return catalog.problem(id, None, defect),
    };
    let limit = catalog.entries_left();
    let mut places: Vec<_> =
        image.places().take(limit).map(|place| (image.content_offset(place), place)).collect();
    // The hash table's order is as good as random; in that of the content, reading goes forward.
    places.sort_unstable();
    catalog.spend_entries(places.len());
    if image.places().len() > limit {
        catalog.problem(id, None, Defect::new("the limit on the number of entries is reached"));
    }
    let mut listing = Listing::default();
    let mut name = Vec::new();
    for (_, place) in places {
        if catalog.is_full() {
            break;
        }
        match image.location(place) {
            Ok(location) if location.is_content() => {
                name.clear();
                location.write_name(&mut name);
                catalog.record(id, place, &layout::place(&name, Layout::Module), &mut listing);
            }
            Ok(_) => {}
            Err(defect) => catalog.problem(id, None, defect),
        }
    }
    catalog.close(id, Store::Image(image), &listing);
}

/// Lists the files of a directory.
pub(crate) fn list_files(catalog: &mut Catalog, id: ArchiveId, files: &Files, limits: &Limits) -> Listing {
    let mut listing = Listing::default();
    for file in 0..files.len() {
        let path = files.path(file).as_bytes();
        if is_manifest(path) {
            read_manifest(catalog, id, path, files.read(file, limits));
        }
        catalog.record(id, file as u32, &layout::place(path, Layout::Directory), &mut listing);
    }
    listing
}

/// Lists the entries of a zip file; a multi-release jar as a JVM of version `release` sees it.
pub(crate) fn list_zip(catalog: &mut Catalog, id: ArchiveId, zip: &Zip, release: u16) -> Listing {
    let archive = catalog.archive(id);
    let layout = match archive.kind {
        Kind::Jmod => Layout::Jmod,
        _ => Layout::Jar { release: archive.multi_release.then_some(release) },
    };
    let mut listing = Listing::default();
    for entry in 0..zip.len() {
        let path = zip.path(entry);
        let placed = layout::place(path, layout);
        if path.ends_with(b"/") || placed.role == Role::Ignored {
            continue;
        }
        let obstacle = layout::flaw(path).map(str::to_owned).or_else(|| zip.obstacle(entry));
        match obstacle {
            Some(message) => {
                catalog.problem(id, Some(path), Defect { offset: zip.offset(entry), message });
            }
            None => catalog.record(id, entry as u32, &placed, &mut listing),
        }
    }
    listing
}

/// Reads the manifest of a zip file, if it has one; returns its `Class-Path`.
pub(crate) fn read_zip_manifest(
    catalog: &mut Catalog,
    id: ArchiveId,
    zip: &Zip,
    limits: &Limits,
) -> Vec<String> {
    // Of several, java finds the last.
    let entry = (0..zip.len()).rev().find(|&entry| is_manifest(zip.path(entry)));
    entry.map_or_else(Vec::new, |entry| read_manifest(catalog, id, zip.path(entry), zip.read(entry, limits)))
}

fn read_manifest(
    catalog: &mut Catalog,
    id: ArchiveId,
    path: &[u8],
    bytes: Result<Bytes, Defect>,
) -> Vec<String> {
    let manifest = match bytes {
        Ok(bytes) => Manifest::parse(&bytes),
        Err(defect) => {
            catalog.problem(id, Some(path), defect);
            return Vec::new();
        }
    };
    let archive = catalog.archive_mut(id);
    archive.main_class = manifest.main_class;
    archive.start_class = manifest.start_class;
    archive.multi_release = manifest.multi_release;
    manifest.class_path
}

fn is_manifest(path: &[u8]) -> bool {
    path.eq_ignore_ascii_case(b"META-INF/MANIFEST.MF")
}

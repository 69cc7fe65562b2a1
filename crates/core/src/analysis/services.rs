//! What `ServiceLoader` finds: the providers that `META-INF/services` and module declarations name.

use heliostat_classfile::{ClassFile, Malformed, mutf8};
use heliostat_index::FastSet;
use heliostat_input::Entry;
use heliostat_program::{ClassId, TypeId};
use heliostat_pta::Service;
use serde::Serialize;

use crate::{Opened, Problem};

/// Where the files are whose names are those of services.
const FOLDER: &[u8] = b"META-INF/services/";

/// A provider that is named and not there.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct MissingProvider {
    /// The internal name of the service.
    pub service: String,
    /// The internal name of the provider.
    pub provider: String,
    /// The archive that names it.
    pub archive: String,
}

/// All providers, in the order of the archives.
#[derive(Default)]
pub(super) struct Services {
    pub(super) found: Vec<Service>,
    pub(super) missing: Vec<MissingProvider>,
}

/// A service and its providers, as internal names in modified UTF-8.
type Named = (Vec<u8>, Vec<Vec<u8>>);

/// Looks through all archives. What cannot be read is one more problem.
pub(super) fn find(opened: &mut Opened) -> Services {
    let resources = opened.inputs.resources.iter();
    let files: Vec<Entry> =
        resources.copied().filter(|entry| opened.inputs.name(entry).starts_with(FOLDER)).collect();
    let modules = opened.inputs.modules.clone();
    let mut finder = Finder { opened, services: Services::default(), seen: FastSet::default() };
    for entry in files {
        finder.read(entry, |name, bytes| Ok(of_file(name, bytes)));
    }
    for entry in modules {
        finder.read(entry, |_, bytes| of_module(bytes));
    }
    finder.services.missing.sort_unstable();
    finder.services.missing.dedup();
    finder.services
}

struct Finder<'a> {
    opened: &'a mut Opened,
    services: Services,
    seen: FastSet<(TypeId, ClassId)>,
}

impl Finder<'_> {
    fn read(&mut self, entry: Entry, parse: impl FnOnce(&[u8], &[u8]) -> Result<Vec<Named>, Malformed>) {
        let Opened { inputs, problems, .. } = &mut *self.opened;
        let bytes = match inputs.read(&entry) {
            Ok(bytes) => bytes,
            Err(problem) => return problems.push(entry.archive, || problem.into()),
        };
        let named = parse(inputs.name(&entry), &bytes).unwrap_or_else(|malformed| {
            let (archive, path) = (&inputs.archives[entry.archive].name, inputs.path(&entry).into_owned());
            problems.push(entry.archive, || Problem::of_class(archive, path, malformed));
            Vec::new()
        });
        for (service, providers) in named {
            for provider in providers {
                self.add(entry, &service, &provider);
            }
        }
    }

    fn add(&mut self, entry: Entry, service: &[u8], provider: &[u8]) {
        let program = &mut self.opened.program;
        let class = program.symbols.find(provider).and_then(|name| program.types.find(name));
        let Some(provider) = class.and_then(|ty| program.class_of(ty)) else {
            let archive = self.opened.inputs.archives[entry.archive].name.clone();
            let [service, provider] = [service, provider].map(mutf8::decode_lossy);
            if self.opened.is_unread(&provider) {
                return;
            }
            return self.services.missing.push(MissingProvider { service, provider, archive });
        };
        let service = program.intern_type(service);
        if self.seen.insert((service, provider)) {
            self.services.found.push(Service { service, provider });
        }
    }
}

/// A file in `META-INF/services`: a provider on each line, `#` begins a comment.
fn of_file(path: &[u8], bytes: &[u8]) -> Vec<Named> {
    let service = path.get(FOLDER.len()..).unwrap_or_default();
    let text = String::from_utf8_lossy(bytes);
    let lines = text.trim_start_matches('\u{FEFF}').lines();
    let lines = lines.map(|line| line.split('#').next().unwrap_or_default().trim());
    let providers = lines.filter(|name| is_name(name)).map(internal).collect();
    match std::str::from_utf8(service) {
        Ok(service) if is_name(service) => vec![(internal(service), providers)],
        // Another folder below, or no name: nothing that is looked for.
        _ => Vec::new(),
    }
}

fn of_module(bytes: &[u8]) -> Result<Vec<Named>, Malformed> {
    let provides = ClassFile::read(bytes)?.module_provides()?;
    let owned = |name: &[u8]| name.to_vec();
    let named =
        provides.into_iter().map(|p| (owned(p.service), p.providers.into_iter().map(owned).collect()));
    Ok(named.collect())
}

/// Whether a text can be the name of a class in the source.
fn is_name(text: &str) -> bool {
    !text.is_empty() && !text.contains(['/', ';', '[', ' ', '\t'])
}

fn internal(name: &str) -> Vec<u8> {
    mutf8::encode(&name.replace('.', "/"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Environment, JdkChoice, Settings, open};

    #[test]
    fn a_file_of_providers() {
        let text =
            b"\xEF\xBB\xBF# all of them\n a.First # the first\r\n\n#a.None\na.Outer$Second\nnot a name\n";
        let providers = vec![b"a/First".to_vec(), b"a/Outer$Second".to_vec()];
        assert_eq!(of_file(b"META-INF/services/a.Service", text), [(b"a/Service".to_vec(), providers)]);
        assert!(of_file(b"META-INF/services/", text).is_empty());
        assert!(of_file(b"META-INF/services/sub/a.Service", text).is_empty());
    }

    #[test]
    fn what_the_modules_of_a_jdk_provide() {
        let java_home = std::env::var_os("JAVA_HOME").map(Into::into);
        let environment = Environment { java_home, path: std::env::var_os("PATH"), home: None };
        let settings = Settings { jdk: JdkChoice::Auto, environment, ..Settings::default() };
        let mut opened = open(&settings).unwrap();
        if opened.jdk().is_none() {
            assert!(std::env::var_os("CI").is_none(), "CI must have a JDK");
            return;
        }
        let services = find(&mut opened);
        let names = services.found.iter().map(|found| {
            [opened.program.type_name(found.service), opened.program.class_name(found.provider)]
        });
        let expected = ["java/nio/file/spi/FileSystemProvider", "jdk/nio/zipfs/ZipFileSystemProvider"];
        assert!(names.into_iter().any(|names| names == expected));
    }

    #[test]
    fn what_is_no_module_is_a_problem() {
        assert!(of_module(b"").is_err() && of_module(b"\xCA\xFE\xBA\xBE").is_err());
    }
}

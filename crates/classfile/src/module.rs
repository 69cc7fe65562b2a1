//! Module declarations (JVMS 4.7.25).

use crate::attributes::{index_list, whole};
use crate::cursor::Cursor;
use crate::{ClassFile, Malformed};

/// A service that a module provides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModuleProvides<'a> {
    /// The internal name of the service.
    pub service: &'a [u8],
    /// The internal names of the classes that provide it, in order.
    pub providers: Vec<&'a [u8]>,
}

impl<'a> ClassFile<'a> {
    /// The services that a module declaration provides; none if this is no module declaration.
    pub fn module_provides(&self) -> Result<Vec<ModuleProvides<'a>>, Malformed> {
        let Some(attribute) = self.attribute("Module") else { return Ok(Vec::new()) };
        whole(&attribute, "Module", |cursor| {
            // Name, flags and version; then what it requires, exports, opens and uses.
            cursor.take(6)?;
            let requires = cursor.u2()?;
            cursor.take(usize::from(requires) * 6)?;
            skip_packages(cursor)?;
            skip_packages(cursor)?;
            index_list(cursor)?;
            let provides = cursor.u2()?;
            (0..provides).map(|_| self.read_provides(cursor)).collect()
        })
    }

    fn read_provides(&self, cursor: &mut Cursor<'a>) -> Result<ModuleProvides<'a>, Malformed> {
        let service = self.pool.declared_class_name(cursor.u2()?)?;
        let providers = index_list(cursor)?.into_iter().map(|index| self.pool.declared_class_name(index));
        Ok(ModuleProvides { service, providers: providers.collect::<Result<_, _>>()? })
    }
}

/// Reads past exported or opened packages: each with flags and the modules that see it.
fn skip_packages(cursor: &mut Cursor<'_>) -> Result<(), Malformed> {
    let packages = cursor.u2()?;
    for _ in 0..packages {
        cursor.take(4)?;
        index_list(cursor)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn utf8(text: &str) -> Vec<u8> {
        [&[1][..], &(text.len() as u16).to_be_bytes(), text.as_bytes()].concat()
    }

    /// `module-info.class` with this content of its `Module` attribute.
    fn module(attribute: &[u8]) -> Vec<u8> {
        let class = |index: u8| vec![7, 0, index];
        let pool = [
            utf8("module-info"),
            class(1),
            utf8("Module"),
            utf8("m"),
            vec![19, 0, 4],
            utf8("a/Service"),
            class(6),
            utf8("a/First"),
            class(8),
            utf8("a/Second"),
            class(10),
        ];
        let mut bytes = b"\xCA\xFE\xBA\xBE\0\0\0\x3D".to_vec();
        bytes.extend((pool.len() as u16 + 1).to_be_bytes());
        bytes.extend(pool.concat());
        bytes.extend([0x80, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 3]);
        bytes.extend((attribute.len() as u32).to_be_bytes());
        bytes.extend(attribute);
        bytes
    }

    #[test]
    fn what_a_module_provides() {
        let head = [0, 5, 0, 0, 0, 0];
        let one_package = [0, 1, 0, 4, 0, 0, 0, 1, 0, 5];
        let provides = [0, 1, 0, 7, 0, 2, 0, 9, 0, 11];
        let whole = [&head[..], &[0, 0], &one_package, &one_package, &[0, 1, 0, 7][..], &provides].concat();
        let bytes = module(&whole);
        let file = ClassFile::read(&bytes).unwrap();
        let expected = ModuleProvides { service: b"a/Service", providers: vec![b"a/First", b"a/Second"] };
        assert_eq!(file.module_provides(), Ok(vec![expected]));
        for cut in 0..whole.len() {
            let bytes = module(&whole[..cut]);
            assert!(ClassFile::read(&bytes).unwrap().module_provides().is_err(), "{cut}");
        }
        let wrong = [&whole[..whole.len() - 1], &[5]].concat();
        assert!(ClassFile::read(&module(&wrong)).unwrap().module_provides().is_err());
    }
}

//! What Java source cannot say, put into class files: other bootstrap methods, dynamic constants, handles of fields.

/// Changes to the classes of a section. Names are those of the section, without its package.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Patch {
    /// The classes whose bootstrap methods are called instead: `(java/lang/invoke/LambdaMetafactory, Boot)`.
    pub(crate) bootstraps: Vec<(String, String)>,
    /// String constants that become dynamic ones.
    pub(crate) constants: Vec<DynamicConstant>,
    /// Method handles that become those of fields.
    pub(crate) handles: Vec<FieldHandle>,
}

/// A string constant that becomes a dynamic one: `text:Boot.make`, or `text:Boot.make:other`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DynamicConstant {
    text: String,
    /// The class and the name of the method that computes it.
    method: (String, String),
    /// The text of another string constant that the method is given, which may be a dynamic one, too.
    argument: Option<String>,
}

impl DynamicConstant {
    pub(crate) fn parse(value: &str) -> Option<Self> {
        let (text, rest) = value.split_once(':')?;
        let (method, argument) = rest.split_once(':').map_or((rest, None), |(m, a)| (m, Some(a.to_owned())));
        Some(Self { text: text.to_owned(), method: member(method)?, argument })
    }
}

/// A method handle that becomes that of a field: `Main.f:putStatic:Counter.count:I`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FieldHandle {
    method: (String, String),
    kind: u8,
    field: (String, String),
    ty: String,
}

impl FieldHandle {
    pub(crate) fn parse(value: &str) -> Option<Self> {
        let mut parts = value.splitn(4, ':');
        let [method, kind, field, ty] = [parts.next()?, parts.next()?, parts.next()?, parts.next()?];
        let kind = ["getField", "getStatic", "putField", "putStatic"].iter().position(|k| *k == kind)?;
        let ty = ty.to_owned();
        Some(Self { method: member(method)?, kind: kind as u8 + 1, field: member(field)?, ty })
    }
}

/// The class and the name of `A.f`.
fn member(name: &str) -> Option<(String, String)> {
    let (class, name) = name.split_once('.')?;
    Some((class.to_owned(), name.to_owned()))
}

const UTF8: u8 = 1;
const CLASS: u8 = 7;
const STRING: u8 = 8;
const FIELD_REF: u8 = 9;
const METHOD_REF: u8 = 10;
const NAME_AND_TYPE: u8 = 12;
const METHOD_HANDLE: u8 = 15;
const DYNAMIC: u8 = 17;
const INVOKE_STATIC: u8 = 6;
const BOOTSTRAP: [&str; 2] = [
    "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/Class;)Ljava/lang/Object;",
    "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/Class;Ljava/lang/Object;)Ljava/lang/Object;",
];

impl Patch {
    /// The class files with the changes, each of which must find something to change.
    pub(crate) fn apply_all(&self, files: &[Vec<u8>], package: &str) -> Option<Vec<Vec<u8>>> {
        let is_used =
            |one: Self| files.iter().any(|file| one.apply(file, package).is_some_and(|new| new != *file));
        if !self.each().all(is_used) {
            return None;
        }
        files.iter().map(|file| self.apply(file, package)).collect()
    }

    fn each(&self) -> impl Iterator<Item = Self> {
        let bootstraps =
            self.bootstraps.iter().map(|one| Self { bootstraps: vec![one.clone()], ..Self::default() });
        let constants =
            self.constants.iter().map(|one| Self { constants: vec![one.clone()], ..Self::default() });
        let handles = self.handles.iter().map(|one| Self { handles: vec![one.clone()], ..Self::default() });
        bootstraps.chain(constants).chain(handles)
    }

    /// The class file with the changes. None if it cannot be read, or has bootstrap methods where constants need theirs.
    fn apply(&self, bytes: &[u8], package: &str) -> Option<Vec<u8>> {
        if *self == Self::default() {
            return Some(bytes.to_vec());
        }
        let mut pool = Pool::read(bytes)?;
        for (from, to) in &self.bootstraps {
            if let Some(at) = pool.find(UTF8, from.as_bytes()) {
                pool.entries[at].1 = format!("{package}/{to}").into_bytes();
            }
        }
        for handle in &self.handles {
            pool.make_field_handles(handle, package);
        }
        let rows = pool.make_dynamic(&self.constants, package);
        Some(pool.write(bytes, &rows))
    }
}

/// A row of a bootstrap table.
struct Row {
    method: u16,
    argument: Option<u16>,
}

/// The entries of a constant pool by tag and content; those that take two places have an empty one after them.
struct Pool {
    entries: Vec<(u8, Vec<u8>)>,
    /// Where the class file goes on.
    end: usize,
}

impl Pool {
    fn read(bytes: &[u8]) -> Option<Self> {
        let count = u16_at(bytes, 8)?;
        let mut pool = Self { entries: vec![(0, Vec::new())], end: 10 };
        while pool.entries.len() < usize::from(count) {
            let tag = *bytes.get(pool.end)?;
            let start = pool.end + 1;
            let (start, len) = match tag {
                UTF8 => (start + 2, usize::from(u16_at(bytes, start)?)),
                3 | 4 | 9..=12 | 17 | 18 => (start, 4),
                5 | 6 => (start, 8),
                7 | 8 | 16 | 19 | 20 => (start, 2),
                METHOD_HANDLE => (start, 3),
                _ => return None,
            };
            pool.entries.push((tag, bytes.get(start..start + len)?.to_vec()));
            if matches!(tag, 5 | 6) {
                pool.entries.push((0, Vec::new()));
            }
            pool.end = start + len;
        }
        Some(pool)
    }

    fn find(&self, tag: u8, content: &[u8]) -> Option<usize> {
        self.entries.iter().position(|entry| entry.0 == tag && entry.1 == content)
    }

    /// The number of an entry, which is added if there is none.
    fn entry(&mut self, tag: u8, content: Vec<u8>) -> u16 {
        let known = self.find(tag, &content);
        let at = known.unwrap_or_else(|| {
            self.entries.push((tag, content));
            self.entries.len() - 1
        });
        at as u16
    }

    fn utf8(&mut self, text: &str) -> [u8; 2] {
        self.entry(UTF8, text.as_bytes().to_vec()).to_be_bytes()
    }

    fn class(&mut self, name: &str, package: &str) -> [u8; 2] {
        let name = self.utf8(&format!("{package}/{name}"));
        self.entry(CLASS, name.to_vec()).to_be_bytes()
    }

    fn name_and_type(&mut self, name: &str, ty: &str) -> [u8; 2] {
        let both = [self.utf8(name), self.utf8(ty)].concat();
        self.entry(NAME_AND_TYPE, both).to_be_bytes()
    }

    /// The number of a string constant.
    fn string(&self, text: &str) -> Option<u16> {
        let utf8 = self.find(UTF8, text.as_bytes())? as u16;
        Some(self.find(STRING, &utf8.to_be_bytes())? as u16)
    }

    /// Turns string constants into dynamic ones of the same names; the rows of the bootstrap table that they need.
    fn make_dynamic(&mut self, constants: &[DynamicConstant], package: &str) -> Vec<Row> {
        // Before the first is changed: they may be arguments of each other.
        let places: Vec<_> = constants
            .iter()
            .map(|one| (self.string(&one.text), one.argument.as_deref().and_then(|text| self.string(text))))
            .collect();
        let mut rows = Vec::new();
        for (constant, (place, argument)) in constants.iter().zip(places) {
            let Some(place) = place else { continue };
            let class = self.class(&constant.method.0, package);
            let bootstrap = BOOTSTRAP[usize::from(argument.is_some())];
            let name_and_type = self.name_and_type(&constant.method.1, bootstrap);
            let method = self.entry(METHOD_REF, [class, name_and_type].concat()).to_be_bytes();
            let method = self.entry(METHOD_HANDLE, vec![INVOKE_STATIC, method[0], method[1]]);
            let own = self.name_and_type(&constant.text, "Ljava/lang/Object;");
            let row = (rows.len() as u16).to_be_bytes();
            self.entries[usize::from(place)] = (DYNAMIC, [row, own].concat());
            rows.push(Row { method, argument });
        }
        rows
    }

    /// Turns the handles of a method into those of a field.
    fn make_field_handles(&mut self, handle: &FieldHandle, package: &str) {
        let is_meant = |reference: &[u8]| self.is_method(reference, &handle.method, package);
        let meant =
            self.entries.iter().enumerate().filter(|(_, (tag, content))| {
                *tag == METHOD_HANDLE && content.get(1..).is_some_and(is_meant)
            });
        let meant: Vec<usize> = meant.map(|(number, _)| number).collect();
        if meant.is_empty() {
            return;
        }
        let class = self.class(&handle.field.0, package);
        let name_and_type = self.name_and_type(&handle.field.1, &handle.ty);
        let field = self.entry(FIELD_REF, [class, name_and_type].concat()).to_be_bytes();
        for number in meant {
            self.entries[number].1 = vec![handle.kind, field[0], field[1]];
        }
    }

    /// Whether a reference is to this method, whatever its type.
    fn is_method(&self, reference: &[u8], (class, name): &(String, String), package: &str) -> bool {
        let content = |number: &[u8]| Some(&self.entries.get(usize::from(u16_at(number, 0)?))?.1[..]);
        let parts = || {
            let (owner, both) = content(reference)?.split_at_checked(2)?;
            Some((content(content(owner)?)?, content(both.get(..2)?)?))
        };
        parts().is_some_and(|(owner, both)| {
            owner == format!("{package}/{class}").as_bytes() && content(both) == Some(name.as_bytes())
        })
    }

    /// The class file with this pool, and with these rows as its bootstrap table.
    fn write(mut self, bytes: &[u8], rows: &[Row]) -> Vec<u8> {
        let mut rest = bytes[self.end..].to_vec();
        if !rows.is_empty() {
            let mut table = vec![rows.len() as u16];
            for row in rows {
                table.extend([row.method, u16::from(row.argument.is_some())]);
                table.extend(row.argument);
            }
            let table: Vec<u8> = table.into_iter().flat_map(u16::to_be_bytes).collect();
            rest.extend(self.utf8("BootstrapMethods"));
            rest.extend((table.len() as u32).to_be_bytes());
            rest.extend(table);
            count_attribute(&mut rest);
        }
        let mut out = bytes[..8].to_vec();
        out.extend((self.entries.len() as u16).to_be_bytes());
        for (tag, content) in self.entries.iter().skip(1).filter(|entry| entry.0 != 0) {
            out.push(*tag);
            if *tag == UTF8 {
                out.extend((content.len() as u16).to_be_bytes());
            }
            out.extend(content);
        }
        out.extend(rest);
        out
    }
}

/// Adds one to the number of a class's attributes, in what follows the constant pool.
fn count_attribute(rest: &mut [u8]) -> Option<()> {
    let mut at = 8 + 2 * usize::from(u16_at(rest, 6)?);
    for _ in ["fields", "methods"] {
        let members = u16_at(rest, at)?;
        at += 2;
        for _ in 0..members {
            at = skip_attributes(rest, at + 6)?;
        }
    }
    let count = u16_at(rest, at)? + 1;
    rest.get_mut(at..at + 2)?.copy_from_slice(&count.to_be_bytes());
    Some(())
}

fn skip_attributes(bytes: &[u8], at: usize) -> Option<usize> {
    let count = u16_at(bytes, at)?;
    (0..count).try_fold(at + 2, |at, _| {
        let len = bytes.get(at + 2..at + 6)?;
        Some(at + 6 + u32::from_be_bytes(len.try_into().ok()?) as usize)
    })
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_be_bytes(bytes.get(at..at + 2)?.try_into().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A class with the constants `old` and `"text"`, and no members.
    fn class() -> Vec<u8> {
        let pool = [&[1, 0, 3][..], b"old", &[1, 0, 4], b"text", &[8, 0, 2], &[5, 0, 0, 0, 0, 0, 0, 0, 1]];
        let rest = [0_u8; 14];
        [&[0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 61, 0, 6], &pool.concat()[..], &rest].concat()
    }

    #[test]
    fn bootstraps_are_renamed() {
        let patch =
            |from: &str| Patch { bootstraps: vec![(from.to_owned(), "New".to_owned())], ..Patch::default() };
        let new = patch("old").apply(&class(), "p").unwrap();
        assert_eq!(&new[10..18], b"\x01\x00\x05p/New");
        assert_eq!(new[18..], class()[16..]);
        assert_eq!(patch("none").apply_all(&[class()], "p"), None);
    }

    #[test]
    fn strings_become_dynamic() {
        let constants = vec![DynamicConstant::parse("text:Boot.make").unwrap()];
        let new = Patch { constants, ..Patch::default() }.apply(&class(), "p").unwrap();
        let pool = Pool::read(&new).unwrap();
        assert_eq!(pool.entries[3].0, DYNAMIC);
        assert_eq!(pool.entries[3].1[..2], [0, 0]);
        assert!(pool.find(UTF8, b"p/Boot").is_some());
        let rest = &new[pool.end..];
        assert_eq!(rest[12..14], [0, 1], "an attribute");
        assert_eq!(rest[16..], [0, 0, 0, 6, 0, 1, 0, 12, 0, 0], "a row");
    }
}

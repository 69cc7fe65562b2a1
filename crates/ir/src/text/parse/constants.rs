//! Constants, types and references to members.

use heliostat_program::{
    Constant, DescriptorId, Dynamic, DynamicId, DynamicType, FieldRefId, Handle, HandleKind, HandleMember,
    MethodRefId, TypeId,
};

use super::Parser;
use crate::text::cursor::Parsed;
use crate::text::is_of_interface;

impl Parser<'_> {
    pub(super) fn constant(&mut self) -> Parsed<Constant> {
        let word = self.cursor.word();
        Ok(match word {
            "null" => Constant::Null,
            "int" => Constant::Int(self.cursor.number("an int")?),
            "long" => Constant::Long(self.cursor.number("a long")?),
            "float" => {
                Constant::Float(self.floating(|x: f32| x.to_bits(), |bits| u32::from_str_radix(bits, 16))?)
            }
            "double" => {
                Constant::Double(self.floating(|x: f64| x.to_bits(), |bits| u64::from_str_radix(bits, 16))?)
            }
            "string" => {
                let text = self.cursor.quoted()?;
                Constant::String(self.program.symbols.intern(&text))
            }
            "class" => Constant::Class(self.ty()?),
            "handle" => {
                let handle = self.handle()?;
                Constant::Handle(self.program.intern_handle(handle))
            }
            "methodtype" => Constant::MethodType(self.method_type()?),
            "dynamic" => Constant::Dynamic(self.dynamic()?),
            _ => return self.cursor.error(format!("unknown constant `{word}`")),
        })
    }

    fn floating<T: std::str::FromStr, B, E>(
        &mut self,
        to_bits: impl Fn(T) -> B,
        of_bits: impl Fn(&str) -> Result<B, E>,
    ) -> Parsed<B> {
        let text = self.cursor.until_space();
        let parsed = match text.strip_prefix("NaN:") {
            Some(bits) => of_bits(bits).ok(),
            None => text.parse().ok().map(to_bits),
        };
        parsed.map_or_else(|| self.cursor.error(format!("expected a number, found `{text}`")), Ok)
    }

    fn handle(&mut self) -> Parsed<Handle> {
        let word = self.cursor.word();
        let Some(kind) = HandleKind::ALL.into_iter().find(|k| k.name() == word) else {
            return self.cursor.error(format!("unknown kind of handle `{word}`"));
        };
        let member = if kind.is_field() {
            HandleMember::Field(self.field_ref()?)
        } else {
            HandleMember::Method(self.method_ref(is_of_interface(kind))?)
        };
        Ok(Handle { kind, member })
    }

    pub(super) fn dynamic(&mut self) -> Parsed<DynamicId> {
        let name = self.cursor.name()?;
        let ty = if self.cursor.eat(":") {
            DynamicType::Constant(self.ty()?)
        } else {
            DynamicType::Call(self.method_type()?)
        };
        self.cursor.expect("bootstrap")?;
        let bootstrap = self.cursor.number("a bootstrap row")?;
        self.cursor.expect("of")?;
        let owner = self.ty()?;
        let Some(class) = self.program.class_of(owner) else {
            return self.cursor.error("the program has no such class");
        };
        let name = self.program.symbols.intern(&name);
        Ok(self.program.intern_dynamic(Dynamic { class, bootstrap, name, ty }))
    }

    pub(super) fn field_ref(&mut self) -> Parsed<FieldRefId> {
        let owner = self.ty()?;
        self.cursor.expect(".")?;
        let name = self.cursor.name()?;
        self.cursor.expect(":")?;
        let descriptor = self.cursor.descriptor()?;
        match self.program.intern_field_ref(owner, &name, &descriptor) {
            Some(id) => Ok(id),
            None => self.cursor.error("malformed descriptor"),
        }
    }

    /// `interface`: whether it is an interface's if the text does not say.
    pub(super) fn method_ref(&mut self, interface: bool) -> Parsed<MethodRefId> {
        let interface = self.cursor.eat("(interface)") || (!self.cursor.eat("(class)") && interface);
        let owner = self.ty()?;
        self.cursor.expect(".")?;
        let name = self.cursor.name()?;
        let descriptor = self.cursor.descriptor()?;
        match self.program.intern_method_ref(owner, &name, &descriptor, interface) {
            Some(id) => Ok(id),
            None => self.cursor.error("malformed descriptor"),
        }
    }

    pub(super) fn method_type(&mut self) -> Parsed<DescriptorId> {
        let text = self.cursor.descriptor()?;
        match self.program.intern_descriptor(&text) {
            Some(id) => Ok(id),
            None => self.cursor.error("malformed descriptor"),
        }
    }

    pub(super) fn ty(&mut self) -> Parsed<TypeId> {
        let text = self.cursor.descriptor()?;
        if text == b"null" {
            return Ok(TypeId::NULL);
        }
        match self.program.intern_descriptor_type(&text) {
            Some(ty) => Ok(ty),
            None => self.cursor.error("malformed descriptor"),
        }
    }
}

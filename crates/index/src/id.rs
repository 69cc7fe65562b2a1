//! The id trait, the macro that makes ids, and an option that costs no space.

use std::fmt;

/// A dense entity id: a newtype over `u32`. Implemented by [`crate::id!`], not by hand.
pub trait Id: Copy + Eq + Ord + std::hash::Hash + fmt::Debug {
    /// The id of the entity at position `index` of its owner.
    fn new(index: usize) -> Self;
    /// The position of this entity in its owner.
    fn index(self) -> usize;
}

/// Declares a dense id type that prints as its prefix and number, as in the textual IR.
///
/// ```
/// heliostat_index::id! {
///     /// A basic block.
///     pub struct Block = "b";
/// }
/// use heliostat_index::Id;
/// assert_eq!(Block::new(7).to_string(), "b7");
/// ```
#[macro_export]
macro_rules! id {
    ($(#[$meta:meta])* $vis:vis struct $name:ident = $prefix:literal;) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $vis struct $name(u32);

        #[allow(unreachable_pub, dead_code, reason = "the id may be private to its user")]
        impl $name {
            /// The id with this raw number.
            pub const fn from_u32(raw: u32) -> Self {
                Self(raw)
            }
            /// The raw number.
            pub const fn as_u32(self) -> u32 {
                self.0
            }
        }

        impl $crate::Id for $name {
            fn new(index: usize) -> Self {
                debug_assert!(index < u32::MAX as usize);
                Self(index as u32)
            }
            fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl ::std::fmt::Display for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0)
            }
        }

        impl ::std::fmt::Debug for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                ::std::fmt::Display::fmt(self, f)
            }
        }
    };
}

/// `Option<T>` in the space of `T`: the largest id, `u32::MAX - 1`, stands for `None`.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct PackedOption<T>(T);

impl<T: Id> PackedOption<T> {
    /// The packed `None`.
    pub fn none() -> Self {
        Self::from(None)
    }

    /// The ordinary option.
    pub fn expand(self) -> Option<T> {
        (self.0.index() != u32::MAX as usize - 1).then_some(self.0)
    }

    /// Whether there is a value.
    pub fn is_some(self) -> bool {
        self.expand().is_some()
    }

    /// Whether there is no value.
    pub fn is_none(self) -> bool {
        !self.is_some()
    }
}

impl<T: Id> Default for PackedOption<T> {
    fn default() -> Self {
        Self::none()
    }
}

impl<T: Id> From<Option<T>> for PackedOption<T> {
    fn from(value: Option<T>) -> Self {
        Self(value.unwrap_or_else(|| T::new(u32::MAX as usize - 1)))
    }
}

impl<T: Id> From<T> for PackedOption<T> {
    fn from(value: T) -> Self {
        Self(value)
    }
}

impl<T: Id> fmt::Debug for PackedOption<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.expand().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    id! { struct Thing = "t"; }

    #[test]
    fn packed_option_round_trips() {
        assert_eq!(PackedOption::<Thing>::none().expand(), None);
        assert_eq!(PackedOption::from(Thing::new(3)).expand(), Some(Thing::new(3)));
        assert_eq!(size_of::<PackedOption<Thing>>(), 4);
    }
}

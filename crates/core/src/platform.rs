//! The packages that a JDK brings.

/// Packages of JDK 17 and 25, as prefixes. Of `javax` and `com/sun` only some belong to the JDK: `javax/servlet` and
/// `com/sun/jna` are libraries.
const PACKAGES: &[&str] = &[
    "java/",
    "jdk/",
    "sun/",
    "javax/accessibility/",
    "javax/annotation/processing/",
    "javax/crypto/",
    "javax/imageio/",
    "javax/lang/model/",
    "javax/management/",
    "javax/naming/",
    "javax/net/",
    "javax/print/",
    "javax/rmi/",
    "javax/script/",
    "javax/security/auth/",
    "javax/security/cert/",
    "javax/security/sasl/",
    "javax/smartcardio/",
    "javax/sound/",
    "javax/sql/",
    "javax/swing/",
    "javax/tools/",
    "javax/transaction/xa/",
    "javax/xml/catalog/",
    "javax/xml/crypto/",
    "javax/xml/datatype/",
    "javax/xml/namespace/",
    "javax/xml/parsers/",
    "javax/xml/stream/",
    "javax/xml/transform/",
    "javax/xml/validation/",
    "javax/xml/xpath/",
    "com/sun/accessibility/",
    "com/sun/beans/",
    "com/sun/crypto/",
    "com/sun/imageio/",
    "com/sun/jarsigner/",
    "com/sun/java/",
    "com/sun/java_cup/",
    "com/sun/jdi/",
    "com/sun/jmx/",
    "com/sun/jndi/",
    "com/sun/management/",
    "com/sun/media/sound/",
    "com/sun/naming/",
    "com/sun/net/",
    "com/sun/nio/",
    "com/sun/org/apache/",
    "com/sun/rowset/",
    "com/sun/security/",
    "com/sun/source/",
    "com/sun/swing/",
    "com/sun/tools/",
    "com/sun/xml/internal/",
    "org/ietf/jgss/",
    "org/jcp/xml/dsig/",
    "org/w3c/dom/",
    "org/xml/sax/",
];

/// Whether an internal class name is of a package that the JDK brings.
pub fn is_platform_name(name: &str) -> bool {
    PACKAGES.iter().any(|package| name.starts_with(package))
}

#[cfg(test)]
mod tests {
    use super::is_platform_name;

    #[test]
    fn not_all_of_javax_and_sun_is_the_jdks() {
        for name in ["java/lang/Object", "javax/swing/JFrame", "com/sun/net/httpserver/A", "org/w3c/dom/Node"]
        {
            assert!(is_platform_name(name), "{name}");
        }
        for name in ["javax/servlet/Servlet", "com/sun/jna/Native", "javafx/A", "org/w3c/tidy/A", "A"] {
            assert!(!is_platform_name(name), "{name}");
        }
    }
}

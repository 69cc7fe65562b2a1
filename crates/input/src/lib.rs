//! Finds and reads the classes and resources of jars, directories and JDKs.

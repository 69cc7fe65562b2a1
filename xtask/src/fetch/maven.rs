//! Downloads through `mvn`, which knows where the registry is; this repository does not.
//!
//! All jars come from one run over a generated POM: starting Maven once per jar would take minutes.

use std::fmt::Write as _;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::programs::Coordinates;

/// One jar and the folder it goes to.
pub(super) struct Item<'a> {
    pub(super) id: &'a Coordinates,
    pub(super) folder: &'a Path,
}

/// Maven delivers either every item, or none and says which one it did not find.
pub(super) enum Outcome {
    Delivered,
    Refused(String),
}

/// Copies every item into its folder. `scratch` is a folder for the generated POM.
pub(super) fn copy(items: &[Item], scratch: &Path) -> Result<Outcome> {
    let pom = scratch.join("pom.xml");
    fs::write(&pom, project(items)).with_context(|| format!("writing {}", pom.display()))?;
    // Without --update-snapshots Maven would not look again for a jar that it once failed to find.
    let run = Command::new("mvn")
        .args([
            "--batch-mode",
            "--quiet",
            "--update-snapshots",
            "-Dstyle.color=never",
            "dependency:copy",
            "--file",
        ])
        .arg(&pom)
        .output();
    let output = match run {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            bail!("mvn is not on the path; install Maven (Debian and Ubuntu: apt-get install maven)")
        }
        other => other.context("starting mvn")?,
    };
    Ok(if output.status.success() {
        Outcome::Delivered
    } else {
        Outcome::Refused(first_error(&String::from_utf8_lossy(&output.stdout)).to_owned())
    })
}

fn project(items: &[Item]) -> String {
    let items = items.iter().map(artifact_item).collect::<String>();
    format!(
        "<project>
  <modelVersion>4.0.0</modelVersion>
  <groupId>heliostat</groupId><artifactId>programs</artifactId><version>1</version>
  <packaging>pom</packaging>
  <build><plugins><plugin>
    <groupId>org.apache.maven.plugins</groupId>
    <artifactId>maven-dependency-plugin</artifactId><version>3.8.1</version>
    <configuration><artifactItems>
{items}    </artifactItems></configuration>
  </plugin></plugins></build>
</project>
"
    )
}

fn artifact_item(Item { id, folder }: &Item) -> String {
    let mut fields = vec![("groupId", &id.group), ("artifactId", &id.artifact), ("version", &id.version)];
    fields.extend(id.classifier.iter().map(|classifier| ("classifier", classifier)));
    let folder = escape(&folder.to_string_lossy());
    let file = id.file_name();
    fields.extend([("outputDirectory", &folder), ("destFileName", &file)]);
    let mut xml = String::from("      <artifactItem>");
    for (tag, value) in fields {
        let _ = write!(xml, "<{tag}>{value}</{tag}>");
    }
    xml.push_str("</artifactItem>\n");
    xml
}

/// Coordinates are plain by construction; a path may hold anything.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// The first error line says what is missing; the rest is Maven's advice on how to read it. Escape codes may stand
/// before it even without colours.
fn first_error(log: &str) -> &str {
    let mut lines = log.lines().filter_map(|line| Some(line.split_once("[ERROR] ")?.1));
    lines.next().map_or_else(|| log.trim(), |line| line.trim_end_matches(" -> [Help 1]"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_item_names_its_classifier_folder_and_file() {
        let id = Coordinates::try_from("g:a:1:exec".to_owned()).unwrap();
        let xml = artifact_item(&Item { id: &id, folder: Path::new("x & y") });
        let expected = "<artifactItem><groupId>g</groupId><artifactId>a</artifactId><version>1</version>\
            <classifier>exec</classifier><outputDirectory>x &amp; y</outputDirectory>\
            <destFileName>a-1-exec.jar</destFileName></artifactItem>";
        assert_eq!(xml.trim(), expected);
    }

    #[test]
    fn the_first_error_is_told() {
        let log = "noise\n\u{1b}[0m[ERROR] Could not find artifact g:a:jar:1 -> [Help 1]\n[ERROR] \n[ERROR] Re-run Maven\n";
        assert_eq!(first_error(log), "Could not find artifact g:a:jar:1");
        assert_eq!(first_error("killed\n"), "killed");
    }
}

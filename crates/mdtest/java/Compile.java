import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Compiles the programs of all Markdown tests in one JVM. The argument names a file with a line for each of them: a
 * folder, a tab, and the release to compile for, if not the newest.
 *
 * <p>In the folder, the sources below {@code src} and {@code absent} are compiled together into {@code classes}, then
 * those below {@code instead} against and over the result; at last the classes of {@code absent} are deleted. A file
 * {@code done} says that all went well; if not, {@code errors} tells why, a line number and a tab before each message.
 */
final class Compile {
    private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

    private final Path folder;
    private final List<String> options;
    private final DiagnosticCollector<JavaFileObject> diagnostics = new DiagnosticCollector<>();
    private final List<Path> absent = new ArrayList<>();

    private Compile(String job) {
        String[] parts = job.split("\t");
        folder = Path.of(parts[0]);
        String classes = folder.resolve("classes").toString();
        options = new ArrayList<>(List.of("-g", "-nowarn", "-Xlint:none", "-proc:none", "-d", classes, "-cp", classes));
        if (parts.length > 1) {
            options.addAll(List.of("--release", parts[1]));
        }
    }

    public static void main(String[] arguments) throws IOException {
        if (COMPILER == null) {
            System.err.println("this Java has no compiler");
            System.exit(1);
        }
        Files.readAllLines(Path.of(arguments[0])).parallelStream().map(Compile::new).forEach(Compile::run);
    }

    private void run() {
        try {
            Files.createDirectories(folder.resolve("classes"));
            if (compile("src", "absent") && compile("instead")) {
                for (Path file : absent) {
                    Files.delete(file);
                }
                Files.createFile(folder.resolve("done"));
            } else {
                Files.write(folder.resolve("errors"), errors());
            }
        } catch (IOException e) {
            throw new IllegalStateException(folder.toString(), e);
        }
    }

    private boolean compile(String... names) throws IOException {
        List<Path> sources = new ArrayList<>();
        for (String name : names) {
            sources.addAll(javaFiles(folder.resolve(name)));
        }
        if (sources.isEmpty()) {
            return true;
        }
        try (StandardJavaFileManager files =
                COMPILER.getStandardFileManager(diagnostics, Locale.ROOT, StandardCharsets.UTF_8)) {
            Iterable<? extends JavaFileObject> units = files.getJavaFileObjectsFromPaths(sources);
            return COMPILER.getTask(null, new Recorder(files), diagnostics, options, null, units).call();
        }
    }

    private static List<Path> javaFiles(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(path -> path.toString().endsWith(".java")).sorted().collect(Collectors.toList());
        }
    }

    private List<String> errors() {
        List<String> errors = new ArrayList<>();
        for (Diagnostic<? extends JavaFileObject> diagnostic : diagnostics.getDiagnostics()) {
            if (diagnostic.getKind() == Diagnostic.Kind.ERROR) {
                String message = diagnostic.getMessage(Locale.ROOT).replace('\n', ' ');
                errors.add(Math.max(diagnostic.getLineNumber(), 0) + "\t" + message);
            }
        }
        return errors;
    }

    /** Takes down which class files come from the sources below {@code absent}. */
    private final class Recorder extends ForwardingJavaFileManager<StandardJavaFileManager> {
        Recorder(StandardJavaFileManager files) {
            super(files);
        }

        @Override
        public JavaFileObject getJavaFileForOutput(
                JavaFileManager.Location location, String name, JavaFileObject.Kind kind, FileObject source)
                throws IOException {
            JavaFileObject output = super.getJavaFileForOutput(location, name, kind, source);
            if (fileManager.asPath(source).startsWith(folder.resolve("absent"))) {
                absent.add(fileManager.asPath(output));
            }
            return output;
        }
    }
}

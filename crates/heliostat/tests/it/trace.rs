//! `heliostat trace`: programs run, and what they did is known to the last call.
#![allow(clippy::expect_used, reason = "a test that cannot be set up has failed")]

use std::fmt::Write as _;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::support::{Run, Scratch, command, compile, jdk_home, run};

/// A compiled program, and where its trace goes.
struct Traced {
    scratch: Scratch,
    java: String,
    classes: String,
}

impl Traced {
    /// None if there is no Java compiler.
    fn new(sources: &[(&str, &str)]) -> Option<Self> {
        let scratch = Scratch::new();
        let classes = compile(&scratch, sources)?;
        let java = jdk_home()?.join("bin/java").to_str().expect("a path in UTF-8").to_owned();
        Some(Self { scratch, java, classes })
    }

    fn directory(&self) -> PathBuf {
        self.scratch.path().join("trace")
    }

    fn arguments<'a>(&'a self, directory: &'a str, more: &[&'a str]) -> Vec<&'a str> {
        [&["trace", "-o", directory, "--", &self.java, "-cp", &self.classes], more].concat()
    }

    /// Runs it with options for the JVM, its main class and its arguments.
    fn run(&self, more: &[&str]) -> Run {
        let directory = self.directory();
        run(&self.arguments(directory.to_str().expect("a path in UTF-8"), more))
    }

    /// The same, without waiting for its end, but for its first line, which it returns.
    fn start(&self, more: &[&str]) -> (Child, String) {
        let directory = self.directory();
        let mut command = command(&self.arguments(directory.to_str().expect("a path in UTF-8"), more));
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("it runs");
        let mut line = String::new();
        let out = child.stdout.as_mut().expect("it is piped");
        BufReader::new(out).read_line(&mut line).expect("a line");
        (child, line.trim().to_owned())
    }

    fn file(&self, name: &str) -> String {
        fs::read_to_string(self.directory().join(name)).expect(name)
    }

    fn json(&self, name: &str) -> serde_json::Value {
        serde_json::from_str(&self.file(name)).expect(name)
    }

    /// The calls between the program's own methods: `caller:line kind callee count`.
    fn own_calls(&self) -> Vec<String> {
        let is_own = |method: &str| method.starts_with("app/");
        let calls = self.file("calls.tsv");
        let rows = calls.lines().skip(1).map(|row| row.split('\t').collect::<Vec<_>>());
        let own = rows.filter(|row| is_own(row[3]) && (is_own(row[0]) || row[0].is_empty()));
        let short = |method: &str| method.split('(').next().unwrap_or_default().replace("app/", "");
        let text =
            own.map(|row| format!("{}:{} {} {} {}", short(row[0]), row[2], row[4], short(row[3]), row[5]));
        text.collect()
    }

    /// The raw file of the only process with this ending.
    fn raw(&self, end: &str) -> PathBuf {
        let entries = fs::read_dir(self.directory().join("raw")).expect("a directory");
        let mut paths = entries.map(|entry| entry.expect("an entry").path());
        paths.find(|path| path.to_str().is_some_and(|path| path.ends_with(end))).expect(end)
    }

    fn finish(&self) -> Run {
        let directory = self.directory();
        run(&["trace", "--finish", directory.to_str().expect("a path in UTF-8")])
    }
}

/// Sends a signal, by its name.
fn kill(signal: &str, pid: &str) {
    let sent = Command::new("kill").args([&format!("-{signal}"), pid]).status().expect("kill runs");
    assert!(sent.success());
}

const CALLS: &str = "package app;
public class Main {
    static int depth(int n) { return n == 0 ? 0 : 1 + depth(n - 1); }
    static class Late { static int value = Main.two(); }
    static int two() { return 2; }
    interface Shape { int area(); default int twice() { return 2 * area(); } }
    static class Square implements Shape {
        private final int side;
        Square(int side) { this.side = side; }
        public int area() { return square(); }
        private int square() { return side * side; }
    }
    static class Big extends Square {
        Big() { super(9); }
        public int area() { return super.area() + 1; }
    }
    static int fails(int n) {
        if (n > 2) throw new IllegalStateException();
        return fails(n + 1);
    }
    public static void main(String[] arguments) {
        depth(3);
        Shape[] shapes = { new Square(2), new Big() };
        int sum = 0;
        for (int i = 0; i < 10; i++) {
            sum += shapes[i % 2].twice();
        }
        try {
            fails(0);
        } catch (IllegalStateException e) {
            two();
        }
        sum += Late.value;
        System.out.println(sum);
    }
}
";

#[test]
fn the_calls_of_a_program_are_exact() {
    let Some(program) = Traced::new(&[("app/Main.java", CALLS)]) else { return };
    let run = program.run(&["app.Main"]);
    assert_eq!((run.code, run.stdout.trim()), (Some(0), "862"), "{}", run.stderr);
    assert!(run.stderr.contains("call edges") && run.stderr.contains("reflective actions"), "{}", run.stderr);
    assert!(!run.stderr.contains("no class of the program was loaded"), "{}", run.stderr);
    assert!(!run.stderr.contains("generated.jar"), "{}", run.stderr);
    let expected = [
        ": implicit Main.main 1",
        "Main$Big.<init>:14 special Main$Square.<init> 1",
        "Main$Big.area:15 special Main$Square.area 5",
        "Main$Late.<clinit>:4 static Main.two 1",
        "Main$Shape.twice:6 interface Main$Big.area 5",
        "Main$Shape.twice:6 interface Main$Square.area 5",
        "Main$Square.area:10 virtual Main$Square.square 10",
        "Main.depth:3 static Main.depth 3",
        "Main.fails:19 static Main.fails 3",
        "Main.main:22 static Main.depth 1",
        "Main.main:23 special Main$Square.<init> 1",
        "Main.main:23 special Main$Big.<init> 1",
        "Main.main:26 interface Main$Shape.twice 10",
        "Main.main:29 static Main.fails 1",
        "Main.main:31 static Main.two 1",
        "Main.main:33 clinit Main$Late.<clinit> 1",
    ];
    assert_eq!(program.own_calls(), expected);
    let classes = program.file("classes.tsv");
    assert_eq!(classes.lines().next(), Some("class\tcrc32\tlength\tloader\torigin\tlocation"));
    let main = classes.lines().find(|row| row.starts_with("app/Main\t")).expect("the class");
    assert!(main.contains("\tother\tfile\tfile:"), "{main}");
    let bytes = fs::read(PathBuf::from(&program.classes).join("app/Main.class")).expect("the class");
    assert!(main.contains(&format!("\t{}\t", bytes.len())), "{main}");
    let summary = program.json("trace.json");
    assert_eq!((summary["schema"].as_u64(), summary["exit"]["code"].as_i64()), (Some(1), Some(0)));
    assert_eq!(summary["jvms"].as_array().map(Vec::len), Some(1));
    assert_eq!(summary["jvms"][0]["lost"]["table"], "whole");
}

#[test]
fn lambdas_and_threads() {
    let source = "package app;
import java.util.*;
import java.util.function.*;
public class Main {
    static int length(String text) { return text.length(); }
    final String name;
    Main(String name) { this.name = name; }
    String shout() { return name + \"!\"; }
    static synchronized void work() { }
    static class Worker extends Thread {
        public void run() { for (int i = 0; i < 50; i++) work(); }
    }
    public static void main(String[] arguments) throws Exception {
        Function<String, Integer> f = text -> length(text);
        f.apply(\"abc\");
        Function<String, Main> make = Main::new;
        Supplier<String> shout = make.apply(\"x\")::shout;
        shout.get();
        List<String> names = new ArrayList<>(List.of(\"b\", \"a\"));
        names.forEach(n -> length(n));
        Thread thread = new Thread(Main::work);
        thread.start();
        thread.join();
        Worker worker = new Worker();
        worker.start();
        worker.join();
    }
}
";
    let Some(program) = Traced::new(&[("app/Main.java", source)]) else { return };
    let run = program.run(&["app.Main"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let expected = [
        ": implicit Main$Worker.run 1",
        ": implicit Main.main 1",
        "Main$Worker.run:11 static Main.work 50",
        "Main.lambda$main$0:14 static Main.length 1",
        "Main.lambda$main$1:20 static Main.length 2",
        "Main.main:15 dynamic Main.lambda$main$0 1",
        "Main.main:17 dynamic Main.<init> 1",
        "Main.main:18 dynamic Main.shout 1",
        "Main.main:24 special Main$Worker.<init> 1",
    ];
    assert_eq!(program.own_calls(), expected);
    let calls = program.file("calls.tsv");
    let from_library = |callee: &str, kind: &str| {
        let is_it = |row: &&str| row.contains(&format!("\t{callee}")) && row.starts_with("java/");
        calls.lines().find(is_it).is_some_and(|row| row.contains(&format!("\t{kind}\t")))
    };
    assert!(from_library("app/Main.lambda$main$1(", "dynamic"), "ArrayList.forEach calls it");
    assert!(from_library("app/Main.work(", "dynamic"), "Thread.run calls it");
}

const REFLECTION: &str = "package app;
import java.io.*;
import java.lang.reflect.*;
import java.util.*;
public class Main {
    public interface Greeter { String greet(String name); }
    public static class Polite implements Greeter, Serializable {
        public int count = 1;
        public Polite() { }
        public String greet(String name) { return \"Dear \" + name; }
        private static void hidden(int[] numbers) { }
    }
    public static void main(String[] arguments) throws Exception {
        Class<?> polite = Class.forName(\"app.Main$Polite\");
        Object one = polite.getDeclaredConstructor().newInstance();
        polite.newInstance();
        Method greet = Greeter.class.getMethod(\"greet\", String.class);
        greet.invoke(one, \"you\");
        Method hidden = polite.getDeclaredMethod(\"hidden\", int[].class);
        hidden.setAccessible(true);
        hidden.invoke(null, new int[0]);
        Field count = polite.getField(\"count\");
        count.setInt(one, 1 + count.getInt(one));
        Array.newInstance(polite, 2); Array.newInstance(int.class, 2, 3);
        InvocationHandler handler = (proxy, method, values) -> null;
        Greeter proxy = (Greeter) Proxy.newProxyInstance(
            Main.class.getClassLoader(), new Class<?>[] { Greeter.class }, handler);
        proxy.greet(\"nobody\");
        for (Greeter greeter : ServiceLoader.load(Greeter.class)) greeter.greet(\"all\");
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ObjectOutputStream objects = new ObjectOutputStream(out);
        objects.writeObject(one);
        objects.flush();
        new ObjectInputStream(new ByteArrayInputStream(out.toByteArray())).readObject();
        Main.class.getResource(\"nothing.txt\");
        try { Class.forName(\"app.Missing\"); } catch (ClassNotFoundException e) { }
        try { greet.invoke(\"not a greeter\", \"x\"); } catch (IllegalArgumentException e) { }
    }
}
";

#[test]
fn reflection_is_told_with_its_targets() {
    let Some(program) = Traced::new(&[("app/Main.java", REFLECTION)]) else { return };
    let service = PathBuf::from(&program.classes).join("META-INF/services");
    fs::create_dir_all(&service).expect("a directory");
    fs::write(service.join("app.Main$Greeter"), "app.Main$Polite\n").expect("a file");
    let run = program.run(&["app.Main"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let log = program.file("reflection.log");
    let own: Vec<&str> = log.lines().filter(|line| line.contains(";app.Main.main;")).collect();
    let expected = [
        "Array.newInstance;app.Main$Polite[];app.Main.main;24;;",
        "Array.newInstance;int[][];app.Main.main;24;;",
        "Class.forName;app.Main$Polite;app.Main.main;14;;",
        "Class.getDeclaredConstructor;<app.Main$Polite: void <init>()>;app.Main.main;15;;",
        "Class.getDeclaredMethod;<app.Main$Polite: void hidden(int[])>;app.Main.main;19;;",
        "Class.getField;<app.Main$Polite: int count>;app.Main.main;22;;",
        "Class.getMethod;<app.Main$Greeter: java.lang.String greet(java.lang.String)>;app.Main.main;17;;",
        "Class.newInstance;app.Main$Polite;app.Main.main;16;;",
        "Constructor.newInstance;<app.Main$Polite: void <init>()>;app.Main.main;15;;",
        "Field.get*;<app.Main$Polite: int count>;app.Main.main;23;;",
        "Field.set*;<app.Main$Polite: int count>;app.Main.main;23;;",
        // It was called, and failed before it ran anything.
        "Method.invoke;<app.Main$Greeter: java.lang.String greet(java.lang.String)>;app.Main.main;37;;",
        "Method.invoke;<app.Main$Polite: java.lang.String greet(java.lang.String)>;app.Main.main;18;;",
        "Method.invoke;<app.Main$Polite: void hidden(int[])>;app.Main.main;21;;",
    ];
    assert_eq!(own, expected);
    assert!(!log.contains("$$Lambda"), "nobody can name these: {log}");
    let summary = program.json("trace.json");
    assert_eq!(summary["total"]["call_edges"], summary["jvms"][0]["call_edges"]);
    let calls = program.own_calls();
    for edge in [
        "Main.main:15 reflective Main$Polite.<init> 1",
        "Main.main:16 reflective Main$Polite.<init> 1",
        "Main.main:18 reflective Main$Polite.greet 1",
        "Main.main:21 reflective Main$Polite.hidden 1",
        "Main.main:29 interface Main$Polite.greet 1",
    ] {
        assert!(calls.iter().any(|call| call == edge), "{edge}: {calls:#?}");
    }
    assert!(!calls.iter().any(|call| call.contains(" reflective Main$Greeter.greet ")), "{calls:#?}");
    let json = program.json("reflection.json");
    let actions = json["actions"].as_array().expect("a list");
    let has = |api: &str, text: &str| {
        let own = |action: &&serde_json::Value| {
            action["api"] == api
                && action["caller"].as_str().is_some_and(|caller| caller.starts_with("app/Main.main"))
        };
        actions.iter().filter(own).any(|action| action.to_string().contains(text))
    };
    assert!(has("Proxy.newProxyInstance", "Lapp/Main$Greeter;"));
    assert!(has("ServiceLoader.load", "Lapp/Main$Greeter;"));
    assert!(has("getResource*", "nothing.txt"));
    for api in ["ObjectOutputStream.writeObject", "ObjectInputStream.readObject"] {
        let is_it = |action: &&serde_json::Value| action["api"] == api;
        assert!(
            actions.iter().filter(is_it).any(|action| action.to_string().contains("Lapp/Main$Polite;")),
            "{api}"
        );
    }
    assert!(
        program.file("classes.tsv").lines().any(|row| row.contains("$Proxy") && row.contains("generated"))
    );
}

#[test]
fn class_loaders_of_the_program() {
    let main = "package app;
import java.nio.file.*;
public class Main {
    static class Own extends ClassLoader {
        public Class<?> findClass(String name) throws ClassNotFoundException {
            try {
                byte[] bytes = Files.readAllBytes(Path.of(System.getProperty(\"plugin\")));
                return defineClass(name, bytes, 0, bytes.length);
            } catch (java.io.IOException e) { throw new ClassNotFoundException(name); }
        }
    }
    public static void main(String[] arguments) throws Exception {
        Class<?> plugin = new Own().loadClass(\"plug.In\");
        ((Runnable) plugin.getDeclaredConstructor().newInstance()).run();
    }
    public static void help() { }
}
";
    let plugin = "package plug;
public class In implements Runnable {
    public void run() { app.Main.help(); }
}
";
    let Some(program) = Traced::new(&[("app/Main.java", main), ("plug/In.java", plugin)]) else { return };
    let moved = program.scratch.path().join("In.class");
    fs::rename(PathBuf::from(&program.classes).join("plug/In.class"), &moved).expect("it moves");
    let run = program.run(&[&format!("-Dplugin={}", moved.display()), "app.Main"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let calls = program.file("calls.tsv");
    for (start, end) in [
        ("app/Main.main([Ljava/lang/String;)V\t", "\t14\tplug/In.run()V\tinterface\t1"),
        ("plug/In.run()V\t0\t", "3\tapp/Main.help()V\tstatic\t1"),
    ] {
        assert!(calls.lines().any(|line| line.starts_with(start) && line.ends_with(end)), "{end}");
    }
    assert!(
        calls.lines().any(
            |line| line.starts_with("java/lang/ClassLoader.") && line.contains("app/Main$Own.findClass(")
        )
    );
    assert!(
        program
            .file("classes.tsv")
            .lines()
            .any(|row| row.starts_with("plug/In\t") && row.contains("\tgenerated\t"))
    );
    // What was made at run time is kept for an analysis, and nothing else.
    let kept = program.directory().join("generated.jar");
    let remark = format!("classes that it made are in {}: give it to an analysis as --cp\n", kept.display());
    assert!(run.stderr.contains(&remark), "{}", run.stderr);
    let listed = run_on(&["ir", "--jdk", "none", "--method", "*"], &kept);
    assert!(listed.contains("plug/In;.run()V {") && !listed.contains("app/Main;.main"), "{listed}");
    let log = program.directory().join("reflection.log");
    let log = log.to_str().expect("a path in UTF-8");
    let analysed = run_on(&["callgraph", &program.classes, "--reflection-log", log, "-q", "--cp"], &kept);
    let called = |row: &str| row.starts_with("plug/In.run()V\t") && row.contains("\tapp/Main.help()V\t");
    assert!(analysed.lines().any(called), "{analysed}");
}

/// What a command says that ends with a path, and ends well.
fn run_on(arguments: &[&str], path: &Path) -> String {
    let ran = run(&[arguments, &[path.to_str().expect("a path in UTF-8")]].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    ran.stdout
}

/// A program that makes no classes has no jar of them, also where an older one has left its own.
#[test]
fn method_handles_are_told_with_what_they_run() {
    let main = "package app;
import java.lang.invoke.*;
public class Main {
    final String name;
    Main(String name) { this.name = name; }
    String greet(String other) { return name + other; }
    public static void main(String[] arguments) throws Throwable {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        MethodHandle make = lookup.findConstructor(Main.class, MethodType.methodType(void.class, String.class));
        MethodHandle greet = lookup.findVirtual(Main.class, \"greet\", MethodType.methodType(String.class, String.class));
        Main made = (Main) make.invokeExact(\"a\");
        String greeting = (String) greet.bindTo(made).invokeExact(\"b\");
        if (greeting.isEmpty()) throw new AssertionError();
    }
}
";
    let Some(program) = Traced::new(&[("app/Main.java", main)]) else { return };
    fs::create_dir_all(program.directory().join("raw")).expect("a directory");
    fs::write(program.directory().join("generated.jar"), "older").expect("a file");
    let run = program.run(&["app.Main"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(!program.directory().join("generated.jar").exists());
    let log = program.file("reflection.log");
    let own: Vec<&str> = log.lines().filter(|line| line.contains(";app.Main.main;")).collect();
    let expected = [
        "Constructor.newInstance;<app.Main: void <init>(java.lang.String)>;app.Main.main;11;;",
        "Method.invoke;<app.Main: java.lang.String greet(java.lang.String)>;app.Main.main;12;;",
    ];
    assert_eq!(own, expected);
    let json = program.json("reflection.json");
    let actions = json["actions"].as_array().expect("a list");
    assert!(actions.iter().any(|action| action["api"] == "MethodHandle.invoke"));
}

#[test]
fn the_way_it_ends_does_not_matter() {
    let source = "package app;
import java.util.*;
public class Main {
    static void last() { }
    public static void main(String[] arguments) throws Exception {
        last();
        switch (arguments[0]) {
            case \"exit\": System.exit(3);
            case \"halt\": Runtime.getRuntime().halt(4);
            case \"throw\": throw new IllegalStateException(\"on purpose\");
            case \"memory\": { List<byte[]> all = new ArrayList<>(); while (true) all.add(new byte[1 << 20]); }
        }
    }
}
";
    let Some(program) = Traced::new(&[("app/Main.java", source)]) else { return };
    for (how, code) in [("exit", 3), ("halt", 4), ("throw", 1), ("memory", 1)] {
        let run = program.run(&["-Xmx16m", "app.Main", how]);
        assert_eq!(run.code, Some(code), "{how}: {}", run.stderr);
        assert!(run.stderr.contains(&format!("ended with exit code {code}; what it did")), "{}", run.stderr);
        let own = program.own_calls();
        assert!(own.contains(&"Main.main:6 static Main.last 1".to_owned()), "{how}: {own:?}");
        let summary = program.json("trace.json");
        assert_eq!(summary["exit"]["code"], code);
        assert_eq!(summary["jvms"].as_array().map(Vec::len), Some(1), "the older trace is gone");
    }
}

#[test]
fn a_program_that_does_not_start() {
    let Some(program) = Traced::new(&[("app/Main.java", CALLS)]) else { return };
    let missing = program.run(&["app.Missing"]);
    assert_eq!(missing.code, Some(1), "{}", missing.stderr);
    assert!(missing.stderr.contains("ended with exit code 1"), "{}", missing.stderr);
    assert!(missing.stderr.contains("no class of the program was loaded"), "{}", missing.stderr);
    assert_eq!(program.json("trace.json")["exit"]["code"], 1);
    assert!(program.file("calls.tsv").contains("sun/launcher/LauncherHelper"), "the JVM did start");
    let refused = program.run(&["-Xno-such-option", "app.Main"]);
    assert_eq!(refused.code, Some(2), "{}", refused.stderr);
    assert!(refused.stderr.contains("did its JVM start?"), "{}", refused.stderr);
}

#[test]
fn tracing_initialises_no_classes() {
    let source = "package app;
public class Main {
    static class Late {
        static { System.out.println(\"too early\"); }
        public int field;
        public Late(int[] a, String b) { }
        public static String method(long a, Late[] b) { return null; }
    }
    public static void main(String[] arguments) throws Exception {
        Late.class.getConstructor(int[].class, String.class);
        Late.class.getDeclaredConstructors();
        Late.class.getMethod(\"method\", long.class, Late[].class);
        Late.class.getField(\"field\");
        System.out.println(\"end\");
    }
}
";
    let Some(program) = Traced::new(&[("app/Main.java", source)]) else { return };
    let run = program.run(&["app.Main"]);
    assert_eq!((run.code, run.stdout.trim()), (Some(0), "end"), "{}", run.stderr);
    assert!(!program.file("calls.tsv").contains("app/Main$Late.<clinit>"));
    let log = program.file("reflection.log");
    for line in [
        "Class.getConstructor;<app.Main$Late: void <init>(int[],java.lang.String)>;app.Main.main;10;;",
        "Class.getMethod;<app.Main$Late: java.lang.String method(long,app.Main$Late[])>;app.Main.main;12;;",
        "Class.getField;<app.Main$Late: int field>;app.Main.main;13;;",
    ] {
        assert!(log.lines().any(|own| own == line), "{line}: {log}");
    }
}

#[test]
fn what_catches_goes_on_at_a_site_of_its_own() {
    // What initialises an interface here is no instruction that has a site.
    let source = format!(
        "package app;
public class Main {{
    interface Late {{ int VALUE = Main.one(7); }}
    static int one(int n) {{ return 1; }}
    static int deep(int n) {{ if (n == 0) throw new IllegalStateException(); return deep(n - 1); }}
    static class Reads implements Late {{
        static int read() {{
            try {{ return deep(2); }} catch (IllegalStateException e) {{ return VALUE; }}
        }}
    }}
    static synchronized void overflow() {{ synchronized (Main.class) {{ overflow(); }} }}
    static int longest(int n) {{
        int sum = 0;
        try {{ sum += deep(3); }} catch (IllegalStateException e) {{ sum += one(n); }}
        {}
        return sum;
    }}
    public static void main(String[] arguments) {{
        System.out.println(Reads.read() + longest(1));
        try {{ overflow(); }} catch (StackOverflowError e) {{ one(1); }}
    }}
}}
",
        long_body(3000)
    );
    let Some(program) = Traced::new(&[("app/Main.java", &source)]) else { return };
    let run = program.run(&["-Xverify:all", "app.Main"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let own = program.own_calls();
    let to = |callee: &str| {
        let calls = own.iter().filter(|call| call.contains(&format!(" {callee} ")));
        calls.map(|call| call.split(' ').next().unwrap_or_default()).collect::<Vec<_>>()
    };
    assert_eq!(to("Main$Late.<clinit>"), ["Main$Reads.read:8"], "{own:#?}");
    let last = format!("Main.main:{}", source.lines().count() - 2);
    assert_eq!(to("Main.one"), ["Main$Late.<clinit>:3", "Main.longest:", &last], "{own:#?}");
}

const WAITS: &str = "package app;
public class Main {
    static void last() { }
    public static void main(String[] arguments) throws Exception {
        last();
        System.out.println(ProcessHandle.current().pid());
        Thread.sleep(60_000);
    }
}
";

#[cfg(unix)]
#[test]
fn a_program_that_is_killed() {
    let Some(program) = Traced::new(&[("app/Main.java", WAITS)]) else { return };
    for (signal, code) in [("KILL", 128 + 9), ("TERM", 128 + 15)] {
        let (mut child, pid) = program.start(&["app.Main"]);
        kill(signal, &pid);
        assert_eq!(child.wait().expect("an end").code(), Some(code), "{signal}");
        assert!(program.own_calls().contains(&"Main.main:5 static Main.last 1".to_owned()));
        assert!(fs::metadata(program.raw(".table")).expect("a file").len() < 1 << 20, "it is small");
    }
    // Somebody wants heliostat to end: the program ends, and the trace is finished.
    let (mut child, _) = program.start(&["app.Main"]);
    kill("TERM", &child.id().to_string());
    assert_eq!(child.wait().expect("an end").code(), Some(128 + 15));
    assert!(program.own_calls().contains(&"Main.main:5 static Main.last 1".to_owned()));
    // Ctrl-C is the program's: heliostat goes on.
    let (mut child, pid) = program.start(&["app.Main"]);
    kill("INT", &child.id().to_string());
    kill("INT", &pid);
    assert_eq!(child.wait().expect("an end").code(), Some(128 + 2));
    assert!(program.own_calls().contains(&"Main.main:5 static Main.last 1".to_owned()));
}

#[cfg(unix)]
#[test]
fn a_program_that_is_killed_at_work() {
    let source = "package app;
public class Main {
    static void first() { }
    static int work(int n) { return Integer.toString(n).hashCode(); }
    static void works() { for (int n = 0; ; n++) work(n); }
    public static void main(String[] arguments) throws Exception {
        first();
        for (int i = 0; i < 3; i++) new Thread(Main::works).start();
        Thread.sleep(200);
        System.out.println(ProcessHandle.current().pid());
    }
}
";
    let Some(program) = Traced::new(&[("app/Main.java", source)]) else { return };
    let (mut child, pid) = program.start(&["app.Main"]);
    kill("KILL", &pid);
    assert_eq!(child.wait().expect("an end").code(), Some(128 + 9));
    let own = program.own_calls();
    for edge in ["Main.main:7 static Main.first 1", "Main.works:5 static Main.work "] {
        assert!(own.iter().any(|call| call.starts_with(edge)), "{edge}: {own:#?}");
    }
    assert_eq!(program.json("trace.json")["exit"]["signal"], 9);
}

#[cfg(unix)]
#[test]
fn heliostat_itself_is_killed() {
    let Some(program) = Traced::new(&[("app/Main.java", WAITS)]) else { return };
    let (mut child, pid) = program.start(&["app.Main"]);
    kill("KILL", &child.id().to_string());
    child.wait().expect("an end");
    assert!(!program.directory().join("calls.tsv").exists());
    let running = program.finish();
    assert_eq!(running.code, Some(0), "{}", running.stderr);
    if cfg!(target_os = "linux") {
        assert!(running.stderr.contains("still runs"), "{}", running.stderr);
    }
    kill("KILL", &pid);
    let finished = program.finish();
    assert_eq!(finished.code, Some(0), "{}", finished.stderr);
    assert!(program.own_calls().contains(&"Main.main:5 static Main.last 1".to_owned()));
    let summary = program.json("trace.json");
    assert!(summary["exit"].is_null() && summary["command"][0].as_str() == Some(&program.java));
}

#[test]
fn files_that_were_cut_off() {
    let Some(program) = Traced::new(&[("app/Main.java", CALLS)]) else { return };
    program.run(&["app.Main"]);
    let (log, table) = (program.raw(".log"), program.raw(".table"));
    let whole = fs::read(&log).expect("a log");
    fs::write(&log, &whole[..whole.len() - 5]).expect("a file");
    let run = program.finish();
    assert_eq!(run.code, Some(0));
    assert!(run.stderr.contains("its log was cut off"), "{}", run.stderr);
    fs::write(&log, &whole[..whole.len() / 3]).expect("a file");
    assert!(program.finish().stderr.contains("call edges lost"));
    fs::write(&log, &whole).expect("a file");
    let calls = fs::read(&table).expect("a table");
    fs::write(&table, &calls[..calls.len() / 2]).expect("a file");
    assert!(program.finish().stderr.contains("its table of calls was cut off"));
    fs::write(&table, b"something else").expect("a file");
    let run = program.finish();
    assert!(run.stderr.contains("it has no table of calls") && run.code == Some(0), "{}", run.stderr);
    assert_eq!(program.json("trace.json")["jvms"][0]["lost"]["table"], "missing");
}

#[test]
fn jvms_that_the_program_starts() {
    let source = "package app;
public class Main {
    static void inner() { }
    public static void main(String[] arguments) throws Exception {
        if (arguments.length == 0) { inner(); return; }
        String java = System.getProperty(\"java.home\") + \"/bin/java\";
        String path = System.getProperty(\"java.class.path\");
        new ProcessBuilder(java, \"-cp\", path, \"app.Main\").inheritIO().start().waitFor();
    }
}
";
    let Some(program) = Traced::new(&[("app/Main.java", source)]) else { return };
    let run = program.run(&["app.Main", "start"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stderr.contains("in 2 JVMs"), "{}", run.stderr);
    assert_eq!(
        run.stderr.matches("Picked up").count(),
        1,
        "only the inner one remarks on it: {}",
        run.stderr
    );
    let expected = [": implicit Main.main 2", "Main.main:5 static Main.inner 1"];
    assert_eq!(program.own_calls(), expected);
    if cfg!(unix) {
        let script = program.scratch.write("run.sh", b"exec \"$0\" -cp \"$1\" app.Main\n");
        let directory = program.scratch.path().join("with a space");
        let directory = directory.to_str().expect("a path in UTF-8");
        let sh = ["trace", "-o", directory, "sh", "-c", &fs::read_to_string(script).expect("a file")];
        let run = crate::support::run(&[&sh[..], &[&program.java, &program.classes]].concat());
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        assert!(
            fs::read_to_string(format!("{directory}/calls.tsv"))
                .expect("a file")
                .contains("app/Main.inner()V")
        );
    }
}

/// Statements that call `one(n)` if a bit is set in `n`, one per line.
fn long_body(lines: u32) -> String {
    let mut text = String::new();
    for line in 0..lines {
        let _ = writeln!(text, "if ((n & {}) == {line}) sum += one(n);", 0x4000_0000 + line);
    }
    text
}

#[test]
fn long_methods() {
    // A line of the first is 28 bytes long, since the loop around them needs far jumps, and a site has 6 more. The second is too long
    // for more than to tell that it calls.
    let source = format!(
        "package app;
public class Main {{
    static int one(int n) {{ return 1; }}
    static int far(int n) {{
        int sum = 0;
        while (n-- > 0) {{
            {}
            switch (n) {{ case 0: sum += one(0); break; case 7: sum += 100; break; case 90: sum++; }}
            switch (\"s\" + n) {{ case \"s1\": sum += one(1); break; case \"s0\": sum += 7; }}
        }}
        return sum;
    }}
    static int longest(int n) {{
        int sum = 0;
        {}
        return sum + one(n);
    }}
    public static void main(String[] arguments) {{
        System.out.println(far(2) + longest(1));
    }}
}}
",
        long_body(2000),
        long_body(3000)
    );
    let Some(program) = Traced::new(&[("app/Main.java", &source)]) else { return };
    let plain =
        Command::new(&program.java).args(["-cp", &program.classes, "app.Main"]).output().expect("it runs");
    let run = program.run(&["-Xverify:all", "app.Main"]);
    assert_eq!((run.code, run.stdout.as_bytes()), (Some(0), &plain.stdout[..]), "{}", run.stderr);
    let own = program.own_calls();
    assert!(own.iter().any(|call| call.ends_with("static Main.far 1")), "{own:#?}");
    assert!(
        own.iter().any(|call| call.starts_with("Main.far:") && call.contains("static Main.one")),
        "{own:#?}"
    );
    assert!(own.iter().any(|call| call.starts_with("Main.longest: unknown Main.one")), "{own:#?}");
    let jvm = &program.json("trace.json")["jvms"][0];
    assert_eq!(jvm["methods_without_sites"].to_string(), "[\"app/Main.longest(I)I\"]");
    assert!(run.stderr.contains("too long to tell call sites apart"), "{}", run.stderr);
}

#[test]
fn what_cannot_be_traced_is_said() {
    let scratch = Scratch::new();
    let directory = scratch.path().join("trace");
    let directory = directory.to_str().expect("a path in UTF-8");
    let missing = run(&["trace", "-o", directory, "--", "no-such-program"]);
    assert_eq!(missing.code, Some(2));
    assert!(missing.stderr.contains("cannot start no-such-program"), "{}", missing.stderr);
    assert!(!scratch.path().join("trace").exists(), "nothing is left behind");
    if cfg!(unix) {
        let other = run(&["trace", "-o", directory, "--", "true"]);
        assert_eq!(other.code, Some(2));
        assert!(other.stderr.contains("no JVM"), "{}", other.stderr);
        assert!(!scratch.path().join("trace").exists(), "nothing is left behind");
    }
    let below_file = scratch.write("file", b"");
    let unwritable = run(&["trace", "-o", &format!("{below_file}/trace"), "--", "true"]);
    let expected = format!("heliostat: error: cannot write to {below_file}/trace: ");
    assert!(unwritable.code == Some(2) && unwritable.stderr.starts_with(&expected), "{}", unwritable.stderr);
    scratch.write("mine/notes.txt", b"important");
    let mine = scratch.path().join("mine");
    let refused = run(&["trace", "-o", mine.to_str().expect("a path in UTF-8"), "--", "true"]);
    assert_eq!(refused.code, Some(2));
    assert!(refused.stderr.contains("notes.txt"), "{}", refused.stderr);
    assert_eq!(fs::read(mine.join("notes.txt")).expect("it is there"), b"important");
    let nothing = run(&["trace", "--finish", mine.to_str().expect("a path in UTF-8")]);
    assert!(nothing.code == Some(2) && nothing.stderr.contains("no trace"), "{}", nothing.stderr);
    let usage = run(&["trace"]);
    assert!(usage.code == Some(2) && usage.stderr.contains("COMMAND"), "{}", usage.stderr);
}

#[test]
fn an_older_trace_stays_if_no_jvm_starts() {
    let Some(program) = Traced::new(&[("app/Main.java", CALLS)]) else { return };
    program.run(&["app.Main"]);
    let before = program.file("calls.tsv");
    let directory = program.directory();
    let failed = run(&["trace", "-o", directory.to_str().expect("a path in UTF-8"), "--", "no-such-program"]);
    assert_eq!(failed.code, Some(2));
    assert_eq!(program.file("calls.tsv"), before);
    let failed = program.run(&["-jar", "nowhere.jar"]);
    assert_eq!(failed.code, Some(2));
    assert!(failed.stderr.contains("no JVM has run"), "{}", failed.stderr);
    let stays = format!(" The older trace in {} stays as it was\n", directory.display());
    assert!(failed.stderr.ends_with(&stays), "{}", failed.stderr);
    assert_eq!(program.file("calls.tsv"), before);
    // As if heliostat had been killed before a JVM wrote.
    fs::rename(directory.join("raw"), directory.join(".raw.older")).expect("it moves");
    fs::create_dir(directory.join("raw")).expect("a directory");
    assert_eq!(program.run(&["-jar", "nowhere.jar"]).code, Some(2));
    assert!(!directory.join(".raw.older").exists());
    assert_eq!(program.finish().code, Some(0));
    assert_eq!(program.file("calls.tsv"), before);
}

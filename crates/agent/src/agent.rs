//! What the agent keeps, for as long as the process lives.

use std::collections::HashSet;
use std::env;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use heliostat_weave::log::{Action, ClassCode, Record};
use heliostat_weave::{Numbers, Runtime, log, table};
use jni_sys::JavaVM;
use memmap2::{MmapMut, MmapOptions};

use crate::hook;
use crate::jvmti::{Callbacks, Event, Jvmti};

/// The agent of this process.
static AGENT: OnceLock<Agent> = OnceLock::new();

pub(crate) struct Agent {
    pub(crate) jvmti: Jvmti,
    pub(crate) runtime: Runtime,
    pub(crate) state: Mutex<State>,
}

/// What changes.
pub(crate) struct State {
    pub(crate) numbers: Numbers,
    /// What was done by reflection and is in the log.
    pub(crate) actions: HashSet<Action>,
    log: File,
    /// The bytes of classes that no file may have.
    classes: File,
    /// Mapped for as long as the process lives: woven code writes there.
    _table: MmapMut,
}

impl State {
    /// Writes a record. If that fails, there is nobody to tell.
    pub(crate) fn write(&mut self, record: &Record) {
        append(&mut self.log, record);
    }

    /// Keeps the bytes of a class.
    pub(crate) fn keep(&mut self, code: ClassCode) {
        append(&mut self.classes, &Record::Code(code));
    }
}

/// Writes a record at the end of a file, all of it or nothing: what follows half of one could not be read.
fn append(file: &mut File, record: &Record) {
    let Ok(whole) = file.metadata().map(|data| data.len()) else { return };
    if file.write_all(&log::write(record)).is_err() {
        let _ = file.set_len(whole);
    }
}

impl Agent {
    /// The agent, once it has started.
    pub(crate) fn get() -> Option<&'static Self> {
        AGENT.get()
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Starts: makes the files of this process, and asks the JVM to be called.
pub(crate) unsafe fn start(vm: *mut JavaVM, directory: &str) -> Result<(), String> {
    // A program that was told twice to be traced is traced once.
    if Agent::get().is_some() {
        return Ok(());
    }
    let jvmti = unsafe { Jvmti::of(vm) }?;
    let directory = Path::new(directory);
    let name = process_name();
    let file = |end: &str| directory.join(format!("{name}.{end}"));
    let told = |path: &Path| {
        let path = path.display().to_string();
        move |error: io::Error| format!("{path}: {error}")
    };
    let table_path = file("table");
    let table = make_table(&table_path).map_err(told(&table_path))?;
    let appended = |end: &str| {
        let path = file(end);
        OpenOptions::new().create_new(true).append(true).open(&path).map_err(told(&path))
    };
    let (log, classes) = (appended("log")?, appended("classes")?);
    let version = unsafe { jvmti.property("java.vm.specification.version") }.unwrap_or_default();
    let runtime = Runtime { table: table.as_ptr() as u64, before_modules: version.starts_with("1.") };
    let numbers = Numbers { method: 1, site: 1 };
    let mut state = State { numbers, actions: HashSet::new(), log, classes, _table: table };
    for property in ["java.vm.specification.version", "java.vm.version", "java.home"] {
        let value = unsafe { jvmti.property(property) }.unwrap_or_default();
        state.write(&Record::Property(property.to_owned(), value));
    }
    let agent = Agent { jvmti, runtime, state: Mutex::new(state) };
    if AGENT.set(agent).is_err() {
        return Err("the agent is loaded twice".to_owned());
    }
    unsafe { jvmti.add_hooks() }?;
    let callbacks = Callbacks {
        vm_init: std::ptr::null(),
        vm_death: std::ptr::null(),
        thread_start: std::ptr::null(),
        thread_end: std::ptr::null(),
        class_file_load_hook: Some(hook::load),
        class_load: std::ptr::null(),
        class_prepare: std::ptr::null(),
        vm_start: Some(hook::started),
    };
    unsafe { jvmti.listen(&callbacks, &[Event::ClassFileLoadHook, Event::VmStart]) }?;
    trace_children();
    Ok(())
}

/// What [`OWN_OPTION`] goes to, for JVMs that the program starts.
const TOOL_OPTIONS: &str = "JAVA_TOOL_OPTIONS";
/// The option that has a JVM load this library, if such JVMs are to be traced.
const OWN_OPTION: &str = "HELIOSTAT_TOOL_OPTION";

/// Has the JVMs traced that the program starts. This one has read its options before, and says nothing of it.
fn trace_children() {
    let Ok(own) = env::var(OWN_OPTION) else { return };
    let others = env::var(TOOL_OPTIONS).unwrap_or_default();
    if !others.contains(&own) {
        let all = format!("{others} {own}");
        // Nothing else runs yet that might read the environment.
        unsafe { env::set_var(TOOL_OPTIONS, all.trim_start()) };
    }
}

/// A name that no other process of the trace has.
fn process_name() -> String {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    format!("{:013}-{}", since.map_or(0, |since| since.as_millis()), std::process::id())
}

fn make_table(path: &Path) -> io::Result<MmapMut> {
    let file = OpenOptions::new().read(true).write(true).create_new(true).open(path)?;
    file.set_len(table::BYTES)?;
    let mut map = unsafe { MmapOptions::new().map_mut(&file) }?;
    map[..table::MAGIC.len()].copy_from_slice(&table::MAGIC);
    Ok(map)
}

import Glibc

/// Starts programs that inherit nothing but what they are given.
///
/// Foundation's Process hands down the blocked signals of the thread that starts it, and its look for open
/// descriptors now and then reads past the end of the kernel's answer, which ends whoever runs the tests.
public enum Spawn {
    /// A program can't be started.
    public struct Failure: Error, CustomStringConvertible {
        /// The event, as a sentence.
        public let description: String
    }

    /// Starts a program, and returns its process id.
    ///
    /// - Parameters:
    ///   - environment: its variables; nil gives it ours.
    ///   - folder: where it works; nil leaves it where we are.
    ///   - streams: descriptors that become its standard input, output and error; nil leads nowhere.
    public static func start(
        _ executable: String,
        _ arguments: [String],
        environment: [String: String]? = nil,
        in folder: String? = nil,
        streams: (input: Int32?, output: Int32?, error: Int32?) = (nil, nil, nil)
    ) throws(Failure) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (standard, given) in zip(Int32(0)..., [streams.input, streams.output, streams.error]) {
            if let given {
                posix_spawn_file_actions_adddup2(&actions, given, standard)
            } else {
                posix_spawn_file_actions_addopen(&actions, standard, "/dev/null", O_RDWR, 0)
            }
        }
        closeOthers(&actions)
        if let folder { _ = GNU.changeFolder?(&actions, folder) }
        // The shared threads of tests block signals, and a child would inherit that: SIGTERM among them.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        let words = CStrings([executable] + arguments)
        let variables = environment.map { CStrings($0.map { "\($0)=\($1)" }) }
        var id: pid_t = 0
        let result = posix_spawn(
            &id,
            executable,
            &actions,
            &attributes,
            words.pointers,
            variables?.pointers ?? environ
        )
        guard result == 0 else {
            throw Failure(description: "\(executable) can't be started: \(String(cString: strerror(result)))")
        }
        return id
    }

    /// Runs a program to its end, with files as its standard input, output and error; returns what
    /// ``wait(for:)`` says.
    public static func run(
        _ executable: String,
        _ arguments: [String],
        in folder: String? = nil,
        files: (input: String, output: String, error: String)
    ) throws(Failure) -> Int32 {
        let input = open(files.input, O_RDONLY | O_CLOEXEC)
        let output = open(files.output, O_WRONLY | O_CLOEXEC)
        let error = open(files.error, O_WRONLY | O_CLOEXEC)
        defer { for descriptor in [input, output, error] { close(descriptor) } }
        guard input >= 0, output >= 0, error >= 0 else {
            throw Failure(description: "\(files) can't be opened: \(String(cString: strerror(errno)))")
        }
        return wait(for: try start(executable, arguments, in: folder, streams: (input, output, error)))
    }

    /// Has a process inherit nothing but its standard streams.
    ///
    /// What it inherited besides would stay open until it ends: whoever waits for the other end to be closed would
    /// wait for that.
    static func closeOthers(_ actions: inout posix_spawn_file_actions_t) {
        _ = GNU.closeFrom?(&actions, STDERR_FILENO + 1)
    }

    /// The ends of a pipe that no process inherits which isn't given one.
    public static func pipe() throws(Failure) -> (read: Int32, write: Int32) {
        var ends: [Int32] = [-1, -1]
        guard Glibc.pipe(&ends) == 0 else {
            throw Failure(description: "there is no pipe: \(String(cString: strerror(errno)))")
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    /// Waits until a process has ended; its exit status, or the negative of the signal that ended it.
    public static func wait(for id: pid_t) -> Int32 {
        var raw: Int32 = 0
        while waitpid(id, &raw, 0) != id { guard errno == EINTR else { return -1 } }
        return status(raw)
    }

    /// Returns the meaning of a process's wait status: its exit status, or the negative of the signal that
    /// ended it.
    public static func status(_ raw: Int32) -> Int32 { raw & 0x7F == 0 ? (raw >> 8) & 0xFF : -(raw & 0x7F) }
}

/// Parts of glibc's posix_spawn(3) beyond POSIX, which Swift doesn't see in its headers.
private enum GNU {
    typealias Actions = UnsafeMutablePointer<posix_spawn_file_actions_t>

    /// posix_spawn_file_actions_addclosefrom_np(3), since glibc 2.34.
    static let closeFrom = function(
        "posix_spawn_file_actions_addclosefrom_np",
        as: (@convention(c) (Actions, Int32) -> Int32).self
    )
    /// posix_spawn_file_actions_addchdir_np(3), since glibc 2.29.
    static let changeFolder = function(
        "posix_spawn_file_actions_addchdir_np",
        as: (@convention(c) (Actions, UnsafePointer<CChar>) -> Int32).self
    )

    private static func function<Function>(_ name: String, as type: Function.Type) -> Function? {
        dlsym(nil, name).map { unsafeBitCast($0, to: type) }
    }
}

/// A list of strings as C has them: pointers, and nil at the end.
private final class CStrings {
    let pointers: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
    private let count: Int

    init(_ strings: [String]) {
        count = strings.count
        pointers = .allocate(capacity: count + 1)
        for (index, string) in strings.enumerated() { (pointers + index).initialize(to: strdup(string)) }
        (pointers + count).initialize(to: nil)
    }

    deinit {
        for index in 0..<count { free(pointers[index]) }
        pointers.deallocate()
    }
}

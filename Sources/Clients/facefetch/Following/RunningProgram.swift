import CLinux
import Glibc
import SmallFiles

/// A program that this command has started, in a process group of its own.
struct RunningProgram {
    /// The way it ended.
    enum Ending: Hashable {
        case status(Int32)
        case signal(Int32)
    }

    /// The reason why it could not be started.
    struct NotStarted: Error {
        /// The system's error number.
        var number: Int32
    }

    /// The place where its output goes.
    enum Streams: Hashable {
        /// The place where our own goes.
        case ours
        /// Nowhere.
        case nowhere
    }

    /// Its process, and its group.
    let process: pid_t
    /// The time when it is to be ended; nil for never.
    var deadline: ContinuousClock.Instant?
    /// The number of times that it was told to end.
    var warnings = 0

    /// Starts a program; a name without a slash is looked for in PATH.
    ///
    /// - Parameters:
    ///   - arguments: The program and its arguments.
    ///   - environment: What it gets in its environment beside what there is.
    ///   - input: What it can read from standard input.
    ///   - timeout: Seconds that it has.
    ///   - output: Where its standard output and error go.
    init(
        _ arguments: [String],
        environment: [String: String],
        input: [UInt8],
        timeout: Double?,
        output: Streams = .ours
    ) throws(NotStarted) {
        // A file in memory, of which a kill leaves nothing, and not a pipe: who doesn't read it holds nobody up.
        let file = try Self.file(input)
        defer { close(file) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, file, STDIN_FILENO)
        if output == .nowhere {
            posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
            posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO)
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
        var words = arguments.map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var variables = Self.variables(environment).map { strdup($0) } + [nil]
        defer { for variable in variables { free(variable) } }
        var process: pid_t = 0
        let result = posix_spawnp(&process, arguments[0], &actions, &attributes, &words, &variables)
        guard result == 0 else { throw NotStarted(number: result) }
        self.process = process
        deadline = timeout.map { .now + .seconds($0) }
    }

    /// Returns the way it ended; nil while it runs.
    func ending() -> Ending? {
        var status: Int32 = 0
        guard waitpid(process, &status, WNOHANG) == process else { return nil }
        let signal = status & 0x7F
        return signal == 0 ? .status(status >> 8 & 0xFF) : .signal(signal)
    }

    /// Asks all of its group to end, the second time with no choice.
    mutating func warn() {
        kill(-process, warnings == 0 ? SIGTERM : SIGKILL)
        warnings += 1
        deadline = .now + .seconds(2)
    }

    /// Ends what is left of its group.
    func sweep() { kill(-process, SIGKILL) }

    private static func variables(_ given: [String: String]) -> [String] {
        var all: [String] = []
        var index = 0
        while let variable = environ[index] {
            let text = String(cString: variable)
            let name = text.prefix { $0 != "=" }
            if given[String(name)] == nil { all.append(text) }
            index += 1
        }
        return all + given.map { "\($0.key)=\($0.value)" }
    }

    private static func file(_ bytes: [UInt8]) throws(NotStarted) -> Int32 {
        let file = CLinux_make_memory_file()
        guard file >= 0 else { throw NotStarted(number: errno) }
        do throws(FileFailure) { try WholeFile.write(bytes, to: file) } catch {
            close(file)
            throw NotStarted(number: error.number)
        }
        lseek(file, 0, SEEK_SET)
        return file
    }
}

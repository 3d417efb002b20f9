import Foundation
import Glibc

/// Starts a process with descriptors and signals as a shell would give them.
///
/// Foundation's `Process` leaves signals blocked that its calling thread has
/// blocked, and those of the concurrency runtime block them all.
struct SpawnActions: ~Copyable {
    private var actions = posix_spawn_file_actions_t()
    private var childEnds: [Int32] = []

    init() { posix_spawn_file_actions_init(&actions) }

    deinit {
        for end in childEnds { close(end) }
        var actions = actions
        posix_spawn_file_actions_destroy(&actions)
    }

    /// A pipe that the process writes to; the end to read from.
    mutating func pipe(to descriptor: Int32) throws -> Int32 {
        let (readEnd, writeEnd) = try Self.pipe()
        posix_spawn_file_actions_adddup2(&actions, writeEnd, descriptor)
        childEnds.append(writeEnd)
        return readEnd
    }

    /// A pipe that the process reads from; the end to write to.
    mutating func pipe(from descriptor: Int32) throws -> Int32 {
        let (readEnd, writeEnd) = try Self.pipe()
        posix_spawn_file_actions_adddup2(&actions, readEnd, descriptor)
        childEnds.append(readEnd)
        return writeEnd
    }

    /// Opens a path for the process.
    mutating func open(_ path: String, as descriptor: Int32) {
        posix_spawn_file_actions_addopen(&actions, descriptor, path, O_RDWR, 0)
    }

    /// Starts it, with no signal blocked or ignored.
    mutating func spawn(
        _ path: String,
        arguments: [String],
        environment: [String: String],
        inOwnSession: Bool
    ) throws -> pid_t {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        var all = sigset_t()
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        // POSIX_SPAWN_SETSID of spawn.h, which Swift's Glibc lacks.
        let session: Int32 = inOwnSession ? 0x80 : 0
        posix_spawnattr_setflags(
            &attributes,
            Int16(Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF) | session)
        )
        let words = ([path] + arguments).map { strdup($0) } + [nil]
        let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for word in words + variables { free(word) } }
        var pid: pid_t = 0
        let code = posix_spawn(&pid, path, &actions, &attributes, words, variables)
        guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO) }
        return pid
    }

    /// Both ends close themselves in every process that is started meanwhile.
    private static func pipe() throws -> (readEnd: Int32, writeEnd: Int32) {
        var ends: [Int32] = [-1, -1]
        guard Glibc.pipe(&ends) == 0 else { throw POSIXError(.EMFILE) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }
}

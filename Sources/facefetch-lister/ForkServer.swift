import CSandbox
import Glibc
import ListerProtocol
import PageReading

/// Has each page, or each recipe, read by a process of its own, confined to that task and gone afterwards.
///
/// The processes are forked by one that has compiled the recipe and never seen a page (see
/// CSandboxForkServer.h). This process opens the page and passes its bytes on without looking at them. What
/// reads recipes as they are written is forked by one that has seen none.
final class ForkServer {
    /// A sentence about each part of the sandbox that is missing here.
    private(set) var warnings: [String] = []
    let socket: Int32
    let limit: Duration
    private let process: Int32

    /// The work of the processes.
    enum Work {
        /// They read pages.
        case reading(ListerProgram)
        /// They read recipes.
        case recipes
        /// They try what they should be refused, with this file.
        case attempts(file: String)
    }

    /// Starts a fork server whose processes read pages, or recipes if that is the program.
    convenience init(_ program: ListerProgram, limit: Duration) throws {
        try self.init(program == .recipes ? .recipes : .reading(program), limit: limit)
    }

    /// Starts the fork server; this process must have a single thread and must not have opened anything yet.
    ///
    /// `limit` is the time limit for one page.
    init(_ work: Work, limit: Duration) throws {
        var socket: Int32 = -1
        let process = CSandbox_fork_server_begin(&socket)
        guard process >= 0 else { throw SandboxFailure("no reader can be started: \(Self.cause)") }
        if process == 0 { Self.serve(socket, work) }
        self.socket = socket
        self.process = process
        if case .recipes = work { self.limit = min(limit, Self.recipeLimit) } else { self.limit = limit }
    }

    deinit { CSandbox_fork_server_end(socket, process) }

    /// The main function of the fork server.
    private static func serve(_ socket: Int32, _ work: Work) -> Never {
        // Otherwise jq would offer $ENV, and read a file in the home directory.
        clearenv()
        // Without any variable there would be no environment at all, whose end jq would look for.
        setenv("LC_ALL", "C", 1)
        unsetenv("LC_ALL")
        // Landlock comes first, since recipes aren't trusted either; the rest of the sandbox needs to
        // read these.
        let paths: [String] = ["/proc/self/task", "/proc/self/statm"]
        let readable = paths.compactMap { strdup($0) }.map { UnsafePointer($0) }
        guard CSandbox_no_new_privileges() == 0,
            readable.withUnsafeBufferPointer({ CSandbox_landlock($0.baseAddress, $0.count, nil) }) >= 0
        else { CSandbox_fork_server_fail(socket, "the sandbox can't be closed: \(cause)") }
        // libjq takes six times a page's size; what a program makes of it is bounded with it.
        var memory = UInt64(512 << 20)
        if case .reading(let program) = work { memory += 6 * UInt64(clamping: program.maximumBytes) }
        var limits = CSandboxLimits(further_memory: memory, cpu_seconds: 3600, files: 64)
        guard CSandbox_limit(&limits) == 0 else {
            CSandbox_fork_server_fail(socket, "the sandbox can't be closed: resource limits: \(cause)")
        }
        switch work {
        case .reading(let program):
            let compiled = Unmanaged.passRetained(PageProcess.Compiled(program))
            CSandbox_fork_server_serve(socket, &limits, PageProcess.body, compiled.toOpaque())
        case .recipes: CSandbox_fork_server_serve(socket, &limits, RecipeProcess.body, nil)
        case .attempts(let file):
            CSandbox_fork_server_serve(socket, &limits, SandboxCheck.body, strdup(file))
        }
    }

    private static var cause: String { String(cString: strerror(errno)) }

    /// Waits until the expressions are compiled and the fork server's own sandbox is closed.
    func awaitReady(requireLandlock: Bool) throws {
        var state = CSandboxForkServerState()
        guard isReadyInTime else {
            kill(process, SIGKILL)
            throw SandboxFailure(
                "the recipe's expressions take longer than \(compilingLimit) to compile; make them shorter"
            )
        }
        guard CSandbox_fork_server_await(socket, &state) == 0 else {
            throw SandboxFailure("no reader can be started: the process that starts them has ended")
        }
        let failure = withUnsafeBytes(of: state.failure) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        guard failure.isEmpty else { throw SandboxFailure(failure) }
        guard state.landlock > 0 || !requireLandlock else {
            throw SandboxFailure(
                "this kernel has no Landlock; enable it (lsm=landlock,…), or do without --require-landlock"
            )
        }
        if state.landlock == 0 {
            warnings.append(
                "this kernel has no Landlock, so pages are read with the rest of the sandbox only"
            )
        }
        if !state.counts {
            warnings.append(
                "readers' threads can't be counted here, so only limits on the whole service bound them"
            )
        }
    }
}

extension ForkServer {
    /// The time that expressions may take to compile: jq takes very long for some of few thousand bytes.
    private var compilingLimit: Duration { max(limit, .seconds(5)) }

    /// True if the fork server says something within that time.
    private var isReadyInTime: Bool {
        let deadline = ContinuousClock.now + compilingLimit
        var place = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        while true {
            let left = ContinuousClock.now.duration(to: deadline) / .milliseconds(1)
            let count = poll(&place, 1, Int32(max(0, left.rounded(.up))))
            if count >= 0 || errno != EINTR { return count != 0 }
        }
    }
}

/// The reason why the sandbox isn't closed; nothing is read without it.
struct SandboxFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

import CSandbox
import Glibc
import ListerProtocol
import PageReading

/// Has each page read by a process of its own, which is bound to that, and gone afterwards.
///
/// The processes are borne by one that has compiled the recipe and never seen a page (see
/// CSandboxNursery.h). This process opens the page and hands its bytes over; it never looks at them.
final class Nursery {
    /// What is missing of the sandbox here, a sentence each.
    private(set) var warnings: [String] = []
    let socket: Int32
    let limit: Duration
    private let process: Int32

    /// Starts the nursery, while this process has one thread and has opened nothing yet.
    ///
    /// `limit` is the longest that one page may take.
    init(_ program: ListerProgram, limit: Duration) throws {
        var socket: Int32 = -1
        let process = CSandbox_nursery_begin(&socket)
        guard process >= 0 else { throw SandboxFailure("no reader can be started: \(Self.cause)") }
        if process == 0 { Self.serve(socket, program) }
        self.socket = socket
        self.process = process
        self.limit = limit
    }

    deinit { CSandbox_nursery_end(socket, process) }

    /// The nursery's own life.
    private static func serve(_ socket: Int32, _ program: ListerProgram) -> Never {
        // jq would read $ENV, and a file of the home's.
        clearenv()
        // An environment with nothing in it, instead of none: jq would look for its end.
        setenv("LC_ALL", "C", 1)
        unsetenv("LC_ALL")
        // Recipes are other people's, too. What the rest of the sandbox needs is still to be read.
        let paths: [String] = ["/proc/self/task", "/proc/self/statm"]
        let readable = paths.compactMap { strdup($0) }.map { UnsafePointer($0) }
        guard CSandbox_no_new_privileges() == 0,
            readable.withUnsafeBufferPointer({ CSandbox_landlock($0.baseAddress, $0.count, nil) }) >= 0
        else { CSandbox_nursery_fail(socket, "the sandbox can't be closed: \(cause)") }
        let compiled = PageProcess.Compiled(program)
        // libjq takes six times a page's size; what a program makes of it is bounded with it.
        let memory = UInt64(512 << 20) + 6 * UInt64(clamping: program.maximumBytes)
        var limits = CSandboxLimits(further_memory: memory, cpu_seconds: 3600, files: 64)
        CSandbox_nursery_serve(socket, &limits, PageProcess.body, Unmanaged.passRetained(compiled).toOpaque())
    }

    private static var cause: String { String(cString: strerror(errno)) }

    /// Waits until the nursery's own sandbox is closed.
    func awaitReady(requireLandlock: Bool) throws {
        var state = CSandboxNurseryState()
        guard CSandbox_nursery_await(socket, &state) == 0 else {
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

/// Why the sandbox isn't closed; nothing is read without it.
struct SandboxFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

import CSandbox
import Glibc

/// Has each input from a stranger read by a process of its own, confined to that task and gone afterwards.
///
/// The processes are forked by one that has never read an input of this kind (see CSandboxForkServer.h). The process
/// that has a fork server opens an input and passes it on, and takes what the child writes, of which it believes
/// nothing.
public final class ForkServer {
    /// The work of a child, which gets a context, the descriptors of its input and its output, and the number of
    /// its order, and returns its exit status.
    public typealias Body = @convention(c) (UnsafeRawPointer?, Int32, Int32, UInt32) -> Int32

    /// The work that a fork server has prepared for its children.
    public struct Work {
        let limits: ProcessLimits
        let context: UnsafeRawPointer?
        let body: Body

        /// Describes the work of children.
        ///
        /// - Parameters:
        ///   - limits: What each of them may take.
        ///   - context: What each of them gets, which must live as long as the fork server.
        ///   - body: What each of them does.
        public init(limits: ProcessLimits, context: UnsafeRawPointer? = nil, body: @escaping Body) {
            self.limits = limits
            self.context = context
            self.body = body
        }
    }

    /// The reason why a child has done nothing, through no fault of its input.
    public enum Unavailable: Error, Hashable, Sendable {
        /// It could not be started, for this errno.
        case child(Int32)
        /// The fork server itself has ended.
        case server(Int32)
    }

    /// The words for the children.
    public let role: ChildRole
    /// The time limit for one input.
    public let limit: Duration
    /// A sentence about each part of the sandbox that is missing here.
    public private(set) var warnings: [String] = []
    /// Those in one; nil if nothing is missing.
    public var warning: String? { warnings.isEmpty ? nil : warnings.joined(separator: "; ") }
    private let socket: Int32
    private let process: Int32

    /// Starts a fork server; this process must have a single thread and must not have opened anything yet.
    ///
    /// `prepare` is called in the fork server, before that closes its sandbox.
    public init(
        _ role: ChildRole,
        limit: Duration,
        prepare: () throws(SandboxFailure) -> Work
    ) throws(SandboxFailure) {
        var socket: Int32 = -1
        let process = CSandbox_fork_server_begin(&socket)
        guard process >= 0 else {
            throw SandboxFailure("no \(role.child) can be started: \(String(cString: strerror(errno)))")
        }
        if process == 0 { Self.serve(socket, prepare) }
        self.role = role
        self.limit = limit
        self.socket = socket
        self.process = process
    }

    deinit { CSandbox_fork_server_end(socket, process) }

    /// The main function of the fork server.
    private static func serve(_ socket: Int32, _ prepare: () throws(SandboxFailure) -> Work) -> Never {
        do throws(SandboxFailure) {
            let work = try prepare()
            var limits = work.limits.asC
            CSandbox_fork_server_serve(socket, &limits, work.body, work.context)
        } catch {
            CSandbox_fork_server_fail(socket, error.description)
        }
    }

    /// Waits until the fork server says something; if that takes too long, kills it and returns false.
    public func isReady(within limit: Duration) -> Bool {
        let deadline = ContinuousClock.now + limit
        var place = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        while true {
            let left = ContinuousClock.now.duration(to: deadline) / .milliseconds(1)
            let count = poll(&place, 1, Int32(max(0, left.rounded(.up))))
            if count == 0 { kill(process, SIGKILL) }
            if count >= 0 || errno != EINTR { return count != 0 }
        }
    }

    /// Waits until the fork server has closed its own sandbox.
    public func awaitReady(requireLandlock: Bool) throws(SandboxFailure) {
        var state = CSandboxForkServerState()
        guard CSandbox_fork_server_await(socket, &state) == 0 else {
            throw SandboxFailure("no \(role.child) can be started: the process that starts them has ended")
        }
        let failure = withUnsafeBytes(of: state.failure) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        guard failure.isEmpty else { throw SandboxFailure(failure) }
        try role.check(landlock: state.landlock, isRequired: requireLandlock)
        if state.landlock == 0 {
            warnings.append("this kernel has no Landlock; \(role.work) with the rest of the sandbox")
        }
        if !state.counts {
            warnings.append(
                "\(role.child)s' threads can't be counted here (seccomp has no listener, or another has it), "
                    + "so only limits on the whole service bound them"
            )
        }
    }

    /// Has a child started for an open file or pipe, and lets `read` have its output until it has ended.
    ///
    /// - Parameters:
    ///   - input: The child's input.
    ///   - isHandedOver: Whether this process closes the input as soon as the child has it.
    ///   - number: A number for the child's body.
    ///   - time: The time for this input, if that is less than others have.
    ///   - read: Reads the child's output, as far as it likes.
    public func run<Result>(
        input: Int32,
        isHandedOver: Bool = false,
        order number: UInt32,
        within time: Duration? = nil,
        _ read: (Int32) -> Result
    ) throws(Unavailable) -> (result: Result, ending: ChildEnding) {
        let limit = min(limit, time ?? limit)
        let milliseconds = UInt32(clamping: Int(limit / .milliseconds(1)))
        var order = CSandboxOrder(order: number, milliseconds: milliseconds)
        let output = CSandbox_fork_server_order(socket, &order, input)
        let cause = errno
        if isHandedOver { close(input) }
        guard output >= 0 else { throw .child(cause) }
        let result = read(output)
        // A process that still writes after that writes to nobody.
        close(output)
        var ending = CSandboxEnding()
        guard CSandbox_fork_server_ending(socket, &ending) == 0 else { throw .server(errno) }
        guard ending.failure == 0 else { throw .child(ending.failure) }
        return (result, ChildEnding(ending))
    }
}

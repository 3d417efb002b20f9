import Glibc
import Synchronization

/// Delivers signals as bytes on a pipe, so that they can be waited for together with a connection and
/// handled outside of the signal handler.
///
/// There can be only one at a time in a process.
final class SignalPipe {
    /// The descriptor that becomes readable when a signal has come.
    let descriptor: Int32
    private let writeEnd: Int32
    private var former: [(number: Int32, action: sigaction)] = []

    /// The end of the pipe that the handler writes to.
    ///
    /// A signal handler may only use atomics.
    private static let target = Atomic<Int32>(-1)

    /// SIG_IGN of signal.h, as a number.
    private static let ignored = 1

    /// Starts to catch signals, until ``close()``.
    ///
    /// - Throws: ``ClientError`` if there are no descriptors left.
    init(_ signals: [Int32]) throws(ClientError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw .unsuccessful("A pipe can't be opened: \(String(cString: strerror(errno))).")
        }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        descriptor = ends[0]
        writeEnd = ends[1]
        Self.target.store(writeEnd, ordering: .sequentiallyConsistent)
        for number in signals {
            var action = sigaction()
            action.__sigaction_handler.sa_handler = { number in
                let saved = errno
                var byte = UInt8(truncatingIfNeeded: number)
                _ = write(SignalPipe.target.load(ordering: .sequentiallyConsistent), &byte, 1)
                errno = saved
            }
            var old = sigaction()
            sigaction(number, nil, &old)
            // Signals that nohup or the shell has set to be ignored stay so.
            guard unsafeBitCast(old.__sigaction_handler.sa_handler, to: Int.self) != Self.ignored else {
                continue
            }
            sigaction(number, &action, nil)
            former.append((number, old))
        }
    }

    deinit { close() }

    /// Returns the signals that have come since the last time, in order.
    func drain() -> [Int32] {
        var buffer = [UInt8](repeating: 0, count: 64)
        let count = read(descriptor, &buffer, buffer.count)
        return buffer.prefix(max(0, count)).map(Int32.init)
    }

    /// Restores the previous handling of the signals.
    func close() {
        guard !former.isEmpty else { return }
        for (number, action) in former {
            var action = action
            sigaction(number, &action, nil)
        }
        former = []
        Self.target.store(-1, ordering: .sequentiallyConsistent)
        Glibc.close(descriptor)
        Glibc.close(writeEnd)
    }

    /// Ends the process by a signal, as if it had never been caught, so that the shell sees what
    /// happened.
    static func die(by number: Int32) -> ExitStatus {
        signal(number, SIG_DFL)
        raise(number)
        // Only reached if the signal is blocked.
        return .unsuccessful
    }
}

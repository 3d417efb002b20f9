import Glibc
import Synchronization

/// Signals as bytes to read, so that they can be waited for beside a
/// connection and handled outside of signal context.
///
/// One at a time in a process.
final class SignalPipe {
    /// Can be read when a signal has come.
    let descriptor: Int32
    private let writeEnd: Int32
    private var former: [(number: Int32, action: sigaction)] = []

    /// The end that the handler writes to.
    ///
    /// Atomics are all that a handler may touch.
    private static let target = Atomic<Int32>(-1)

    /// SIG_IGN of signal.h, as a number.
    private static let ignored = 1

    /// Catches these signals until ``close()``.
    ///
    /// - Throws: ``ClientError`` when there are no descriptors left.
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
            // What nohup or the shell has made to be ignored stays so.
            guard unsafeBitCast(old.__sigaction_handler.sa_handler, to: Int.self) != Self.ignored else {
                continue
            }
            sigaction(number, &action, nil)
            former.append((number, old))
        }
    }

    deinit { close() }

    /// The signals that have come since the last time, in order.
    func take() -> [Int32] {
        var buffer = [UInt8](repeating: 0, count: 64)
        let count = read(descriptor, &buffer, buffer.count)
        return buffer.prefix(max(0, count)).map(Int32.init)
    }

    /// Gives the signals back to whom they belonged before.
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

    /// Ends the process by a signal, as if it had never been caught, so that
    /// the shell that waits sees what happened.
    static func die(by number: Int32) -> ExitStatus {
        signal(number, SIG_DFL)
        raise(number)
        // Only reached where the signal is blocked.
        return .unsuccessful
    }
}

import CLinux
import Foundation
import Synchronization

/// Looks on a thread of its own whether something is still in the way of a start.
///
/// A disk or file server that hangs keeps whoever asks it, and whoever waits here has to tell the service manager that
/// all is well. No more than one look is under way.
final class ObstacleLooks: Sendable {
    private struct State {
        var isLooking = false
        var isThere = true
    }

    private let state = Mutex(State())
    private let isStillThere: @Sendable () -> Bool

    /// Looks by means of `isStillThere`, which may never return.
    init(_ isStillThere: @escaping @Sendable () -> Bool) { self.isStillThere = isStillThere }

    /// True if the obstacle is there, as far as is known.
    var isThere: Bool { state.withLock(\.isThere) }

    /// Begins a look, unless one is under way.
    func begin() {
        let begins = state.withLock { state in
            defer { state.isLooking = true }
            return !state.isLooking
        }
        guard begins else { return }
        Thread { [self] in
            CLinux_begin_thread("ff-look", 0)
            let found = isStillThere()
            state.withLock { $0 = State(isLooking: false, isThere: found) }
        }.start()
    }
}

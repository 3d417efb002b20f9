import Glibc
import Synchronization

/// The hold on writing beside the store's own files, and the count of writes under way.
///
/// All who write to disks that the store may be on share one: pages of sources, bodies from memory, copies of
/// lists, sidecars, kept pictures. Partials and the event log have ways of their own.
public final class WriteHold: Sendable {
    private struct State {
        var isHeld = false
        var writers = 0
    }

    /// The longest wait for writes under way, in seconds; each writes what curl has received at once.
    private static let patience = 2.0
    /// The time between two looks, in seconds.
    private static let interval = 0.001

    private let state = Mutex(State())

    /// Lets everything be written.
    public init() {}

    /// True if writing is held.
    public var isHeld: Bool { state.withLock { $0.isHeld } }

    /// Returns the body's result; nil without calling it while writing is held.
    public func write<Result>(_ body: () -> Result) -> Result? {
        let mayWrite = state.withLock { state in
            if !state.isHeld { state.writers += 1 }
            return !state.isHeld
        }
        guard mayWrite else { return nil }
        defer { state.withLock { $0.writers -= 1 } }
        return body()
    }

    /// Lets no write begin; returns once none is under way, or false if that takes long.
    func hold() -> Bool {
        state.withLock { $0.isHeld = true }
        for _ in 0..<Int(Self.patience / Self.interval) {
            if state.withLock({ $0.writers }) == 0 { return true }
            usleep(useconds_t(Self.interval * 1_000_000))
        }
        return false
    }

    /// Lets writes begin again.
    func end() { state.withLock { $0.isHeld = false } }
}

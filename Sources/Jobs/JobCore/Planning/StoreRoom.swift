import JobModel

/// Ensures that the store has room on its disk, with a reserve that only the store may use.
///
/// When a commit finds no room, everybody else stops writing before the reserve is released. No download
/// or log can use it up, so pausing and cancelling always work. No new work is begun and no batch
/// accepted until the reserve has been refilled; only then do the others write again.
public struct StoreRoom: Hashable, Sendable {
    /// The next thing to do.
    public enum Effect: Hashable, Sendable {
        /// Make everybody else stop writing; ``writersStopped(_:)`` follows.
        case stopWriters
        /// Give the reserve's space to the store, and commit again.
        case releaseReserve
        /// Fill the reserve or a part of it; ``filled(_:now:)`` follows.
        case fillReserve
        /// Let the others write again.
        case letWritersGoOn
    }

    /// The progress of filling the reserve.
    public enum Fill: Hashable, Sendable {
        /// The reserve is complete.
        case full
        /// A part has been written; more remains.
        case more
        /// There is no room for the reserve.
        case noRoom
    }

    private enum Stage: Hashable {
        case ample
        case stopping
        case stopped
        case released
    }

    private var stage = Stage.ample
    /// The moment at which to try to fill the reserve again; nil when it is full.
    public private(set) var fillAt: Moment?

    /// The size of the reserve in bytes: the usual length of the write-ahead log, and as much again for
    /// the database.
    public static let reserveLength: Int64 = 32 << 20
    /// The bytes that must be free beyond the reserve before it is filled, so that it isn't released
    /// again at once.
    public static let margin: Int64 = 8 << 20
    /// The seconds between two checks for room.
    public static let interval = 1.0

    /// Creates the state of a store with a full reserve.
    public init() {}

    /// True if room is so short that no new work is begun.
    public var isShort: Bool { stage != .ample }

    /// Notes that a commit found no room.
    public mutating func commitFailed(now: Moment) {
        if stage == .ample { stage = .stopping }
        fillAt = now.adding(seconds: Self.interval)
    }

    /// The effect that makes it worth retrying a failed commit at once; nil if it must wait.
    public var remedy: Effect? {
        switch stage {
        case .stopping: .stopWriters
        case .stopped: .releaseReserve
        case .ample, .released: nil
        }
    }

    /// Notes whether everybody else has stopped writing.
    public mutating func writersStopped(_ areStopped: Bool) {
        if areStopped, stage == .stopping { stage = .stopped }
    }

    /// Notes that the reserve's space has been given to the store.
    public mutating func reserveReleased() {
        if stage == .stopped { stage = .released }
    }

    /// Notes that the reserve was missing at start, as after a shortage that outlived the last run.
    public mutating func startShort(now: Moment) {
        stage = .released
        fillAt = now.adding(seconds: Self.interval)
    }

    /// Returns whether it is time to check for room again.
    public func isDue(now: Moment) -> Bool {
        guard isShort, let fillAt else { return false }
        return now >= fillAt
    }

    /// Handles the result of filling the reserve; returns the effect that follows, if any.
    public mutating func filled(_ fill: Fill, now: Moment) -> Effect? {
        switch fill {
        case .full:
            self = StoreRoom()
            return .letWritersGoOn
        case .more:
            fillAt = now
            return nil
        case .noRoom:
            fillAt = now.adding(seconds: Self.interval)
            return nil
        }
    }
}

/// Sees to it that the store has room, of which it has a reserve of its own on its disk.
///
/// Where a commit finds no room, everybody else stops writing, and only then the reserve is the
/// store's: so it can't be eaten by a download or a log, and whoever pauses or cancels is always
/// obeyed. Nothing new is begun, and no batch taken in, before the reserve has been filled again; and
/// only then the others go on writing.
public struct StoreRoom: Hashable, Sendable {
    /// Something to be done next.
    public enum Deed: Hashable, Sendable {
        /// Have everybody else stop writing; ``writersStopped(_:)`` follows.
        case stopWriters
        /// Give the reserve's room to the store, and commit again.
        case releaseReserve
        /// Fill the reserve, or a part of it; ``filled(_:now:)`` follows.
        case fillReserve
        /// Let the others go on writing.
        case letWritersGoOn
    }

    /// A state of the reserve while it is being filled.
    public enum Fill: Hashable, Sendable {
        /// All of it is there.
        case full
        /// A part of it has been written; there is more to do.
        case more
        /// There is no room for it.
        case noRoom
    }

    private enum Stage: Hashable {
        case ample
        case stopping
        case stopped
        case released
    }

    private var stage = Stage.ample
    /// When the reserve is tried to be filled again; nil when it is full.
    public private(set) var fillAt: Moment?

    /// Bytes of the reserve: the write-ahead log's usual length, and as much again for the database.
    public static let reserveLength: Int64 = 32 << 20
    /// Bytes that must be free beyond it before it is filled, so that it isn't released again at once.
    public static let margin: Int64 = 8 << 20
    /// Seconds between two looks for room.
    public static let interval = 1.0

    /// A store whose reserve is there.
    public init() {}

    /// Whether there is so little room that nothing new is begun.
    public var isShort: Bool { stage != .ample }

    /// A commit found no room.
    public mutating func commitFailed(now: Moment) {
        if stage == .ample { stage = .stopping }
        fillAt = now.adding(seconds: Self.interval)
    }

    /// What can be done so that a commit that failed may be tried again at once; nil when it must wait.
    public var remedy: Deed? {
        switch stage {
        case .stopping: .stopWriters
        case .stopped: .releaseReserve
        case .ample, .released: nil
        }
    }

    /// Nobody else writes any more, or somebody still does.
    public mutating func writersStopped(_ areStopped: Bool) {
        if areStopped, stage == .stopping { stage = .stopped }
    }

    /// The reserve's room is the store's.
    public mutating func reserveReleased() {
        if stage == .stopped { stage = .released }
    }

    /// The daemon starts, and the reserve is not there: as after a shortage that outlived the last run.
    public mutating func startShort(now: Moment) {
        stage = .released
        fillAt = now.adding(seconds: Self.interval)
    }

    /// Whether it is time to look for room again.
    public func isDue(now: Moment) -> Bool {
        guard isShort, let fillAt else { return false }
        return now >= fillAt
    }

    /// What the filling of the reserve has come to; returns what follows from it.
    public mutating func filled(_ fill: Fill, now: Moment) -> Deed? {
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

import Vocabulary

/// The hold of a node whose daemon begins nothing, or hardly anything: after a while its work goes to others.
///
/// A disk that is full, a timetable that says pause and a person who has paused all are the daemon's matter, and may
/// last for hours; the jobs are the fleet's.
public struct NodeHold: Hashable, Sendable {
    /// The facts by which it is known.
    public struct Evidence: Hashable, Sendable {
        /// The reason for which the daemon begins nothing; nil if there is none.
        public var reason: String?
        /// The bytes on the documents' disk beyond those that are kept free; nil if nobody knows.
        public var room: Int64?
        /// The jobs that a slice has.
        public var slice: Int
        /// The jobs that the node holds.
        public var held: Int
        /// Those of them that wait for room on the disk.
        public var lackingRoom: Int
        /// Those of them that a person has paused.
        public var paused: Int

        public init(
            reason: String? = nil,
            room: Int64? = nil,
            slice: Int = 1,
            held: Int = 0,
            lackingRoom: Int = 0,
            paused: Int = 0
        ) {
            self.reason = reason
            self.room = room
            self.slice = slice
            self.held = held
            self.lackingRoom = lackingRoom
            self.paused = paused
        }

        /// The reason for which hardly anything of what the node holds is begun; nil if there is none.
        ///
        /// A few files that no disk has room for, or that somebody has paused, must not have one node after the other
        /// rest. So half a slice is needed, but where there is hardly any room at all.
        fileprivate var partialReason: String? {
            let isTight = room.map { $0 < NodeHold.tightRoom } ?? false
            if Self.isMost(lackingRoom, of: isTight ? held : max(held, slice)) {
                return "its disk has no room for more"
            }
            return Self.isMost(paused, of: max(held, slice)) ? "somebody has paused its jobs" : nil
        }

        private static func isMost(_ count: Int, of all: Int) -> Bool { count > 0 && count * 2 >= all }
    }

    /// Returns the reason for which a daemon with a hold of some kind begins nothing; nil where it begins something.
    ///
    /// A line that seems to be down is none: it may be the hosts, and new ones are tried all the same.
    public static func reason(_ kind: HoldKind) -> String? {
        switch kind {
        case .disk: "its disk is full"
        case .storage: "its daemon can't use the folder of its documents"
        case .hours: "its daemon's timetable says pause"
        case .metered: "its connection is metered"
        case .clock: "its machine's clock is wrong"
        case .network, .proxy, .portal, .host, .room: nil
        }
    }

    /// The time for which a node rests that has given its jobs to others, so that nothing shows any more whether it
    /// could begin them.
    public static let rest = Duration.seconds(600)
    /// The bytes below which a disk has hardly any room.
    public static let tightRoom: Int64 = 64 << 20

    /// The time that a hold may last before the node's work goes to others.
    private let patience: Duration
    private var since: Duration?
    private var words = ""
    private var seenAt = Duration.zero
    /// True if the daemon would begin other jobs: the node rests only beside others.
    public private(set) var isPartial = false

    /// The hold of a daemon that works, with the time that one may last.
    public init(patience: Duration) { self.patience = patience }

    /// Returns whether nothing is to be claimed for the daemon, while other nodes work or not.
    public func stopsClaims(besideOthers: Bool) -> Bool { since != nil && (!isPartial || besideOthers) }

    /// Returns the reason why the node's work goes to others; nil if it doesn't.
    public func reason(at now: Duration) -> String? {
        since.flatMap { now - $0 >= patience ? words : nil }
    }

    /// Notes how the daemon stands.
    public mutating func heard(_ evidence: Evidence, at now: Duration) {
        if let reason = evidence.reason ?? evidence.partialReason {
            (since, words, seenAt) = (since ?? now, reason, now)
            isPartial = evidence.reason == nil
        } else if reason(at: seenAt) == nil || !isPartial || now - seenAt >= Self.rest {
            since = nil
        }
    }
}

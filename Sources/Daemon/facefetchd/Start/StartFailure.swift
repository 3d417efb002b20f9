import JobStore

/// The reason why the daemon didn't start or can't go on, with its exit status.
struct StartFailure: Error, CustomStringConvertible {
    /// The exit statuses of sysexits(3) that the daemon uses.
    enum Status: Int32 {
        /// The daemon was told to end before it was ready.
        case stopped = 0
        /// A part of the program itself is missing.
        case missingFile = 72
        /// A path can't be created or written.
        case cannotWrite = 73
        /// There is no room to start; the daemon waits for some.
        case noRoom = 71
        /// The disk under the store failed.
        case ioError = 74
        /// Another daemon is using the directory, but may not be for long.
        case inUse = 75
        /// The settings are invalid, or the store is of a version that this one can't go on from.
        case badSettings = 78

        /// A part hung, but may not the next time.
        static let tookTooLong = Status.inUse
    }

    var status: Status
    /// A sentence for people.
    var description: String
    /// The obstacle that may pass by itself, and that the daemon waits for; nil if there is none such.
    var obstacle: Obstacle?
}

extension StartFailure {
    /// Creates the failure for a disk without room, or without inodes, for what a start writes.
    init(lackOfRoomAt path: String, for what: String) {
        status = .noRoom
        let lacksInodes = Inodes.areUsedUp(at: path)
        description =
            lacksInodes
            ? "no inodes are left on the disk for \(what), however much room there is (df -i); "
                + "delete files that are not needed"
            : "there is no room on the disk for \(what); delete what is not needed"
        let isThere = { @Sendable in JobStore.hasNoRoom(beside: path) }
        obstacle =
            lacksInodes
            ? Obstacle(words: "waiting for inodes", end: "there are some", isOfInodes: true, isThere: isThere)
            : Obstacle(words: "waiting for room", end: "there is room", lacksRoomAt: path, isThere: isThere)
    }
}

/// An obstacle to a start that may pass by itself, and that the daemon waits for.
struct Obstacle: Sendable {
    /// The words for the status line.
    let words: String
    /// The words for its end, in a sentence.
    let end: String
    /// The path beside which there is no room; nil if that isn't it.
    var lacksRoomAt: String?
    /// True if a disk has no inodes left.
    var isOfInodes = false
    /// Returns whether it is still there.
    let isThere: @Sendable () -> Bool

    /// A documents directory that can't be used.
    static func documents(end: String, isThere: @escaping @Sendable () -> Bool) -> Obstacle {
        Obstacle(words: "waiting for the documents directory", end: end, isThere: isThere)
    }
}

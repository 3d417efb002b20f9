/// A reason why the daemon didn't start or can't go on: a sentence, and the exit status that goes with it.
struct StartFailure: Error, CustomStringConvertible {
    /// Exit statuses of sysexits(3), as far as the daemon uses them.
    enum Status: Int32 {
        /// It was told to end before it was ready.
        case stopped = 0
        /// A part of the program itself is missing.
        case missingFile = 72
        /// A path can't be made or written.
        case cannotWrite = 73
        /// There is no room to start with; it waits for some.
        case noRoom = 71
        /// The disk under the store failed.
        case ioError = 74
        /// Another daemon is at work there; later it may be gone.
        case inUse = 75
        /// The settings are wrong, or the store is of a newer version.
        case badSettings = 78

        /// A part hung; it may not the next time.
        static let tookTooLong = Status.inUse
    }

    var status: Status
    /// One sentence for people.
    var description: String
    /// Where room is needed; nil where it isn't that.
    var room: Room?

    init(status: Status, description: String) {
        self.status = status
        self.description = description
    }

    /// A disk that has no room for what a start writes.
    init(lackOfRoomAt path: String, for what: String) {
        status = .noRoom
        description = "there is no room on the disk for \(what); delete what is not needed"
        room = Room(path: path)
    }

    /// A place that needs room.
    struct Room {
        /// A path beside which the daemon must be able to write.
        var path: String
    }
}

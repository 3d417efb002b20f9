/// Why the daemon didn't start or can't go on: a sentence, and the exit
/// status that goes with it.
struct StartFailure: Error, CustomStringConvertible {
    /// Exit statuses of sysexits(3), as far as the daemon uses them.
    enum Status: Int32 {
        /// A part of the program itself is missing.
        case missingFile = 72
        /// A path can't be made or written.
        case cannotWrite = 73
        /// The disk under the store failed.
        case ioError = 74
        /// Another daemon is at work there; later it may be gone.
        case inUse = 75
        /// The settings are wrong.
        case badSettings = 78
    }

    var status: Status
    /// One sentence for people.
    var description: String
}

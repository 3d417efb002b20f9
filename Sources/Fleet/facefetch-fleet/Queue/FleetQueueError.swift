/// A failure of the database to do as it was asked.
struct FleetQueueError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A kind of failure.
    enum Kind: Hashable, Sendable {
        /// The database can't be reached, or didn't answer in time: nobody knows whether it has done it.
        case unreachable
        /// The database refused it; its code is an SQLSTATE.
        case refused(code: String)
        /// The fleet's tables are of another version than this program.
        case otherVersion(found: Int, wanted: Int)
        /// The fleet's tables are of before 0.2.0, and nobody takes them over.
        case beforeRelease
        /// The tables are to be changed, and a node works with them.
        case inUse
        /// The tables come from a dump, or the database is a copy of another.
        case restored
    }

    /// The kind of failure.
    var kind: Kind
    /// The database's or libpq's words, on one line.
    var description: String

    /// The error of tables of another version.
    static func otherVersion(found: Int, wanted: Int) -> FleetQueueError {
        FleetQueueError(
            found < FleetSchema.first ? .beforeRelease : .otherVersion(found: found, wanted: wanted),
            "the fleet's tables are of version \(found), and this program is for version \(wanted)"
        )
    }

    /// The same error, which came when so many jobs had been changed, forgotten and the like already.
    func after(_ jobs: Int, _ done: String) -> FleetQueueError {
        guard jobs > 0 else { return self }
        var error = self
        error.description += " (\(jobs) jobs were \(done) before; the command can be given again)"
        return error
    }

    /// Creates an error; of several lines the first is kept.
    init(_ kind: Kind, _ words: String) {
        self.kind = kind
        description =
            words.split(whereSeparator: \.isNewline).first.map { String($0) } ?? "the database gave no reason"
    }
}

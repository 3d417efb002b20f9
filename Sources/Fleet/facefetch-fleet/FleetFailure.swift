/// The exit status of the process.
enum ExitStatus: Int32, Sendable {
    /// Everything was done as asked.
    case done = 0
    /// There is no such batch, or the database refused it.
    case unsuccessful = 1
    /// The command line or an item is wrong.
    case usage = 2
    /// The database can't be reached.
    case unreachable = 3
    /// Another agent runs under the node's name: EX_TEMPFAIL of sysexits.h.
    case alreadyRunning = 75
    /// The settings are wrong: EX_CONFIG.
    case badSettings = 78
}

/// The failure of a command: a sentence for people, and the exit status.
struct FleetFailure: Error, Hashable, Sendable {
    /// The exit status.
    var status: ExitStatus
    /// The problem, and what to do about it.
    var message: String

    /// The failure of a command that is about a batch that isn't there.
    static func noBatch(_ batch: Int64) -> FleetFailure {
        FleetFailure(
            .unsuccessful,
            "There is no batch \(batch). facefetch-fleet batches lists the latest ones."
        )
    }

    init(_ status: ExitStatus, _ message: String) {
        self.status = status
        self.message = message
    }

    /// The failure of a command for which the database has not done as asked.
    init(_ error: FleetQueueError) {
        switch error.kind {
        case .unreachable: self.init(.unreachable, "The database can't be reached: \(error)")
        case .refused(let code) where code == "42P01" || code == "3F000":
            self.init(.unsuccessful, "The database has no fleet yet: facefetch-fleet init makes one.")
        case .refused(code: "3D000"):
            self.init(.badSettings, "fleet.yaml names no database that is there: \(error)")
        case .refused(code: "42501"):
            self.init(
                .unsuccessful,
                "The role that fleet.yaml connects as may not do this (\(error)). facefetch-fleet(7) says which may; "
                    + "one that only adds does so by SQL, with SELECT ff.add."
            )
        case .beforeRelease:
            self.init(
                .unsuccessful,
                "The fleet's tables were made by a version before 0.2.0, whose data can't be taken over; nothing in them was "
                    + "changed. Give fleet.yaml another schema (schema: ff2), or drop theirs, and run facefetch-fleet init."
            )
        case .otherVersion(let found, let wanted) where found < wanted:
            self.init(
                .unsuccessful,
                "The fleet's tables are of an older version: stop all agents, then run facefetch-fleet init."
            )
        case .otherVersion:
            self.init(
                .unsuccessful,
                "The fleet's tables are of a newer version: install that of facefetch-fleet here, too."
            )
        case .inUse:
            self.init(
                .unsuccessful,
                "The fleet's tables have to be changed, but \(error): stop all agents, then run facefetch-fleet init."
            )
        case .restored:
            self.init(
                .unsuccessful,
                "The database was restored from a dump, or is a copy of another: stop all agents, then run "
                    + "facefetch-fleet init."
            )
        case .refused: self.init(.unsuccessful, "The database refused it: \(error)")
        }
    }
}

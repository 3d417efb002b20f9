import Settings

/// The parts in the order in which they are started.
extension StartPart {
    static func stateDirectory(_ paths: DaemonSettings.Paths) -> StartPart {
        StartPart(
            name: "the state directory \(paths.state)",
            status: "taking the state directory…",
            limit: 30,
            remedy: "check the disk or network that it is on"
        )
    }

    /// A large store may have to be copied, migrated or read in full.
    static func jobStore(_ paths: DaemonSettings.Paths) -> StartPart {
        StartPart(
            name: "the job store in \(paths.state)",
            status: "opening the job store…",
            limit: 600,
            remedy: "check the disk that it is on"
        )
    }

    static func documents(_ paths: DaemonSettings.Paths) -> StartPart {
        StartPart(
            name: "the documents directory \(paths.documents)",
            status: "opening the documents directory…",
            limit: 60,
            remedy: "check the disk or network that it is on"
        )
    }

    static func eventLog(_ paths: DaemonSettings.Paths) -> StartPart {
        StartPart(
            name: "the event log \(paths.eventLog)",
            status: "opening the event log…",
            limit: 60,
            remedy: "check the disk that it is on, and that it is a file"
        )
    }

    static func controlSocket(_ paths: DaemonSettings.Paths) -> StartPart {
        StartPart(
            name: "the control socket \(paths.socket)",
            status: "opening the control socket…",
            limit: 30,
            remedy: "check what else uses it"
        )
    }

    static let transfers = StartPart(
        name: "the transfer thread",
        status: "starting transfers…",
        limit: 30,
        remedy: "check the machine's load"
    )

    static let detectors = StartPart(
        name: "the face detectors",
        status: "starting the face detectors…",
        limit: 60,
        remedy: "try facefetch-detector by hand"
    )

    static let sources = StartPart(
        name: "the sources",
        status: "taking up sources…",
        limit: 120,
        remedy: "check the disk that the job store is on"
    )

    static let unfinishedJobs = StartPart(
        name: "the recovery of unfinished jobs",
        status: "taking up unfinished jobs…",
        limit: 300,
        remedy: "check the disk that the job store is on"
    )
}

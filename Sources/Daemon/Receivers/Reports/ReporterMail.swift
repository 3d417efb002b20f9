import Dispatch

/// Mail that was posted to the reporter's thread since it last looked.
struct ReporterMail: Sendable {
    /// The most faults that wait to be looked at.
    static let mostSightings = 100

    /// A fault as it was seen.
    enum Sighting: Sendable {
        /// One that is known completely.
        case fault(Fault)
        /// The end of a child, with the path of what it was looking at, which the thread looks at and never writes.
        case child(Fault.Child, Fault.ChildEnd, path: String?)
    }

    /// The new configuration, if it has changed; nil inside means that nothing is to be reported.
    var configuration: ReportingConfiguration??
    /// The faults.
    private(set) var sightings: [Sighting] = []
    /// The number of those for which there was no room.
    private(set) var missed = 0
    /// The parts that are stuck, if that has changed; nil inside means that none is any more.
    var stuck: [Fault.Part]??
    /// Those who wait until all this is on the disk.
    var waiters: [DispatchSemaphore] = []

    /// Adds a fault.
    mutating func add(_ sighting: Sighting) {
        if sightings.count < Self.mostSightings { sightings.append(sighting) } else { missed += 1 }
    }
}

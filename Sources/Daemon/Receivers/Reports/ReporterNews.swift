/// News for the reporter's thread since it last looked.
struct ReporterNews: Sendable {
    /// The most faults that wait to be looked at.
    static let mostSightings = 100

    /// A fault as it was seen.
    enum Sighting: Sendable {
        /// One that is known completely.
        case fault(Fault)
        /// The end of a child, with the path of what it was looking at, which the thread looks at and never writes.
        case child(Fault.Child, Fault.ChildEnd, path: String?)
    }

    /// The faults.
    private(set) var sightings: [Sighting] = []
    /// The number of those for which there was no room.
    private(set) var missed = 0
    /// The parts that are stuck, if that has changed; nil inside means that none is any more.
    var stuck: [Fault.Part]??

    /// Adds a fault.
    mutating func add(_ sighting: Sighting) {
        if sightings.count < Self.mostSightings { sightings.append(sighting) } else { missed += 1 }
    }
}

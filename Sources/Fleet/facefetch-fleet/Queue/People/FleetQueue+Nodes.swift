import FleetCore

/// People's changes to nodes.
extension FleetQueue {
    /// The result of removing a node.
    enum Removal: Hashable, Sendable {
        /// It is in no list any more, and others have what it held.
        case removed
        /// It lives: its agent is to be stopped first.
        case lives
        /// There is no node of this name.
        case unknown
    }

    /// Removes a node that is gone for good; if its agent comes again, it is there again.
    func remove(node name: String, timing: FleetTiming) throws(FleetQueueError) -> Removal {
        let rows = try connection.run([
            Call(NodeStatements.lock), Call(NodeStatements.expire, [name, "\(timing.grace / .seconds(1))"]),
            Call(JobStatements.free), Call(NodeStatements.release, [name]),
            Call(NodeStatements.remove, [name]),
        ])
        guard let row = rows.last?.first, !row.flag(1) else { return .unknown }
        return row.flag(0) ? .removed : .lives
    }
}

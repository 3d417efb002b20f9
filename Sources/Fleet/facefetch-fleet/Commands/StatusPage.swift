import Vocabulary

/// The state of the fleet, as text and as JSON.
enum StatusPage {
    /// Lines for people.
    static func lines(_ status: FleetQueue.Status) -> [String] {
        var lines = status.nodes.map { node in
            let lease =
                node.lease.map { $0 > 0 ? "lease \(Int($0)) s" : "silent for \(Int(-$0)) s" }
                ?? node.goneSince.map { "gone since \($0)" } ?? "gone"
            let resting = node.resting.map { "  rests: \($0)" } ?? ""
            return "\(node.name)  \(lease)  \(node.buckets) buckets  \(node.jobs) jobs\(resting)"
        }
        var queue = "queue \(status.queue)"
        if let oldest = status.oldestSeconds { queue += ", the oldest for \(Int(oldest)) s" }
        if status.paused > 0 { queue += ", and \(status.paused) paused" }
        lines.append(queue)
        lines.append("results \(status.results), \(status.lastMinute) in the last minute")
        if status.poison > 0 { lines.append("poison \(status.poison)") }
        return lines
    }

    /// One line of JSON.
    static func json(_ status: FleetQueue.Status) -> String {
        let nodes = status.nodes.map { node in
            #"{"name":\#(JSONString.of(node.name)),"lease":\#(number(node.lease)),"#
                + #""gone_since":\#(node.goneSince.map { JSONString.of($0) } ?? "null"),"#
                + #""resting":\#(node.resting.map { JSONString.of($0) } ?? "null"),"#
                + #""buckets":\#(node.buckets),"jobs":\#(node.jobs)}"#
        }
        return
            #"{"nodes":[\#(nodes.joined(separator: ","))],"queue":\#(status.queue),"paused":\#(status.paused),"#
            + #""results":\#(status.results),"last_minute":\#(status.lastMinute),"poison":\#(status.poison),"#
            + #""oldest_seconds":\#(number(status.oldestSeconds))}"#
    }

    private static func number(_ number: Double?) -> String {
        number.map { "\(($0 * 1000).rounded() / 1000)" } ?? "null"
    }
}

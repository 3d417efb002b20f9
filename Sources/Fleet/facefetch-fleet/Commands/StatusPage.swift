import Vocabulary

/// The state of the fleet, as text and as JSON.
enum StatusPage {
    /// Lines for people.
    static func lines(_ status: FleetQueue.Status) -> [String] {
        var lines = status.nodes.map(line)
        if let since = status.heldSince {
            lines.append("everything is held since \(since)\(status.heldBecause.map { ": \($0)" } ?? "")")
        }
        var queue = "queue \(status.queue)"
        if let oldest = status.oldestSeconds { queue += ", the oldest for \(Int(oldest)) s" }
        if status.paused > 0 { queue += ", and \(status.paused) paused" }
        lines.append(queue)
        var results = "results \(status.results), \(status.lastMinute) in the last minute"
        if let waited = status.waited {
            results +=
                ", half of them within \(seconds(waited.p50)) of being added, 99% within \(seconds(waited.p99))"
        }
        lines.append(results)
        if status.poison > 0 { lines.append("poison \(status.poison)") }
        return lines + (status.hosts ?? []).map(line)
    }

    private static func line(_ node: FleetQueue.Status.Node) -> String {
        let lease =
            node.lease.map { $0 > 0 ? "lease \(Int($0)) s" : "silent for \(Int(-$0)) s" }
            ?? node.goneSince.map { "gone since \($0)" } ?? "gone"
        var line = "\(node.name)  \(lease)  \(node.buckets) buckets  \(node.jobs) jobs"
        if let work = node.work {
            if work.waiting > 0 { line += ", \(work.waiting) of them wait" }
            line += "  \(work.lastMinute) a minute  \(work.done) done"
            if work.failed > 0 { line += "  \(work.failed) failed (\(work.failures ?? ""))" }
        }
        return line + (node.resting.map { "  rests: \($0)" } ?? "")
    }

    private static func line(_ host: FleetQueue.Status.Host) -> String {
        var words = ["\(host.name)"]
        if host.queued > 0 { words.append("\(host.queued) queued") }
        if host.held > 0 { words.append("\(host.held) held") }
        if host.waiting > 0 { words.append("\(host.waiting) wait for their next try") }
        if host.paused > 0 { words.append("\(host.paused) paused") }
        if let oldest = host.oldestSeconds { words.append("the oldest for \(Int(oldest)) s") }
        if host.done > 0 { words.append("\(host.done) done in 10 min") }
        if host.failed > 0 {
            words.append("\(host.failed) failed in 10 min, mostly \(host.code ?? "unknown")")
        }
        return words.joined(separator: "  ")
    }

    private static func seconds(_ seconds: Double) -> String {
        seconds < 10 ? "\((seconds * 10).rounded() / 10) s" : "\(Int(seconds)) s"
    }

    /// One line of JSON.
    static func json(_ status: FleetQueue.Status) -> String {
        let nodes = status.nodes.map { node in
            #"{"name":\#(JSONString.of(node.name)),"lease":\#(number(node.lease)),"#
                + #""gone_since":\#(text(node.goneSince)),"resting":\#(text(node.resting)),"#
                + #""buckets":\#(node.buckets),"jobs":\#(node.jobs)\#(node.work.map(json) ?? "")}"#
        }
        let hosts = status.hosts.map { #","hosts":[\#($0.map(json).joined(separator: ","))]"# }
        return
            #"{"nodes":[\#(nodes.joined(separator: ","))],"queue":\#(status.queue),"paused":\#(status.paused),"#
            + #""results":\#(status.results),"last_minute":\#(status.lastMinute),"poison":\#(status.poison),"#
            + #""oldest_seconds":\#(number(status.oldestSeconds)),"waited_p50":\#(number(status.waited?.p50)),"#
            + #""waited_p99":\#(number(status.waited?.p99)),"held_since":\#(text(status.heldSince)),"#
            + #""held_because":\#(text(status.heldBecause))\#(hosts ?? "")}"#
    }

    private static func json(_ work: FleetQueue.Status.Work) -> String {
        #","waiting":\#(work.waiting),"last_minute":\#(work.lastMinute),"done":\#(work.done),"#
            + #""failed":\#(work.failed),"failures":\#(text(work.failures))"#
    }

    private static func json(_ host: FleetQueue.Status.Host) -> String {
        #"{"host":\#(JSONString.of(host.name)),"queued":\#(host.queued),"held":\#(host.held),"#
            + #""waiting":\#(host.waiting),"paused":\#(host.paused),"done":\#(host.done),"failed":\#(host.failed),"#
            + #""code":\#(text(host.code)),"oldest_seconds":\#(number(host.oldestSeconds))}"#
    }

    private static func text(_ text: String?) -> String { text.map { JSONString.of($0) } ?? "null" }

    private static func number(_ number: Double?) -> String {
        number.map { "\(($0 * 1000).rounded() / 1000)" } ?? "null"
    }
}

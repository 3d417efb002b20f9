import Foundation

/// The time for which a connection has nothing to do between one small file and the next, with the daemon on a real
/// disk: on a line with delay, it is added to each round trip.
///
/// The host answers after some milliseconds, and measures the time from each answer's end to the next request over the
/// same connection, which has both ways over loopback in it.
struct Pauses: Measure {
    static let name = "pauses"
    let plan: Plan

    private static let files = 600
    private static let delay = 10

    func run(_ workshop: Workshop) throws -> [Row] {
        let disk = try RealDisk(below: plan.disk)
        defer { disk.close() }
        return try [1, 6].flatMap { connections in
            let runs = try (0..<plan.runs).map { _ in
                try workshop.withDirectory("host") { place in
                    try run(workshop, connections, place, in: disk.freshDirectory())
                }
            }
            let words = "\(Self.files) files after \(Self.delay) ms each, HTTP/1.1, \(connections) at once"
            return [
                Row(
                    "\(words), on \(disk.fileSystem): pause between two",
                    unit: "ms",
                    values: runs.map(\.median),
                    limit: 1.0,
                    aim: 0.5
                ),
                Row(
                    "the same: the longest but one in a hundred",
                    unit: "ms",
                    values: runs.map { $0.quantile(0.99) },
                    limit: 1.0,
                    aim: nil
                ),
                Row(
                    "the same: the longest",
                    unit: "ms",
                    values: runs.map(\.most),
                    limit: nil,
                    aim: nil
                ),
            ]
        }
    }

    private func run(
        _ workshop: Workshop,
        _ connections: Int,
        _ place: String,
        in directory: String
    ) throws -> Spread {
        let host = try ScriptedHost("pauses", [String(Self.delay)], in: place)
        let list = try workshop.write((0..<Self.files).map { host.url("p\($0).jpg") }, to: "pauses.txt")
        let daemon = try Facefetch(in: directory, concurrency: connections)
        defer { daemon.kill(SIGTERM) }
        _ = try daemon.add(list: list)
        // Seldom, since each answer takes a little of the processors.
        try daemon.untilStored(Self.files, asking: 100)
        let pauses = try host.end()
        guard pauses.count >= Self.files - 2 * connections else {
            throw BenchError.failed("only \(pauses.count) of \(Self.files) files went over a kept connection")
        }
        return Spread(pauses)
    }
}

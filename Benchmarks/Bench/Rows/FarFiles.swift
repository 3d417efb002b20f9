import Foundation
import Glibc

/// Files from the other end of a line with delay and losses, where it counts how many requests are under way and how
/// short the pauses between them are.
///
/// Each row is beside the best of its peers. What a line gives is known: 200 Mbit/s bring 168 MB in 6.7 s.
struct FarFiles: Measure {
    static let name = "line"
    let plan: Plan

    /// A way of fetching a list of URLs into a directory.
    private struct Peer {
        var name: String
        var fetch: (Line, Work, String) throws -> Double
    }

    /// The terms of a comparison.
    private struct Terms {
        var isSecure: Bool
        /// The most files at once; nil for ours by default, and 16 of the others.
        var connections: Int?
        var limit: Double
        var aim: Double?
        /// The seconds that are aimed at, where what the line gives says more than a ratio.
        var seconds: Double? = nil
    }

    /// The files to fetch, and lists of them for everybody.
    private struct Work {
        var names: [String]
        var isSecure: Bool
        var list: String
        var curlList: String

        init(_ names: [String], over line: Line, isSecure: Bool, in workshop: Workshop) throws {
            (self.names, self.isSecure) = (names, isSecure)
            let urls = names.map { line.url($0, isSecure: isSecure) }
            list = try workshop.write(urls, to: "far.txt")
            let lines = zip(names, urls).flatMap { ["url = \"\($1)\"", "output = \"\($0)\""] }
            curlList = try workshop.write(lines, to: "far.curl")
        }
    }

    func run(_ workshop: Workshop) throws -> [Row] {
        if let obstacle = Line.obstacle {
            print("| line: skipped, since \(obstacle) | | | | | | | |")
            return []
        }
        let middling = (0..<600).map { "m\($0).jpg" }
        for name in middling { try workshop.server.make(name, count: 280_000) }
        let small = try workshop.server.makeSmallFiles(1500)
        defer { workshop.server.remove(middling + small) }
        func properties(_ roundTrip: Int, rate: Int, loss: Double) -> Line.Properties {
            Line.Properties(roundTrip: roundTrip, rate: rate, loss: loss, congestion: plan.congestion)
        }
        func rows(_ words: String, _ names: [String], _ line: Line, _ terms: Terms) throws -> [Row] {
            try self.rows(words, names, over: line, workshop, terms)
        }
        let clear = properties(60, rate: 200, loss: 0)
        let many = try over(clear, workshop) { line in
            try rows(
                "600 files of 280 KB, HTTP/1.1, 16 at once, over \(clear.words)",
                middling,
                line,
                Terms(isSecure: false, connections: 16, limit: 1.0, aim: 0.95)
            )
                + rows(
                    "the same, HTTP/2, ours by default",
                    middling,
                    line,
                    Terms(isSecure: true, connections: nil, limit: 0.9, aim: nil, seconds: 1.05 * 6.8)
                )
        }
        // Without a rate, so that only round trips limit them.
        let wide = properties(60, rate: 0, loss: 0)
        let most = try over(wide, workshop) { line in
            try rows(
                "1500 files of 10–40 KB, HTTP/2, ours by default, over \(wide.words)",
                small,
                line,
                Terms(isSecure: true, connections: nil, limit: 0.4, aim: 0.25)
            )
                + rows(
                    "the same, HTTP/1.1, 6 at once",
                    small,
                    line,
                    Terms(isSecure: false, connections: 6, limit: 1.0, aim: 0.97)
                )
        }
        let lossy = properties(60, rate: 200, loss: 0.05)
        let long = properties(150, rate: 200, loss: 0.5)
        return try many + most + large("far.jpg", 60, over: lossy, workshop, aim: 0.95)
            + large("farther.jpg", plan.farMB, over: long, workshop, aim: 0.9)
    }

    private func over<Result>(
        _ properties: Line.Properties,
        _ workshop: Workshop,
        _ body: (Line) throws -> Result
    ) throws -> Result {
        try workshop.withDirectory("line") { directory in
            let line = try Line(properties, in: directory, serving: workshop.server.root)
            defer { line.close() }
            return try body(line)
        }
    }

    /// Measures one large file in four connections, beside aria2c with as many.
    private func large(
        _ name: String,
        _ megabytes: Int,
        over properties: Line.Properties,
        _ workshop: Workshop,
        aim: Double
    ) throws -> [Row] {
        try workshop.server.make(name, count: megabytes * 1_000_000)
        defer { workshop.server.remove([name]) }
        return try over(properties, workshop) { line in
            let work = try Work([name], over: line, isSecure: false, in: workshop)
            let pairs = try workshop.pairs(plan.runs) {
                try workshop.withDirectory("ours") { try ours(line, work, in: $0, connections: nil).seconds }
            } theirs: {
                try workshop.withDirectory("theirs") { directory in
                    try aria2(["-x4", "-s4", "-k1M"]).fetch(line, work, directory)
                }
            }
            let words = "one file of \(megabytes) MB over \(properties.words): wall"
            return [Row(words, against: "aria2c -x4 -s4", pairs: pairs, limit: 1.0, aim: aim)]
        }
    }

    /// Measures many files beside the best of the peers.
    private func rows(
        _ words: String,
        _ names: [String],
        over line: Line,
        _ workshop: Workshop,
        _ terms: Terms
    ) throws -> [Row] {
        let work = try Work(names, over: line, isSecure: terms.isSecure, in: workshop)
        let peers = peers(atOnce: terms.connections ?? 16)
        var (seconds, counts): ([Double], [Double]) = ([], [])
        var theirs = [[Double]](repeating: [], count: peers.count)
        for _ in 0..<plan.runs {
            let visit = try workshop.withDirectory("ours") {
                try ours(line, work, in: $0, connections: terms.connections)
            }
            seconds.append(visit.seconds)
            counts.append(visit.connections)
            for (number, peer) in peers.enumerated() {
                theirs[number].append(try workshop.withDirectory("theirs") { try peer.fetch(line, work, $0) })
            }
        }
        let best = theirs.indices.min { Spread(theirs[$0]).median < Spread(theirs[$1]).median } ?? 0
        let pairs = Array(zip(seconds, theirs[best])).map { (ours: $0.0, theirs: $0.1) }
        let row = Row(
            "\(words): wall",
            against: "\(peers[best].name), the best",
            pairs: pairs,
            limit: terms.limit,
            aim: terms.aim
        )
        guard terms.connections == nil else { return [row] }
        let alone = terms.seconds.map {
            Row("the same, beside what the line gives", unit: "s", values: seconds, limit: nil, aim: $0)
        }
        return [row] + [alone].compactMap(\.self) + [
            Row("the same: connections of ours", unit: "", values: counts, limit: 6, aim: 1)
        ]
    }

    private func peers(atOnce count: Int) -> [Peer] {
        [
            aria2(["-j\(count)"]),
            Peer(name: "curl --parallel-max \(count)") { line, work, directory in
                try line.run(
                    "/usr/bin/curl",
                    [
                        "-q", "-s", "--cacert", line.certificate, "--parallel", "--parallel-max", "\(count)",
                        "--output-dir", directory, "-K", work.curlList,
                    ]
                )
            },
            Peer(name: "wget2 --max-threads=\(count)") { line, work, directory in
                try line.run(
                    "wget2",
                    [
                        "-q", "--no-config", "--ca-certificate=\(line.certificate)", "--max-threads=\(count)",
                        "-P", directory, "-i", work.list,
                    ]
                )
            },
        ]
    }

    private func aria2(_ flags: [String]) -> Peer {
        Peer(name: "aria2c " + flags.joined(separator: " ")) { line, work, directory in
            try line.run(
                "aria2c",
                flags + [
                    "-q", "--no-conf", "--file-allocation=none", "--ca-certificate=\(line.certificate)",
                    "-d", directory, "-i", work.list,
                ]
            )
        }
    }

    private func ours(
        _ line: Line,
        _ work: Work,
        in directory: String,
        connections: Int?
    ) throws -> (seconds: Double, connections: Double) {
        let before = try line.connectionCount()
        var settings = ["FACEFETCH_TRANSFER_CA_FILE": line.certificate]
        // What the daemon has by default is said here only because its harness says something else.
        if connections == nil { settings["FACEFETCH_TRANSFER_PER_HOST"] = "6" }
        let daemon = try Facefetch(
            in: directory,
            concurrency: connections ?? 16,
            settings: settings,
            through: line.prefix
        )
        defer { daemon.kill(SIGTERM) }
        let begun = Clock.seconds()
        _ = try daemon.add(list: work.list)
        try daemon.untilStored(work.names.count)
        return (Clock.seconds() - begun, Double(try line.connectionCount() - before))
    }
}

import Foundation
import Glibc

/// Files from a host that allows 60 requests a minute and asks everybody to wait who comes with more.
///
/// A minute lasts two seconds here, and everybody has as many connections as by default. aria2c doesn't know
/// Retry-After and waits as it is told to, which is as long as the host's rule says. It gives a file up at a 429,
/// and tries again only after a 503, so that this is what the host answers beside it.
///
/// The first refusal finds as many requests under way as we send to a host at once, 6, all of them in vain. Each
/// later one costs a single request. With few files, the first one alone would decide.
struct PoliteFetches: Measure {
    static let name = "polite"
    let plan: Plan

    private static let allowed = 60
    private static let seconds = 2
    /// The default of transfer.per-host.
    private static let connections = 6

    /// The result of fetching all files.
    private struct Visit {
        var seconds: Double
        var requestsPerFile: Double
    }

    func run(_ workshop: Workshop) throws -> [Row] {
        // It tries each file again whenever the host allows some.
        let retries = max(50, plan.polite / Self.allowed + 10)
        let aria2Flags = ["--max-tries=0", "--retry-wait=\(Self.seconds)"]
        let curlFlags = ["--parallel", "--retry", String(retries), "--retry-all-errors"]
        let besideAria2 = try pairs(workshop, refusing: 503) { urls, directory in
            let list = try workshop.write(urls, to: "polite.txt")
            let arguments = ["-q", "--file-allocation=none", "--no-conf", "-d", directory, "-i", list]
            return try Command("aria2c", aria2Flags + arguments).run().wall
        }
        let besideCurl = try pairs(workshop, refusing: 429) { urls, directory in
            let lines = urls.enumerated().flatMap { ["url = \"\($1)\"", "output = \"p\($0).jpg\""] }
            let list = try workshop.write(lines, to: "polite.curl")
            let arguments = ["--output-dir", directory, "-K", list]
            // -q has to come first (curl(1)).
            return try Command("/usr/bin/curl", ["-q", "-s"] + curlFlags + arguments).run().wall
        }
        return rows(503, "aria2c " + aria2Flags.joined(separator: " "), besideAria2)
            + rows(429, "curl " + curlFlags.joined(separator: " "), besideCurl)
    }

    private func rows(_ status: Int, _ peer: String, _ pairs: [(ours: Visit, theirs: Visit)]) -> [Row] {
        let work =
            "\(plan.polite) files where \(Self.allowed) requests in \(Self.seconds) s are allowed, else \(status)"
        return [
            // The limit is for our own figure, whatever theirs is.
            Row(
                "\(work): requests a file",
                unit: "",
                values: pairs.map(\.ours.requestsPerFile),
                limit: 1.02,
                aim: nil
            ),
            Row(
                "the same, beside another's",
                against: peer,
                unit: "",
                pairs: pairs.map { ($0.ours.requestsPerFile, $0.theirs.requestsPerFile) },
                limit: 1.0,
                aim: nil
            ),
            Row(
                "the same: wall",
                against: peer,
                pairs: pairs.map { ($0.ours.seconds, $0.theirs.seconds) },
                limit: 1.1,
                aim: 1.0
            ),
        ]
    }

    private func pairs(
        _ workshop: Workshop,
        refusing status: Int,
        theirs: ([String], String) throws -> Double
    ) throws -> [(ours: Visit, theirs: Visit)] {
        try workshop.pairs(plan.runs) {
            try visit(workshop, "ours", refusing: status) { try ours($0, in: $1, workshop) }
        } theirs: {
            try visit(workshop, "theirs", refusing: status, fetch: theirs)
        }
    }

    /// Has the files fetched into a directory from a host that nobody has asked anything yet.
    private func visit(
        _ workshop: Workshop,
        _ directory: String,
        refusing status: Int,
        fetch: ([String], String) throws -> Double
    ) throws -> Visit {
        try workshop.withDirectory("host") { place in
            let host = try CountingHost(
                in: place,
                allowing: Self.allowed,
                every: Self.seconds,
                refusing: status
            )
            let urls = (0..<plan.polite).map { host.url("p\($0).jpg") }
            let seconds = try workshop.withDirectory(directory) { try fetch(urls, $0) }
            let counts = try host.end()
            guard counts.answered >= plan.polite else {
                throw BenchError.failed("\(counts.answered) of \(plan.polite) files were fetched")
            }
            return Visit(
                seconds: seconds,
                requestsPerFile: Double(counts.answered + counts.refused) / Double(plan.polite)
            )
        }
    }

    private func ours(_ urls: [String], in directory: String, _ workshop: Workshop) throws -> Double {
        let list = try workshop.write(urls, to: "polite.txt")
        let daemon = try Facefetch(in: directory, concurrency: Self.connections)
        defer { daemon.kill(SIGTERM) }
        let begun = Clock.seconds()
        _ = try daemon.add(list: list)
        try daemon.untilStored(urls.count, asking: 20)
        return Clock.seconds() - begun
    }
}

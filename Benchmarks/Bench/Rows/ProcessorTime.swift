import Foundation

/// The processors' time for a small file that comes by TLS and HTTP/2, beside curl's: nothing else limits how many of
/// them come on a line that is fast enough.
struct ProcessorTime: Measure {
    static let name = "processor"
    let plan: Plan

    func run(_ workshop: Workshop) throws -> [Row] {
        let names = try workshop.server.makeSmallFiles(plan.files)
        defer { workshop.server.remove(names) }
        let urls = names.map { workshop.server.secureURL($0) }
        let list = try workshop.write(urls, to: "list.txt")
        let lines = zip(names, urls).flatMap { ["url = \"\($1)\"", "output = \"\($0)\""] }
        let curlList = try workshop.write(lines, to: "list.curl")
        let perFile = 1_000_000 / Double(plan.files)
        let pairs = try workshop.pairs(plan.runs) {
            try workshop.withDirectory("ours") { try ours(list, names.count, workshop, in: $0) * perFile }
        } theirs: {
            try workshop.withDirectory("theirs") { directory in
                let arguments = [
                    "-q", "-s", "--cacert", workshop.server.certificate.path, "--parallel",
                    "--parallel-max", "64", "--output-dir", directory, "-K", curlList,
                ]
                return try Command("/usr/bin/curl", arguments).run().processor * perFile
            }
        }
        let work = "\(plan.files) files of 10–40 KB, TLS and HTTP/2, 64 at once: processor a file"
        return [
            Row(work, against: "curl --parallel-max 64", unit: "µs", pairs: pairs, limit: nil, aim: nil)
        ]
    }

    /// Returns the processor seconds of the daemon, from before the first add until the last file is stored.
    private func ours(
        _ list: String,
        _ count: Int,
        _ workshop: Workshop,
        in directory: String
    ) throws -> Double {
        let settings = ["FACEFETCH_TRANSFER_CA_FILE": workshop.server.certificate.path]
        let daemon = try Facefetch(in: directory, concurrency: 64, settings: settings)
        defer { daemon.kill(SIGTERM) }
        let before = try daemon.processorSeconds()
        _ = try daemon.add(list: list)
        try daemon.untilStored(count, asking: 50)
        return try daemon.processorSeconds() - before
    }
}

import Foundation
import Glibc

/// The same small files, fetched by ours or by another program into a directory.
struct SmallFileFetches {
    let names: [String]
    private let list: String
    private let curlList: String

    /// Makes so many files for the web server to serve; whoever does that removes them.
    init(_ count: Int, in workshop: Workshop) throws {
        let server = workshop.server
        names = try server.makeSmallFiles(count)
        list = try workshop.write(names.map { server.url($0) }, to: "list.txt")
        let curlLines = names.flatMap { ["url = \"\(server.url($0))\"", "output = \"\($0)\""] }
        curlList = try workshop.write(curlLines, to: "list.curl")
    }

    /// The seconds from the first add until the last is stored, every job durable; `settings` are further ones of
    /// the daemon, as in the environment.
    func ours(in directory: String, settings: [String: String] = [:]) throws -> Double {
        let daemon = try Facefetch(in: directory, concurrency: 64, settings: settings)
        defer { daemon.kill(SIGTERM) }
        let begun = Clock.seconds()
        _ = try daemon.add(list: list)
        try daemon.untilStored(names.count)
        return Clock.seconds() - begun
    }

    func aria2(in directory: String) throws -> Double {
        let arguments = ["-q", "-j64", "--file-allocation=none", "--no-conf", "-d", directory, "-i", list]
        return try Command("aria2c", arguments).run().wall
    }

    func curl(in directory: String) throws -> Double {
        let arguments = [
            "-q", "-s", "--parallel", "--parallel-max", "64", "--output-dir", directory, "-K", curlList,
        ]
        return try Command("/usr/bin/curl", arguments).run().wall
    }
}

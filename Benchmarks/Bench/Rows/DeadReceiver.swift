import Foundation
import Glibc

/// Many small files while error reports go to a receiver that takes them and never answers.
struct DeadReceiver: Measure {
    static let name = "reports"
    let plan: Plan

    func run(_ workshop: Workshop) throws -> [Row] {
        let names = try workshop.server.makeSmallFiles(plan.files)
        defer { workshop.server.remove(names) }
        let list = try workshop.write(names.map { workshop.server.url($0) }, to: "list.txt")
        func seconds(_ settings: [String: String]) throws -> Double {
            try workshop.withDirectory("ours") { directory in
                // There is something to report from the beginning: the last run has left its mark.
                let reports = directory + "/state/reports"
                try FileManager.default.createDirectory(
                    atPath: reports,
                    withIntermediateDirectories: true,
                    attributes: [.posixPermissions: 0o700]
                )
                try Data("the engine".utf8).write(to: URL(fileURLWithPath: reports + "/stuck"))
                let daemon = try Facefetch(in: directory, concurrency: 64, settings: settings)
                defer { daemon.kill(SIGTERM) }
                let begun = Clock.seconds()
                _ = try daemon.add(list: list)
                try daemon.untilStored(names.count)
                return Clock.seconds() - begun
            }
        }
        let pairs = try workshop.pairs(plan.runs) {
            let hole = try BlackHole()
            let seconds = try seconds(["FACEFETCH_REPORTING_DSN": "http://key@127.0.0.1:\(hole.port)/1"])
            guard hole.hasCallers else {
                throw BenchError.failed("nothing was reported to the dead receiver")
            }
            return seconds
        } theirs: {
            try seconds([:])
        }
        return [
            Row(
                "\(names.count) files of 10–40 KB, 64 at once, error reports to a dead receiver: wall",
                against: "no reports",
                pairs: pairs,
                limit: 1.05,
                aim: 1.0
            )
        ]
    }
}

/// A port where connections are taken by the system, and by nobody else.
private final class BlackHole {
    let port: Int
    private let socket: Int32

    init() throws(BenchError) {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let file = socket
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(file, address, length) == 0 && listen(file, 16) == 0
                    && getsockname(file, address, &length) == 0
            }
        }
        port = Int(UInt16(bigEndian: address.sin_port))
        guard isListening else { throw .failed("no port can be listened at") }
    }

    deinit { close(socket) }

    /// True if anybody has connected.
    var hasCallers: Bool {
        var place = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        return poll(&place, 1, 0) == 1
    }
}

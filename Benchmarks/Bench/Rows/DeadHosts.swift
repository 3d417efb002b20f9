import Foundation
import Glibc

/// Files of hosts that answer, behind those of hosts that bring nothing at the head of the same list.
///
/// 300 files of five hosts, half a second and 300 kB each, come after a hundred URLs of each of three dead hosts, or
/// ten of each of a hundred or a thousand. Everybody has 16 transfers at once, and no other setting: so what is
/// compared is the time until the files are there with the time that the same program takes for them alone. Whoever
/// takes longer than a minute is stopped.
struct DeadHosts: Measure {
    static let name = "dead"
    let plan: Plan

    private static let files = 300
    private static let (seconds, bytes) = (0.5, 300_000)
    private static let atOnce = 16
    private static let longest = 60.0

    /// The ways of bringing nothing.
    private enum Kind: String, CaseIterable {
        case silent = "never answer"
        case dripping = "send a byte a second"
        case deaf = "drop packets"
    }

    func run(_ workshop: Workshop) throws -> [Row] {
        try workshop.withDirectory("host") { place in
            let host = try ScriptedHost("dead_hosts", [String(Self.seconds), String(Self.bytes)], in: place)
            let fetchers: [(name: String, fetch: Fetch)] = [
                ("facefetch", ours), ("aria2c -j16", aria2), ("curl --parallel", curl),
            ]
            var rows: [Row] = []
            for (name, fetch) in fetchers {
                let alone = try seconds(fetch, good(host), workshop)
                for kind in Kind.allCases {
                    for (hosts, each) in [(3, 100), (100, 10), (1000, 10)]
                    where name == "facefetch" || hosts == 3 {
                        let list = dead(hosts, each, kind, host) + good(host)
                        let values = try (0..<plan.runs).map { _ in try seconds(fetch, list, workshop) / alone
                        }
                        let work = "\(name): \(Self.files) files behind \(hosts) hosts that \(kind.rawValue)"
                        let limit = name == "facefetch" ? 1.3 : nil
                        rows.append(
                            Row(
                                "\(work), as often as alone",
                                unit: "x",
                                values: values,
                                limit: limit,
                                aim: nil
                            )
                        )
                    }
                }
            }
            return rows
        }
    }

    private typealias Fetch = (_ urls: [String], _ directory: String, _ workshop: Workshop) throws -> Double

    private func good(_ host: ScriptedHost) -> [String] {
        (0..<Self.files).map { host.url("good\($0).jpg", at: "127.3.0.\($0 / (Self.files / 5) + 1)") }
    }

    private func dead(_ hosts: Int, _ each: Int, _ kind: Kind, _ host: ScriptedHost) -> [String] {
        (0..<hosts).flatMap { number in
            let rest = "\(number / 250).\(number % 250 + 1)"
            return (0..<each).map { file in
                let path = "dead\(number)-\(file).jpg"
                switch kind {
                case .silent: return host.url(path, at: "127.1.\(rest)")
                case .dripping: return host.url(path, at: "127.2.\(rest)")
                case .deaf: return host.url(path, at: "127.4.\(rest)", port: 1)
                }
            }
        }
    }

    private func seconds(_ fetch: Fetch, _ urls: [String], _ workshop: Workshop) throws -> Double {
        try workshop.withDirectory("fetched") { try fetch(urls, $0, workshop) }
    }

    private func ours(_ urls: [String], in directory: String, _ workshop: Workshop) throws -> Double {
        let list = try workshop.write(urls, to: "dead.txt")
        let daemon = try Facefetch(
            in: directory,
            concurrency: Self.atOnce,
            settings: ["FACEFETCH_TRANSFER_PER_HOST": "6", "FACEFETCH_DOCUMENTS_LAYOUT": "{host}"]
        )
        defer { daemon.kill(SIGKILL) }
        let begun = Clock.seconds()
        _ = try daemon.add(list: list)
        return try until(begun) { Self.count(in: directory + "/documents") }
    }

    private func aria2(_ urls: [String], in directory: String, _ workshop: Workshop) throws -> Double {
        let list = try workshop.write(urls, to: "dead.txt")
        let arguments = ["-q", "-j16", "--file-allocation=none", "--no-conf", "-d", directory, "-i", list]
        return try theirs(Command("aria2c", arguments), in: directory)
    }

    private func curl(_ urls: [String], in directory: String, _ workshop: Workshop) throws -> Double {
        let lines = urls.flatMap { url in
            ["url = \"\(url)\"", "output = \"\(url.split(separator: "/").last ?? "")\""]
        }
        let list = try workshop.write(lines, to: "dead.curl")
        let arguments = [
            "-q", "-s", "--parallel", "--parallel-max", "16", "--output-dir", directory, "-K", list,
        ]
        return try theirs(Command("/usr/bin/curl", arguments), in: directory)
    }

    private func theirs(_ command: Command, in directory: String) throws -> Double {
        let begun = Clock.seconds()
        let pid = try command.start(errors: "/dev/null")
        defer {
            kill(pid, SIGKILL)
            waitpid(pid, nil, 0)
        }
        return try until(begun) { Self.count(in: directory) }
    }

    /// Returns the seconds until all good files are there whole.
    private func until(_ begun: Double, _ count: () -> Int) throws -> Double {
        while count() < Self.files {
            guard Clock.seconds() - begun < Self.longest else { return Self.longest }
            usleep(50_000)
        }
        return Clock.seconds() - begun
    }

    /// The number of whole files below a directory.
    private static func count(in directory: String) -> Int {
        guard let files = FileManager.default.enumerator(atPath: directory) else { return 0 }
        var count = 0
        while let path = files.nextObject() as? String {
            guard path.hasSuffix(".jpg"), !path.contains("dead") else { continue }
            if (files.fileAttributes?[.size] as? Int) == bytes { count += 1 }
        }
        return count
    }
}

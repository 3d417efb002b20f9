import ControlAPI
import Foundation

/// Measures the worth of a JSON writer of the daemon's own.
///
/// The daemon's whole answers, store, socket and all, beside nothing but Foundation's encoder over
/// the same values. With Foundation's encoder an answer would cost that, and the store and the socket
/// besides; where the ratio comes near 1, the writer is no longer worth its lines.
struct TextByHand: Measure {
    static let name = "text"
    let plan: Plan

    private static let pageSize = 1000
    /// Measured 0.54 for jobs and 0.77 for events.
    private static let limit = 0.9

    func run(_ workshop: Workshop) throws -> [Row] {
        let count = min(plan.files, 10_000)
        let names = try workshop.server.makeSmallFiles(count)
        defer { workshop.server.remove(names) }
        let list = try workshop.write(names.map { workshop.server.url($0) }, to: "texts.txt")
        return try workshop.withDirectory("ours") { directory in
            let daemon = try Facefetch(in: directory, concurrency: 64)
            defer { daemon.kill(SIGKILL) }
            _ = try daemon.add(list: list)
            try daemon.untilStored(count)
            let connection = try daemon.connection()
            let pages = try answers(connection).map {
                try JSONDecoder().decode(PageJSON<JobJSON>.self, from: $0)
            }
            let events = try daemon.connection().events()
            let values = try events.map { try JSONDecoder().decode(EventJSON.self, from: $0) }
            return [
                Row(
                    "\(count) jobs in pages of \(Self.pageSize): asked for and answered",
                    against: "Foundation's encoder alone",
                    pairs: try workshop.pairs(plan.runs) {
                        try seconds { _ = try answers(connection) }
                    } theirs: {
                        try seconds { try encode(pages) }
                    },
                    limit: Self.limit,
                    aim: nil
                ),
                Row(
                    "\(values.count) events of the past: asked for and answered",
                    against: "Foundation's encoder alone",
                    pairs: try workshop.pairs(plan.runs) {
                        let connection = try daemon.connection()
                        return try seconds { _ = try connection.events() }
                    } theirs: {
                        try seconds { try encode(values) }
                    },
                    limit: Self.limit,
                    aim: nil
                ),
            ]
        }
    }

    private func answers(_ connection: ControlConnection) throws -> [Data] {
        var pages: [Data] = []
        var after = "0"
        while true {
            let page = try connection.get("/v1/jobs?limit=\(Self.pageSize)&after=\(after)")
            pages.append(page)
            // It stands behind the items; to decode the whole page here would be measured, too.
            guard let mark = page.range(of: Data("\"next\":\"".utf8), options: .backwards) else {
                return pages
            }
            after = String(
                decoding: page[mark.upperBound...].prefix { $0 != UInt8(ascii: "\"") },
                as: UTF8.self
            )
        }
    }

    /// One after the other, as the daemon would have to.
    private func encode(_ values: [some Encodable]) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
        for value in values { _ = try encoder.encode(value) }
    }

    private func seconds(_ body: () throws -> Void) rethrows -> Double {
        let begun = Clock.seconds()
        try body()
        return Clock.seconds() - begun
    }
}

import ControlAPI
import TestSupport
import Testing

/// Follows what is stored while daemons are killed, from the number that it read last.
actor EndingFollower {
    private let socket: String
    private var cursor: Int64 = 0
    /// The jobs by the numbers under which they were seen.
    private var seen: [Int64: Int64] = [:]
    private var disorder: [String] = []

    init(socket: String) { self.socket = socket }

    /// Reads on until the daemon is gone.
    func follow() async {
        while !Task.isCancelled {
            // Before it listens, and after it was killed, there is nobody to ask.
            if (try? await read()) == nil { try? await Task.sleep(for: .milliseconds(10)) }
        }
    }

    /// Reads all that there is behind the last number.
    func read() async throws {
        var isWhole = false
        while !isWhole {
            let page = try await page(after: cursor)
            for job in page.items {
                guard let number = job.ended, number > cursor, seen[number] == nil else {
                    disorder.append("\(job.ended ?? 0) of job \(job.id) after \(cursor)")
                    continue
                }
                seen[number] = job.id
                cursor = number
            }
            isWhole = !page.hasMore
        }
    }

    /// Each job that is stored was seen under the number that it has in the end, and none under another's.
    func check() async throws {
        try await read()
        #expect(disorder.isEmpty, "\(disorder)")
        var after: Int64 = 0
        var isWhole = false
        while !isWhole {
            let page = try await page(after: after)
            for job in page.items {
                let number = try #require(job.ended)
                #expect(
                    seen[number] == job.id,
                    "job \(job.id) was stored under \(number), and that was missed"
                )
                after = number
            }
            isWhole = !page.hasMore
        }
    }

    private func page(after number: Int64) async throws -> PageJSON<JobJSON> {
        var client = try HTTPClient(path: socket)
        return try await client.send("GET", "/v1/jobs?ending=stored&limit=3&ended_after=\(number)").decoded()
    }
}

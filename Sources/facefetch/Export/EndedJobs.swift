import ControlAPI
import ExportFormats

/// What jobs have come to, in the order in which they did.
struct EndedJobs {
    /// Who is asked.
    let client: ControlClient
    /// Which jobs.
    let filter: ExportFilter
    /// Which endings.
    let endings: [JobJSON.Ending]

    /// Hands out pages of what ended behind a number, until `body` answers false or there are no more.
    ///
    /// What ends meanwhile isn't among it: a job that is retried while the pages are read comes once.
    ///
    /// - Throws: ``ClientError``, and whatever `body` throws.
    func forEachPage(
        after: Int64,
        _ body: (ExportedPage, ArraySlice<ExportedPage.Item>) throws -> Bool
    ) throws {
        var newest: Int64?
        var last = after
        while true {
            let page = try client.endings(endings, after: last, query: filter.query, limit: 1000)
            let end = try newest ?? page.newest ?? client.newestEnding()
            newest = end
            guard end >= after else { throw Self.anotherStore(end, after) }
            let items = page.items.prefix { ($0.job.ended ?? .max) <= end }
            guard try body(page, items), page.hasMore, let ended = items.last?.job.ended else { return }
            // A daemon that goes back would be asked for ever.
            guard ended > last, items.count == page.items.count else { return }
            last = ended
        }
    }

    private static func anotherStore(_ newest: Int64, _ after: Int64) -> ClientError {
        .unsuccessful(
            """
            The daemon has given numbers up to \(newest) to what ended, and \(after) is behind that: it has \
            other jobs than those that the number is of. Start again, without it.
            """
        )
    }
}

extension ControlClient {
    /// A page of what jobs have come to, by ascending number.
    ///
    /// - Throws: ``ClientError``
    func endings(
        _ endings: [JobJSON.Ending],
        after: Int64,
        query: [(name: String, value: String?)] = [],
        limit: Int
    ) throws -> ExportedPage {
        let request = HTTPRequest(
            "GET",
            "/v1/jobs",
            query: [
                ("ended_after", String(after)), ("ending", endings.map(\.rawValue).joined(separator: ",")),
                ("limit", String(limit)),
            ] + query
        )
        let response = try exchange(request)
        guard response.isSuccess else { throw Self.refusal(response, socketPath: socketPath) }
        do throws(NoJob) {
            return try ExportedPage(response.body)
        } catch {
            throw Self.senseless(socketPath: socketPath)
        }
    }

    /// The number of what ended last, of whatever kind; 0 where nothing has.
    ///
    /// - Throws: ``ClientError``
    func newestEnding() throws -> Int64 {
        let page = try endings(JobJSON.Ending.allCases, after: 0, query: [("order", "newest")], limit: 1)
        return page.newest ?? page.items.first?.job.ended ?? 0
    }
}

import ControlAPI
import ExportFormats
import Vocabulary

/// Jobs that have ended, in the order in which they did.
struct EndedJobs: ExportedJobs {
    /// The client that asks for them.
    let client: ControlClient
    /// The filter for jobs.
    let filter: ExportFilter
    /// The endings that are asked for.
    let endings: [JobEnding]

    var begin: Int64 { filter.endedAfter ?? 0 }
    var isOfAll: Bool { filter.isOfAll }

    /// The number of jobs that are asked for at once.
    private static let pageSize = 1000

    /// Hands out pages of what ended behind a number, until `body` answers false or there are no more.
    ///
    /// What ends meanwhile isn't among it: a job that is retried while the pages are read comes once.
    ///
    /// - Parameter isAhead: Whether the daemon works on the next page while `body` has one.
    /// - Returns: The number up to which something was forgotten that may have been among it; nil if nothing was.
    /// - Throws: ``ClientError``, and whatever `body` throws.
    @discardableResult
    func forEachPage(
        after: Int64,
        isAhead: Bool = false,
        _ body: (ExportedPage, ArraySlice<ExportedPage.Item>) throws -> Bool
    ) throws -> Int64? {
        let ahead = try RequestAhead(socketPath: client.socketPath)
        var response = try client.exchange(request(after: after))
        var newest: Int64?
        var last = after
        var forgotten: Int64?
        while true {
            // Reading a page takes as long as writing it: what comes next is known without.
            let guess = isAhead ? ExportedPage.next(in: response.body).flatMap { Int64($0) } : nil
            if let guess { ahead.begin(request(after: guess)) }
            let page = try client.endings(response)
            let end = try newest ?? page.newest ?? client.newestEnding()
            newest = end
            guard end >= after else { throw Self.anotherStore(end, after) }
            if let oldest = page.oldest, oldest > last { forgotten = oldest }
            let items = page.items.prefix { ($0.job.ended ?? .max) <= end }
            // A daemon that goes back would be asked for ever.
            let next = items.last?.job.ended.flatMap { $0 > last ? $0 : nil }
            guard page.hasMore, items.count == page.items.count, let next else {
                _ = try body(page, items)
                return forgotten
            }
            guard try body(page, items) else { return forgotten }
            let answer = guess == next ? ahead.finish() : nil
            response = try answer ?? client.exchange(request(after: next))
            last = next
        }
    }

    /// Refuses a filter that lets nothing through since its batch or source doesn't exist.
    ///
    /// A source that was removed still has its jobs, so that this is asked only where there are none.
    ///
    /// - Throws: the daemon's refusal.
    func refuseStrangers() throws {
        try client.refuseStrangers(batch: filter.batch?.id, source: filter.source)
    }

    private func request(after number: Int64) -> HTTPRequest {
        .endings(endings, after: number, query: filter.query, limit: Self.pageSize)
    }

    private static func anotherStore(_ newest: Int64, _ after: Int64) -> ClientError {
        .unsuccessful(
            """
            The daemon has numbered what ended up to \(newest), and \(after) is higher: it has other jobs than \
            those that the number is of. Start again, without it.
            """
        )
    }
}

extension HTTPRequest {
    /// A request for a page of what jobs have come to, by ascending number.
    fileprivate static func endings(
        _ endings: [JobEnding],
        after: Int64,
        query: [(name: String, value: String?)],
        limit: Int
    ) -> HTTPRequest {
        HTTPRequest(
            "GET",
            "/v1/jobs",
            query: [
                ("ended_after", String(after)), ("ending", endings.map(\.rawValue).joined(separator: ",")),
                ("limit", String(limit)),
            ] + query
        )
    }
}

extension ControlClient {
    /// A page of what jobs have come to, by ascending number.
    ///
    /// - Throws: ``ClientError``
    func endings(
        _ endings: [JobEnding],
        after: Int64,
        query: [(name: String, value: String?)] = [],
        limit: Int
    ) throws -> ExportedPage {
        try self.endings(exchange(.endings(endings, after: after, query: query, limit: limit)))
    }

    /// Reads the answer to a request for a page.
    fileprivate func endings(_ response: HTTPResponse) throws -> ExportedPage {
        guard response.isSuccess else { throw Self.refusal(response, socketPath: socketPath) }
        do throws(NoJob) {
            return try ExportedPage(response.body)
        } catch {
            throw Self.senseless(socketPath: socketPath)
        }
    }

    /// The number of what ended last, of whatever kind; 0 if nothing has.
    ///
    /// - Throws: ``ClientError``
    func newestEnding() throws -> Int64 {
        let page = try endings(JobEnding.allCases, after: 0, query: [("order", "newest")], limit: 1)
        return page.newest ?? page.items.first?.job.ended ?? 0
    }
}

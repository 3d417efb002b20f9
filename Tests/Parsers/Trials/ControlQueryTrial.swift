import ControlAPI
import HTTPTypes
import Hummingbird
import JobCore
import NIOCore

@testable import ControlServer

/// The query of a request on the control socket, with its numbers, words and moments.
enum ControlQueryTrial {
    private static let known: Set<String> = ["after", "batch", "limit", "q", "since", "state", "wait"]

    static func read(_ bytes: [UInt8]) throws(BrokenPromise) -> String? {
        let request = Request(
            head: HTTPRequest(
                method: .get,
                scheme: nil,
                authority: nil,
                path: "/v1/jobs?" + String(decoding: bytes, as: UTF8.self)
            ),
            body: RequestBody(buffer: ByteBuffer())
        )
        guard let query = try? Query(request, known: known) else { return nil }
        if let limit = try? query.limit() {
            try promise((1...1000).contains(limit), "a page has \(limit) items")
        }
        if let after = try? query.integer("after", in: 0...Int64.max) {
            try promise(after >= 0, "a page begins after \(after)")
        }
        if let time = try? query.time("since") {
            try promise(
                Timestamp(rfc3339: time.rfc3339) != nil,
                "\(time.microseconds) µs is no moment when it is read again"
            )
        }
        _ = try? query.boolean("wait")
        guard let filter = try? query.filter() else { return nil }
        return filter.text
    }
}

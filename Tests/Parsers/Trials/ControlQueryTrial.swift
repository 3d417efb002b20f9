import ControlAPI
import HTTPServer
import HTTPTypes
import JobModel

@testable import ControlServer

/// The query of a request on the control socket, with its numbers, words and moments.
enum ControlQueryTrial {
    static func read(_ bytes: [UInt8]) throws(BrokenPromise) -> String? {
        let request = Request(
            HTTPRequest(
                method: .get,
                scheme: nil,
                authority: nil,
                path: "/v1/jobs?" + String(decoding: bytes, as: UTF8.self)
            )
        )
        var text: String?
        for endpoint in Endpoint.all where !endpoint.parameters.isEmpty {
            let route = Route(endpoint: endpoint, match: .init(id: 1, name: "one"))
            guard let call = try? Call(request, route, body: [], client: nil) else { continue }
            try promise((1...1000).contains(call.limit), "a page has \(call.limit) items")
            try promise(call[Parameters.after] ?? 0 >= 0, "a page begins before the first")
            if let time = call[Parameters.since] {
                try promise(
                    Timestamp(rfc3339: time.rfc3339) != nil,
                    "\(time.microseconds) µs is no moment when it is read again"
                )
            }
            text = call.filter.text ?? text
        }
        return text
    }
}

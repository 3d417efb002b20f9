import JobModel

/// The meaning of status codes that end or delay a download.
enum HTTPStatus {
    /// Returns whether another attempt may get another answer.
    ///
    /// 408, 425 and 429 say so themselves. An unknown 5xx counts as 500 (RFC 9110 §15), so only those
    /// are final that say the server never will. 511 comes from a captive portal (RFC 6585 §6), which
    /// people log in to.
    static func isTransient(_ status: Int) -> Bool {
        switch status {
        case 408, 425, 429: true
        case 501, 505, 506, 508, 510: false
        default: (500...599).contains(status)
        }
    }

    /// Returns a failure such as `the server answered 404 Not Found`, without the phrase if the code has
    /// none.
    static func failure(_ status: Int) -> JobFailure {
        JobFailure(.http(status), "the server answered \(status)" + (phrases[status].map { " \($0)" } ?? ""))
    }

    /// Returns the failure for a task that only a browser can do.
    static func challenge(_ status: Int) -> JobFailure {
        JobFailure(.challenge, failure(status).message + ", and asks for a browser")
    }

    /// The phrases in the IANA HTTP status code registry, for codes that end or delay a download.
    private static let phrases: [Int: String] = [
        201: "Created", 202: "Accepted", 204: "No Content", 205: "Reset Content", 206: "Partial Content",
        207: "Multi-Status", 208: "Already Reported", 226: "IM Used", 300: "Multiple Choices",
        301: "Moved Permanently", 302: "Found", 303: "See Other", 304: "Not Modified", 305: "Use Proxy",
        307: "Temporary Redirect", 308: "Permanent Redirect", 400: "Bad Request", 401: "Unauthorized",
        402: "Payment Required", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed",
        406: "Not Acceptable", 407: "Proxy Authentication Required", 408: "Request Timeout", 409: "Conflict",
        410: "Gone", 411: "Length Required", 412: "Precondition Failed", 413: "Content Too Large",
        414: "URI Too Long", 415: "Unsupported Media Type", 416: "Range Not Satisfiable",
        417: "Expectation Failed", 421: "Misdirected Request", 422: "Unprocessable Content", 423: "Locked",
        424: "Failed Dependency", 425: "Too Early", 426: "Upgrade Required", 428: "Precondition Required",
        429: "Too Many Requests", 431: "Request Header Fields Too Large",
        451: "Unavailable For Legal Reasons", 500: "Internal Server Error", 501: "Not Implemented",
        502: "Bad Gateway", 503: "Service Unavailable", 504: "Gateway Timeout",
        505: "HTTP Version Not Supported", 506: "Variant Also Negotiates", 507: "Insufficient Storage",
        508: "Loop Detected", 510: "Not Extended", 511: "Network Authentication Required",
    ]
}

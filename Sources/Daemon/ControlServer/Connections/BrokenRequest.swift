import ControlAPI
import HTTPServer
import NIOHTTP1

/// What is said to a client whose request can't be read as one.
enum BrokenRequest {
    /// The problem that an error of a connection's parser stands for; nil for any other.
    ///
    /// - Parameters:
    ///   - error: The error that reading the request has thrown.
    ///   - maximumHeaderSize: The limit in bytes, to be named.
    static func problem(_ error: any Error, maximumHeaderSize: Int) -> ProblemJSON? {
        switch error {
        case HTTPParserError.headerOverflow:
            ProblemJSON(
                .headerTooLarge,
                "the head of the request is too large: it may have \(maximumHeaderSize) bytes in all, in at most "
                    + "\(HTTPLimits.headerFields) fields, and \(HTTPConnection.mostHeadBytes) with its blanks"
            )
        case HTTPParserError.invalidEOFState, HTTPParserError.closedConnection:
            ProblemJSON(.malformedRequest, "the request is incomplete; send all of it")
        case is HTTPParserError:
            ProblemJSON(.malformedRequest, "this is not an HTTP/1.1 request; send one such as GET /v1/status")
        case is HostHandler.NoSingleHost:
            ProblemJSON(.malformedRequest, "a request needs exactly one Host; send Host: localhost")
        default: nil
        }
    }
}

/// Limits that don't need a setting.
enum HTTPLimits {
    /// The most header fields that a request may have.
    static let headerFields = 100
}

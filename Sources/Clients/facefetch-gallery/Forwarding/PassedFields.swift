import HTTPTypes

/// The header fields that go through a gallery; the rest stays outside.
enum PassedFields {
    /// Fields of a request that the daemon hears.
    ///
    /// It answers nobody who has an Origin, and has no use for cookies.
    private static let asked: [HTTPField.Name] = [
        .contentType, .contentLength, .ifNoneMatch, .lastEventID, .idempotencyKey,
    ]
    /// Fields of an answer that the page hears; no Location, since paths are others here.
    private static let answered: [HTTPField.Name] = [
        .contentType, .contentLength, .contentDisposition, .eTag, .retryAfter, .acceptRanges,
    ]

    /// A new head for the daemon, which has what is asked for at `target`.
    static func request(_ head: HTTPRequest, target: String) -> HTTPRequest {
        var fields = HTTPFields()
        for name in asked { fields[name] = head.headerFields[name] }
        // Each has a connection of its own.
        fields[.connection] = "close"
        return HTTPRequest(
            method: head.method,
            scheme: "http",
            authority: "localhost",
            path: target,
            headerFields: fields
        )
    }

    /// A new head for the page.
    static func response(_ head: HTTPResponse, for route: ForwardedRoute) -> HTTPResponse {
        var fields = PageHeaders.fields
        for name in answered { fields[name] = head.headerFields[name] }
        let isWhole = head.status == .ok || head.status == .notModified
        switch route.kind {
        case .data, .events: break
        case .picture:
            // Kept, and asked for each time whether it still holds: under this number and this port, another
            // store has another picture (RFC 9111 §5.2.2.4).
            if isWhole { fields[.cacheControl] = "no-cache" }
        case .document:
            // Whatever it is, it is no part of this page.
            if isWhole { fields[.contentSecurityPolicy] = "default-src 'none'; sandbox" }
        }
        if let tag = fields[.eTag], route.kind == .data, isWhole, !tag.isEmpty {
            // The index of documents: kept, and asked for each time whether it still holds.
            fields[.cacheControl] = "no-cache"
        }
        return HTTPResponse(status: head.status, headerFields: fields)
    }
}

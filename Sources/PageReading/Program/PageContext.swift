import ListerProtocol

extension ListerRequest {
    /// The values that a page's expressions may use.
    var context: Value {
        .object([
            ("page", .number(page)), ("offset", .number(offset)), ("url", .text(url)),
            ("links", .object(links)),
            ("headers", .object(headers)), ("vars", .object(variables)),
        ])
    }
}

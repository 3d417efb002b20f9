import ListerProtocol

extension ListerRequest {
    /// What the expressions of a page may see.
    var context: Value {
        .object([
            ("page", .number(page)), ("offset", .number(offset)), ("url", .text(url)),
            ("links", .object(links)),
            ("headers", .object(headers)), ("vars", .object(variables)),
        ])
    }
}

import ListerProtocol

extension ListerRequest {
    /// The values that a page's expressions may use.
    var context: Value { context(next: .null) }

    /// The same for a body, with what `next` gave.
    func context(next: Value) -> Value {
        .object([
            ("page", .number(page)), ("offset", .number(offset)), ("url", .text(url)),
            ("links", .object(links)),
            ("headers", .object(headers)), ("vars", .object(variables)),
            ("next", next),
        ])
    }
}

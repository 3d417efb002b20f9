extension SourceFailure {
    /// A sentence for lists of sources: what happened, and what to do about it.
    public var sentence: String { hasAdvice ? message : "\(message); \(advice)" }

    /// True if the message says what to do, behind a semicolon; semicolons in quoted text are a page's.
    private var hasAdvice: Bool {
        let parts = message.split(separator: "\"", omittingEmptySubsequences: false)
        return parts.enumerated().contains { $0.offset.isMultiple(of: 2) && $0.element.contains("; ") }
    }

    /// The advice for a failure whose message has none.
    private var advice: String {
        switch (code, status ?? 0) {
        case (_, 410): "remove the source (facefetch source remove), or change its url"
        case (.rateLimited, _), (_, 408), (_, 425), (_, 429):
            "it is asked again then; if this happens often, give the source a pace"
        case (_, 500...599), (.connection, _):
            "it is asked again then; if this goes on, check the source's url"
        case (.unexpectedType, _), (.unexpectedStatus, _): "check the source's url and kind"
        case (.unexpectedShape, _): "compare the recipe with the page (facefetch source try)"
        case (.unauthorized, _): "check the source's key"
        case (.noSecret, _): "check the recipe's secrets"
        case (.tooLarge, _): "ask for smaller pages, or raise limits.page_bytes"
        case (.noProgress, _): "check the recipe's next"
        case (.readerCrashed, _): "the page is read again then; if this goes on, please report it"
        case (.readerTimedOut, _), (.tooMuchMemory, _):
            "ask for smaller pages, or make the recipe's expressions simpler"
        }
    }
}

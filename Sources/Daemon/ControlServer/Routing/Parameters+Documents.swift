import ControlAPI
import JobModel

/// The parameters of the index of documents.
extension Parameters {
    /// The text to search for, under the name of the client's flag.
    static let match = Parameter<String>("match", text.schema, "The same as q.") {
        (text) throws(ProblemJSON) in try Parameters.text.read(text)
    }

    /// The order of documents.
    static let documentOrder = Parameter<DocumentIndex.Order>(
        "order",
        .words(DocumentIndex.Order.allCases.map(\.rawValue)).defaulting(to: "\"newest\""),
        "The order of the documents."
    ) { (text) throws(ProblemJSON) in
        guard let order = DocumentIndex.Order(rawValue: text) else {
            let orders = DocumentIndex.Order.allCases.map(\.rawValue).joined(separator: ", ")
            throw ProblemJSON(.invalidParameter, "there is no order \(text.quoted); there are \(orders)")
        }
        return order
    }

    /// The number of documents of the index that are wanted, so that a page has something to show before it
    /// has all.
    static let firstDocuments = Parameter<Int64>.integer(
        "limit",
        from: pageSizes.lowerBound,
        to: pageSizes.upperBound,
        "Only the first so many documents."
    )

    /// True if each document of the index comes with its time.
    static let times = flag(
        "times",
        "Whether 4 bytes follow for each document: when it came, in seconds since 1970 (32 bits, 0 unknown)."
    )

    /// Tags of answers that the client has already.
    static let ifNoneMatch = Parameter<EntityTags>(
        "If-None-Match",
        in: .header,
        .string(pattern: #"^(\*|(W/)?"[!#-~]*"( *, *(W/)?"[!#-~]*")*)$"#),
        "The ETag of an answer that the client has: if that is still right, 304 says so."
    ) { (field) throws(ProblemJSON) in
        guard let tags = EntityTags(field) else {
            throw ProblemJSON(
                .invalidParameter,
                "If-None-Match must be entity tags in quotes, not \(field.quoted)"
            )
        }
        return tags
    }
}

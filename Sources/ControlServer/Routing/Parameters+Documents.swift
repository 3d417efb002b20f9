import ControlAPI
import JobCore

/// The parameters of the index of documents.
extension Parameters {
    /// The text to look for by another name, which the client's flag has.
    static let match = Parameter<String>("match", text.schema, "The same as q.") {
        (text) throws(ProblemJSON) in try Parameters.text.read(text)
    }

    /// So many faces at least.
    static let facesAtLeast = Parameter<Int64>.integer(
        "faces_min",
        from: 0,
        to: 100_000,
        "Only with so many faces at least."
    )

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

    /// What the client has already.
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

import ControlAPI

/// What a request may say in its body, which is JSON.
struct BodyShape: Sendable {
    /// What the document says of it.
    let schema: JSONSchema
    /// False where a request without a body makes sense.
    let isRequired: Bool
    /// True for bodies that may have as many bytes as the settings allow; the others are one small object.
    var isLarge = false

    /// The most bytes that a small body may have: a URL of which each byte is written as an escape, and then some.
    static let smallSize = 64 << 10
    /// The most bytes that are read where no body is wanted.
    static let unusedSize = 64 << 10
}

/// What an endpoint answers when all goes well.
struct AnswerShape: Sendable {
    /// The status code.
    var status = 200
    /// The media type.
    var type = "application/json"
    /// What the document says of it.
    let schema: JSONSchema
    /// Objects that its text may have in it, besides those that the schema refers to.
    var objects: [any APIObject.Type] = []
}

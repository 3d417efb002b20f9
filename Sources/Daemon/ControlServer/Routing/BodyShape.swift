import ControlAPI

/// A description of a request's body, which is JSON, or a recipe in YAML.
struct BodyShape: Sendable {
    /// The schema in the OpenAPI document.
    let schema: JSONSchema
    /// True if the body is required.
    let isRequired: Bool
    /// True if the body may have as many bytes as the settings allow, unlike others, which consist of one
    /// small object.
    var isLarge = false
    /// The media types that it may have.
    var types = ["application/json"]

    /// The largest small body in bytes: enough for a URL with every byte written as an escape.
    static let smallSize = 64 << 10
    /// The most bytes read of a body that isn't wanted.
    static let unusedSize = 64 << 10
}

/// A description of an endpoint's answer when all goes well.
struct AnswerShape: Sendable {
    /// The status code.
    var status = 200
    /// The media type.
    var type = "application/json"
    /// The schema in the OpenAPI document.
    let schema: JSONSchema
    /// True if a client that has the answer already is told so instead (RFC 9110 §15.4.5).
    var canBeUnchanged = false
    /// The schema of the answer where nothing had to be made (200); nil if there always is something.
    var unmade: JSONSchema?
    /// Objects that the answer may contain in addition to those that its schema refers to.
    var objects: [any APIObject.Type] = []
}

import ControlAPI

/// A body that consists of one small object with one key, and a function that reads it.
struct SmallBody<Said: Sendable>: Sendable {
    /// Its description in the OpenAPI document; nil if no body is read.
    let shape: BodyShape?
    private let understand: @Sendable ([UInt8], UInt32?) throws(ProblemJSON) -> Said

    private init(
        _ shape: BodyShape?,
        _ understand: @escaping @Sendable ([UInt8], UInt32?) throws(ProblemJSON) -> Said
    ) {
        self.shape = shape
        self.understand = understand
    }

    /// Creates a body with a function that reads it.
    init(
        _ type: (some APIObject).Type,
        isRequired: Bool = false,
        _ read: @escaping @Sendable ([UInt8]) throws(ProblemJSON) -> Said
    ) {
        self.init(BodyShape(schema: type.schema, isRequired: isRequired)) { (body, _) throws(ProblemJSON) in
            try read(body)
        }
    }

    /// Returns a substitute for endpoints that read no body, with a fixed value.
    static func none(_ said: Said) -> SmallBody { SmallBody(nil) { (_, _) in said } }

    /// Reads a body sent by a user, if known.
    func read(_ body: [UInt8], by user: UInt32? = nil) throws(ProblemJSON) -> Said {
        try understand(body, user)
    }

    /// Returns the same body with its value transformed, given the user who sends it.
    func map<Other: Sendable>(
        _ change: @escaping @Sendable (Said, UInt32?) -> Other
    ) -> SmallBody<Other> {
        let understand = understand
        return SmallBody<Other>(shape) { (body, user) throws(ProblemJSON) in
            change(try understand(body, user), user)
        }
    }
}

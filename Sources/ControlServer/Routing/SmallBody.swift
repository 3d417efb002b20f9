import ControlAPI

/// What a request says in a body that is one small object with one key, and how that is read.
struct SmallBody<Said: Sendable>: Sendable {
    /// What the document says of it; nil where no body is read.
    let shape: BodyShape?
    private let understand: @Sendable ([UInt8], UInt32?) throws(ProblemJSON) -> Said

    private init(
        _ shape: BodyShape?,
        _ understand: @escaping @Sendable ([UInt8], UInt32?) throws(ProblemJSON) -> Said
    ) {
        self.shape = shape
        self.understand = understand
    }

    /// A body that is read.
    init(
        _ type: (some APIObject).Type,
        isRequired: Bool = false,
        _ read: @escaping @Sendable ([UInt8]) throws(ProblemJSON) -> Said
    ) {
        self.init(BodyShape(schema: type.schema, isRequired: isRequired)) { (body, _) throws(ProblemJSON) in
            try read(body)
        }
    }

    /// No body, where nothing is left open.
    static func none(_ said: Said) -> SmallBody { SmallBody(nil) { (_, _) in said } }

    /// What a body says, from the user who sends it, where that is known.
    func read(_ body: [UInt8], by user: UInt32? = nil) throws(ProblemJSON) -> Said {
        try understand(body, user)
    }

    /// The same body, with something made of it and of the user who sends it.
    func map<Other: Sendable>(
        _ change: @escaping @Sendable (Said, UInt32?) -> Other
    ) -> SmallBody<Other> {
        let understand = understand
        return SmallBody<Other>(shape) { (body, user) throws(ProblemJSON) in
            change(try understand(body, user), user)
        }
    }
}

/// A statement of which jobs a client looks at.
public struct AttentionRequest: APIObject {
    /// The ids of the jobs in view.
    public var visible: [Int64]?
    /// The ids of the jobs near the view.
    public var near: [Int64]?

    /// The members' names.
    public enum CodingKeys: String, CodingKey {
        case visible, near
    }

    public init(visible: [Int64]? = nil, near: [Int64]? = nil) {
        self.visible = visible
        self.near = near
    }

    /// The most ids in a request.
    public static let idCount = 500

    public static let shape = Shape<AttentionRequest>(
        "AttentionRequest",
        CodingKeys.self,
        about: "What a client looks at now, in place of what it looked at before: \(idCount) ids at most in "
            + "both lists. Without any it looks at nothing."
    ) {
        $0.member(ifKnown: .visible, \.visible, .array(of: .id, from: 0, to: idCount)) { "The jobs in view." }
        $0.member(ifKnown: .near, \.near, .array(of: .id, from: 0, to: idCount)) {
            "The jobs near the view, which may soon be in it."
        }
    }
}

/// The answer to a client that says what it looks at.
public struct AttentionJSON: APIObject {
    /// The time for which this holds unless the client says it again, in seconds.
    public var lease: Double

    public init(lease: Double) { self.lease = lease }

    public static let shape = Shape<AttentionJSON>("Attention", CodingKeys.self) {
        $0.member(.lease, \.lease, .number(from: 0)) {
            "The seconds after which this lapses, unless the client says it again."
        }
    }
}

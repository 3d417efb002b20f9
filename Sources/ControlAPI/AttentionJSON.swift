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

    /// The members, each of which may be left out.
    public static let shape = Shape<AttentionRequest>(
        "AttentionRequest",
        about: "What a client looks at now, in place of what it looked at before: \(idCount) ids at most in "
            + "both lists. Without any it looks at nothing.",
        [
            Member(
                ifKnown: CodingKeys.visible,
                \.visible,
                .array(of: .id, from: 0, to: idCount),
                about: "The jobs in view."
            ),
            Member(
                ifKnown: CodingKeys.near,
                \.near,
                .array(of: .id, from: 0, to: idCount),
                about: "The jobs near the view, which may soon be in it."
            ),
        ]
    )
}

/// The answer to a client that says what it looks at.
public struct AttentionJSON: APIObject {
    /// The time for which this holds unless the client says it again, in seconds.
    public var lease: Double

    public init(lease: Double) { self.lease = lease }

    /// The single member.
    public static let shape = Shape<AttentionJSON>(
        "Attention",
        [
            Member(
                CodingKeys.lease,
                \.lease,
                .number(from: 0),
                about: "The seconds after which this lapses, unless the client says it again."
            )
        ]
    )
}

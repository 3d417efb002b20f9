/// The members of a greeting that a kind of child has for itself.
public protocol ChildOffer: Codable, Hashable, Sendable {
    /// The version of the protocol that this code speaks with such a child.
    static var protocolVersion: Int { get }
}

/// The first message of a child, sent once, when it is ready for requests: the version of its protocol, and what
/// its kind says of itself.
///
/// A process that dies before its greeting has died of something other than a request.
@dynamicMemberLookup
public struct ChildGreeting<Offer: ChildOffer>: Codable, Hashable, Sendable {
    /// The version of the protocol; see ``current``.
    public var version: Int
    /// The part that its kind has for itself, whose members are those of the greeting, too.
    public var offer: Offer
    /// A sentence about parts of the sandbox that this kernel doesn't support; nil if it is complete.
    public var warning: String?

    /// The version that this code speaks.
    public static var current: Int { Offer.protocolVersion }

    private enum CodingKeys: String, CodingKey { case version, warning }

    /// Creates a greeting of the current version.
    public init(_ offer: Offer, warning: String? = nil) {
        version = Self.current
        self.offer = offer
        self.warning = warning
    }

    /// Reads a greeting, in which the offer's members stand beside the others.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        version = try container.decode(Int.self, forKey: .version)
        warning = try container.decodeIfPresent(String.self, forKey: .warning)
        offer = try Offer(from: decoder)
    }

    /// Writes the greeting, with the offer's members beside the others.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(version, forKey: .version)
        try container.encodeIfPresent(warning, forKey: .warning)
        try offer.encode(to: encoder)
    }

    /// A member of the offer.
    public subscript<Value>(dynamicMember member: WritableKeyPath<Offer, Value>) -> Value {
        get { offer[keyPath: member] }
        set { offer[keyPath: member] = newValue }
    }
}

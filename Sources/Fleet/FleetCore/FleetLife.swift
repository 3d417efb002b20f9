/// A life of the fleet: from one beginning of its database to the next, such as the tables' making, a failover and a
/// restore.
///
/// In one life numbers of slices and of transactions never come twice. Behind a failover or a restore they may come
/// again, for something else: so whatever leaves the database with such a number has the life's id beside it.
public struct FleetLife: Hashable, Sendable {
    /// The id, made of random digits.
    public var id: String
    /// The transaction from which on records are of this life, and below which they are of those before; nil where
    /// records of those before have numbers of another database.
    public var firstTransaction: UInt64?

    public init(id: String, firstTransaction: UInt64?) {
        self.id = id
        self.firstTransaction = firstTransaction
    }

    /// Returns whether a text can be an id.
    static func isID(_ text: some StringProtocol) -> Bool {
        (1...40).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || UInt8(ascii: "a")...UInt8(ascii: "f") ~= $0
            }
    }
}

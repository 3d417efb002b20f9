import Vocabulary

/// The result of making a picture's copies.
public struct CopyResponse: Codable, Hashable, Sendable {
    /// The outcome.
    public enum Outcome: String, Codable, Sendable {
        /// All copies of the picture are in the folder.
        case made
        /// The picture can't be copied, and why is in the message.
        case failed
        /// Nothing can be written into the folder, whatever the picture.
        case stopped
    }

    /// The request's id.
    public var id: Int64
    /// The outcome.
    public var outcome: Outcome
    /// The number of copies that were made.
    public var made: Int
    /// The number of copies that were there already and have been kept.
    public var kept: Int
    /// The name of the first copy; nil if there is none.
    public var file: String?
    /// Crops that an earlier run has left, of faces beyond those that are known; nil for none.
    public var surplus: [String]?
    /// The number of faces that copies are of, or that are hidden in it; nil if nobody has looked, since
    /// the copy was there.
    public var faceCount: Int?
    /// The hidden faces that counting would not count, the surest first.
    public var doubtful: [Face]
    /// The reason for the outcome.
    public var message: String?

    public init(
        id: Int64,
        outcome: Outcome,
        made: Int = 0,
        kept: Int = 0,
        file: String? = nil,
        surplus: [String]? = nil,
        faceCount: Int? = nil,
        doubtful: [Face] = [],
        message: String? = nil
    ) {
        self.id = id
        self.outcome = outcome
        self.made = made
        self.kept = kept
        self.file = file
        self.surplus = surplus
        self.faceCount = faceCount
        self.doubtful = doubtful
        self.message = message
    }
}

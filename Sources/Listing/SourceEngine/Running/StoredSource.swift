import FoundationEssentials
import JobModel
import SourceCore

/// The stored data of a source besides its recipe.
struct StoredSource: Codable, Sendable {
    /// Its state.
    var state = SourceState()
    /// The time at which it was added, in microseconds since 1970.
    var createdAt: Int64
    /// The time at which a page was last read, in microseconds since 1970.
    var lastReadAt: Int64?
    /// The file that it comes from; nil where it was added by hand.
    var file: String?
    /// True if keys are still to be forgotten before anything is read.
    var isForgetting = false
    /// The reader's answer about its recipe.
    var recipe: RecipeAnswer
    /// The number of times in a row that the daemon has ended while it read the page at the cursor; nil for
    /// never.
    var attempts: Int?

    /// The last moment with a year of four digits, in microseconds since 1970.
    private static let lastMoment: Int64 = 253_402_300_799_999_999

    /// Creates the data from their stored form; nil for what no facefetch of this version wrote.
    init?(text: String) {
        guard let stored = try? JSONDecoder().decode(StoredSource.self, from: Data(text.utf8)) else {
            return nil
        }
        self = stored
        // Damage can have put any number anywhere.
        state = stored.state.limited
        createdAt = Self.limited(createdAt)
        lastReadAt = lastReadAt.map(Self.limited)
        attempts = attempts.map { min(max(0, $0), 100) }
    }

    /// A moment that can be written as a date.
    static func limited(_ microseconds: Int64) -> Int64 { min(max(0, microseconds), lastMoment) }

    init(createdAt: Int64, file: String?, recipe: RecipeAnswer) {
        self.createdAt = createdAt
        self.file = file
        self.recipe = recipe
    }

    /// The stored form of the data.
    var text: String { Self.text(of: self) }

    /// A value as JSON, in one spelling.
    static func text(of value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }

    /// A value from JSON; nil for what isn't one.
    static func value<Value: Decodable>(_ kind: Value.Type, _ text: String) -> Value? {
        try? JSONDecoder().decode(kind, from: Data(text.utf8))
    }
}

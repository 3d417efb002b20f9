import ControlAPI

/// The answer to a batch that was posted.
struct PostedBatch: Decodable {
    /// The batch; nil if nothing of it was new.
    var batch: BatchJSON?
    /// The number of items that were left out as known; nil if that wasn't asked for.
    var known: Int?

    init(batch: BatchJSON?, known: Int?) { (self.batch, self.known) = (batch, known) }

    init(from decoder: any Decoder) throws {
        let keys = try decoder.container(keyedBy: Key.self)
        known = try keys.decodeIfPresent(Int.self, forKey: .known)
        batch = keys.contains(.id) ? try BatchJSON(from: decoder) : nil
    }

    private enum Key: CodingKey {
        case id, known
    }

    /// The answer as a line of JSON.
    var line: String { batch.map(JSONLine.text) ?? JSONLine.text(EmptyBatchJSON(known: known ?? 0)) }

    /// A sentence with how many files were new, and how many known; nil if nobody asked for that.
    var news: String? {
        known.map { "\(Quantities.grouped(batch?.jobCount ?? 0)) new, \(Quantities.grouped($0)) known." }
    }
}

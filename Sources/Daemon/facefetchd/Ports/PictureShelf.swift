import JobModel

/// The pictures that were asked for last, by what is in their documents: equal bytes look the same.
struct PictureShelf {
    /// The identity of a picture.
    struct Key: Hashable {
        /// The document's SHA-256.
        var sha256: String
        /// The size that it was made in.
        var size: PictureSize
    }

    private struct Entry {
        var jpeg: [UInt8]
        /// Grows with each use.
        var used: Int
    }

    private let limit: Int
    private var entries: [Key: Entry] = [:]
    private var uses = 0
    /// Bytes of all pictures.
    private(set) var length = 0

    /// An empty shelf with room for so many bytes.
    init(limit: Int) { self.limit = limit }

    /// Returns a picture; nil if it isn't here, or no longer.
    mutating func picture(_ key: Key) -> [UInt8]? {
        uses += 1
        entries[key]?.used = uses
        return entries[key]?.jpeg
    }

    /// Keeps a picture; those that nobody has asked for longest make room for it.
    ///
    /// One that would take a quarter of the room alone isn't kept.
    mutating func keep(_ jpeg: [UInt8], as key: Key) {
        guard jpeg.count <= limit / 4 else { return }
        length += jpeg.count - (entries[key]?.jpeg.count ?? 0)
        uses += 1
        entries[key] = Entry(jpeg: jpeg, used: uses)
        guard length > limit else { return }
        // Some at once, so that a full shelf isn't sorted for each picture that comes.
        for (key, entry) in entries.sorted(by: { $0.value.used < $1.value.used }) {
            guard length > limit * 7 / 8 else { return }
            length -= entry.jpeg.count
            entries[key] = nil
        }
    }
}

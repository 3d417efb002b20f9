/// All documents in a few bytes each, for who wants to show very many of them.
///
/// A document takes ``entryLength`` bytes, little-endian: its job's id (32 bits), its picture's width
/// divided by its height, times a thousand (16 bits, 0 where nobody knows it), how many faces were found
/// (8 bits, 255 for that many and more), and flags (8 bits).
public struct DocumentIndex: Hashable, Sendable {
    /// The order of the documents in an index.
    public enum Order: String, CaseIterable, Sendable {
        /// What came last is first.
        case newest
        /// What came first is first.
        case oldest
        /// By name; the case of ASCII letters makes no difference.
        case name
        /// Those with the most faces first.
        case faces
    }

    /// One document.
    public struct Entry: Hashable, Sendable {
        /// Its job.
        public var job: Int64
        /// What came of looking for faces; nil where nobody has looked.
        public var outcome: DetectionOutcome?
        /// Width of the upright picture in pixels; 0 where nobody knows it.
        public var width: Int64
        /// Height of the upright picture in pixels; 0 where nobody knows it.
        public var height: Int64
        /// How many faces were found.
        public var faces: Int64
        /// Whether something is known of it from where it came from.
        public var hasMeta: Bool

        /// A document.
        public init(
            job: Int64,
            outcome: DetectionOutcome?,
            width: Int64 = 0,
            height: Int64 = 0,
            faces: Int64 = 0,
            hasMeta: Bool = false
        ) {
            self.job = job
            self.outcome = outcome
            self.width = width
            self.height = height
            self.faces = faces
            self.hasMeta = hasMeta
        }

        /// Width divided by height, times a thousand: 1 to 65535, or 0 where nobody knows it.
        var aspect: UInt16 {
            guard width > 0, height > 0 else { return 0 }
            let aspect = (Double(width) / Double(height) * 1000).rounded()
            return UInt16(min(max(aspect, 1), Double(UInt16.max)))
        }

        /// What came of looking, in bits 0 and 1 (1 counted, 2 not readable, 0 not looked at), and ``hasMeta``.
        var flags: UInt8 {
            let look: UInt8 =
                switch outcome {
                case .counted: 1
                case .unreadable, .crashed, .timedOut: 2
                case .skipped, nil: 0
                }
            return look | (hasMeta ? 4 : 0)
        }
    }

    /// Bytes of a document.
    public static let entryLength = 8

    /// The documents, in order.
    public private(set) var bytes: [UInt8] = []

    /// An index without documents, with room for so many.
    public init(capacity: Int = 0) { bytes.reserveCapacity(capacity * Self.entryLength) }

    /// Adds a document at the end; one whose id needs more than 32 bits has no place in an index.
    public mutating func append(_ entry: Entry) {
        guard let job = UInt32(exactly: entry.job) else { return }
        for shift in stride(from: UInt32(0), to: 32, by: 8) {
            bytes.append(UInt8(truncatingIfNeeded: job >> shift))
        }
        bytes.append(UInt8(truncatingIfNeeded: entry.aspect))
        bytes.append(UInt8(truncatingIfNeeded: entry.aspect >> 8))
        bytes.append(UInt8(clamping: entry.faces))
        bytes.append(entry.flags)
    }
}

import Vocabulary

/// A list of documents in a few bytes each, for clients that show very many of them.
///
/// A document takes ``entryLength`` bytes, little-endian: its job's id (32 bits), its picture's width
/// divided by its height, times a thousand (16 bits, 0 if unknown), the number of faces found (8 bits, 255
/// for that many or more), and flags (8 bits). An index with times has four bytes more in each entry: when the
/// document came, in seconds since 1970 (32 bits, 0 if unknown).
public struct DocumentIndex: Hashable, Sendable {
    /// The order of the documents in an index.
    public enum Order: String, CaseIterable, Sendable {
        /// The document stored last comes first.
        case newest
        /// The document stored first comes first.
        case oldest
        /// By name, ignoring the case of ASCII letters.
        case name
        /// Those with the most faces first, and of those the newest.
        case faces
    }

    /// One document.
    public struct Entry: Hashable, Sendable {
        /// The id of its job.
        public var job: Int64
        /// The outcome of detection; nil if the document hasn't been looked at.
        public var outcome: DetectionOutcome?
        /// The width of the upright picture in pixels; 0 if unknown.
        public var width: Int64
        /// The height of the upright picture in pixels; 0 if unknown.
        public var height: Int64
        /// The number of faces found.
        public var faces: Int64
        /// True if its job has a ``JobMeta``.
        public var hasMeta: Bool
        /// The time when the document came; nil if unknown.
        public var time: Timestamp?

        public init(
            job: Int64,
            outcome: DetectionOutcome?,
            width: Int64 = 0,
            height: Int64 = 0,
            faces: Int64 = 0,
            hasMeta: Bool = false,
            time: Timestamp? = nil
        ) {
            self.job = job
            self.outcome = outcome
            self.width = width
            self.height = height
            self.faces = faces
            self.hasMeta = hasMeta
            self.time = time
        }

        /// The width divided by the height, times a thousand: 1 to 65535, or 0 if unknown.
        var aspect: UInt16 {
            guard width > 0, height > 0 else { return 0 }
            let aspect = (Double(width) / Double(height) * 1000).rounded()
            return UInt16(min(max(aspect, 1), Double(UInt16.max)))
        }

        /// The outcome in bits 0 and 1 (1 counted, 2 not readable, 0 not looked at), and ``hasMeta`` in bit 2.
        var flags: UInt8 {
            let look: UInt8 =
                switch outcome {
                case .counted: 1
                case .unreadable, .crashed, .timedOut: 2
                case .skipped, nil: 0
                }
            return look | (hasMeta ? 4 : 0)
        }

        /// The time in whole seconds since 1970, or 0 if that is unknown or has no room.
        var seconds: UInt32 { time.flatMap { UInt32(exactly: $0.microseconds / 1_000_000) } ?? 0 }
    }

    /// The length of an entry without its time, in bytes.
    public static let entryLength = 8

    /// The entries in order.
    public private(set) var bytes: [UInt8] = []
    /// True if entries have the times of their documents.
    public let hasTimes: Bool

    /// Creates an empty index with room for a number of documents.
    public init(capacity: Int = 0, hasTimes: Bool = false) {
        self.hasTimes = hasTimes
        bytes.reserveCapacity(capacity * length)
    }

    /// The number of documents.
    public var count: Int { bytes.count / length }

    private var length: Int { hasTimes ? Self.entryLength + 4 : Self.entryLength }

    /// Adds a document at the end, unless its job's id needs more than 32 bits.
    public mutating func append(_ entry: Entry) {
        guard let job = UInt32(exactly: entry.job) else { return }
        append(job)
        bytes.append(UInt8(truncatingIfNeeded: entry.aspect))
        bytes.append(UInt8(truncatingIfNeeded: entry.aspect >> 8))
        bytes.append(UInt8(clamping: entry.faces))
        bytes.append(entry.flags)
        if hasTimes { append(entry.seconds) }
    }

    private mutating func append(_ number: UInt32) {
        for shift in stride(from: UInt32(0), to: 32, by: 8) {
            bytes.append(UInt8(truncatingIfNeeded: number >> shift))
        }
    }
}

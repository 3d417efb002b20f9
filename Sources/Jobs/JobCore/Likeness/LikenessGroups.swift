import Vocabulary

/// Groups of things that are alike, each with two members or more, the largest first.
public struct LikenessGroups: Hashable, Sendable {
    /// The members of all groups, one group after the other, by their places in what was compared.
    public let members: [UInt32]
    /// The places in ``members`` at which groups begin, and the number of all members.
    public let starts: [Int]

    /// The number of groups.
    public var count: Int { starts.count - 1 }

    /// Returns the members of a group in ascending order.
    public subscript(_ group: Int) -> ArraySlice<UInt32> { members[starts[group]..<starts[group + 1]] }

    init(members: [UInt32], starts: [Int]) {
        self.members = members
        self.starts = starts
    }

    /// Finds the groups of documents of which each is like another one of its group: it has the same content, or a
    /// fingerprint within `distance` of the other's.
    ///
    /// So the first and the last of a group can differ more than that.
    ///
    /// - Parameters:
    ///   - documents: The documents, at most `UInt32.max`.
    ///   - distance: The bits in which fingerprints may differ, 0 to 16.
    ///   - most: The most comparisons that are made.
    ///   - mayGoOn: Returns whether anybody still waits for the answer; it is asked again and again.
    /// - Throws: ``LikenessFailure`` if it takes too long, or nobody waits any more.
    public static func find(
        _ documents: consuming LikenessDocuments,
        distance: Int,
        most: Int = LikenessSearch.usualMost,
        mayGoOn: () -> Bool = { true }
    ) throws(LikenessFailure) -> LikenessGroups {
        var sets = DisjointSets(count: documents.count)
        unite(&sets, documents.takeContents())
        guard mayGoOn() else { throw .cancelled }
        var search = LikenessSearch(sets: sets, distance: distance, most: most)
        // What both have would be copied.
        sets = DisjointSets(count: 0)
        try search.compare(documents.takeFingerprints(), mayGoOn: mayGoOn)
        return search.sets.groups()
    }

    /// Makes those one set that have the same content.
    private static func unite(_ sets: inout DisjointSets, _ contents: [ContentSum]) {
        var order = (0..<UInt32(contents.count)).filter { contents[Int($0)] != .unknown }
        order.sort { contents[Int($0)] < contents[Int($1)] }
        for (one, other) in zip(order, order.dropFirst()) where contents[Int(one)] == contents[Int(other)] {
            sets.unite(one, other)
        }
    }
}

/// The reason why groups weren't found.
public enum LikenessFailure: Error, Hashable, Sendable {
    /// That would take too many comparisons.
    case tooMany
    /// Nobody waits for the answer any more.
    case cancelled
}

/// Half of a document's SHA-256, by which contents are told apart.
///
/// It takes half of the memory, and nobody has ever found two files that share so many bits.
public struct ContentSum: Hashable, Comparable, Sendable {
    private var high: UInt64
    private var low: UInt64

    /// The content of a document that hasn't been hashed, which equals no other.
    public static let unknown = ContentSum(high: 0, low: 0)

    private init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Creates a sum of the SHA-256 in hexadecimal; ``unknown`` for anything else.
    public init(sha256: UnsafeRawBufferPointer) {
        self = .unknown
        guard sha256.count == 64 else { return }
        for (index, byte) in sha256.suffix(32).enumerated() {
            guard let digit = byte.hexValue else {
                self = .unknown
                return
            }
            if index < 16 { high = high << 4 | UInt64(digit) } else { low = low << 4 | UInt64(digit) }
        }
    }

    /// Creates a sum of the SHA-256 in hexadecimal; ``unknown`` for anything else.
    public init(sha256: String) {
        var text = sha256
        self = text.withUTF8 { ContentSum(sha256: UnsafeRawBufferPointer($0)) }
    }

    /// Returns whether a sum comes before another.
    public static func < (one: ContentSum, other: ContentSum) -> Bool {
        one.high == other.high ? one.low < other.low : one.high < other.high
    }
}

/// Documents to be compared, 32 bytes for each.
public struct LikenessDocuments: Sendable {
    /// Their jobs, in ascending order.
    public private(set) var jobs: [Int64] = []
    private var fingerprints: [UInt64] = []
    private var contents: [ContentSum] = []

    /// Creates no documents.
    public init() {}

    /// The number of documents.
    public var count: Int { jobs.count }

    /// Adds a document, with its fingerprint if it has one.
    public mutating func append(job: Int64, fingerprint: Fingerprint?, content: ContentSum) {
        jobs.append(job)
        fingerprints.append(fingerprint?.bits ?? 0)
        contents.append(content)
    }

    /// Removes and returns the contents of all, so that their memory goes with them.
    mutating func takeContents() -> [ContentSum] {
        defer { contents = [] }
        return contents
    }

    /// Removes and returns the bits of the fingerprints of all; 0 for none.
    mutating func takeFingerprints() -> [UInt64] {
        defer { fingerprints = [] }
        return fingerprints
    }
}

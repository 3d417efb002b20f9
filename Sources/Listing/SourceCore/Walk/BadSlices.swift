/// The slices of a walk that could not be read.
public struct BadSlices: Hashable, Sendable, Codable {
    /// A slice that could not be read.
    public struct Named: Hashable, Sendable, Codable {
        /// The slice's key.
        public var key: String
        /// The URL of the page that could not be read, without secrets.
        public var url: String
        /// The reason.
        public var failure: SourceFailure

        public init(key: String, url: String, failure: SourceFailure) {
            (self.key, self.url, self.failure) = (key, url, failure)
        }
    }

    /// The number of slices.
    public internal(set) var count = 0
    /// The first of them.
    public internal(set) var named: [Named] = []
    /// The hashes of the keys of those that are not named, in order.
    private var others: [UInt64] = []
    /// True as long as the server has refused access to every one of them.
    var areAllRefused = true

    /// The most slices that are named.
    public static let mostNamed = 20
    /// The most slices that are known: beyond that, one that is listed again in the same walk, after a restart or for
    /// a poll, is tried again, and counted again if that fails.
    static let mostKnown = 2000

    /// No slices.
    init() {}

    /// Returns whether a slice is one of these, as far as they are known.
    func contains(_ key: String) -> Bool {
        named.contains { $0.key == key } || others.contains(Self.hash(key))
    }

    /// Adds a slice; one that is known already counts once.
    mutating func add(_ slice: Named) {
        guard !contains(slice.key) else { return }
        count += 1
        if slice.failure.code != .unauthorized { areAllRefused = false }
        if named.count < Self.mostNamed {
            named.append(slice)
        } else if named.count + others.count < Self.mostKnown {
            others.append(Self.hash(slice.key))
        }
    }

    /// The FNV-1a hash of a key, which is the same in every run of the daemon.
    private static func hash(_ key: String) -> UInt64 {
        key.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    /// The number, with the first of them as an example.
    public var words: String {
        let slices = count == 1 ? "1 slice" : "\(count) slices"
        guard let first = named.first else { return "\(slices) could not be read" }
        return "\(slices) could not be read; the first: \(first.failure.message)"
    }
}

/// The answer that was taken for the end of a list whose pages are counted.
public struct ListEnd: Hashable, Sendable, Codable {
    /// The server's status.
    public var status: Int
    /// The number of the page that isn't there.
    public var page: Int
    /// The number of items that are missing of the total; nil if none are, or there is no total.
    public var missing: Int?

    public init(status: Int, page: Int, missing: Int? = nil) {
        (self.status, self.page, self.missing) = (status, page, missing)
    }

    /// The statuses with which servers answer where there are no more pages: WordPress with 400, others with 404,
    /// 410 or 416.
    static let statuses: Set<Int> = [400, 404, 410, 416]
}

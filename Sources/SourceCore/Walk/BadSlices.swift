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
    /// True as long as the server has refused access to every one of them.
    var areAllRefused = true

    /// The most slices that are named.
    public static let mostNamed = 20

    /// No slices.
    init() {}

    /// Adds a slice; one that is named already counts once.
    mutating func add(_ slice: Named) {
        guard !named.contains(where: { $0.key == slice.key }) else { return }
        count += 1
        if slice.failure.code != .unauthorized { areAllRefused = false }
        if named.count < Self.mostNamed { named.append(slice) }
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

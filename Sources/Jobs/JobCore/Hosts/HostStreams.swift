import JobModel

/// The number of requests that one host may be asked at once where it answers many over one connection (HTTP/2).
///
/// At first nobody knows whether it does, and it is asked as much at once as it may have connections. Each small file
/// that comes over a shared connection allows one request more, until something speaks against it; then it is half as
/// many, and from there on one more after as many answers as are under way: additive increase, multiplicative decrease
/// (Chiu and Jain, 1989). A large file takes off as much as a small one adds. They go over one connection, and over
/// further ones where that pays (``SharedConnections``).
public struct HostStreams: Hashable, Sendable {
    /// The limits on the requests to one host.
    public struct Bounds: Hashable, Sendable {
        /// The most connections, and the most requests to a host whose connections aren't shared.
        public var connections: Int
        /// The most requests over each shared connection.
        public var streams: Int
        /// The most shared connections to any host: the transfer thread can tell no more apart.
        public static let mostShared = 8
        /// The most requests that are told from more.
        private static let mostRequests = 1 << 32

        /// The most shared connections at once: one is left for what comes in another one's place.
        public var shared: Int {
            streams > connections ? min(max(1, connections - 1), Self.mostShared) : 1
        }
        /// The most requests.
        var most: Int { max(connections, requests(over: shared)) }

        /// Returns the most requests over so many shared connections.
        func requests(over count: Int) -> Int {
            let (product, overflow) = streams.multipliedReportingOverflow(by: count)
            return overflow ? Self.mostRequests : min(product, Self.mostRequests)
        }

        public init(connections: Int, streams: Int) {
            (self.connections, self.streams) = (max(1, connections), max(1, streams))
        }
    }

    /// The multiple of the shortest time to an answer from which on an answer is slow.
    static let slowness: Int64 = 4
    /// The milliseconds by which an answer has to be later than the first ones to be slow, however short those took.
    static let leastDelay: Int64 = 250

    /// The requests of which one may be slow, among as many answers as are under way: of very many there is always one.
    static let perLate = 64

    /// The fewest answers of a round in which what arrives is measured while no more is asked than there may be
    /// connections: of fewer, chance decides.
    static let leastRound = 16

    /// The longest time to an answer, in milliseconds, that is told from a longer one.
    static let longest: Int64 = 3_600_000

    /// The most requests at once; nil for a host that isn't known to share connections.
    public private(set) var width: Int?
    /// True until something has spoken against more requests.
    private var isOpening = true
    /// The number of answers since the last change of the width.
    private var answers = 0
    /// The number of news that say nothing new, since they are of requests from before the last decrease.
    private var settling = 0
    /// The slow answers of late that were borne, and the answers after which they are forgotten.
    private var (late, lateFor) = (0, 0)
    /// The shortest time to an answer of late, in 64ths of a millisecond.
    private var shortest: Int64?
    /// True once answers were slow although no more was asked than there may be connections.
    private var isCramped = false
    /// The connections that the requests may fill.
    private var connections = SharedConnections()

    /// A host of which nothing is known.
    public init() {}

    /// Returns the most requests at once.
    public func most(in bounds: Bounds) -> Int {
        guard let width else { return bounds.connections }
        return max(bounds.connections, min(width, ceiling(in: bounds)))
    }

    /// The most requests over the connections that there are of those that they may fill; one makes each of the others.
    private func ceiling(in bounds: Bounds) -> Int {
        let count = min(connections.count, bounds.shared)
        let there = min(count, connections.there)
        return bounds.requests(over: there) + count - there
    }

    /// Returns how requests are spread over connections; nil where each is filled before the next one is used.
    func spread(in bounds: Bounds) -> ConnectionSpread? {
        let count = min(connections.count, bounds.shared)
        guard connections.isSpread, count > 1 else { return nil }
        return ConnectionSpread(connections: count, streams: max(1, most(in: bounds) / count))
    }

    /// Returns whether more requests may be under way than there may be connections.
    public func isWide(in bounds: Bounds) -> Bool { most(in: bounds) > bounds.connections }

    /// Takes in the news of a request, one of so many that were under way.
    public mutating func note(_ news: StreamNews, of active: Int, in bounds: Bounds) {
        guard bounds.streams > bounds.connections else { return self = HostStreams() }
        if settling > 0 { settling -= 1 }
        if lateFor > 0 { lateFor -= 1 }
        switch news {
        case .served(let milliseconds, let whole, let there, let time):
            if width == nil { width = bounds.connections }
            connections.there = max(1, there)
            let isSlow = isSlow(milliseconds) && !bears(oneOf: max(bounds.connections, width ?? 0))
            if isSlow, width == bounds.connections { isCramped = true }
            if isCramped || connections.isSpreading {
                spread(after: whole, at: time, beside: active, in: bounds)
            }
            // Until it is known what that brings, all else stays as it is.
            guard !connections.isSpreading else { return noteSmall() }
            if isSlow {
                narrow(in: bounds)
            } else {
                widen(after: whole, at: time, beside: active, in: bounds)
            }
        case .large: narrowByOne(in: bounds)
        case .crowded, .refused:
            if connections.isSpreading { connections.giveUp() }
            narrow(in: bounds)
        case .unwilling:
            guard width != nil else { return }
            width = bounds.connections
            connections.giveUp()
            (isOpening, answers, settling) = (false, 0, 0)
        case .alone: self = HostStreams()
        }
    }

    /// Returns whether an answer took much longer than others of late.
    private mutating func isSlow(_ milliseconds: Int64) -> Bool {
        let time = min(max(0, milliseconds), Self.longest) * 64
        // Lines change, so what was once possible is slowly forgotten, however short it was.
        let least = shortest.map { min(time, $0 + max(1, $0 / 1024)) } ?? time
        shortest = least
        return time > max(least * Self.slowness, least + Self.leastDelay * 64)
    }

    /// Notes a slow answer, and returns whether there are no more of late than chance would have.
    private mutating func bears(oneOf width: Int) -> Bool {
        if lateFor == 0 { (late, lateFor) = (0, width) }
        late += 1
        return late <= width / Self.perLate
    }

    /// Notes a file that came while few requests were slow already, or while requests are spread.
    ///
    /// After losses one connection brings little, and answers wait behind what it still has to bring. Then others help.
    private mutating func spread(after whole: Int64, at time: Int64, beside active: Int, in bounds: Bounds) {
        guard let width else { return }
        let round = max(width, Self.leastRound)
        guard active >= (width + 1) / 2 else { return connections.noteIdle(of: round, at: time) }
        connections.note(
            whole,
            at: time,
            beside: min(active, width),
            of: round,
            most: bounds.shared,
            shortest: Double(shortest ?? 0) / 64,
            isCramped: isCramped
        )
    }

    private mutating func widen(after whole: Int64, at time: Int64, beside active: Int, in bounds: Bounds) {
        guard var width else { return }
        let full = bounds.requests(over: min(connections.count, bounds.shared))
        // Whoever asks much less than it may doesn't find out whether more would do. Of answers that come together,
        // each leaves one request less under way.
        guard active >= (width + 1) / 2 else { return connections.noteIdle(of: full, at: time) }
        let ceiling = ceiling(in: bounds)
        // What arrives so far is measured before all are in use, so that no time is lost.
        if width >= (connections.isTrying ? ceiling : ceiling - ceiling / 4), !isCramped {
            let shortest = Double(self.shortest ?? 0) / 64
            connections.note(
                whole,
                at: time,
                beside: active,
                of: full,
                most: bounds.shared,
                shortest: shortest
            )
            // After a trial in vain it is fewer than before.
            width = min(width, self.ceiling(in: bounds))
            self.width = width
            if width >= ceiling { return noteSmall() }
        }
        answers += 1
        guard isOpening || connections.isTrying || answers >= width else { return }
        self.width = width + 1
        if width >= 2 * bounds.connections { isCramped = false }
        answers = 0
    }

    /// Notes a small file where no request may be added: all it does is to make up for a large one.
    private mutating func noteSmall() { answers = min(answers + 1, 0) }

    /// Takes off what a small file adds, so that a host's files are asked for as most of them are.
    private mutating func narrowByOne(in bounds: Bounds) {
        guard let width else { return }
        answers -= 1
        // A trial to spread as many requests as before needs no more of them.
        let isAtOnce = (isOpening || connections.isTrying) && !connections.isSpreading
        guard isAtOnce || answers <= -width else { return }
        let narrowed = max(bounds.connections, min(width, ceiling(in: bounds)) - 1)
        // A trial measures small files, of which too few are left.
        if narrowed == bounds.connections { connections.giveUp() }
        self.width = narrowed
        answers = 0
    }

    private mutating func narrow(in bounds: Bounds) {
        guard let width, settling == 0 else { return }
        // What is measured while few are slow goes on.
        if !isCramped { connections.giveUp() }
        let narrowed = max(bounds.connections, min(width, ceiling(in: bounds)) / 2)
        self.width = narrowed
        (isOpening, answers, settling) = (false, 0, width)
    }
}

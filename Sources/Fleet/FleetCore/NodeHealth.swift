/// The health of a node, by what its jobs end in: one that fails nearly everything, while others don't, gives its
/// buckets up for a while.
///
/// A host that is down fails all of its jobs, and that says nothing of the node. So what counts are buckets: nearly
/// all of many must have failures, and hardly anything else. Neither does a list of dead links say anything of it: so a
/// node that is suspected gives its buckets up only for as long as others need to show what they make of jobs of the
/// same hosts. Only if those go well there is it the node.
public struct NodeHealth: Hashable, Sendable {
    /// An ending of a job.
    private struct Ending: Hashable {
        var bucket: Int
        var hasFailed: Bool
        var code: String
    }

    /// The number of endings that are looked at.
    public static let window = 200
    /// The fewest endings by which a node is judged.
    public static let least = 50
    /// The fewest buckets that those are of.
    public static let leastBuckets = 10
    /// The share of failures, of endings as of buckets, from which a node is suspected.
    public static let suspicious = 0.9
    /// The number of times that its share is to be above the others'.
    public static let factor = 3.0
    /// The time for which a node rests before it tries again.
    ///
    /// Each further rest is twice as long, up to the most.
    public static let rest = Duration.seconds(600)
    /// The longest time for which a node rests.
    public static let longestRest = Duration.seconds(3600)
    /// The interval at which the fleet is asked what others have come to.
    public static let askInterval = Duration.seconds(60)

    /// The time that others have to show what they make of jobs of the same hosts.
    public static let trial = Duration.seconds(60)
    /// The interval at which they are asked then.
    public static let reviewInterval = Duration.seconds(5)
    /// The fewest jobs by which they show it.
    public static let leastReviewed = 20
    /// The codes of failures that are a file's own, and say nothing of who has asked for it.
    public static let ofFiles: Set = ["http_404", "http_410"]

    /// What a node is suspected of.
    private struct Suspicion: Hashable {
        var failing: Double
        var words: String
        var buckets: Set<Int>
        var since: Duration
        var askedAt: Duration
    }

    private var endings: [Ending] = []
    private var askedAt: Duration?
    /// The number of rests without a good time in between.
    private var rests = 0
    /// The suspicion that others look into; nil if there is none.
    private var suspicion: Suspicion?
    /// Until when the node isn't suspected again.
    private var excusedUntil = Duration.zero
    /// The end of the rest; nil if it works.
    public private(set) var restsUntil: Duration?

    /// A node of which nothing is known.
    public init() {}

    /// Notes an ending.
    ///
    /// - Parameter code: The code of the failure; nil if it hasn't failed.
    public mutating func ended(bucket: Int, code: String?) {
        if let code, Self.ofFiles.contains(code) { return }
        endings.append(Ending(bucket: bucket, hasFailed: code != nil, code: code ?? ""))
        if endings.count > Self.window { endings.removeFirst(endings.count - Self.window) }
        if code == nil, endings.count(where: { !$0.hasFailed }) > Self.window / 2 { rests = 0 }
    }

    /// Returns the share of failures; nil while there are too few endings, or few of them are failures.
    private var failing: Double? {
        guard endings.count >= Self.least else { return nil }
        let share = Double(endings.count(where: \.hasFailed)) / Double(endings.count)
        let buckets = Set(endings.map(\.bucket))
        let bad = Set(endings.filter(\.hasFailed).map(\.bucket))
        guard buckets.count >= Self.leastBuckets, share >= Self.suspicious,
            Double(bad.count) >= Self.suspicious * Double(buckets.count)
        else { return nil }
        return share
    }

    /// Returns whether the fleet is to be asked now what others have come to.
    public mutating func asks(at now: Duration) -> Bool {
        guard restsUntil == nil, now >= excusedUntil, failing != nil else { return false }
        if let askedAt, now - askedAt < Self.askInterval { return false }
        askedAt = now
        return true
    }

    /// Judges the node by what others have come to, and returns the reason why it is suspected and gives its buckets
    /// up; nil if it isn't.
    ///
    /// - Parameters:
    ///   - ended: The jobs of others that have ended lately.
    ///   - failed: Those of them that have failed.
    public mutating func judge(others ended: Int, failed: Int, at now: Duration) -> String? {
        guard let failing, ended >= Self.least else { return nil }
        let usual = Double(failed) / Double(ended)
        guard failing >= usual * Self.factor else { return nil }
        let codes = Dictionary(grouping: endings.filter(\.hasFailed), by: \.code)
        let code = codes.max { ($0.value.count, $1.key) < ($1.value.count, $0.key) }?.key ?? ""
        let (many, all) = (endings.count(where: \.hasFailed), endings.count)
        let words = "\(many) of its last \(all) jobs have failed, mostly \(code)"
        let buckets = Set(endings.filter(\.hasFailed).map(\.bucket))
        suspicion = Suspicion(failing: failing, words: words, buckets: buckets, since: now, askedAt: now)
        restsUntil = now + Self.trial
        endings = []
        return "\(words), and of the others' \(Self.percent(usual)) %; others try jobs of the same hosts"
    }

    /// Returns of which buckets the fleet is to be asked now what others made of their jobs, and since how long ago;
    /// nil for none.
    public mutating func reviews(at now: Duration) -> (buckets: Set<Int>, age: Duration)? {
        guard let suspicion, restsUntil != nil, now - suspicion.askedAt >= Self.reviewInterval else {
            return nil
        }
        self.suspicion?.askedAt = now
        return (suspicion.buckets, now - suspicion.since)
    }

    /// Judges a suspected node by what others made of jobs of the same hosts, and returns the reason why it rests; nil
    /// while that isn't known, or if they fail there, too: then it works again, and isn't suspected for a while.
    public mutating func review(others ended: Int, failed: Int, at now: Duration) -> String? {
        guard let suspicion, ended >= Self.leastReviewed else { return nil }
        let usual = Double(failed) / Double(ended)
        guard suspicion.failing >= usual * Self.factor else {
            excuse(at: now)
            return nil
        }
        self.suspicion = nil
        restsUntil = now + min(Self.longestRest, Self.rest * (1 << min(rests, 10)))
        rests += 1
        return "\(suspicion.words), and of the others' at the same hosts \(Self.percent(usual)) %"
    }

    /// Has the node work again, and not be suspected for a while: it isn't to blame, or nobody else works.
    public mutating func excuse(at now: Duration) {
        (suspicion, restsUntil) = (nil, nil)
        excusedUntil = now + Self.rest
    }

    private static func percent(_ share: Double) -> Int { Int((share * 100).rounded()) }

    /// Returns whether the rest is over now; then the node works again.
    public mutating func wakes(at now: Duration) -> Bool {
        guard let until = restsUntil, now >= until else { return false }
        // Nobody has shown that it is the node.
        if suspicion != nil { excuse(at: now) }
        restsUntil = nil
        return true
    }
}

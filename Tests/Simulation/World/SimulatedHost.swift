/// A host with a character, which the seed has drawn.
struct SimulatedHost: Hashable, Sendable, Codable {
    /// The kinds of trouble that a host can make, besides none.
    enum Kind: String, CaseIterable, Sendable, Codable {
        /// Answers each request at once, and brings what it has.
        case steady
        /// Brings a few hundred bytes a second.
        case slow
        /// Accepts connections, and never answers.
        case silent
        /// Lets packets disappear: nobody gets a connection.
        case dropping
        /// Refuses connections, and so is there.
        case refusing
        /// Has a name without an address.
        case unnamed
        /// Breaks most bodies off.
        case resetting
        /// Goes silent in the middle of most bodies.
        case stalling
        /// Ends most bodies before their announced length.
        case truncating
        /// Answers 429 to everything, and says for how long.
        case busy
        /// Answers 429 to everything, and doesn't say for how long.
        case busyWordless
        /// Answers 429 for one path in eight, and the others well.
        case busyPath
        /// Answers 503 to everything, without a word of how long.
        case failing
        /// Answers 503 to everything, and says for how long.
        case failingPolitely
        /// Answers 503 for one path in eight, and the others well.
        case failingPath
        /// Answers 500 or 502 to half of all requests.
        case erring
        /// Answers 403 as long as a quota is used up, and says so.
        case quota
        /// Answers 403 to everything.
        case forbidding
        /// Answers 404 for one path in four.
        case missing
        /// Redirects to the next host.
        case redirecting
        /// Redirects to itself for ever.
        case looping
        /// Has a certificate that isn't trusted.
        case distrusted
        /// Changes its files now and then.
        case changing
        /// Says neither how long a file is nor which version.
        case lengthless
        /// Answers everything with a page.
        case paging
        /// Sends bodies without a byte.
        case empty
        /// Ignores ranges, and always sends the whole file.
        case rangeless
    }

    /// The number by which its name is made.
    var number: Int
    /// The trouble that it makes while it makes any.
    var kind: Kind
    /// The seconds to the beginning of an answer.
    var latency: Double
    /// The bytes per second of each transfer.
    var rate: Double
    /// The seconds since the beginning at which its trouble begins and ends; outside it is steady.
    var trouble: ClosedRange<Double>
    /// The most requests in a length of time that the settings allow for it; nil for any number.
    var pace: SimulatedPace?

    /// The host's name.
    var name: String { "h\(number).example" }
    /// The name and port by which the engine knows it.
    var key: String { "\(name):80" }

    /// Returns what it is at a time.
    func kind(at seconds: Double) -> Kind { trouble.contains(seconds) ? kind : .steady }

    /// True if nothing of it ever keeps a job waiting.
    var isAlwaysWell: Bool { kind == .steady && pace == nil }

    /// True if it brings nothing while its trouble lasts, and holds a place as long as each try takes.
    var isDead: Bool { [.silent, .dropping, .unnamed].contains(kind) }
}

/// A pace as a scenario has it.
struct SimulatedPace: Hashable, Sendable, Codable {
    /// The number of requests.
    var requests: Int
    /// The seconds for which they are.
    var seconds: Int
}

extension SimulatedHost: CustomStringConvertible {
    /// The host in words.
    var description: String {
        let hours = { (seconds: Double) in seconds < 1e9 ? "\(Int(seconds / 360) / 10) h" : "the end" }
        let times =
            kind == .steady ? "" : " from \(hours(trouble.lowerBound)) to \(hours(trouble.upperBound))"
        let asked = pace.map { ", asked \($0.requests) times each \($0.seconds) s" } ?? ""
        return "\(name): \(kind)\(times), \(Int(rate)) bytes a second\(asked)"
    }
}

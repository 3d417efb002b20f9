import JobCore
import JobModel
import Vocabulary

/// A file as its server has it at one moment.
struct ServerFile: Hashable {
    /// A name that no other version of any file has.
    var version: String
    var length: Int64
}

/// What a request leads to, before anybody has decided what that means.
struct Reaction {
    /// What comes of it.
    enum Outcome {
        /// There was no connection, or no address.
        case unreached(JobFailure)
        /// There was a connection, or a refusal, and no answer.
        case failed(JobFailure)
        /// The certificate isn't trusted.
        case untrusted(JobFailure)
        /// An answer with its body.
        case answered(ResponseHead, ServerFile)
    }

    /// The way in which a body ends before its time.
    enum Break {
        case lost, stalled, truncated
    }

    /// The seconds until that is known.
    var delay: Double
    var outcome: Outcome
    /// How the body ends early, and after which share of it; nil if it is whole.
    var breaks: (how: Break, share: Double)?
}

/// The hosts as they answer, and the line to them.
struct Web {
    let seed: UInt64
    let hosts: [SimulatedHost]
    /// The time until which nothing gets through, in seconds.
    var isDownUntil = -1.0

    /// The seconds that libcurl waits for a connection, for an answer, and for more of a body.
    static let patience = (connection: 30.0, answer: 60.0, body: 60.0)

    /// Returns the URL of a path of a host.
    static func url(host: Int, path: Int) throws -> JobURL {
        try JobURL("http://h\(host).example/p\(path).jpg")
    }

    /// Returns the host of a URL and the number of its path; nil for a URL that isn't of this world.
    func place(of url: JobURL) -> (host: SimulatedHost, path: Int)? {
        let words = url.text.split(separator: "/")
        guard words.count >= 3, let host = Int(words[1].dropFirst().prefix { $0 != "." }),
            hosts.indices.contains(host), let path = Int(words[2].dropFirst().prefix { $0 != "." })
        else { return nil }
        return (hosts[host], path)
    }

    /// Returns the file that a host has under a path at a time.
    func file(of host: SimulatedHost, path: Int, at seconds: Double) -> ServerFile {
        var choice = Chance(seed, "change", host.number, path)
        let period = choice.scaled(20...20_000)
        let version = host.kind(at: seconds) == .changing ? Int(seconds / period) : 0
        var chance = Chance(seed, "file", host.number, path, version)
        let length = chance.happens(0.8) ? chance.scaled(500...200_000) : chance.scaled(200_000...40_000_000)
        return ServerFile(version: "\(host.number)-\(path)-\(version)", length: Int64(length))
    }

    /// Returns what the so-manyeth request for a URL leads to at a time.
    func reaction(to url: JobURL, resume: ResumePoint?, count: Int, at seconds: Double) -> Reaction {
        guard let (host, path) = place(of: url) else {
            return Reaction(delay: 0.1, outcome: .unreached(JobFailure(.unresolvedHost, "it has no address")))
        }
        var chance = Chance(seed, "answer", host.number, path, count)
        let kind = host.kind(at: seconds)
        if let failure = silence(kind, &chance, at: seconds) { return failure }
        let file = file(of: host, path: path, at: seconds)
        let head = head(kind, host, path: path, file, resume, &chance, at: seconds)
        var reaction = Reaction(
            delay: host.latency * chance.number(0.5...2),
            outcome: .answered(head, kind == .empty ? ServerFile(version: file.version, length: 0) : file)
        )
        if chance.happens(0.85) {
            switch kind {
            case .resetting: reaction.breaks = (.lost, chance.number(0...1))
            case .stalling: reaction.breaks = (.stalled, chance.number(0...1))
            case .truncating: reaction.breaks = (.truncated, chance.number(0...1))
            default: break
            }
        }
        return reaction
    }

    /// Returns what a request leads to that gets no answer; nil for one that does.
    private func silence(_ kind: SimulatedHost.Kind, _ chance: inout Chance, at seconds: Double) -> Reaction?
    {
        if seconds < isDownUntil {
            let isNamed = chance.happens(0.5)
            let failure = JobFailure(isNamed ? .timedOut : .unresolvedHost, "nothing gets through")
            return Reaction(delay: isNamed ? Self.patience.connection : 2, outcome: .unreached(failure))
        }
        switch kind {
        case .silent:
            let failure = JobFailure(.timedOut, "it took too long to answer")
            return Reaction(delay: Self.patience.answer, outcome: .failed(failure))
        case .dropping:
            let failure = JobFailure(.timedOut, "connecting took too long")
            return Reaction(delay: Self.patience.connection, outcome: .unreached(failure))
        case .refusing:
            let failure = JobFailure(.connectFailed, "it does not accept connections")
            return Reaction(delay: chance.number(0.001...0.2), outcome: .failed(failure))
        case .unnamed:
            let failure = JobFailure(.unresolvedHost, "its name can't be resolved")
            return Reaction(delay: chance.scaled(0.05...5), outcome: .unreached(failure))
        case .distrusted:
            let failure = JobFailure(.badCertificate, "its certificate is not trusted")
            return Reaction(delay: chance.number(0.01...1), outcome: .untrusted(failure))
        default: return nil
        }
    }
}

import ControlAPI
import TestSupport

/// The place that a recipe of the manual is for, as the tests have it.
protocol Replica: Sendable {
    /// The name of the recipe, and of the folder below which the place is.
    var recipe: String { get }
    /// The keys of the items that become jobs, in order.
    var keys: [String] { get }
    /// The number of pages that they are on, lists of parts included.
    var pages: Int { get }
    /// Returns the answer at a path below the folder, apart from pictures; nil for none.
    func answer(_ request: OriginRequest, _ path: String) -> OriginAnswer?
    /// The server that takes the place of those in the recipe.
    func base(_ origin: Origin) -> String
    /// Returns the key of the item that a job is of.
    func key(of job: JobJSON) -> String?
    /// The bytes of a job's document.
    func bytes(of job: JobJSON) -> [UInt8]
}

extension Replica {
    func base(_ origin: Origin) -> String { origin.url("/\(recipe)") }

    func key(of job: JobJSON) -> String? { job.itemKey }

    func bytes(of job: JobJSON) -> [UInt8] {
        // What follows the host.
        let target = job.url.drop { $0 != "/" }.dropFirst(2).drop { $0 != "/" }
        return Picture.bytes(String(target.prefix { $0 != "?" }))
    }
}

/// Pictures that are known by their paths.
enum Picture {
    static func bytes(_ path: String) -> [UInt8] { Array("picture at \(path)".utf8) }
}

/// A place that always answers the same, and says so to who has it already.
struct FixedReplica: Replica {
    let recipe: String
    let keys: [String]
    /// The answers by target, query included.
    let answers: [String: OriginAnswer]

    var pages: Int { answers.count }

    init(_ recipe: String, keys: [String], _ answers: [String: (type: String, body: [UInt8])]) {
        (self.recipe, self.keys) = (recipe, keys)
        self.answers = answers.mapValues { OriginAnswer(200, [("Content-Type", $0.type)], body: $0.body) }
    }

    /// Returns the item's key by the last step of its URL: that is enough here where the recipe names none.
    func key(of job: JobJSON) -> String? {
        guard job.itemKey == job.url else { return job.itemKey }
        return job.url.split(separator: "/").last?.split(separator: ".").first.map(String.init)
    }

    func answer(_ request: OriginRequest, _ path: String) -> OriginAnswer? {
        let target = String(request.target.dropFirst(recipe.utf8.count + 1))
        guard let answer = answers[target] else { return nil }
        let tag = "\"\(recipe)\""
        return (request.header("if-none-match") == tag ? OriginAnswer(304) : answer).header("ETag", tag)
    }
}

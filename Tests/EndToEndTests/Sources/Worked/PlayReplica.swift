import ControlAPI
import Foundation
import TestSupport

/// The place of a worked recipe that has a play: its pages as in Tests/Recipes, and a picture for everything else.
///
/// It has a server of its own, since addresses in its pages may begin at the server's root.
struct PlayReplica: Replica {
    /// The value of every secret.
    static let secret = "k3y-of-the-play"
    let recipe: String
    let play: RecipePlay
    private let server: Origin

    /// The play of a recipe.
    init(_ recipe: String) throws {
        self.recipe = recipe
        let play = try RecipePlay(contentsOf: Repository.path("Tests/Recipes/\(recipe).txt"))
        let server = try Origin.start()
        let address = server.url("")
        server.serveOthers { request in
            play.exchange(asked: request)?.answer(at: address)
                ?? OriginFile(Picture.bytes(request.path)).answer(to: request)
        }
        (self.play, self.server) = (play, server)
    }

    /// The names of the recipes that have one.
    static func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: Repository.path("Tests/Recipes"))
            .filter { $0.hasSuffix(".txt") }.map { String($0.dropLast(4)) }.sorted()
    }

    var keys: [String] {
        play.exchanges.flatMap(\.items).map { item in
            let object = try? JSONSerialization.jsonObject(with: Data(item.utf8)) as? [String: Any]
            return RecipePlay.withoutHosts(object?["key"] as? String ?? object?["url"] as? String ?? "")
        }
    }

    var pages: Int { play.exchanges.count { $0.status == 200 } }

    func base(_ origin: Origin) -> String { server.url("") }

    func key(of job: JobJSON) -> String? { job.itemKey.map { $0.replacing(server.url(""), with: "") } }

    func answer(_ request: OriginRequest, _ path: String) -> OriginAnswer? { nil }

    func stop() { server.stop() }
}

extension RecipePlay {
    fileprivate static func withoutHosts(_ text: String) -> String {
        text.replacing(/https:\/\/[a-z0-9.-]+/, with: "")
    }

    /// Returns the exchange that a request is the beginning of; nil if it is none of this play.
    fileprivate func exchange(asked request: OriginRequest) -> Exchange? {
        exchanges.first { exchange in
            let url = exchange.url.replacing(/\{[a-z_]+\}/, with: PlayReplica.secret)
            guard Self.withoutHosts(url) == request.target, exchange.method == request.method else {
                return false
            }
            return exchange.sent.map { Self.json(Array($0.utf8)) == Self.json(request.body) } ?? true
        }
    }

    /// Returns JSON in a form that is the same for the same values; nil for what is none.
    private static func json(_ bytes: [UInt8]) -> Data? {
        (try? JSONSerialization.jsonObject(with: Data(bytes))).flatMap {
            try? JSONSerialization.data(withJSONObject: $0, options: [.sortedKeys])
        }
    }
}

extension RecipePlay.Exchange {
    /// The answer, with a server in place of the world's.
    fileprivate func answer(at address: String) -> OriginAnswer {
        func here(_ text: String) -> String { text.replacing(/https:\/\/[a-z0-9.-]+/, with: address) }
        let fields = fields.map { ($0.name, here($0.value)) }
        return OriginAnswer(status, fields, body: Array(here(body).utf8))
    }
}

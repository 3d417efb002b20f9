import ControlAPI
import Foundation
import TestSupport
import Testing
import Vocabulary

/// All replicas behind one server, and one daemon that walks them by the recipes of the manual.
struct WorkedRig {
    let mission = MissionReplica()
    let bucket = BucketReplica()
    let folder: FolderReplica
    let replicas: [any Replica]
    let origin: Origin
    let installation: Installation

    init() throws {
        folder = try FolderReplica()
        origin = try Origin.start()
        let plays = try PlayReplica.names().map { try PlayReplica($0) as any Replica }
        let others: [any Replica] = [
            mission, EndlessReplica(), bucket, folder, FixedReplica.feed(), try FixedReplica.site(),
            try FixedReplica.table(), FixedReplica.records(),
        ]
        replicas = others + plays
        installation = try Installation()
        let places = Dictionary(uniqueKeysWithValues: replicas.map { ($0.recipe, $0) })
        origin.serveOthers { request in
            let name = String(request.path.dropFirst().prefix { $0 != "/" })
            guard let place = places[name] else { return OriginAnswer(404) }
            let path = String(request.path.dropFirst(name.utf8.count + 1))
            if path.hasPrefix("/picture/") {
                return OriginFile(Picture.bytes(request.path)).answer(to: request)
            }
            return place.answer(request, path) ?? OriginAnswer(404)
        }
        try write(secret: "endless", EndlessReplica.secret)
        try write(secret: "aws", BucketReplica.signature.file)
        for name in try PlayReplica.names() {
            for secret in try RecipeBook.secrets(name) { try write(secret: secret, PlayReplica.secret) }
        }
    }

    func write(secret name: String, _ text: String) throws {
        let folder = try installation.directory.directory("secrets")
        try Data(text.utf8).write(to: URL(filePath: "\(folder)/\(name)"))
    }

    /// A worked recipe, with this server in place of the world's.
    ///
    /// There is no TLS here: what is upgraded is another test's matter. Nor does anybody ask this server to be
    /// spared, except where that is looked at.
    func recipe(_ name: String) throws -> String {
        let place = try #require(replicas.first { $0.recipe == name })
        let text = try RecipeBook.text(name, at: place.base(origin))
            .replacing("insecure: upgrade", with: "insecure: allow")
        return place is PlayReplica ? text.replacing(/(?m)^pace: .*$/, with: "") : text
    }

    func startDaemon() async throws -> Program {
        let folder = try installation.directory.directory("secrets")
        let more = ["FACEFETCH_SECRETS_DIRECTORY": folder, "FACEFETCH_TRANSFER_PER_HOST": "32"]
        return try await installation.startDaemon(environment: Installation.plain.merging(more) { $1 })
    }

    /// Waits until a walk of a source is over, well or badly.
    func walked(_ name: String, _ number: Int = 1) async throws -> SourceJSON {
        let over: [APIWord<SourceCondition>] = [.ended, .idle, .held, .failed, .waiting].map { .known($0) }
        return try #require(
            try await installation.source(name) { $0.walk?.number == number && over.contains($0.state.code) }
        )
    }

    /// The jobs of each source, once none is under way.
    func jobs() async throws -> [String: [JobJSON]] {
        Dictionary(grouping: try await installation.settledJobs()) { $0.source ?? "" }
    }

    func stop() {
        origin.stop()
        folder.stop()
        for case let play as PlayReplica in replicas { play.stop() }
    }
}

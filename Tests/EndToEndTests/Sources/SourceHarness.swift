import ControlAPI
import Foundation
import TestSupport
import Testing
import Vocabulary

extension Installation {
    /// Adds a source by the client.
    @discardableResult
    func addSource(_ recipe: String, _ name: String = "list") async throws -> Program.Result {
        let file = try directory.write(Array(recipe.utf8), to: "\(name).yaml")
        return try await facefetch("source", "add", file)
    }

    /// A source as it is now.
    func source(_ name: String = "list") async throws -> SourceJSON {
        let result = try await facefetch("source", "show", name, "--json")
        try #require(result.status == 0, "\(result.errors)")
        return try JSONDecoder().decode(SourceJSON.self, from: Data(result.output.utf8))
    }

    /// Waits until a source is as wanted; nil when that takes too long, and an issue that says how it is.
    func source(
        _ name: String = "list",
        within limit: Duration = .seconds(300),
        until isWanted: (SourceJSON) -> Bool
    ) async throws -> SourceJSON? {
        let begun = ContinuousClock.now
        while ContinuousClock.now - begun < limit {
            let source = try await source(name)
            if isWanted(source) { return source }
            try await Task.sleep(for: .milliseconds(50))
        }
        let present = try await source(name)
        Issue.record(
            "\(name) is \(present.state.code), \(present.state.reason ?? "for no reason"), with \(present.items) items"
        )
        return nil
    }

    /// All jobs.
    func allJobs() async throws -> [JobJSON] { try jobs(try await facefetch("list", "--json")) }

    /// All jobs, once none of them is under way, or five minutes have passed.
    func settledJobs() async throws -> [JobJSON] {
        let open: [APIWord<JobState>] = [.queued, .downloading].map { .known($0) }
        let begun = ContinuousClock.now
        while true {
            let jobs = try await allJobs()
            let isUnderWay = jobs.contains { open.contains($0.state) }
            if !isUnderWay || ContinuousClock.now - begun > .seconds(300) { return jobs }
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    /// Settings under which a daemon of tests fetches what isn't a picture, and looks at nothing.
    static let plain = ["FACEFETCH_DETECTION_WHEN": "held"]
}

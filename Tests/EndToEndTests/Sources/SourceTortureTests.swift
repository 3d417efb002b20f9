import ControlAPI
import Foundation
import TestSupport
import Testing

extension Alone {
    /// The daemon is killed at random moments while a source walks a list that shifts.
    ///
    /// SOURCE_KILLS, SOURCE_PAGES and SOURCE_ITEMS set how often, and how long the list is. Each run of the
    /// daemon reads a few pages, so that kills come all along the walk.
    @Suite(.serialized) struct SourceTortureTests {}
}

extension Alone.SourceTortureTests {
    private static func setting(_ name: String) -> Int? {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
    }

    /// The shape of a list.
    enum Shape: CaseIterable {
        /// Pages one after the other, slices that a manifest names, slices of groups of which some can't be read, and rows
        /// of a compressed table.
        case pages, slices, groups, rows
    }

    @Test(
        "However often the daemon is killed on a list that shifts, every item is a job, once",
        arguments: Shape.allCases
    )
    func survivesKills(_ shape: Shape) async throws {
        let kills = Self.setting("SOURCE_KILLS") ?? (shape == .pages ? 5 : 3)
        let pages = Self.setting("SOURCE_PAGES") ?? 20
        let count = Self.setting("SOURCE_ITEMS") ?? (shape == .pages ? 800 : 240)
        let list = try ListOrigin(count: count, pageSize: max(1, count / pages))
        defer { list.origin.stop() }
        list.serveOtherShapes()
        list.serveGroups()
        if shape == .groups { list.fail(15) }
        let recipe =
            switch shape {
            case .pages: list.recipe(more: "order: newest-first\nahead: 100000")
            case .slices: list.slicedRecipe(more: "ahead: 100000\nlimits: {pages: 100000}")
            case .groups: list.nestedRecipe(more: "ahead: 100000\nlimits: {pages: 100000}")
            // A piece has no more rows than may be ahead.
            case .rows: list.tableRecipe(more: "ahead: \(max(1, count / pages, count / 100))")
            }
        let served: @Sendable () -> Int = {
            switch shape {
            case .pages: list.origin.requests("/list").count
            case .slices, .groups: list.origin.requests("/slice").count
            // The list is asked for once; the pictures tell how far it has been read.
            case .rows: list.origin.requests.count / max(1, count / pages)
            }
        }
        let installation = try Installation()
        let environment = Installation.plain.merging(["FACEFETCH_TRANSFER_PER_HOST": "64"]) { $1 }
        var generator = SystemRandomNumberGenerator()
        for kill in 0..<kills {
            let before = served()
            let daemon = try await installation.startDaemon(environment: environment)
            if kill == 0 { try await installation.addSource(recipe) }
            // A few pages, but no longer than a moment: the walk may have ended.
            let wanted = before + Int.random(in: 0...max(1, 2 * pages / kills), using: &generator)
            for _ in 0..<500 where served() < wanted {
                try await Task.sleep(for: .milliseconds(2))
            }
            try await Task.sleep(for: .microseconds(Int.random(in: 0...20_000, using: &generator)))
            list.insert(Int.random(in: 0...3, using: &generator))
            daemon.signal(SIGKILL)
            _ = await daemon.status
        }
        // What could not be read is for the walks that follow.
        list.fail(0)
        let daemon = try await installation.startDaemon(environment: environment)
        // A page that three runs in a row did not survive is waited with, unless somebody asks for it.
        _ = try await installation.facefetch("source", "poll", "list")
        _ = try #require(try await installation.source(within: .seconds(600)) { $0.state.code == .ended })
        // What came in front of the last walk's first page is for the next.
        _ = try await installation.facefetch("source", "poll", "list")
        _ = try #require(try await installation.source(within: .seconds(600)) { $0.state.code == .ended })
        let keys = try await installation.allJobs().compactMap(\.itemKey)
        #expect(keys.count == Set(keys).count)
        #expect(Set(keys) == Set(list.all.map(String.init)))
        print("\(kills) kills, \(served()) pages asked for, \(keys.count) items, each a job once")
        #expect(await daemon.stop() == 0)
    }
}

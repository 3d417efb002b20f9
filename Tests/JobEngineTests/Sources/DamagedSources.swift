import GRDB
import JobModel
import JobStore
import SourceCore
import SourceEngine
import Testing

/// Damage to the tables of sources, and what it must not come to.
enum DamagedSources {
    private static let names = ["one", "two"]

    /// Has two sources read a page and ask for another, and keeps a slice.
    static func make(at path: String) async throws {
        let bench = try SourceBench(path: path) { request in
            request.page == 1
                ? SourceBench.page("http://example.org/1.jpg", next: .url("?page=2"))
                : .failure(ListerFailure("unexpected_shape", "nothing more"))
        }
        bench.engine.start()
        for name in names {
            let order = RecipeOrder(SourceBench.recipe(name), maySeeSecrets: false)
            let id = try await bench.engine.apply(order).source.id
            // The second fails, and waits.
            for _ in 1...2 { await bench.feed.untilRead(id) }
        }
        await bench.engine.stop()
        for row in try await bench.store.sources() {
            var write = SourceWrite(row)
            write.slices = [SliceRow(key: "a", body: #"{"record":{"changed":"x","completedIn":1}}"#)]
            let url = "http://example.org/a.jpg"
            write.handed = [HandedItem(id: 1, source: row.name ?? "", url: url, priority: 0)]
            try await bench.feed.keep(write)
        }
        #expect(bench.feed.failures.isEmpty)
        try bench.store.close()
    }

    /// The name of another source, and what makes each number in a column's JSON one that nobody counts to:
    /// all of them at once, and, in a thorough run, one after the other, as well as each text.
    static func values(
        in path: String,
        _ place: PlantedDamage.Place,
        isThorough: Bool
    ) throws -> [String] {
        if place.table == "sources", place.column == "name" { return ["'two'"] }
        guard
            ["sources.state", "source_slices.body", "source_pages.body"]
                .contains("\(place.table).\(place.column)")
        else { return [] }
        let (column, table) = (place.column, place.table)
        func keys(_ types: String) throws -> [String] {
            try DatabaseQueue(path: path).read { database in
                try String.fetchAll(
                    database,
                    sql: """
                        SELECT DISTINCT fullkey FROM \(table), json_tree(\(column))
                        WHERE json_tree.type IN (\(types)) ORDER BY fullkey
                        """
                )
            }
        }
        let numbers = try keys("'integer', 'real'")
        #expect(table == "source_slices" || numbers.count > 5, "\(numbers)")
        let extremes = ["9223372036854775807", "-9223372036854775808", "-1", "1e300"]
        // Halves of hashes are any number, but not below 0.
        let counted = numbers.filter { !$0.hasSuffix("high") && !$0.hasSuffix("low") }
        let together = extremes.map { set(counted, $0, column) }
        guard isThorough else { return together }
        let words = ["\"\"", "\"nonsense\"", "\"{x}\\u0000\"", "null"]
        return try together + numbers.flatMap { key in extremes.map { set([key], $0, column) } }
            + keys("'text'").flatMap { key in words.map { set([key], $0, column) } }
    }

    private static func set(_ keys: [String], _ value: String, _ column: String) -> String {
        let changes = keys.map { ", '\($0)', json('\(value)')" }.joined()
        return "json_replace(\(column)\(changes))"
    }

    /// Takes up the sources of a damaged store, and has each do all that sources do.
    static func check(_ path: String, _ what: String) async throws {
        let bench = try SourceBench(path: path) { _ in
            SourceBench.page("http://example.org/1.jpg", next: .end)
        }
        do {
            try await check(bench, what)
        } catch {
            await bench.end()
            throw error
        }
        await bench.end()
    }

    private static func check(_ bench: SourceBench, _ what: String) async throws {
        let engine = bench.engine
        try await engine.load()
        engine.start()
        #expect(engine.sources().count >= 1, "\(what)")
        // A source whose last page seems to have been endless waits until the fleet is done with these.
        let handed = try await bench.store.handedItems(after: 0, limit: 10)
        #expect(handed.count >= 1, "\(what)")
        try await engine.takeBack(handed.map(\.id))
        for source in engine.sources() {
            try await look(at: try await engine.steer(.poll, source.name), bench)
            try await bench.untilRead(source)
        }
        // As the files of recipes are applied at each start.
        for name in names + ["new"] {
            let order = RecipeOrder(SourceBench.recipe(name), maySeeSecrets: true, reset: .cursor)
            let source = try await engine.apply(order).source
            #expect(source.name == name, "\(what)")
            try await look(at: try await engine.steer(.poll, name), bench)
            try await bench.untilRead(source)
            try await look(at: try await engine.steer(.pause, name), bench)
        }
        for source in engine.sources() { try await engine.remove(source.name, cancelsJobs: false) }
        #expect(engine.sources().isEmpty, "\(what)")
        #expect(bench.feed.failures.isEmpty, "\(what)")
    }

    /// Everything that is shown of a source.
    private static func look(at source: SourceSnapshot, _ bench: SourceBench) async throws {
        _ = (source.createdAt.rfc3339, source.lastReadAt?.rfc3339, source.reason)
        let now = bench.clock.now
        _ = source.until.map { now.adding(seconds: $0).wall.rfc3339 }
        for page in try await bench.engine.pages(of: source.name) {
            _ = Timestamp(microseconds: page.time).rfc3339
        }
        _ = try await bench.engine.jobsByState(of: source.name)
    }
}

import FleetCore
import Foundation
import TestTraits
import Testing

@testable import facefetch_fleet

/// The versions of a fleet's tables.
@Suite(
    "The tables of a fleet",
    .enabled(if: PostgresServer.programs != nil, "no PostgreSQL from 15 on"),
    .ownThread,
    .serialized
)
final class FleetSchemaTests {
    private let fleet: Fleet

    init() throws { fleet = try Fleet(on: .shared()) }

    /// Returns all that the database has, but for what differs from dump to dump.
    private func dump() throws -> String {
        let file = "\(fleet.server.directory)/dump-\(fleet.schema)"
        try fleet.server.run("pg_dump", ["-f", file, "-d", fleet.database])
        let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
        return lines.filter { !$0.hasPrefix("\\restrict") && !$0.hasPrefix("\\unrestrict") }
            .joined(separator: "\n")
    }

    private func failure(_ body: () throws -> Void) -> FleetQueueError.Kind? {
        do { try body() } catch { return (error as? FleetQueueError)?.kind }
        return nil
    }

    @Test("The tables are made once, however often they are asked for, as those of 0.2.0")
    func once() throws {
        try fleet.add(3)
        try fleet.migrate()
        let queue = try fleet.connect()
        #expect(try fleet.number("SELECT count(*) FROM version WHERE name = '0.2.0'", queue) == 1)
        #expect(try fleet.number("SELECT count(*) FROM version", queue) == 1)
        #expect(try fleet.number("SELECT count(*) FROM items", queue) == 3)
    }

    @Test("A fleet of before 0.2.0 is refused by programs and by init, and stays as it was")
    func before() throws {
        let connection = try PostgresConnection(fleet.database, patience: .seconds(20))
        try connection.execute(
            """
            CREATE SCHEMA old; SET search_path = old;
            CREATE TABLE version (version int NOT NULL);
            INSERT INTO version SELECT generate_series(1, 16);
            CREATE TABLE queue (job bigint NOT NULL); INSERT INTO queue VALUES (7)
            """
        )
        let before = try dump()
        #expect(
            failure { try FleetQueue.migrate(fleet.database, schema: "old", patience: .seconds(20)) }
                == .beforeRelease
        )
        #expect(
            failure { _ = try FleetQueue(fleet.database, schema: "old", patience: .seconds(20)) }
                == .beforeRelease
        )
        #expect(try dump() == before && before.contains("CREATE TABLE old.version"))
    }

    @Test("A program of another version than the tables is refused, and one before the tables says so")
    func versions() throws {
        let queue = try fleet.connect()
        let made = Int(try fleet.number("SELECT max(version) FROM version", queue))
        #expect(made == FleetSchema.first)
        try queue.connection.execute("UPDATE version SET version = \(made + 1)")
        let isNewer = FleetQueueError.Kind.otherVersion(found: made + 1, wanted: made)
        #expect(failure { _ = try fleet.connect() } == isNewer && failure { try fleet.migrate() } == isNewer)
        #expect(
            failure { _ = try FleetQueue(fleet.database, schema: "none", patience: .seconds(20)) }
                == .refused(code: "42P01")
        )
    }

    /// How a later release changes the tables: a migration behind those that there are, with the release's name.
    @Test(
        "A migration is applied once to what is there, and by init to what is new; who doesn't know it is refused"
    )
    func example() throws {
        let next = FleetSchema.Migration(
            name: "an example",
            sql: "ALTER TABLE hosts ADD COLUMN note text; UPDATE hosts SET note = 'wide' WHERE width > 1"
        )
        func migrate(_ schema: String) throws {
            let migrations = FleetSchema.migrations(schema: schema) + [next]
            try FleetQueue.migrate(fleet.database, schema: schema, patience: .seconds(20), by: migrations)
        }
        let queue = try fleet.connect()
        try queue.connection.execute("INSERT INTO hosts VALUES ('wide.example', 4), ('h.example', 1)")
        let node = try fleet.node("a", queue)
        // Not under a node that works with what is changed; the roles may be told again.
        #expect(failure { try migrate(fleet.schema) } == .inUse && failure { try fleet.migrate() } == nil)
        try queue.leave(node)
        for _ in 0..<2 { try migrate(fleet.schema) }
        try migrate("new")
        for schema in [fleet.schema, "new"] {
            let versions = "SELECT max(version) FROM \(schema).version"
            #expect(try fleet.number(versions, queue) == FleetSchema.first + 1, "\(schema)")
        }
        #expect(try fleet.number("SELECT count(*) FROM hosts WHERE note = 'wide'", queue) == 1)
        #expect(try fleet.number("SELECT count(*) FROM version", queue) == 2)
        let (found, wanted) = (FleetSchema.first + 1, FleetSchema.first)
        #expect(failure { _ = try fleet.connect() } == .otherVersion(found: found, wanted: wanted))
    }

    @Test(
        "A node that slept while the tables were changed does nothing with them, and can't come back as it is"
    )
    func slept() throws {
        let next = FleetSchema.Migration(name: "an example", sql: "ALTER TABLE hosts ADD COLUMN note text")
        try fleet.add(9)
        let (queue, other) = (try fleet.connect(), try fleet.connect())
        let node = try fleet.node("a", queue)
        let few = ClaimPlan.Claim.slice(jobs: 5, perBucket: 5)
        #expect(try queue.claim(few, for: node, timing: Fleet.timing)?.isEmpty == false)
        try fleet.expire(node, other)
        let migrations = FleetSchema.migrations(schema: fleet.schema) + [next]
        try FleetQueue.migrate(
            fleet.database,
            schema: fleet.schema,
            patience: .seconds(20),
            by: migrations
        )
        #expect(try queue.claim(few, for: node, timing: Fleet.timing) == nil)
        #expect(try queue.beat(node, timing: Fleet.timing) == .isOver)
        #expect(
            failure { _ = try fleet.connect() }
                == .otherVersion(found: FleetSchema.first + 1, wanted: FleetSchema.first)
        )
    }
}

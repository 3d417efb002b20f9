import FleetCore

/// The queue that a fleet shares, over one connection.
///
/// Not Sendable: it stays with the thread that made it. After an error that says `unreachable`, nobody knows
/// what of the call was done; every call may be repeated over a new connection.
final class FleetQueue {
    let connection: PostgresConnection
    let schema: String
    /// The id of the fleet's life when it connected.
    let fleet: String
    /// The places where jobs begin in the buckets of the node that claims over this connection.
    var heads = QueueHeads()
    /// The time when they were last moved on.
    var lookedAt: ContinuousClock.Instant?
    /// True if it hears of what is queued.
    private(set) var isListening = false
    /// True if something has been announced that nobody has been told of yet.
    private var hasHeard = false

    /// Connects to a schema that is there.
    ///
    /// Behind a failover, or a restore by recovery, this begins another life of the fleet.
    ///
    /// - Parameters:
    ///   - database: A connection string of libpq.
    ///   - schema: The name of the schema.
    ///   - patience: The time limit of each call.
    ///   - perHost: The most time that one of the database's servers has to take the connection; nil for an even share.
    /// - Throws: ``FleetQueueError``, also where the schema is of another version, or comes from a dump
    init(
        _ database: String,
        schema: String,
        patience: Duration,
        perHost: Duration? = nil
    ) throws(FleetQueueError) {
        guard FleetSchema.isName(schema) else {
            throw FleetQueueError(.refused(code: "42602"), "\(schema) can't be the name of a schema")
        }
        self.schema = schema
        let connection = try PostgresConnection(database, patience: patience, perHost: perHost)
        self.connection = connection
        let milliseconds = patience.components.seconds * 1000
        // What this side gives up, also by coming to its end, must not be done later. And a claim goes by the index's
        // order: until PostgreSQL has looked at a new queue, it would read whole buckets and sort them.
        try connection.execute(
            """
            SET search_path = \(schema), pg_temp; SET statement_timeout = \(milliseconds);
            SET idle_in_transaction_session_timeout = \(milliseconds);
            SET client_connection_check_interval = '5s'; SET synchronous_commit = on;
            SET enable_bitmapscan = off;
            SET default_transaction_isolation = 'read committed'; SET standard_conforming_strings = on
            """
        )
        let found = try Self.version(of: connection) ?? 0
        let wanted = FleetSchema.newest(FleetSchema.migrations(schema: schema))
        guard found == wanted else { throw FleetQueueError.otherVersion(found: found, wanted: wanted) }
        fleet = try Self.life(connection)
    }

    /// Returns the id of the fleet's life, which begins where the last one is over.
    private static func life(_ connection: PostgresConnection) throws(FleetQueueError) -> String {
        for isLast in [false, true] {
            let row = try connection.run([Call(LifeStatements.life)])[0].first
            if let life = row?.text(0) { return life }
            if !isLast { _ = try connection.run([Call(LifeStatements.begin, [row?.text(1)])]) }
        }
        throw FleetQueueError(.restored, "the database was restored from a dump, or is a copy of another")
    }

    /// Ends the fleet's life, so that no number of it comes again; whoever is connected learns of it with the next
    /// renewal.
    func endLife() throws(FleetQueueError) {
        _ = try connection.run([Call(LifeStatements.begin, [fleet])])
    }

    /// The connection's socket, readable when something is heard.
    var socket: Int32 { connection.socket }

    /// Begins to listen for new jobs.
    func listen() throws(FleetQueueError) {
        try connection.execute("LISTEN \(FleetSchema.channel)")
        isListening = true
    }

    /// Returns whether new jobs have been announced since the last time.
    func hasNews() throws(FleetQueueError) -> Bool {
        try hear()
        defer { hasHeard = false }
        return hasHeard
    }

    /// Takes up what has been announced.
    func hear() throws(FleetQueueError) {
        for text in try connection.takeNotifications() {
            hasHeard = true
            if let news = QueueNews(text) { heads.heard(news) }
        }
    }
}

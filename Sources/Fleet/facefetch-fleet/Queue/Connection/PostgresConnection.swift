import CPostgres
import Glibc

/// A connection to PostgreSQL, whose every call ends in time.
///
/// Not Sendable: it stays with the thread that made it. After an error that says `unreachable`, nothing can be
/// said of its state, and it must be given up.
final class PostgresConnection {
    let connection: OpaquePointer
    let patience: Duration
    private var prepared: Set<String> = []

    /// Connects.
    ///
    /// - Parameters:
    ///   - info: A connection string of libpq: `key=value` pairs or a URL.
    ///   - patience: The time limit of each call.
    ///   - perHost: The most time that one of its servers has to take the connection; nil for an even share.
    init(_ info: String, patience: Duration, perHost: Duration? = nil) throws(FleetQueueError) {
        self.patience = patience
        connection = try Self.open(info, until: ContinuousClock.now + patience, perHost: perHost)
        guard PQsetClientEncoding(connection, "UTF8") == 0, PQsetnonblocking(connection, 1) == 0 else {
            throw lost()
        }
    }

    deinit { PQfinish(connection) }

    /// The socket, for waiting until something is heard; negative if there is none.
    var socket: Int32 { PQsocket(connection) }

    // MARK: - Statements

    /// Carries out statements in one transaction, sent together; all of them, or none.
    ///
    /// Each sees what has been committed when its turn comes.
    func run(_ calls: [Call]) throws(FleetQueueError) -> [Rows] {
        guard PQenterPipelineMode(connection) == 1 else { throw lost() }
        var expected: [Statement?] = []
        for call in calls {
            let statement = call.statement
            if !prepared.contains(statement.name), !expected.contains(statement) {
                guard PQsendPrepare(connection, statement.name, statement.sql, 0, nil) == 1 else {
                    throw lost()
                }
                expected.append(statement)
            }
            let sent = call.values.withTerminatedPointers { values in
                PQsendQueryPrepared(connection, statement.name, Int32(call.values.count), values, nil, nil, 0)
            }
            guard sent == 1 else { throw lost() }
            expected.append(nil)
        }
        guard PQpipelineSync(connection) == 1 else { throw lost() }
        let deadline = ContinuousClock.now + patience
        var rows: [Rows] = []
        var refusal: FleetQueueError?
        for statement in expected {
            guard let result = try nextResult(until: deadline) else { throw lost() }
            defer { PQclear(result) }
            switch PQresultStatus(result) {
            case PGRES_COMMAND_OK, PGRES_TUPLES_OK:
                if let statement { prepared.insert(statement.name) } else { rows.append(Rows(result)) }
            default: refusal = refusal ?? Self.refusal(result)
            }
            // Behind each statement's result comes the end of its results.
            if let more = try nextResult(until: deadline) { PQclear(more) }
        }
        while let result = try nextResult(until: deadline) {
            let isSync = PQresultStatus(result) == PGRES_PIPELINE_SYNC
            if !isSync { refusal = refusal ?? Self.refusal(result) }
            PQclear(result)
            if isSync { break }
        }
        guard PQexitPipelineMode(connection) == 1 else { throw lost() }
        if let refusal { throw refusal }
        return rows
    }

    /// Carries out statements that take no values, one after the other.
    func execute(_ sql: String) throws(FleetQueueError) {
        guard PQsendQuery(connection, sql) == 1 else { throw lost() }
        try finish(until: ContinuousClock.now + patience)
    }

    /// Reads results until there are no more.
    private func finish(until deadline: ContinuousClock.Instant) throws(FleetQueueError) {
        var refusal: FleetQueueError?
        while let result = try nextResult(until: deadline) {
            let status = PQresultStatus(result)
            if status != PGRES_COMMAND_OK, status != PGRES_TUPLES_OK {
                refusal = refusal ?? Self.refusal(result)
            }
            PQclear(result)
        }
        if let refusal { throw refusal }
    }

    /// Returns the next result, which the caller clears; nil at the end of a statement's results.
    private func nextResult(until deadline: ContinuousClock.Instant) throws(FleetQueueError) -> OpaquePointer?
    {
        while true {
            let flushed = PQflush(connection)
            guard flushed >= 0 else { throw lost() }
            if PQisBusy(connection) == 0 { return PQgetResult(connection) }
            try wait(for: Int16(POLLIN) | (flushed == 1 ? Int16(POLLOUT) : 0), until: deadline)
            guard PQconsumeInput(connection) == 1 else { throw lost() }
        }
    }

    private static func refusal(_ result: OpaquePointer) -> FleetQueueError {
        let code = PQresultErrorField(result, Int32(UInt8(ascii: "C"))).map { String(cString: $0) } ?? ""
        let words = PQresultErrorField(result, Int32(UInt8(ascii: "M"))).map { String(cString: $0) }
        // Class 57 of SQLSTATE is what an administrator, a crash or a start of the server comes with.
        let kind: FleetQueueError.Kind =
            code.isEmpty || code.hasPrefix("57P") ? .unreachable : .refused(code: code)
        return FleetQueueError(kind, words ?? String(cString: PQresultErrorMessage(result)))
    }

    // MARK: - COPY

    /// Sends rows in PostgreSQL's text format to a `COPY … FROM STDIN`.
    ///
    /// `next` gives the rows piece by piece, nil after the last.
    ///
    /// - Throws: ``FleetQueueError``, or whatever `next` throws.
    func copy(_ sql: String, _ next: () throws -> [UInt8]?) throws {
        guard PQsendQuery(connection, sql) == 1 else { throw lost() }
        guard let begun = try nextResult(until: ContinuousClock.now + patience) else { throw lost() }
        let status = PQresultStatus(begun)
        let refusal = status == PGRES_COPY_IN ? nil : Self.refusal(begun)
        PQclear(begun)
        if let refusal {
            try finish(until: ContinuousClock.now + patience)
            throw refusal
        }
        do {
            while let piece = try next() {
                let deadline = ContinuousClock.now + patience
                let sent = try piece.withUnsafeBytes { bytes in
                    try put {
                        PQputCopyData(
                            connection,
                            bytes.bindMemory(to: CChar.self).baseAddress,
                            Int32(clamping: bytes.count)
                        )
                    } until: {
                        deadline
                    }
                }
                guard sent == 1 else { throw lost() }
            }
        } catch {
            let deadline = ContinuousClock.now + patience
            _ = try put {
                PQputCopyEnd(connection, "given up")
            } until: {
                deadline
            }
            try? finish(until: deadline)
            throw error
        }
        let deadline = ContinuousClock.now + patience
        guard try put({ PQputCopyEnd(connection, nil) }, until: { deadline }) == 1 else { throw lost() }
        try finish(until: ContinuousClock.now + patience)
    }

    /// Tries until there is room in what is to be sent.
    private func put(
        _ send: () -> Int32,
        until deadline: () -> ContinuousClock.Instant
    ) throws(FleetQueueError) -> Int32 {
        while true {
            let sent = send()
            guard sent == 0 else { return sent }
            try wait(for: Int16(POLLOUT) | Int16(POLLIN), until: deadline())
            guard PQconsumeInput(connection) == 1, PQflush(connection) >= 0 else { throw lost() }
        }
    }

    // MARK: - Notifications

    /// Returns what was told on channels that the connection listens to, and forgets it.
    func takeNotifications() throws(FleetQueueError) -> [String] {
        guard PQconsumeInput(connection) == 1 else { throw lost() }
        var told: [String] = []
        while let notification = PQnotifies(connection) {
            told.append(notification.pointee.extra.map { String(cString: $0) } ?? "")
            PQfreemem(notification)
        }
        return told
    }
}

/// A statement that is prepared when a connection first uses it.
struct Statement: Hashable, Sendable {
    /// The name under which the connection knows it.
    let name: String
    /// The SQL, with `$1` and so on for values.
    let sql: String
}

/// A statement with its values, as text.
struct Call {
    var statement: Statement
    var values: [String?]

    init(_ statement: Statement, _ values: [String?] = []) {
        self.statement = statement
        self.values = values
    }
}

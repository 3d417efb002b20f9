import CPostgres
import Glibc

/// Making a connection, and waiting for it.
extension PostgresConnection {
    /// Connects to the first server that takes it; each has its share of what is left of the time.
    static func open(
        _ info: String,
        until deadline: ContinuousClock.Instant,
        perHost: Duration? = nil
    ) throws(FleetQueueError) -> OpaquePointer {
        let whole = try start(["dbname": info, "fallback_application_name": "facefetch-fleet"])
        let attempts = HostAttempts.of(options(of: whole))
        guard !attempts.isEmpty else {
            return try connect(
                whole,
                until: min(deadline, perHost.map { ContinuousClock.now + $0 } ?? deadline)
            )
        }
        PQfinish(whole)
        var failures: [String] = []
        var missing: [FleetQueueError] = []
        for (index, attempt) in attempts.enumerated() {
            let left = ContinuousClock.now.duration(to: deadline)
            let even = left / (attempts.count - index)
            let share = ContinuousClock.now + min(even, perHost ?? even)
            do throws(FleetQueueError) {
                return try connect(try start(attempt), until: share)
            } catch {
                let host = attempt["host"] ?? attempt["hostaddr"] ?? "?"
                failures.append("\(host): \(error)")
                if error.kind == .refused(code: noDatabase) { missing.append(error) }
            }
        }
        if let first = missing.first, missing.count == attempts.count { throw first }
        throw FleetQueueError(.unreachable, failures.joined(separator: "; "))
    }

    /// The code of a refusal because there is no database of that name.
    private static let noDatabase = "3D000"

    /// Begins to connect.
    private static func start(_ options: [String: String]) throws(FleetQueueError) -> OpaquePointer {
        let (keys, values) = (Array(options.keys), Array(options.values))
        let started = keys.withTerminatedPointers { keys in
            values.withTerminatedPointers { values in PQconnectStartParams(keys, values, 1) }
        }
        guard let started else { throw FleetQueueError(.unreachable, "there is not enough memory") }
        // What PostgreSQL has to say beside its answers is of no use here.
        PQsetNoticeProcessor(started, { _, _ in }, nil)
        // Only so is the code of a refusal among the words.
        PQsetErrorVerbosity(started, PQERRORS_VERBOSE)
        return started
    }

    /// Returns the options that libpq has made of a connection string.
    private static func options(of connection: OpaquePointer) -> [String: String] {
        guard let first = PQconninfo(connection) else { return [:] }
        defer { PQconninfoFree(first) }
        var options: [String: String] = [:]
        var option = first
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val { options[String(cString: keyword)] = String(cString: value) }
            option += 1
        }
        return options
    }

    /// Waits until the connection is there; one that fails is ended.
    private static func connect(
        _ connection: OpaquePointer,
        until deadline: ContinuousClock.Instant
    ) throws(FleetQueueError) -> OpaquePointer {
        do throws(FleetQueueError) {
            var events = Int16(POLLOUT)
            while true {
                guard PQstatus(connection) != CONNECTION_BAD else { throw lost(connection) }
                try wait(connection, for: events, until: deadline)
                switch PQconnectPoll(connection) {
                case PGRES_POLLING_OK:
                    PQsetErrorVerbosity(connection, PQERRORS_DEFAULT)
                    return connection
                case PGRES_POLLING_READING: events = Int16(POLLIN)
                case PGRES_POLLING_WRITING: events = Int16(POLLOUT)
                default: throw lost(connection)
                }
            }
        } catch {
            PQfinish(connection)
            throw error
        }
    }

    static func lost(_ connection: OpaquePointer) -> FleetQueueError {
        let words = String(cString: PQerrorMessage(connection))
        let isMissing = words.contains(":  \(noDatabase): ")
        return FleetQueueError(
            isMissing ? .refused(code: noDatabase) : .unreachable,
            words.replacing(#/:  [0-9A-Z]{5}: /#, with: ":  ")
        )
    }

    func lost() -> FleetQueueError { Self.lost(connection) }

    func wait(for events: Int16, until deadline: ContinuousClock.Instant) throws(FleetQueueError) {
        try Self.wait(connection, for: events, until: deadline)
    }

    private static func wait(
        _ connection: OpaquePointer,
        for events: Int16,
        until deadline: ContinuousClock.Instant
    ) throws(FleetQueueError) {
        while true {
            let left = ContinuousClock.now.duration(to: deadline)
            guard left > .zero else {
                throw FleetQueueError(.unreachable, "the database did not answer in time")
            }
            let milliseconds =
                left.components.seconds * 1000 + left.components.attoseconds / 1_000_000_000_000_000
            var file = pollfd(fd: PQsocket(connection), events: events, revents: 0)
            let count = poll(&file, 1, Int32(clamping: milliseconds + 1))
            if count > 0 { return }
            if count < 0, errno != EINTR {
                throw FleetQueueError(.unreachable, String(cString: strerror(errno)))
            }
        }
    }
}

extension [String] {
    /// Lends the texts as C strings, with a null pointer behind the last.
    func withTerminatedPointers<Value>(
        _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Value
    ) -> Value { map { Optional($0) }.withTerminatedPointers(body) }
}

extension [String?] {
    /// Lends the texts as C strings, with null pointers for nil and behind the last.
    func withTerminatedPointers<Value>(
        _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Value
    ) -> Value {
        let copies = map { $0.flatMap { strdup($0) } }
        defer { for copy in copies { free(copy) } }
        let pointers = copies.map { $0.map { UnsafePointer($0) } } + [nil]
        return pointers.withUnsafeBufferPointer { buffer in
            // An array with the terminator is never empty.
            buffer.baseAddress.map(body) ?? withUnsafePointer(to: nil, body)
        }
    }
}

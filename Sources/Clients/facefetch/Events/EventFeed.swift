import ControlAPI
import FoundationEssentials
import Glibc

/// The daemon's events, each once and in order, across lost connections and restarts of the daemon.
///
/// It remembers the last event returned, and asks for those after it. Not Sendable: it stays with the
/// thread that made it.
final class EventFeed {
    /// An item of the feed.
    enum Item {
        /// A durable event.
        case event(EventJSON)
        /// The progress of a transfer.
        case progress(ProgressJSON)
        /// The daemon has begun to answer.
        case connected
        /// The connection was lost for this reason; the feed reconnects by itself.
        case lost(ClientError)
        /// Some events are no longer kept, and are lost.
        case gone
        /// One of the descriptors can be read.
        case woken
        /// Nothing has happened within the time limit.
        case quiet
        /// The daemon has sent all events that it keeps, for a feed that doesn't follow.
        case ended
    }

    /// The id of the last event returned; before the first that of the event after which the feed begins, nil if
    /// that isn't known.
    private(set) var last: Int64?
    private let socketPath: String
    private let batch: Int64?
    private let since: Date?
    private let newest: Int?
    private let follows: Bool
    private var connection: StreamConnection?
    private var parser = ServerSentEventParser()
    private var pending: [Item] = []
    private var isAnnounced = false
    private var hasEverConnected = false
    private var isRefused = false
    private var failures = 0
    private var nextTry = ContinuousClock.now

    /// Creates a feed of the events of the daemon at `socketPath`.
    ///
    /// - Parameters:
    ///   - batch: The batch whose events are wanted; nil for all.
    ///   - after: The event after which to begin; 0 for all that are kept, nil for what happens from now
    ///     on.
    ///   - since: The time from which to begin; a few events from just before may come too.
    ///   - newest: How many of the newest events that are kept come first, where nothing is said of `after`.
    ///   - follows: Whether to go on after the events that are kept.
    ///   - isKnown: Whether the daemon has answered before, so that it is worth waiting for if it doesn't.
    init(
        socketPath: String,
        batch: Int64? = nil,
        after: Int64?,
        since: Date? = nil,
        newest: Int? = nil,
        follows: Bool = true,
        isKnown: Bool = false
    ) {
        self.socketPath = socketPath
        self.batch = batch
        self.last = after
        self.since = since
        self.newest = newest
        self.follows = follows
        hasEverConnected = isKnown
    }

    /// Notes that the daemon has answered otherwise, so that it is worth waiting for if it doesn't.
    func daemonHasAnswered() { hasEverConnected = true }

    /// True if no item is available, so that ``next(timeout:descriptors:)`` has to wait.
    var hasToWait: Bool { pending.isEmpty }

    /// Waits for the next item.
    ///
    /// - Parameters:
    ///   - timeout: The time limit in milliseconds.
    ///   - descriptors: Further descriptors to wait for.
    /// - Throws: ``ClientError`` if the daemon refuses, or can't be reached the first time.
    func next(timeout: Int32, descriptors: [Int32] = []) throws -> Item {
        let deadline = ContinuousClock.now + .milliseconds(Int(timeout))
        while true {
            if !pending.isEmpty { return pending.removeFirst() }
            // Trying again and again to connect takes time, too.
            let timeout = Int32(max(0, ((deadline - .now) / .milliseconds(1)).rounded(.up)))
            guard let connection else {
                if let item = pause(timeout: timeout, descriptors: descriptors) { return item }
                try connect()
                continue
            }
            do throws(ClientError) {
                switch try connection.next(timeout: timeout, descriptors: descriptors) {
                case .bytes(let bytes): receive(bytes)
                case .woken: return .woken
                case .quiet:
                    if let item = announce(connection) { return item }
                    return .quiet
                case .ended(let response): try ended(response)
                }
            } catch {
                try lose(error)
            }
        }
    }

    private func connect() throws(ClientError) {
        let request = HTTPRequest(
            "GET",
            "/v1/events",
            query: [
                ("batch", batch.map(String.init)), ("since", since.map(LocalTime.exact)),
                ("newest", last == nil ? newest.map(String.init) : nil),
                ("follow", follows ? nil : "false"),
            ],
            headers: ["Accept: text/event-stream"] + (last.map { ["Last-Event-ID: \($0)"] } ?? [])
        )
        parser = ServerSentEventParser()
        isAnnounced = false
        connection = try StreamConnection(socketPath: socketPath, request: request)
    }

    /// Waits until the next attempt is due; returns nil when it is.
    private func pause(timeout: Int32, descriptors: [Int32]) -> Item? {
        let left = (nextTry - .now) / .milliseconds(1)
        guard left > 0 else { return nil }
        let wait = min(Int32(left.rounded(.up)), timeout)
        var others = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        if poll(&others, nfds_t(others.count), wait) > 0 { return .woken }
        return Double(timeout) < left ? .quiet : nil
    }

    private func announce(_ connection: StreamConnection) -> Item? {
        guard !isAnnounced, connection.isOpen else { return nil }
        isAnnounced = true
        hasEverConnected = true
        failures = 0
        return .connected
    }

    private func ended(_ response: HTTPResponse) throws(ClientError) {
        guard response.isSuccess else {
            // If the daemon is starting or stopping, or has no room, it is worth waiting for.
            isRefused = !HTTPResponse.isServerError(response.status)
            let refusal = ControlClient.refusal(response, socketPath: socketPath)
            throw refusal as? ClientError ?? .unsuccessful("The daemon refused to send its events.")
        }
        receive(response.body)
        if !follows {
            pending.append(.ended)
            return
        }
        throw .unreachable("The daemon ended the stream of events.")
    }

    /// Schedules the next attempt: 0.1 s after the first failure, and up to 2 s later on.
    private func lose(_ error: ClientError) throws(ClientError) {
        connection = nil
        guard hasEverConnected, !isRefused else { throw error }
        if failures == 0 { pending.append(.lost(error)) }
        nextTry = .now + (Duration.milliseconds(100)...Duration.seconds(2)).doubled(times: failures)
        failures += 1
    }

    private func receive(_ bytes: [UInt8]) {
        if let connection, let item = announce(connection) { pending.append(item) }
        for event in parser.feed(bytes) {
            let name = EventJSON.StreamName(rawValue: event.name)
            if event.data.isEmpty, last == nil { last = event.id.flatMap { Int64($0) } }
            if name == .missed {
                // Ask again at once from the last event seen, since there is a gap before what follows.
                connection = nil
                return
            }
            if let item = item(name, event) { pending.append(item) }
        }
    }

    private func item(_ name: EventJSON.StreamName?, _ event: ServerSentEvent) -> Item? {
        let data = Data(event.data.utf8)
        switch name {
        case .job:
            guard let job = try? JSONDecoder().decode(EventJSON.self, from: data) else { return nil }
            // A replay may overlap with what has been seen.
            guard job.id > last ?? 0 else { return nil }
            last = job.id
            return .event(job)
        case .progress:
            return (try? JSONDecoder().decode(ProgressJSON.self, from: data)).map { .progress($0) }
        case .gone:
            // The events that are kept follow. Their ids may be lower if the store is a new one.
            let notice = try? JSONDecoder().decode(NoticeJSON.self, from: data)
            last = (notice?.oldest ?? 1) - 1
            return .gone
        case .missed, nil:
            return nil
        }
    }
}

import HTTPServer
import HTTPTypes
import JobEngine
import JobModel
import Logging
import NIOCore
import NIOPosix
import SourceEngine

/// The HTTP server on the control socket.
public struct ControlServer: Sendable {
    private let configuration: ControlServerConfiguration
    private let handler: RequestHandler
    private let connections: ConnectionRegistry
    private let stop = StopSignal()
    private let listener = Listener()
    private let tasks = ConnectionTasks()
    private let logger: Logger

    /// Creates a server that isn't running yet.
    ///
    /// - Parameters:
    ///   - configuration: The server's limits.
    ///   - control: Carries out requests.
    ///   - queries: Answers queries about jobs.
    ///   - sources: Runs sources; nil if nothing does.
    ///   - now: Reads the clocks.
    ///   - logger: Receives internal errors; requests are not logged.
    public init(
        configuration: ControlServerConfiguration,
        control: any JobControl,
        queries: any JobQueries,
        sources: (any SourceControl)? = nil,
        now: @escaping @Sendable () -> Moment,
        logger: Logger
    ) {
        self.configuration = configuration
        self.logger = logger
        let shares = ConnectionShares(total: configuration.maximumConnections, ownUser: Peer.ownUser)
        connections = ConnectionRegistry(shares: shares)
        self.handler = RequestHandler(
            configuration: configuration,
            control: control,
            queries: queries,
            sources: sources,
            now: now,
            logger: logger,
            stop: stop,
            metrics: ServerMetrics(),
            connections: connections,
            frames: EventFrames(),
            followers: Followers(changed: configuration.followersChanged),
            // A connection whose body isn't read is closed as idle; this is shorter, so that the client
            // first gets an answer.
            bodies: BodyAdmission(
                largest: configuration.maximumBodySize,
                patience: configuration.idleTimeout * 3 / 4
            )
        )
    }

    /// Has connections served by so many threads, in place of one a processor.
    ///
    /// It may be called once, before any server of the process runs.
    public static func useThreads(_ count: Int) { NIOSingletons.groupLoopCountSuggestion = count }

    /// Serves until the task is cancelled or told to shut down gracefully.
    ///
    /// Event streams then end, answers under way are finished, and whatever is still connected after
    /// ``ControlServerConfiguration/stopTimeout`` is cut off.
    ///
    /// - Parameters:
    ///   - socket: The listening socket, which is closed at the end.
    ///   - onReady: Called once connections are being accepted.
    public func run(on socket: ControlSocket, onReady: @Sendable () async -> Void = {}) async throws {
        // Keeps the socket's file until everything has ended.
        defer { withExtendedLifetime(socket) {} }
        try await listen(on: socket)
        let handler = self.handler
        await onReady()
        await withTaskGroup(of: Void.self) { group in
            let metrics = handler.metrics
            let events = handler.control.events.subscribe()
            group.addTask {
                var items = events.makeAsyncIterator()
                while true {
                    let pieces = await items.nextPieces()
                    guard !pieces.isEmpty else { return }
                    for piece in pieces { metrics.count(piece) }
                }
            }
            // Not a child of the cancelled task, so that answers under way can be finished.
            let serving = Task { [listener, tasks] in
                await listener.ended()
                await tasks.drained()
            }
            await withTaskCancellationHandler {
                await serving.value
            } onCancel: {
                listener.end()
                end()
            }
            group.cancelAll()
        }
    }

    /// Accepts connections on a socket, and no more on the one before; those that are there go on.
    ///
    /// - Parameter socket: The listening socket, whose descriptor is the server's from now on.
    public func listen(on socket: ControlSocket) async throws {
        guard let descriptor = socket.takeDescriptor() else { throw ChannelError.alreadyClosed }
        let http = self.http
        let handler = self.handler
        let connections = self.connections
        let tasks = self.tasks
        let maximumConnections = configuration.maximumConnections
        let access = configuration.access
        let patience = TimeAmount(configuration.idleTimeout)
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    // SwiftNIO has listened once more, with room for 128 clients, whatever its option says.
                    try ControlSocket.listen(descriptor)
                    try channel.pipeline.syncOperations.addHandler(
                        ConnectionLimit(maximumConnections)
                    )
                }
            }
            // Some clients close their sending side after the request, and still want the answer.
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelOption(.recvAllocator, value: ReadSize.requests)
            // Then it is another connection's turn.
            .childChannelOption(.maxMessagesPerRead, value: 1)
            .childChannelInitializer { channel in
                Peer.of(channel).flatMapThrowing { peer in
                    try connections.add(channel, of: Client(user: peer?.user, right: access.right(of: peer)))
                    try channel.pipeline.syncOperations.addHandlers(
                        LastWrites(patience: patience),
                        InputPieces()
                    )
                    let connection = try HTTPConnection(channel, http, head: HostHandler())
                    tasks.start {
                        await connection.serve { request, body, writer, channel in
                            try await handler.respond(
                                to: request,
                                body: body,
                                writer: writer,
                                channel: channel
                            )
                        }
                    }
                }
            }
            .withBoundSocket(descriptor).get()
        await listener.take(server)
    }

    /// Calls back once every thread that serves connections, and the pool that computes answers, has
    /// done some work, as proof that none is stuck.
    ///
    /// It doesn't use a connection, which would have to wait when others have taken them all.
    public func checkIn(_ answer: @escaping @Sendable () -> Void) {
        let loops = Array(MultiThreadedEventLoopGroup.singleton.makeIterator())
        guard let first = loops.first else { return answer() }
        let hops = loops.map { loop in loop.submit {} }
        EventLoopFuture.andAllSucceed(hops, on: first).whenComplete { _ in
            Task { answer() }
        }
    }

    private var http: HTTPConnection.Configuration {
        let (metrics, maximumHeaderSize) = (handler.metrics, configuration.maximumHeaderSize)
        return HTTPConnection.Configuration(
            maximumHeaderSize: maximumHeaderSize,
            maximumFieldSize: maximumHeaderSize,
            maximumFields: HTTPLimits.headerFields,
            idleTimeout: configuration.idleTimeout,
            refused: { metrics.answered(status: $0.status.code, after: .zero) }
        ) { error in
            guard let problem = BrokenRequest.problem(error, maximumHeaderSize: maximumHeaderSize) else {
                return nil
            }
            let reply = Reply.problem(problem, fields: [.connection: "close"])
            return (reply.head, reply.body)
        }
    }

    /// Closes connections: idle ones now, the others after their answer, and all after a time limit.
    private func end() {
        stop.raise()
        handler.bodies.end()
        connections.quiesce()
        let connections = self.connections
        MultiThreadedEventLoopGroup.singleton.next().scheduleTask(in: TimeAmount(configuration.stopTimeout)) {
            connections.closeAll()
        }
    }
}

import DetectorProtocol
import JobModel
import Logging
import Synchronization
import Vocabulary

/// Has JPEGs of documents made for people to look at, and fingerprints of those that have none, by one process
/// that runs while it is needed.
///
/// The process is not one of the detectors, so that nobody who waits for a picture waits for a detection.
public final class PictureMaker: Sendable {
    /// The outcome of a request.
    public enum Outcome: Hashable, Sendable {
        /// The JPEG.
        case made([UInt8])
        /// The fingerprint that was wanted instead; nil if there is too little in the picture.
        case fingerprint(Fingerprint?)
        /// The document can't be read as a picture.
        case unreadable
        /// No picture was made: nobody wants it any more, or the process was lost.
        case failed
    }

    struct Order: Sendable {
        var id: Int64
        var path: String
        /// The size of the JPEG; nil if a fingerprint is wanted.
        var size: PictureSize?
        var answer: @Sendable (Outcome) -> Void
    }

    fileprivate struct State {
        var line = PictureTurns<Order>(most: PictureMaker.mostWaiting)
        var isRunning = false
        var hasEnded = false
        /// Counts how often the process was to be replaced.
        var generation = 0
        /// The process that has nothing to do, and how often one has waited.
        var waiter: CheckedContinuation<Order?, Never>?
        var turn = 0
    }

    /// The most requests of each kind that may wait for one user.
    static let mostWaiting = 500

    private let configuration: DetectorPoolConfiguration
    private let logger: Logger
    private let voices: ChildVoices
    private let interests: @Sendable () -> [JobID: Interest]
    private let lost: @Sendable (ChildEnd, _ path: String?) -> Void
    private let state = Mutex(State())

    /// Creates a maker that starts its process for the first request.
    ///
    /// - Parameters:
    ///   - configuration: The program, with arguments such as `--serve-pictures --documents DIR`.
    ///   - logger: Receives what the process says, and its losses.
    ///   - interests: Returns what people look at, without waiting.
    ///   - lost: Called when a process was lost, with the path of the document that it was at; must not wait.
    public init(
        configuration: DetectorPoolConfiguration,
        logger: Logger,
        interests: @escaping @Sendable () -> [JobID: Interest] = { [:] },
        lost: @escaping @Sendable (ChildEnd, _ path: String?) -> Void = { _, _ in }
    ) {
        self.configuration = configuration
        self.logger = logger
        self.interests = interests
        self.lost = lost
        voices = ChildVoices(of: "picture process", "picture processes", logger: logger)
    }

    /// Makes a JPEG of a job's document, at the turn of the user who wants it.
    ///
    /// If the task is cancelled before anything has been begun, nothing is.
    public func make(
        _ path: String,
        _ size: PictureSize,
        for job: JobID,
        of user: UInt32? = nil
    ) async -> Outcome { await outcome(of: size, path, for: job, user) }

    private func outcome(
        of size: PictureSize?,
        _ path: String,
        for job: JobID,
        _ user: UInt32?
    ) async -> Outcome {
        let id = Int64.random(in: 1...Int64.max)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let order = Order(id: id, path: path, size: size) { continuation.resume(returning: $0) }
                add(order, for: job, user)
            }
        } onCancel: {
            withdraw(id)
        }
    }

    /// Makes the fingerprint of a job's document, after all pictures that its user waits for.
    ///
    /// If the task is cancelled before anything has been begun, nothing is.
    public func makeFingerprint(_ path: String, for job: JobID, of user: UInt32? = nil) async -> Outcome {
        await outcome(of: nil, path, for: job, user)
    }

    /// Ends the process once it has answered, and refuses all requests from now on.
    public func stop() {
        let (orders, waiter) = state.withLock { state in
            state.hasEnded = true
            return (state.line.removeAll(), state.waiter.take())
        }
        waiter?.resume(returning: nil)
        for order in orders { order.answer(.failed) }
    }

    /// Has no further picture made by the process that there is now.
    public func replaceProcess() {
        let waiter = state.withLock { state in
            state.generation += 1
            return state.waiter.take()
        }
        waiter?.resume(returning: nil)
    }

    private func add(_ order: Order, for job: JobID, _ user: UInt32?) {
        let (refused, starts) = state.withLock { state -> (Order?, Bool) in
            guard !state.hasEnded, !Task.isCancelled else { return (order, false) }
            if let waiter = state.waiter.take() {
                waiter.resume(returning: order)
                return (nil, false)
            }
            let refused = state.line.add(order, id: order.id, job: job, order.size, of: user)
            defer { state.isRunning = true }
            return (refused, !state.isRunning)
        }
        refused?.answer(.failed)
        if starts { Task { await run() } }
    }

    private func withdraw(_ id: Int64) {
        state.withLock { $0.line.remove(id) }?.answer(.failed)
    }

    /// Returns whether nothing waits, so that the process that has ended isn't replaced yet.
    private func rests() -> Bool {
        state.withLock { state in
            state.isRunning = !state.line.isEmpty
            return !state.isRunning
        }
    }

    /// Runs processes one after the other until nothing waits.
    private func run() async {
        var losses = 0
        repeat {
            let process = PictureProcess(configuration: configuration, voices: voices)
            let generation = state.withLock(\.generation)
            let loss = await process.run {
                await self.nextOrder(generation)
            } isOver: {
                self.replaceProcess()
            }
            Orphans.reap()
            losses = loss == nil ? 0 : losses + 1
            if let loss {
                logger.warning("a picture process was lost; another one takes its place")
                if let end = loss.end { lost(end, loss.path) }
            }
            // One that can't even start is tried again ever more rarely.
            let pauses: ClosedRange<Duration> = .milliseconds(400)...(.milliseconds(25_600))
            if losses > 1 { try? await Task.sleep(for: pauses.doubled(times: losses - 2)) }
        } while !rests()
    }

    /// Returns the next request; nil once none has come for a while, or another process is to have it.
    private func nextOrder(_ generation: Int) async -> Order? {
        let idleTime = configuration.idleTime
        let interests = interests()
        return await withCheckedContinuation { continuation in
            let (order, turn) = state.withLock { state -> (Order?, Int?) in
                if state.generation != generation { return (nil, nil) }
                if let order = state.line.next(interests) { return (order, nil) }
                if state.hasEnded { return (nil, nil) }
                state.turn += 1
                state.waiter = continuation
                return (nil, state.turn)
            }
            guard let turn else { return continuation.resume(returning: order) }
            Task {
                try? await Task.sleep(for: idleTime)
                let waiter = state.withLock { state in
                    state.turn == turn ? state.waiter.take() : nil
                }
                waiter?.resume(returning: nil)
            }
        }
    }
}

import ChildProcess
import DetectorProtocol
import JobCore
import Logging
import Synchronization

/// Has JPEGs made of documents, for people who look at them, by one process that is there while it is needed.
///
/// It is a process beside the detectors', so that whoever waits for a picture never waits for a detection.
public final class PictureMaker: Sendable {
    /// What came of a request.
    public enum Outcome: Hashable, Sendable {
        /// The JPEG.
        case made([UInt8])
        /// The document is no picture that can be read.
        case unreadable
        /// Nothing could be made of it now: nobody wants it any more, or the process was lost.
        case failed
    }

    struct Order: Sendable {
        var id: Int64
        var path: String
        var size: PictureSize
        var answer: @Sendable (Outcome) -> Void
    }

    fileprivate struct State {
        /// What waits: large pictures are for a person who has opened one, and come first.
        var large: [Order] = []
        var small: [Order] = []
        var isRunning = false
        var hasEnded = false
        /// The process that has nothing to do, and how often one has waited.
        var waiter: CheckedContinuation<Order?, Never>?
        var turn = 0
    }

    /// The most that may wait; what comes then takes the place of what has waited longest.
    static let mostWaiting = 500

    private let configuration: DetectorPoolConfiguration
    private let logger: Logger
    private let voices: ChildVoices
    private let state = Mutex(State())

    /// Creates a maker that starts its process for the first request.
    ///
    /// - Parameter configuration: The program, with arguments such as `--serve-pictures --documents DIR`.
    public init(configuration: DetectorPoolConfiguration, logger: Logger) {
        self.configuration = configuration
        self.logger = logger
        voices = ChildVoices(of: "picture process", "picture processes", logger: logger)
    }

    /// Makes a JPEG of a document; a cancelled task gives up what nobody has begun with.
    public func make(_ path: String, _ size: PictureSize) async -> Outcome {
        let id = Int64.random(in: 1...Int64.max)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                add(Order(id: id, path: path, size: size) { continuation.resume(returning: $0) })
            }
        } onCancel: {
            withdraw(id)
        }
    }

    /// Ends the process once it has answered; nothing more is made.
    public func stop() {
        let (orders, waiter) = state.withLock { state in
            state.hasEnded = true
            defer { (state.large, state.small) = ([], []) }
            return (state.large + state.small, state.waiter.take())
        }
        waiter?.resume(returning: nil)
        for order in orders { order.answer(.failed) }
    }

    private func add(_ order: Order) {
        let (refused, starts) = state.withLock { state -> ([Order], Bool) in
            guard !state.hasEnded, !Task.isCancelled else { return ([order], false) }
            if let waiter = state.waiter.take() {
                waiter.resume(returning: order)
                return ([], false)
            }
            var refused: [Order] = []
            if order.size == .thumb { state.small.append(order) } else { state.large.append(order) }
            if state.small.count > Self.mostWaiting { refused.append(state.small.removeFirst()) }
            if state.large.count > Self.mostWaiting { refused.append(state.large.removeFirst()) }
            defer { state.isRunning = true }
            return (refused, !state.isRunning)
        }
        for order in refused { order.answer(.failed) }
        if starts { Task { await run() } }
    }

    private func withdraw(_ id: Int64) {
        let order = state.withLock { state -> Order? in
            if let index = state.small.firstIndex(where: { $0.id == id }) {
                return state.small.remove(at: index)
            }
            if let index = state.large.firstIndex(where: { $0.id == id }) {
                return state.large.remove(at: index)
            }
            return nil
        }
        order?.answer(.failed)
    }

    /// Whether nothing waits; then the process that has ended is not replaced before something does.
    private func rests() -> Bool {
        state.withLock { state in
            state.isRunning = !(state.large.isEmpty && state.small.isEmpty)
            return !state.isRunning
        }
    }

    /// Runs processes one after the other until nothing waits.
    private func run() async {
        var losses = 0
        repeat {
            let process = PictureProcess(configuration: configuration, voices: voices)
            let isLost = await process.run { await self.nextOrder() }
            Orphans.reap()
            losses = isLost ? losses + 1 : 0
            if isLost { logger.warning("a picture process was lost; another one takes its place") }
            // One that can't even start is tried again ever more rarely.
            if losses > 1 { try? await Task.sleep(for: .milliseconds(100 << min(losses, 8))) }
        } while !rests()
    }

    /// The next order; nil once none has come for a while.
    private func nextOrder() async -> Order? {
        let idleTime = configuration.idleTime
        return await withCheckedContinuation { continuation in
            let (order, turn) = state.withLock { state -> (Order?, Int?) in
                if let order = state.first() { return (order, nil) }
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

extension PictureMaker.State {
    /// Takes the order that is next.
    fileprivate mutating func first() -> PictureMaker.Order? {
        if !large.isEmpty { return large.removeFirst() }
        return small.isEmpty ? nil : small.removeFirst()
    }
}

import DetectorProtocol
import Glibc
import JobModel
import Synchronization

/// One process that makes pictures, from its start to its end.
struct PictureProcess {
    let configuration: DetectorPoolConfiguration
    let voices: ChildVoices

    /// The loss of a process.
    struct Loss {
        /// The end that it came to by itself; nil if it took too long, or the machine lacked something.
        var end: ChildEnd?
        /// The document that it was at.
        var path: String?
    }

    /// The longer side of what a fingerprint is made of: ten times as many pixels as it has cells in a row.
    private static let fingerprintSide = 320
    /// The longest from the start of the process until it is ready.
    private static let startTimeout = Duration.seconds(30)
    /// The longest that one may take to end after it was told to.
    private static let endTimeout = Duration.seconds(5)

    /// Has the process answer orders until there are none, or it can't go on.
    ///
    /// - Parameters:
    ///   - next: Returns the next order; nil for none.
    ///   - isOver: Called when nothing more will be heard of the process, so that it isn't given an order.
    /// - Returns: How it was lost, after its last order has been answered; nil if it wasn't.
    func run(
        _ next: @escaping @Sendable () async -> PictureMaker.Order?,
        isOver: @escaping @Sendable () -> Void
    ) async -> Loss? {
        let child = Child(configuration.program, PictureSpeech(), hear: voices.pass)
        let (messages, message) = AsyncStream.makeStream(of: PictureSpeech.Message.self)
        let isLost = Mutex(false)
        async let running = run(child, telling: message) {
            isLost.withLock { $0 = true }
            isOver()
        }
        var said = messages.makeAsyncIterator()
        // The order that the process is at.
        var current: PictureMaker.Order?
        let isLate = Mutex(false)
        let start = child.limit(Self.startTimeout)
        var isWell = await said.next() != nil
        start.cancel()
        while isWell, let order = await next() {
            current = order
            let limit = child.limit(configuration.timeout) { isLate.withLock { $0 = true } }
            ask(child, for: order)
            let answer = await said.next()
            limit.cancel()
            guard case .answer(let outcome) = answer else {
                isWell = false
                break
            }
            current = nil
            order.answer(outcome)
        }
        // One that has ended while it had nothing to do costs no picture.
        isWell = isWell && !isLost.withLock { $0 }
        if isWell { child.finish() } else { child.kill() }
        let last = child.limit(Self.endTimeout)
        let outcome = await running
        last.cancel()
        if isWell { return nil }
        let end = ChildEnd(ofLost: outcome)
        let isLacking = end == .exited(DetectorExit.outOfResources)
        // A document that ends the process that looks at it can't be shown.
        current?.answer(isLacking ? .failed : .unreadable)
        return Loss(end: isLacking || isLate.withLock { $0 } ? nil : end, path: current?.path)
    }

    /// Runs the process to its end, and tells what it says until then.
    private func run(
        _ child: Child<PictureSpeech>,
        telling message: AsyncStream<PictureSpeech.Message>.Continuation,
        isOver: @escaping @Sendable () -> Void
    ) async -> ChildOutcome {
        let end: @Sendable () -> Void = {
            message.finish()
            isOver()
        }
        defer { end() }
        return await child.run {
            message.yield($0)
        } misbehaved: { _ in
            end()
        }
    }

    private func ask(_ child: Child<PictureSpeech>, for order: PictureMaker.Order) {
        let request = PictureRequest(
            id: order.id,
            path: order.path,
            side: order.size?.side ?? Self.fingerprintSide,
            quality: order.size?.quality ?? 1,
            limit: order.size?.limit ?? 0,
            wantsFingerprint: order.size == nil ? true : nil
        )
        guard let frame = try? DetectorFrame.encode(request) else { return child.kill() }
        child.send(frame) { $0.expect(request) }
    }
}

extension ChildEnd {
    /// The end of a process that ended, or had to be ended, before its work was done.
    fileprivate init(ofLost outcome: ChildOutcome) {
        switch outcome {
        case .killed: self = .signalled(SIGKILL)
        case .finished(let end), .unexpected(let end): self = end
        case .misbehaved(let how): self = .misbehaved(how.description)
        }
    }
}

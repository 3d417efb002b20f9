import ChildProcess
import DetectorProtocol
import JobCore
import Subprocess
import Synchronization
import SystemPackage

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

    /// The longest from the start of the process until it is ready.
    private static let startTimeout = Duration.seconds(30)

    /// Has the process answer orders until there are none, or it can't go on.
    ///
    /// - Returns: How it was lost, after its last order has been answered; nil if it wasn't.
    func run(_ next: @escaping @Sendable () async -> PictureMaker.Order?) async -> Loss? {
        // The order that the process is at.
        let current = Mutex<PictureMaker.Order?>(nil)
        let isLate = Mutex(false)
        let result = try? await Subprocess.run(
            .path(FilePath(configuration.executable)),
            arguments: Arguments(configuration.arguments),
            environment: ChildEnvironment.inherited(),
            input: .inputWriter,
            output: .sequence,
            error: .sequence
        ) { execution in
            await withTaskGroup(of: Void.self, returning: Bool.self) { group in
                group.addTask { await self.log(execution.standardError) }
                var reader = Reader(execution.standardOutput)
                let start = self.alarm(Self.startTimeout) { try? execution.send(signal: .kill) }
                var isWell = await reader.greeting()?.version == DetectorGreeting.current
                start.cancel()
                while isWell, let order = await next() {
                    current.withLock { $0 = order }
                    let alarm = self.alarm(self.configuration.timeout) {
                        isLate.withLock { $0 = true }
                        try? execution.send(signal: .kill)
                    }
                    let outcome = await self.ask(order, execution.standardInputWriter, &reader)
                    alarm.cancel()
                    guard let outcome else {
                        isWell = false
                        break
                    }
                    current.withLock { $0 = nil }
                    order.answer(outcome)
                }
                // It ends by that where it is well, and soon.
                try? await execution.standardInputWriter.finish()
                if !isWell { try? execution.send(signal: .kill) }
                let end = self.alarm(.seconds(5)) { try? execution.send(signal: .kill) }
                await group.waitForAll()
                end.cancel()
                return isWell
            }
        }
        let isLacking = result?.terminationStatus == .exited(DetectorExit.outOfResources)
        // A document that ends the process that looks at it can't be shown.
        let order = current.withLock { $0.take() }
        order?.answer(isLacking ? .failed : .unreadable)
        guard let result else {
            return Loss(end: .notStarted("\(configuration.executable) can't be run"), path: nil)
        }
        guard !result.closureResult else { return nil }
        let isOwnFault = !isLacking && !isLate.withLock { $0 }
        return Loss(end: isOwnFault ? ChildEnd(result.terminationStatus) : nil, path: order?.path)
    }

    /// Asks for one picture; nil if the process breaks the protocol, or ends.
    private func ask(
        _ order: PictureMaker.Order,
        _ writer: StandardInputWriter,
        _ reader: inout Reader
    ) async -> PictureMaker.Outcome? {
        let request = PictureRequest(
            id: order.id,
            path: order.path,
            side: order.size.side,
            quality: order.size.quality,
            limit: order.size.limit
        )
        guard let frame = try? DetectorFrame.encode(request), (try? await writer.write(frame)) != nil else {
            return nil
        }
        return await reader.answer(to: request)
    }

    /// Does something after a while, unless that is cancelled.
    private func alarm(_ time: Duration, _ act: @escaping @Sendable () -> Void) -> Task<Void, Never> {
        Task {
            guard (try? await Task.sleep(for: time)) != nil else { return }
            act()
        }
    }

    private func log(_ output: SubprocessOutputSequence) async {
        var lines = ChildLines()
        do {
            for try await buffer in output { buffer.withUnsafeBytes { lines.append($0, voices.pass) } }
        } catch {
            // The pipe broke with the process.
        }
        lines.end(voices.pass)
    }

    /// Reads what the process says, as far as it is asked for.
    private struct Reader {
        private var iterator: SubprocessOutputSequence.AsyncIterator
        private var speech = PictureSpeech()

        init(_ output: SubprocessOutputSequence) { iterator = output.makeAsyncIterator() }

        mutating func greeting() async -> DetectorGreeting? {
            await next { (speech) throws(PictureSpeech.Broken) in try speech.greeting() }
        }

        mutating func answer(to request: PictureRequest) async -> PictureMaker.Outcome? {
            await next { (speech) throws(PictureSpeech.Broken) in try speech.answer(to: request) }
        }

        /// Reads on until there is a value; nil if the process breaks the protocol, or ends.
        private mutating func next<Value>(
            _ take: (inout PictureSpeech) throws(PictureSpeech.Broken) -> Value?
        ) async -> Value? {
            while true {
                do throws(PictureSpeech.Broken) {
                    if let value = try take(&speech) { return value }
                } catch {
                    return nil
                }
                guard let buffer = try? await iterator.next() else { return nil }
                buffer.withUnsafeBytes { speech.append($0) }
            }
        }
    }
}

import ChildProcess
import DetectorProtocol
import JobCore
import Subprocess
import SystemPackage

/// A reason why detectors can't work, as a sentence for the person who started the daemon.
public struct DetectorCheckFailure: Error, Hashable, CustomStringConvertible {
    /// What is wrong, and what to do.
    public let description: String

    init(_ description: String) { self.description = description }

    /// What is wrong with a greeting; nil when nothing is.
    init?(_ greeting: DetectorGreeting, from executable: String) {
        guard let misbehaviour = greeting.misbehaviour else { return nil }
        self.init("\(executable) \(misbehaviour): install the detector that came with this daemon")
    }
}

extension DetectorPool {
    /// Starts one detector, to learn whether it can: with its engine's files, in its sandbox.
    ///
    /// Detectors that can't start would be started again and again, and every
    /// document would wait for them. Call it before ``run()``; ``identity`` is
    /// known afterwards.
    ///
    /// - Throws: ``DetectorCheckFailure`` with the detector's own reason.
    public func check() async throws(DetectorCheckFailure) {
        let limit = configuration.limits.startTimeout
        let result = await withTaskGroup(of: Result<DetectorGreeting, DetectorCheckFailure>?.self) { group in
            group.addTask { await self.greeting() }
            group.addTask {
                // Whoever comes first is the answer, and the other is cancelled.
                try? await Task.sleep(for: limit)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
        guard let result else {
            throw DetectorCheckFailure("face detection can't start: no detector was ready within \(limit)")
        }
        take(try result.get())
    }

    /// What a detector says that finds its input closed as soon as it is ready.
    private func greeting() async -> Result<DetectorGreeting, DetectorCheckFailure> {
        do {
            let end = try await Subprocess.run(
                .path(FilePath(configuration.executable)),
                arguments: Arguments(configuration.arguments),
                environment: ChildEnvironment.inherited(),
                input: .none,
                output: .bytes(limit: DetectorFrame.headerLength + DetectorFrame.maximumLength),
                error: .string(limit: 1 << 16)
            )
            var decoder = FrameDecoder()
            decoder.append(end.standardOutput)
            guard end.terminationStatus.isSuccess, let greeting = try decoder.next(DetectorGreeting.self)
            else { return .failure(Self.failure(saying: end.standardError)) }
            if let failure = DetectorCheckFailure(greeting, from: configuration.executable) {
                return .failure(failure)
            }
            return .success(greeting)
        } catch {
            return .failure(
                DetectorCheckFailure("face detection can't start: \(configuration.executable): \(error)")
            )
        }
    }

    /// The line of what a detector said that is its reason: libraries may have spoken before it, and
    /// usage follows.
    private static func failure(saying text: String) -> DetectorCheckFailure {
        let lines = text.split(whereSeparator: \.isNewline)
        let mark = "Error: "
        let reason =
            lines.first { $0.hasPrefix(mark) }.map { String($0.dropFirst(mark.count)) }
            ?? lines.last.map(String.init) ?? "the detector gave no reason"
        return DetectorCheckFailure("face detection can't start: \(reason.limited(toBytes: 1000))")
    }
}

import ChildProcess
import DetectorProtocol
import JobCore
import Subprocess
import SystemPackage

/// The reason why detectors can't work, as a sentence for the person who started the daemon.
public struct DetectorCheckFailure: Error, Hashable, CustomStringConvertible {
    /// The problem, and what to do about it.
    public let description: String

    init(_ description: String) { self.description = description }

    /// Creates a failure if something is wrong with a greeting.
    init?(_ greeting: DetectorGreeting, from executable: String) {
        guard let misbehaviour = greeting.misbehaviour else { return nil }
        self.init("\(executable) \(misbehaviour): install the detector that came with this daemon")
    }
}

extension DetectorPool {
    /// Starts a detector to find out whether it works with its engine's files and in its sandbox.
    ///
    /// Otherwise, detectors that can't start would be started again and again, and every document would
    /// wait for them. Call it before ``run()``; afterwards ``identity`` is known.
    ///
    /// - Throws: ``DetectorCheckFailure`` with the detector's own reason.
    public func check() async throws(DetectorCheckFailure) {
        let limit = configuration.limits.startTimeout
        let result = await withTaskGroup(of: Result<DetectorGreeting, DetectorCheckFailure>?.self) { group in
            group.addTask { await self.greeting() }
            group.addTask {
                // The first result counts, and the other task is cancelled.
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

    /// Gets the greeting of a detector that finds its input closed as soon as it is ready.
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

    /// Finds the reason in a detector's output: libraries may have printed something before it, and
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

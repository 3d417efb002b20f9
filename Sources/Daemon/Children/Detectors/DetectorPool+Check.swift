import DetectorProtocol
import Glibc
import Synchronization
import Vocabulary

/// The reason why detectors can't work, as a sentence for the person who started the daemon.
public struct DetectorCheckFailure: Error, Hashable, CustomStringConvertible {
    /// The problem, and what to do about it.
    public let description: String
    /// True if the detector itself refused to work with what its arguments name, such as a network whose file is
    /// gone; anything else may pass by itself.
    public let isRefusal: Bool

    init(_ description: String, isRefusal: Bool = false) {
        (self.description, self.isRefusal) = (description, isRefusal)
    }

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
    /// wait for them. Call it before ``run()``, and again when none starts any more; afterwards ``identity`` is
    /// known.
    ///
    /// - Throws: ``DetectorCheckFailure`` with the detector's own reason.
    public func check() async throws(DetectorCheckFailure) {
        let program = configuration.program
        let limit = configuration.limits.startTimeout
        let heard = Mutex((lines: [String](), greeting: DetectorGreeting?.none, isLate: false))
        let detector = Child(program, DetectorSpeech(), longestLine: Self.longestReason) { line in
            heard.withLock { $0.lines.append(line) }
        }
        // It finds its input closed as soon as it is ready.
        detector.finish()
        let alarm = detector.limit(limit) { heard.withLock { $0.isLate = true } }
        let outcome = await detector.run { message in
            if case .greeting(let greeting) = message { heard.withLock { $0.greeting = greeting } }
        } misbehaved: { _ in
        }
        alarm.cancel()
        let (lines, greeting, isLate) = heard.withLock { $0 }
        switch outcome {
        case .finished(.exited(EXIT_SUCCESS)):
            guard let greeting else { throw Self.failure(saying: lines) }
            if let failure = DetectorCheckFailure(greeting, from: program.executable) { throw failure }
            remember(greeting)
        case .killed where isLate:
            throw DetectorCheckFailure("face detection can't start: no detector was ready within \(limit)")
        case .misbehaved where lines.contains { $0.hasPrefix("Error: ") }:
            throw Self.failure(saying: lines)
        case .misbehaved(let what):
            throw DetectorCheckFailure("face detection can't start: \(program.executable): \(what)")
        case .unexpected(.notStarted(let reason)):
            throw DetectorCheckFailure("face detection can't start: \(reason)")
        case .finished(.exited(Self.refusal)), .unexpected(.exited(Self.refusal)):
            throw Self.failure(saying: lines, isRefusal: true)
        case .finished, .killed, .unexpected: throw Self.failure(saying: lines)
        }
    }

    /// The most bytes of a reason.
    private static let longestReason = 1000
    /// The exit status of a detector that can't work with its arguments.
    private static let refusal: Int32 = 2

    /// Finds the reason in a detector's output: libraries may have printed something before it, and
    /// usage follows.
    private static func failure(saying lines: [String], isRefusal: Bool = false) -> DetectorCheckFailure {
        let mark = "Error: "
        let reason =
            lines.first { $0.hasPrefix(mark) }.map { String($0.dropFirst(mark.count)) }
            ?? lines.last ?? "the detector gave no reason"
        return DetectorCheckFailure(
            "face detection can't start: \(reason.limited(toBytes: longestReason))",
            isRefusal: isRefusal
        )
    }
}

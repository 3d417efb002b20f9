import DetectorProtocol
import Settings
import Synchronization

/// What is done where the network for yunet can't be used any more while the daemon runs: its file may go, or be
/// replaced by another.
extension Daemon {
    /// Looks whether detectors refuse to start for want of their network, and if so has another network or haar
    /// look where the settings leave the choice; otherwise documents wait until the file is there again.
    ///
    /// The settings stay as they are, and a reload tries them again.
    func reviewNetwork() async {
        defer { errands.haveReviewed() }
        let current = latest.value
        guard let path = current.detection.network, let reason = await detectors.refusal() else { return }
        var other = current
        other.detection.model = nil
        other.detection.found = FoundNetwork.find(in: NetworkFolders.all()).map {
            .init(path: $0.path, name: $0.network.name)
        }
        let isLeftToUs = current.detection.engine != .yunet
        guard isLeftToUs, let pool = try? await detectors.prepare(other) else {
            let problem = "documents wait to be looked at: \(reason); put the network back, and they go on"
            if detectors.complain(problem) { logger.error("\(problem)") }
            return
        }
        let found = other.detection.found.map { "\($0.name) at \($0.path)" }
        let looking = found ?? other.detection.looking.rawValue
        let problem =
            "\(looking) looks for faces, since \(path) can't be used: \(reason); put it back, or get one with "
            + "\"facefetch model install\", then reload the daemon"
        engine.reconfigure(other.engine)
        detectors.use(pool, because: problem)
        logger.warning("\(problem)")
    }
}

/// The errands that replace detectors, of which there is one at a time.
final class Errands: Sendable {
    enum Errand {
        /// To read the settings again.
        case reload
        /// To look whether detectors can still start.
        case review
    }

    let all: AsyncStream<Errand>
    private let add: AsyncStream<Errand>.Continuation
    private let isReviewAsked = Mutex(false)

    init() { (all, add) = AsyncStream.makeStream() }

    /// Adds a reload for each that is asked for, until none will be.
    func follow(_ reloads: AsyncStream<Void>) async {
        for await _ in reloads { add.yield(.reload) }
        add.finish()
    }

    /// Adds a review of the network, since a detector ended without a document, unless one is to come.
    func suspectNetwork() {
        let isFirst = isReviewAsked.withLock { isAsked in
            defer { isAsked = true }
            return !isAsked
        }
        if isFirst { add.yield(.review) }
    }

    /// Notes that a review has ended.
    func haveReviewed() { isReviewAsked.withLock { $0 = false } }
}

import FaceNetworks
import Settings
import Synchronization

/// What is done where the network for yunet can't be used any more while the daemon runs: its file may go, or be
/// replaced by another.
extension Daemon {
    /// An errand that replaces detectors, of which there is one at a time.
    enum Errand {
        /// To read the settings again.
        case reload
        /// To look whether detectors can still start.
        case review
    }

    /// Looks whether detectors refuse to start for want of their network, and if so has another network or haar
    /// look where the settings leave the choice; otherwise documents wait until the file is there again.
    ///
    /// The settings stay as they are, and a reload tries them again.
    func reviewNetwork() async {
        defer { networkReviews.haveReviewed() }
        var current = latest.withLock { $0 }
        (current.paths, current.control) = (settings.paths, settings.control)
        guard let path = current.detection.network, let reason = await detectors.refusal() else { return }
        var other = current
        other.detection.model = nil
        other.detection.found = FoundNetwork.find(in: NetworkFolders.all()).map {
            .init(path: $0.path, name: $0.network.name)
        }
        let isLeftToUs = current.detection.engine != .yunet
        let configuration = other.detectorPool(executable: detectorExecutable)
        guard isLeftToUs, let pool = try? await detectors.prepare(configuration) else {
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

/// Word of detectors that ended without a document, on which somebody looks into their network, once at a time.
final class NetworkReviews: Sendable {
    private let state = Mutex((ask: (@Sendable () -> Void)?.none, isAsked: false))

    /// Sets how a review is asked for; word that has come before is passed on.
    func use(_ ask: @escaping @Sendable () -> Void) {
        let isAsked = state.withLock { state in
            state.ask = ask
            return state.isAsked
        }
        if isAsked { ask() }
    }

    /// Asks for a review, unless one is asked for.
    func suspect() {
        let ask = state.withLock { state in
            defer { state.isAsked = true }
            return state.isAsked ? nil : state.ask
        }
        ask?()
    }

    /// Notes that a review has ended.
    func haveReviewed() { state.withLock { $0.isAsked = false } }
}

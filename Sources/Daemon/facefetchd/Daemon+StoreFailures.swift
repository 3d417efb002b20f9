import JobModel
import JobStore

/// Failures of the store that end the daemon, in words.
extension Daemon {
    /// Returns the reason why a failure of the store ends the daemon.
    static func failure(of error: StoreFailure, _ file: StoreFile) -> StartFailure {
        let reason: String
        switch error {
        case .outOfSpace:
            return StartFailure(lackOfRoomAt: file.path, for: "the job store \(file.path)")
        case .broken(let words):
            file.suspect()
            reason = "\(words); check the disk"
        }
        return StartFailure(
            status: .ioError,
            description: "the job store \(file.path) can't be used: \(reason), then start the daemon again"
        )
    }

    /// Returns the reason why a failure of the store ends the daemon while it is working.
    func failure(of error: StoreFailure) -> StartFailure { Self.failure(of: error, storeFile) }
}

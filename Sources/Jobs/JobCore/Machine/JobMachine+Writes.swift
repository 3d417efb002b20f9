import JobModel

/// Writes that can wait.
extension JobMachine {
    /// The largest file, in bytes, that is fetched again after a crash rather than having the beginning
    /// of its transfer written by itself.
    static let smallLength: Int64 = 1 << 20

    /// Returns whether only the beginning of a small file's first transfer would be lost without a write.
    ///
    /// That transfer would start from zero. Later ones replace what the partial and the store agree on,
    /// so they must be written.
    func isWorthLittle(after input: JobInput) -> Bool {
        switch input {
        // The transfer waits for this to be durable.
        case .transfer(.restarting, _): return false
        case .permitGranted, .transfer: break
        default: return false
        }
        // If the body in memory becomes a document next, nobody else knows that its length is unproven.
        guard draft.job.attempts == 1, draft.job.state == .downloading, draft.job.segments == nil,
            !draft.job.lengthUnproven
        else { return false }
        return max(draft.job.bytes, draft.job.totalBytes ?? 0) <= Self.smallLength
    }
}

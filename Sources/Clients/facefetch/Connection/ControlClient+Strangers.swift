import ControlAPI

extension ControlClient {
    /// Refuses a batch or a source that doesn't exist.
    ///
    /// A source that was removed still has its jobs, so that this is asked only where nothing was found.
    ///
    /// - Throws: the daemon's refusal.
    func refuseStrangers(batch: Int64?, source: String?) throws {
        let paths = [
            batch.map { "/v1/batches/\($0)" }, source.map { "/v1/sources/\($0.percentEncoded)" },
        ]
        for case let path? in paths {
            let response = try exchange(HTTPRequest("GET", path))
            if response.status == 404 { throw Self.refusal(response, socketPath: socketPath) }
        }
    }
}

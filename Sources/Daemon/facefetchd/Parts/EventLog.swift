import JobEngine

extension EventLog: Part {
    /// Opens the log, which is held until the engine knows that the disk has room for more than the store.
    static func open(on ground: Ground) async throws(StartFailure) -> EventLog {
        let path = ground.settings.paths.eventLog
        return try await ground.surroundings.start(
            "the event log \(path)",
            status: "opening the event log…",
            limit: 60,
            remedy: "check the disk that it is on, and that it is a file"
        ) { () throws(EventLogError) in
            try EventLog(path: path, history: ground.store, isHeld: true, logger: ground.logger)
        }
    }

    func finish() { flush() }
}

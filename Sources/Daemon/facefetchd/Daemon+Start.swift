import CLinux
import JobEngine
import JobModel
import Settings

/// The engine's start, which takes the longest.
extension Daemon {
    /// Has the engine take up what the store has, and begin to work.
    func startEngine() async throws(StartFailure) {
        try await ground.surroundings.start(
            "the recovery of unfinished jobs",
            status: "taking up unfinished jobs…",
            limit: 300,
            remedy: "check the disk that the job store is on"
        ) { () async throws(StartFailure) in
            do throws(StoreFailure) { try await takeUpJobs() } catch {
                await parts.stop {}
                throw ground.storeFile.failure(of: error)
            }
        }
    }

    private func takeUpJobs() async throws(StoreFailure) {
        let text = StatusText(line: statusLine)
        CLinux_keep_freed_memory(RestingMemory.kept)
        let memory = RestingMemory()
        let holds = HoldNotices(logger: logger)
        let isWatched = notifier.isSupervised
        try discardStrayPartials()
        try await engine.start(
            store: ground.store,
            transfers: SourceTransfers(
                transfers: transfers,
                sources: sources,
                pages: pages,
                secrets: repeatedSecrets,
                engine: engine
            ),
            documents: documents,
            detection: detectors,
            sinks: [eventLog, StandardErrorEvents(log: ground.surroundings.log)],
            configuration: settings.engine,
            clock: ground.clock,
            reading: SystemClock.read,
            logger: logger,
            contentsForgotten: forgottenPictures.forget,
            observer: {
                if isWatched { text.show($0) }
                memory.show($0)
                holds.show($0)
            }
        )
    }

    /// Removes partials that a crash left of jobs that ended, were never accepted, or start over anyway.
    private func discardStrayPartials() throws(StoreFailure) {
        try documents.discardPartials { jobs throws(StoreFailure) in
            Set(try ground.store.jobsNeedingPartials(among: jobs))
        }
    }
}

import DocumentStore
import ExportFormats
import JobEngine
import JobModel
import JobStore
import Logging
import Sidecars

extension SidecarFollower {
    /// Creates a follower of what the store has, when events say that there is something.
    convenience init(
        _ store: JobStore,
        _ documents: DocumentStore,
        _ events: EventBus,
        stateDirectory: String,
        isHeld: @escaping @Sendable () -> Bool,
        logger: Logger
    ) {
        self.init(
            cursorPath: stateDirectory + "/sidecars",
            documents: documents.documentsPath,
            freeBytes: { documents.freeBytes() },
            obstacle: {
                documents.obstacle() ?? (isHeld() ? "the job store's disk has only its reserve left" : nil)
            },
            whenStarted: { follower in
                events.followEndings { [weak follower] in follower?.somethingEnded() }
            },
            report: { logger.log(level: $0.isTrouble ? .warning : .info, "\($0.text)") },
            isDocument: { path in
                let name = path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
                let found = try store.documents(likeSidecar: name)
                return found.isReserved || found.paths.contains { SidecarPlace.isSameFile($0, path) }
            },
            source: { after, limit in
                let page = try await store.endings(EndingQuery([.done], endedAfter: after, limit: limit))
                return SidecarPage(
                    items: page.items.map {
                        SidecarItem(number: $0.number, job: $0.job.hasResult ? ExportedJob($0) : nil)
                    },
                    hasMore: page.hasMore,
                    newest: page.newest
                )
            }
        )
    }
}

extension ExportedJob {
    /// Creates what a sidecar needs to know of a job.
    fileprivate init(_ ended: EndedJob) {
        self.init(id: ended.job.id.rawValue)
        name = ended.job.name
        path = ended.job.path
        bytes = ended.job.bytes
        detection = ended.job.detection.map { ExportedDetection($0) }
    }
}

extension ExportedDetection {
    fileprivate init(_ result: DetectionResult) {
        self.init()
        outcome = result.outcome.rawValue
        faces = result.faces.map {
            ExportedFace(
                box: Box(x: $0.x, y: $0.y, width: $0.width, height: $0.height),
                confidence: $0.confidence
            )
        }
        width = result.picture?.width
        height = result.picture?.height
        orientation = result.picture?.orientation
        engine = result.engine
    }
}

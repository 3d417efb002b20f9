import DocumentStore
import ExportFormats
import JobEngine
import JobModel
import JobStore
import Receivers
import Settings
import Sidecars
import SmallFiles

extension SidecarFollower: Part {
    /// Creates a follower of what the store has, when events say that there is something.
    convenience init(on ground: Ground, documents: DocumentStore) {
        let writes = ground.writes
        self.init(
            path: ground.settings.paths.state + "/sidecars",
            logger: ground.logger,
            documents: documents.documentsPath,
            freeBytes: { documents.freeBytes() },
            obstacle: {
                documents.obstacle()
                    ?? (writes.isHeld ? "the job store's disk has only its reserve left" : nil)
            },
            isDocument: ground.store.isDocument,
            endings: FollowedEndings(on: ground) {
                SidecarItem(number: $0.number, job: $0.job.hasResult ? ExportedJob($0) : nil)
            }
        )
    }

    func configure(_ settings: DaemonSettings) -> Change? {
        { self.configure(leastFree: settings.sidecarReserve) }
    }

    var isSlowToStop: Bool { true }
}

extension DaemonSettings {
    /// Removes the sidecar of a document that was removed, if it is one of ours, and sidecars are to be written: a
    /// start goes on with removals before they are.
    ///
    /// It is called while the document's folder is still there. A sidecar that can't be removed stays: it is little.
    func removeSidecar(of path: String, unless isDocument: (_ path: String) throws -> Bool) {
        guard sidecarReserve != nil else { return }
        let document = InnerPath(path, in: paths.documents) ?? InnerPath(path)
        _ = try? SidecarPlace(temporaryName: "").remove(of: document, unless: isDocument)
    }
}

extension JobStore {
    /// Returns whether a file with the name of a sidecar is the document of some job.
    func isDocument(_ path: String) throws -> Bool {
        let name = path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
        let found = try documents(likeSidecar: name)
        return found.isReserved || found.paths.contains { SidecarPlace.isSameFile($0, path) }
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

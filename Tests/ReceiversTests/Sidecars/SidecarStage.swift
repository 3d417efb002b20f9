import ExportFormats
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Receivers

/// A stage with what was looked at, and followers of it.
final class SidecarStage: Sendable {
    let directory: TemporaryDirectory
    let results = Mutex<[SidecarItem]>([])
    let log: NotedLog
    let free = Mutex<Int64?>(1000)
    let documents = Mutex<Set<String>>([])
    let obstacle = Mutex<String?>(nil)
    private let hearers = Mutex<[@Sendable () -> Void]>([])

    init() throws {
        directory = try TemporaryDirectory()
        _ = try directory.directory("documents")
        log = NotedLog { [directory] in _ = try? directory.write([], to: "reports") }
    }

    func follower() -> SidecarFollower {
        SidecarFollower(
            path: directory.path("sidecars"),
            logger: log.logger,
            documents: directory.path("documents"),
            freeBytes: { self.free.withLock(\.self) },
            obstacle: { self.obstacle.withLock(\.self) },
            isDocument: { path in self.documents.withLock { $0.contains(path) } },
            endings: FollowedEndings(tell: { hearer in self.hearers.withLock { $0.append(hearer) } }) {
                query in
                let all = self.results.withLock(\.self)
                let behind = all.filter { $0.number > query.endedAfter }
                return FollowedPage(
                    items: Array(behind.prefix(query.limit)),
                    total: behind.count,
                    oldest: 0,
                    newest: all.last?.number ?? 0
                )
            }
        )
    }

    /// Tells all followers that something may have ended.
    func somethingEnded() { for hearer in hearers.withLock(\.self) { hearer() } }

    /// One more picture was looked at.
    func look(_ number: Int64, name: String? = nil, faces: Int = 1) throws {
        let name = name ?? "\(number).jpg"
        let path = try directory.write(Array("pixels".utf8), to: "documents/" + name)
        var job = ExportedJob(id: 1)
        (job.name, job.path, job.bytes) = (name, path, 6)
        var detection = ExportedDetection()
        detection.outcome = "counted"
        (detection.width, detection.height, detection.orientation) = (100, 80, 6)
        detection.faces = (0..<faces).map {
            ExportedFace(box: Box(x: $0, y: 0, width: 20, height: 20), confidence: 0.9)
        }
        job.detection = detection
        results.withLock { [job] in $0.append(SidecarItem(number: number, job: job)) }
    }

    func keeps(_ number: Int64) async -> Bool {
        await FolderWatch.until(in: directory.path) {
            (try? self.directory.read("sidecars")) == SidecarLoop.bytes(number)
        }
    }

    var sidecars: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: directory.path("documents")).filter {
                $0.hasSuffix(".xmp")
            }.sorted()
        }
    }
}

extension SidecarFollower {
    /// Waits until all that was posted is dealt with, as far as it can be.
    func settle() { thread.flush(for: .seconds(60)) }
}

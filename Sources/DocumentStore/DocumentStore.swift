import CLinux
import Foundation
import Glibc
import JobCore
import Synchronization

/// Partials and documents on the disk: what a partial holds, making it
/// durable, hashing it, and publishing it under its name.
///
/// Sealing syncs files, and reads small ones, so several threads do it. Publishing is one
/// thread's: it renames all that has gathered and syncs the directories once.
public final class DocumentStore: Sendable {
    /// Called from the store's own threads, with all that one of them has done in a turn.
    public typealias ReportHandler = @Sendable ([(JobID, StorageReport)]) -> Void

    /// Where finished files go; absolute.
    public var documentsPath: String { documents.path }
    /// Where files are while they are fetched; absolute.
    public var partialsPath: String { partials.path }
    /// True when the partials had to go into the documents directory, because
    /// a file of the state directory can't be renamed into it.
    public let keepsPartialsWithDocuments: Bool

    let documents: Directory
    let partials: Directory
    /// Which names documents on their way have been given.
    let names = Mutex(NameClaims())
    let hashes = PrefixHashes()
    private let sealing = WorkQueue<Sealing>()
    /// Large partials, and others that nobody knows to be small: their syncs hold up no small one.
    private let largeSealing = WorkQueue<Sealing>()
    private let publishing = WorkQueue<Publishing>()
    private let report: ReportHandler

    /// Opens both directories, making what is missing, and finds out whether
    /// files can be renamed from one into the other.
    ///
    /// - Throws: ``DocumentStoreError``
    public init(
        stateDirectory: String,
        documentsDirectory: String,
        sealers: Int = 2,
        report: @escaping ReportHandler
    ) throws(DocumentStoreError) {
        self.report = report
        documents = try Directory(creating: documentsDirectory, mode: 0o755)
        let usual = try Directory(creating: stateDirectory + "/partial", mode: 0o700)
        if try Probe.canRename(from: usual, to: documents) {
            partials = usual
            keepsPartialsWithDocuments = false
        } else {
            partials = try Directory(creating: documents.path + "/.facefetch-partial", mode: 0o700)
            keepsPartialsWithDocuments = true
            // The state directory's lock doesn't reach here.
            guard flock(partials.descriptor, LOCK_EX | LOCK_NB) == 0 else {
                throw .inUse(path: partials.path)
            }
        }
        for number in 1...max(1, sealers) {
            start("sealer \(number)", nice: 5) { [self] in runSealer(sealing, atOnce: 16) }
            start("large sealer \(number)", nice: 5) { [self] in runSealer(largeSealing, atOnce: 1) }
        }
        start("publisher") { [self] in runPublisher() }
        // Behind sealers, which people wait for, and before detectors, which wait for it.
        start("hasher", nice: 8) { [self] in
            hashes.run(in: partials, name: { Self.partialName($0) }) { self.report([($0, $1)]) }
        }
    }

    /// Lets the threads go, once they are done with what they are at.
    public func shutdown() {
        sealing.end()
        largeSealing.end()
        publishing.end()
        hashes.end()
    }

    /// Where the partial of a job is, or would be.
    public func partialPath(of job: JobID) -> String { partials.path + "/" + Self.partialName(job) }

    /// Bytes in the partial of a job; nil when there is none.
    public func partialLength(of job: JobID) -> Int64? { partials.file(Self.partialName(job))?.length }

    /// Takes note that a transfer goes on with a job's partial behind its first `length` bytes.
    ///
    /// What has been hashed of more than those is void.
    public func partialBegins(_ job: JobID, at length: Int64) { hashes.void(job, behind: length) }

    /// Takes note that the first `length` bytes of a job's partial are there and will not change.
    ///
    /// They are hashed, and the disk begins to write them, while the rest arrives.
    public func partialGrew(_ job: JobID, to length: Int64) { hashes.follow(job, to: length) }

    /// Syncs and hashes a job's partial, and finds a name like the wanted one that is free.
    ///
    /// Where more than some megabytes are left to hash, they are left for ``hash(_:_:)`` unless
    /// `mustHash`. Answers with `sealed` or `sealFailed`.
    public func seal(_ job: JobID, wantedName: String, mustHash: Bool) {
        queue(of: job).add(.seal(job, wantedName: wantedName, mustHash: mustHash))
    }

    /// Hashes a job's document, going on from what was hashed of it as a partial.
    ///
    /// Answers with `hashed` or `hashFailed`; once, however often it is asked for meanwhile.
    public func hash(_ job: JobID, _ document: Document) { hashes.finish(job, document) }

    /// Renames a job's partial to its reserved name and syncs the directory.
    ///
    /// Answers with `published`, `publishFailed`, or `nameTaken` with the next free name like the
    /// wanted one.
    public func publish(_ job: JobID, _ reservation: Job.Reservation, wantedName: String) {
        publishing.add(Publishing(job: job, reservation: reservation, wantedName: wantedName))
    }

    /// Syncs a partial that rests.
    ///
    /// Answers with `synced` or `syncFailed`; with nothing where there is no partial.
    public func sync(_ job: JobID) { queue(of: job).add(.sync(job)) }

    /// Where a partial waits to be synced.
    private func queue(of job: JobID) -> WorkQueue<Sealing> {
        (partialLength(of: job) ?? .max) <= Self.promptLength ? sealing : largeSealing
    }

    /// Syncs a partial at once, and says its length.
    ///
    /// Nil when there is none; one that can't be relied on is removed.
    public func syncNow(_ job: JobID) -> Int64? {
        switch synced(partialOf: job) {
        case .synced(let length): return length
        case nil: return nil
        default:
            discardPartial(of: job)
            return nil
        }
    }

    /// Removes a job's partial, if there is one.
    public func discardPartial(of job: JobID) {
        hashes.forget(job)
        names.withLock { $0.abandon(job) }
        _ = unlinkat(partials.descriptor, Self.partialName(job), 0)
    }

    /// Removes partials that belong to none of these jobs: what a crash left of jobs that ended.
    public func discardPartials(except kept: Set<JobID>) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: partials.path)) ?? []
        for name in names where name.hasSuffix(".part") {
            guard let number = Int64(name.dropLast(5)), !kept.contains(JobID(rawValue: number)) else {
                continue
            }
            _ = unlinkat(partials.descriptor, name, 0)
        }
    }

    /// What became of a name that was reserved before the daemon ended.
    public func publication(of job: JobID, _ reservation: Job.Reservation) -> Publication {
        if documents.file(reservation.name)?.inode == reservation.sealed.inode {
            // The rename may not be on the disk yet. Where it can't come there, it is made anew.
            if syncDirectories() == 0 { return .published(path: documents.path + "/" + reservation.name) }
            takeBack(job, from: reservation.name)
        }
        guard partials.file(Self.partialName(job))?.inode == reservation.sealed.inode else { return .lost }
        names.withLock { $0.restore(reservation.name, of: job) }
        return .pending
    }

    /// What a document is known by; nil where there is no such file any more.
    public func mark(ofDocument path: String) -> FileMark? {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return FileMark(status)
    }

    /// Bytes that an ordinary user can still write where the documents are; nil when that can't be read.
    public func freeBytes() -> Int64? {
        var status = statvfs()
        guard fstatvfs(documents.descriptor, &status) == 0 else { return nil }
        return Int64(status.f_bavail) * Int64(status.f_frsize)
    }

    static func partialName(_ job: JobID) -> String { "\(job.rawValue).part" }

    /// Starts a thread; those that hash give way, so that who asks something is answered at once.
    private func start(_ name: String, nice: CInt = 0, _ body: @escaping @Sendable () -> Void) {
        Thread {
            CLinux_begin_thread("ff-\(name)", nice)
            body()
        }.start()
    }

    private func runSealer(_ queue: WorkQueue<Sealing>, atOnce: Int) {
        while let work = queue.take(atMost: atOnce) {
            report(
                work.compactMap { item in
                    switch item {
                    case .seal(let job, let name, let mustHash):
                        (job, seal(partialOf: job, wantedName: name, mustHash: mustHash))
                    case .sync(let job): synced(partialOf: job).map { (job, $0) }
                    }
                }
            )
        }
    }

    private func runPublisher() {
        while let work = publishing.take(atMost: 256) {
            report(publish(work))
        }
    }
}

/// The work of sealers, in the order of the requests.
private enum Sealing: Sendable {
    case seal(JobID, wantedName: String, mustHash: Bool)
    case sync(JobID)
}

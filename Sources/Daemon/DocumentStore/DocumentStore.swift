import CLinux
import Foundation
import Glibc
import JobModel
import SmallFiles
import Synchronization
import Vocabulary

/// The store of partials and documents on the disk, which tells what a partial holds, makes it durable,
/// hashes it, and publishes it under its name.
///
/// Sealing syncs files and reads small ones, so several threads do it. Publishing is done by one thread,
/// which renames everything that has gathered and syncs the directories once.
public final class DocumentStore: Sendable {
    /// A handler for reports, called on the store's own threads with everything that one of them has
    /// done in a turn.
    public typealias ReportHandler = @Sendable ([(JobID, StorageReport)]) -> Void

    /// The absolute path of the documents directory.
    public var documentsPath: String { documents.path }
    /// The absolute path of the partials directory.
    public var partialsPath: String { partials.path }
    /// True if the partials had to be put into the documents directory, because a file in the state directory
    /// can't be moved into it.
    public var keepsPartialsWithDocuments: Bool { place.folders.keepsPartialsWithDocuments }

    /// Runs a body that writes to a disk, unless nothing may be written now; returns whether it ran.
    public typealias WriteGuard = @Sendable (_ body: () -> Void) -> Bool

    let place: DocumentPlace
    let writingTrial: WritingTrial
    let hearers: DocumentHearers
    let mayWrite: WriteGuard
    /// Returns the number from which on descriptors are not kept.
    let descriptorCeiling: @Sendable () -> Int
    /// The documents directory as it is open now.
    var documents: Directory { place.folders.documents }
    /// The partials directory as it is open now.
    var partials: Directory { place.folders.partials }
    let move: Move
    /// The names given to documents that aren't published yet.
    let names = Mutex(NameClaims())
    /// The folders of documents that are known to survive a power cut.
    let durable = DurableFolders()
    let hashes = PrefixHashes()
    let moves: MoveJournal
    let sealing = WorkQueue<Sealing>()
    /// The queue for partials that are large or of unknown size, so that their syncs don't hold up small
    /// ones.
    private let largeSealing = WorkQueue<Sealing>()
    let publishing = WorkQueue<Naming>()
    let report: ReportHandler

    /// Opens both directories, creating what is missing, and finds out whether files can be moved from
    /// one into the other.
    ///
    /// - Parameters:
    ///   - usesLinksOnly: Whether files are moved as on NFS, although renames may be there: for tests.
    ///   - mayWrite: Asked before a body from memory is written, which waits where it may not be.
    ///   - descriptorCeiling: Returns the number from which on descriptors are left to others.
    public init(
        stateDirectory: String,
        documentsDirectory: String,
        sealers: Int = 2,
        usesLinksOnly: Bool = false,
        mayWrite: @escaping WriteGuard = DocumentStore.always,
        descriptorCeiling: @escaping @Sendable () -> Int = { .max },
        hearers: DocumentHearers = DocumentHearers(),
        report: @escaping ReportHandler
    ) throws(DocumentStoreError) {
        (self.hearers, self.report) = (hearers, report)
        (self.mayWrite, self.descriptorCeiling) = (mayWrite, descriptorCeiling)
        move = Move(usesLinksOnly: usesLinksOnly)
        moves = MoveJournal(in: stateDirectory)
        let place = try DocumentPlace(
            state: stateDirectory,
            documents: documentsDirectory,
            move: move,
            hearers: hearers
        )
        self.place = place
        writingTrial = WritingTrial(hear: hearers.tried) { place.refusal(begins: $0) }
        for number in 1...max(1, sealers) {
            start("sealer \(number)", nice: 5) { [self] in runSealer(sealing, atOnce: 32) }
            start("large sealer \(number)", nice: 5) { [self] in runSealer(largeSealing, atOnce: 1) }
        }
        start("publisher") { [self] in runPublisher() }
        // Less urgent than sealers, for which people wait, but more than detectors, which wait for it.
        start("hasher", nice: 8) { [self] in
            hashes.run(in: place, name: { Self.partialName($0) }) { self.report([($0, $1)]) }
        }
    }

    /// Runs everything at once.
    public static let always: WriteGuard = { body in
        body()
        return true
    }

    /// Ends the threads once they have finished their current work.
    public func shutdown() {
        place.end()
        sealing.end()
        largeSealing.end()
        publishing.end()
        hashes.end()
    }

    /// Returns the path of a job's partial, whether or not it exists.
    public func partialPath(of job: JobID) -> String { partials.path + "/" + Self.partialName(job) }

    /// Returns the length of a job's partial in bytes; nil if there is none.
    public func partialLength(of job: JobID) -> Int64? { partials.file(Self.partialName(job))?.length }

    /// Notes that a transfer appends to a job's partial after its first `length` bytes.
    ///
    /// A hash of more than those becomes void.
    public func partialBegins(_ job: JobID, at length: Int64) { hashes.void(job, behind: length) }

    /// Notes that the first `length` bytes of a job's partial are written and will not change.
    ///
    /// They are hashed, and the disk begins to write them, while the rest arrives.
    public func partialGrew(_ job: JobID, to length: Int64) { hashes.follow(job, to: length) }

    /// Syncs and hashes a job's partial, and finds a free name like the wanted one.
    ///
    /// If more than a few megabytes are left to hash, they are left for ``hash(_:_:)`` unless `mustHash`
    /// is set. The report is `sealed` or `sealFailed`.
    public func seal(
        _ job: JobID,
        wantedName: WantedName,
        mustHash: Bool,
        _ traits: DocumentTraits = DocumentTraits()
    ) {
        queue(of: job).add(.seal(job, wantedName: wantedName, mustHash: mustHash, traits))
    }

    /// Hashes a job's document, continuing from what was hashed of the partial.
    ///
    /// The report is `hashed` or `hashFailed`, and comes once even if asked for repeatedly.
    public func hash(_ job: JobID, _ document: Document) { hashes.finish(job, document) }

    /// Renames a job's partial to its reserved name and syncs the directory.
    ///
    /// The report is `published`, `publishFailed`, or `nameTaken` with the next free name like the
    /// wanted one.
    public func publish(_ job: JobID, _ reservation: Job.Reservation, wantedName: String) {
        publishing.add(
            .publish(Publishing(job: job, reservation: reservation, wantedName: wantedName))
        )
    }

    /// Writes a body from memory, syncs and hashes it, and gives it a free name like the wanted one.
    ///
    /// The report is `stored` or `publishFailed`. What is reported as stored is found again after a crash, by
    /// ``unconfirmedDocuments()``, until it is confirmed.
    public func store(
        _ job: JobID,
        _ body: BufferedBody,
        validator: Validator?,
        wantedName: WantedName,
        _ traits: DocumentTraits = DocumentTraits()
    ) {
        var wanted = wantedName
        wanted.name = traits.name(wanted.name, firstBytes: body.bytes.prefix(PictureKind.signatureLength))
        sealing.add(
            .store(Storing(job: job, body: body, validator: validator, wantedName: wanted, traits: traits))
        )
    }

    /// Notes that the store of jobs knows that bodies have become documents.
    public func confirmStored(_ jobs: [JobID]) { moves.confirm(jobs) }

    /// Syncs an idle partial.
    ///
    /// The report is `synced` or `syncFailed`; there is none if the partial doesn't exist.
    public func sync(_ job: JobID) { queue(of: job).add(.sync(job)) }

    /// Returns the queue for a partial.
    private func queue(of job: JobID) -> WorkQueue<Sealing> {
        (partialLength(of: job) ?? .max) <= Self.promptLength ? sealing : largeSealing
    }

    /// Syncs a partial at once and returns its length.
    ///
    /// The result is nil if there is none; one that can't be trusted is removed.
    public func syncNow(_ job: JobID) -> Int64? {
        switch synced(partialOf: job) {
        case .synced(let length): return length
        case nil: return nil
        default:
            discardPartial(of: job)
            return nil
        }
    }

    /// Removes a job's document, unless it is no longer the file with this mark.
    ///
    /// The report is `removed` or `notRemoved`. Documents published after this call wait for the removal, since
    /// they may have been given its room.
    public func removeDocument(of job: JobID, at path: String, mark: FileMark) {
        publishing.add(.remove(Removal(job: job, path: path, mark: mark)))
    }

    /// Removes a job's partial, if there is one.
    public func discardPartial(of job: JobID) {
        hashes.forget(job)
        names.withLock { $0.abandon(job) }
        let (partials, name) = (partials, Self.partialName(job))
        // Cancelling doesn't wait for a disk that hangs.
        guard !writingTrial.takesOver({ _ = unlinkat(partials.descriptor, name, 0) }) else { return }
        _ = unlinkat(partials.descriptor, name, 0)
    }

    /// Removes partials of jobs that need none, which a crash has left.
    ///
    /// - Parameter needed: Returns those of some jobs that need their partials.
    public func discardPartials<Failure: Error>(
        except needed: ([JobID]) throws(Failure) -> Set<JobID>
    ) throws(Failure) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: partials.path)) ?? []
        let jobs = names.compactMap { name in
            name.hasSuffix(".part") ? Int64(name.dropLast(5)).map(JobID.init(rawValue:)) : nil
        }
        guard !jobs.isEmpty else { return }
        let kept = try needed(jobs)
        for job in jobs where !kept.contains(job) {
            _ = unlinkat(partials.descriptor, Self.partialName(job), 0)
        }
    }

    /// Returns what became of a name that was reserved before the daemon ended.
    public func publication(of job: JobID, _ reservation: Job.Reservation) -> Publication {
        let folders = OpenFolders(in: documents, durable)
        if let folder = folders.existing(reservation.folder),
            folder.file(reservation.name)?.inode == reservation.sealed.inode
        {
            // The move may have ended half way, or not be on the disk yet. If it can't be ended, it is done again.
            if dropPartial(of: job, ifInode: reservation.sealed.inode), folders.isDurable(reservation.folder),
                folder.sync() == 0, partials.sync() == 0, let mark = folder.file(reservation.name)
            {
                let isIntact = isWhatWasSealed(reservation, mark, in: folder)
                return .published(
                    path: documents.path + "/" + reservation.path,
                    mark: isIntact ? mark : nil
                )
            }
            takeBack(job, reservation, folders)
        }
        guard let partial = partials.file(Self.partialName(job)), partial.inode == reservation.sealed.inode
        else { return .lost }
        names.withLock { $0.restore(reservation.name, in: reservation.folder, of: job) }
        return .pending(modified: partial.modified)
    }

    /// Returns the mark of a document; nil if the file no longer exists, or only a link leads to it.
    public func mark(ofDocument path: String) -> FileMark? { Self.mark(ofDocument: path, in: documents.path) }

    /// Returns the mark of a document in a documents directory; nil if the file no longer exists, or only a link leads
    /// to it.
    public static func mark(ofDocument path: String, in documents: String) -> FileMark? {
        let inner = InnerPath(path, in: documents) ?? InnerPath(path)
        guard let status = inner.status(), status.st_mode & S_IFMT == S_IFREG else { return nil }
        return FileMark(status)
    }

    static func partialName(_ job: JobID) -> String { "\(job.rawValue).part" }

    /// Starts a thread; those that hash have a lower priority, so that requests are answered at once.
    private func start(_ name: String, nice: CInt = 0, _ body: @escaping @Sendable () -> Void) {
        Thread {
            CLinux_begin_thread("ff-\(name)", nice)
            body()
        }.start()
    }
}

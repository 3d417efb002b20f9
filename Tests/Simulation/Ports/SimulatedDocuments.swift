import JobModel
import Vocabulary

@testable import JobEngine

/// The document store: what it is asked for is done after a while, and may be done when a kill comes without anybody
/// having heard of it.
final class SimulatedDocuments: DocumentPort, @unchecked Sendable {
    /// A change of the disk that is under way.
    private struct Work {
        var job: JobID
        /// Does it, and returns what is to be told of it.
        var perform: () -> StorageReport?
    }

    private unowned let life: Life
    private var works: [Int: Work] = [:]
    private var serial = 0
    private var chance: Chance
    /// The names given to documents that aren't published yet.
    private var claimed: Set<String> = []
    /// The versions of bodies that are in memory.
    private var versions: [JobID: String] = [:]

    init(_ life: Life) {
        self.life = life
        chance = Chance(life.world.scenario.seed, "documents", life.number)
    }

    private var world: World { life.world }

    /// Returns whether something is being done for a job.
    func isBusy(with job: JobID) -> Bool { works.values.contains { $0.job == job } }

    /// Notes the version of a body that is in memory.
    func expect(_ job: JobID, version: String) { versions[job] = version }

    /// Ends with the daemon, in the middle of whatever is under way.
    func leave() {
        for key in works.keys.sorted() where chance.happens(0.5) { _ = works[key]?.perform() }
        works = [:]
    }

    private func work(_ job: JobID, seconds: ClosedRange<Double>, _ perform: @escaping () -> StorageReport?) {
        serial += 1
        let key = serial
        works[key] = Work(job: job, perform: perform)
        finish(key, after: chance.scaled(seconds))
    }

    private func finish(_ key: Int, after seconds: Double) {
        life.after(seconds) { [unowned self] in
            let left = world.disk.hangsUntil - world.seconds
            guard left <= 0 else { return finish(key, after: left + 0.01) }
            guard let work = works.removeValue(forKey: key) else { return }
            if let report = work.perform() { life.post(.storage([(work.job, report)])) }
        }
    }

    /// The reason for which the disk takes nothing now; nil if it does.
    private var refusal: (failure: JobFailure, number: Int32)? {
        if world.seconds < world.disk.isReadOnlyUntil {
            return (JobFailure(.storageError, "it can't be written: Read-only file system"), 30)
        }
        if world.seconds < world.disk.isFullUntil { return (JobFailure(.diskFull, "the disk is full"), 28) }
        return nil
    }

    // MARK: - Partials

    func partialPath(of job: JobID) -> String { "/p/\(job.rawValue).part" }
    func partialLength(of job: JobID) -> Int64? { world.disk.partials[job]?.length }
    func partialBegins(_ job: JobID, at length: Int64) {}
    func partialGrew(_ job: JobID, to length: Int64) {}

    func sync(_ job: JobID) {
        guard life.acts() else { return }
        work(job, seconds: 0.001...0.2) { [unowned self] in
            guard let length = syncNow(job) else { return nil }
            return .synced(length: length)
        }
    }

    func syncNow(_ job: JobID) -> Int64? {
        guard let length = world.disk.partials[job]?.length else { return nil }
        world.disk.partials[job]?.synced = length
        return length
    }

    func discardPartial(of job: JobID) {
        guard life.acts() else { return }
        world.promises.discards(job)
        world.disk.partials[job] = nil
    }

    func seal(_ job: JobID, wantedName: WantedName, mustHash: Bool, _ traits: DocumentTraits) {
        guard life.acts() else { return }
        work(job, seconds: 0.002...1) { [unowned self] in
            if let refusal { return .sealFailed(refusal.failure, keepsPartial: refusal.number == 28) }
            guard let partial = world.disk.partials[job] else {
                return .sealFailed(JobFailure(.storageLost, "the partial is gone"), keepsPartial: false)
            }
            world.disk.partials[job]?.synced = partial.length
            let sealed = SealedPartial(
                inode: partial.inode,
                length: partial.length,
                sha256: partial.length > 4 << 20 && !mustHash ? nil : Self.hash(partial.version),
                modified: partial.modified
            )
            let name = world.disk.freeName(wantedName.name, besides: claimed)
            claimed.insert(name)
            return .sealed(sealed, path: partialPath(of: job), freeName: name)
        }
    }

    private static func hash(_ version: String) -> String {
        // Many files are the same, and so are the results of looking at them.
        let number = version.utf8.reduce(UInt64(7)) { $0 &* 31 &+ UInt64($1) }
        let digits = String(number % 499, radix: 16)
        return String(repeating: "0", count: 64 - digits.utf8.count) + digits
    }

    // MARK: - Documents

    func store(
        _ job: JobID,
        _ body: BufferedBody,
        validator: Validator?,
        wantedName: WantedName,
        _ traits: DocumentTraits
    ) {
        guard life.acts() else { return }
        let version = versions.removeValue(forKey: job) ?? "?"
        work(job, seconds: 0.002...0.5) { [unowned self] in
            if let refusal {
                return .publishFailed(refusal.failure, keepsPartial: false, errorNumber: refusal.number)
            }
            let name = world.disk.freeName(wantedName.name, besides: claimed)
            let sealed = SealedPartial(
                inode: world.disk.makeInode(),
                length: body.length,
                sha256: Self.hash(version),
                modified: world.now
            )
            let reservation = Job.Reservation(name: name, sealed: sealed)
            let mark = put(sealed, job, version, whole: body.length, at: "/d/" + name)
            world.disk.unconfirmed[job] = UnconfirmedDocument(
                reservation: reservation,
                validator: validator,
                response: traits.response
            )
            return .stored(reservation, partialPath: partialPath(of: job), path: "/d/" + name, mark: mark)
        }
    }

    private func put(
        _ sealed: SealedPartial,
        _ job: JobID,
        _ version: String,
        whole: Int64,
        at path: String
    ) -> FileMark {
        let mark = FileMark(
            inode: sealed.inode,
            length: sealed.length,
            modified: sealed.modified ?? world.now,
            changed: world.now
        )
        world.disk.documents[path] = SimulatedDisk.Stored(mark: mark, job: job, version: version)
        world.promises.appears(path, job, version, length: sealed.length, of: whole)
        return mark
    }

    func confirmStored(_ jobs: [JobID]) {
        guard life.acts() else { return }
        for job in jobs { world.disk.unconfirmed[job] = nil }
    }

    func unconfirmedDocuments() -> [JobID: UnconfirmedDocument] { world.disk.unconfirmed }

    func publish(_ job: JobID, _ reservation: Job.Reservation, wantedName: String) {
        guard life.acts() else { return }
        world.promises.publishes(job, reservation)
        work(job, seconds: 0.002...0.5) { [unowned self] in
            let path = "/d/" + reservation.path
            claimed.remove(reservation.name)
            if let there = world.disk.documents[path], there.mark.inode != reservation.sealed.inode {
                let name = world.disk.freeName(wantedName, besides: claimed)
                claimed.insert(name)
                return .nameTaken(freeName: name)
            }
            if let refusal, refusal.number == 30 {
                return .publishFailed(refusal.failure, keepsPartial: true, errorNumber: 30)
            }
            guard let partial = world.disk.partials.removeValue(forKey: job) else {
                let failure = JobFailure(.storageLost, "the partial is gone")
                return .publishFailed(failure, keepsPartial: false)
            }
            let mark = put(reservation.sealed, job, partial.version, whole: partial.whole, at: path)
            return .published(path: path, mark: mark)
        }
    }

    func hash(_ job: JobID, _ document: Document) {
        guard life.acts() else { return }
        work(job, seconds: 0.1...30) { [unowned self] in
            guard let there = world.disk.documents[document.path] else {
                return .hashFailed(JobFailure(.storageLost, "the document is gone"))
            }
            return .hashed(sha256: Self.hash(there.version))
        }
    }

    func removeDocument(of job: JobID, at path: String, mark: FileMark) {
        guard life.acts() else { return }
        work(job, seconds: 0.002...0.2) { [unowned self] in
            guard let there = world.disk.documents[path], there.mark == mark else { return .notRemoved }
            world.disk.documents[path] = nil
            return .removed
        }
    }

    func mark(ofDocument path: String) -> FileMark? { world.disk.documents[path]?.mark }

    func publication(of job: JobID, _ reservation: Job.Reservation) -> Publication {
        let path = "/d/" + reservation.path
        if let there = world.disk.documents[path], there.mark.inode == reservation.sealed.inode {
            return .published(path: path, mark: there.mark)
        }
        guard let partial = world.disk.partials[job], partial.inode == reservation.sealed.inode else {
            return .lost
        }
        return .pending(modified: partial.modified)
    }

    // MARK: - The disk

    func freeBytes() -> Int64? { world.seconds < world.disk.isFullUntil ? 0 : 1 << 40 }

    func tryWriting(anew: Bool) {
        guard life.acts() else { return }
        answerTry(after: 0.02)
    }

    private func answerTry(after seconds: Double) {
        life.after(seconds) { [unowned self] in
            let left = world.disk.hangsUntil - world.seconds
            guard left <= 0 else { return answerTry(after: left + 0.01) }
            let isReadOnly = world.seconds < world.disk.isReadOnlyUntil
            life.post(.storageTried(isReadOnly ? "Read-only file system" : nil))
        }
    }

    let silence = "/d does not answer"
}

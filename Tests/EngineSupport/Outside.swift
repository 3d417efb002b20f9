import JobEngine
import JobModel
import Synchronization
import Vocabulary

/// Takes notes of everything the engine asks of the outside.
package final class Outside: TransferPort, DocumentPort, DetectionPort, EventSink {
    package struct Notes {
        package var started: [TransferRequest] = []
        package var confirmed: [JobID] = []
        package var surviving: [JobID: SegmentMap] = [:]
        package var grown: [JobID: Int64] = [:]
        package var stopped: [JobID] = []
        package var recalled: [JobID] = []
        package var rates: [Int64?] = []
        /// The hosts whose waits were ended.
        package var released: [String] = []
        package var synced: [JobID] = []
        package var freeBytes: Int64 = 1 << 40
        package var sealed: [JobID] = []
        package var wanted: [JobID: WantedName] = [:]
        package var stored: [JobID: [UInt8]] = [:]
        package var storedVersions: [JobID: Validator] = [:]
        package var confirmedStored: [JobID] = []
        package var unconfirmed: [JobID: UnconfirmedDocument] = [:]
        package var published: [JobID] = []
        package var hashing: [JobID] = []
        package var discarded: [JobID] = []
        package var removed: [JobID] = []
        package var served: [JobID] = []
        package var forgottenContents: [String] = []
        package var detecting: [JobID] = []
        package var withdrawn: [JobID] = []
        package var engines: [DetectionEngine?] = []
        package var identity: DetectorIdentity? = DetectorIdentity(engine: "haar", parameters: "p")
        package var events: [JobEvent] = []
        package var lengths: [JobID: Int64] = [:]
        package var marks: [String: FileMark] = [:]
        package var publications: [JobID: Publication] = [:]
        /// The actions on the store's room, in order.
        package var room: [String] = []
        package var stopsInTime = true
        /// The reason why no directory is where it should be.
        package var obstacle: String?
        /// The reason why nothing can be written.
        package var refusal: String?
        /// True if no try to write comes back.
        package var isSilent = false
        /// The number of tries that have not come back.
        package var tries = 0
        /// How often another directory of partials has taken the place of the one before.
        package var partialsGeneration = 0
    }

    private let notes = Mutex(Notes())

    package init() {}

    /// The requests so far.
    package var all: Notes { notes.withLock { $0 } }
    package var lines: [String] { all.events.map { "\($0.job) \($0.message)" } }

    package func forget() {
        notes.withLock { notes in
            var fresh = Notes()
            fresh.lengths = notes.lengths
            fresh.marks = notes.marks
            fresh.freeBytes = notes.freeBytes
            fresh.surviving = notes.surviving
            fresh.publications = notes.publications
            fresh.unconfirmed = notes.unconfirmed
            fresh.identity = notes.identity
            notes = fresh
        }
    }

    package func change(_ body: (inout Notes) -> Void) { notes.withLock { body(&$0) } }

    package func start(_ requests: [TransferRequest]) { change { $0.started += requests } }
    package func confirm(_ jobs: [JobID]) { change { $0.confirmed += jobs } }
    package func survivingSegments(
        of job: JobID,
        at partialPath: String,
        total: Int64,
        validator: Validator
    ) -> SegmentMap? { all.surviving[job] }
    package func partialBegins(_ job: JobID, at length: Int64) { change { $0.grown[job] = nil } }
    package func partialGrew(_ job: JobID, to length: Int64) { change { $0.grown[job] = length } }
    package func release(_ host: String) { change { $0.released.append(host) } }
    package func stop(_ jobs: [JobID]) { change { $0.stopped += jobs } }
    package func recall(_ jobs: [JobID]) { change { $0.recalled += jobs } }
    package func limitRate(to rate: Int64?) { change { $0.rates.append(rate) } }
    package func holdWriting() -> Bool {
        change { $0.room.append("hold") }
        return all.stopsInTime
    }
    package func goOnWriting() { change { $0.room.append("go on") } }
    package func partialPath(of job: JobID) -> String { "/p/\(job.rawValue).part" }
    package func partialLength(of job: JobID) -> Int64? { all.lengths[job] }
    package func sync(_ job: JobID) { change { $0.synced.append(job) } }
    package func syncNow(_ job: JobID) -> Int64? { all.lengths[job] }
    package func seal(_ job: JobID, wantedName: WantedName, mustHash: Bool, _ traits: DocumentTraits) {
        change { notes in
            notes.sealed.append(job)
            notes.wanted[job] = wantedName
        }
    }
    package func store(
        _ job: JobID,
        _ body: BufferedBody,
        validator: Validator?,
        wantedName: WantedName,
        _ traits: DocumentTraits
    ) {
        change { notes in
            notes.stored[job] = body.bytes
            notes.wanted[job] = wantedName
            notes.storedVersions[job] = validator
        }
    }
    package func confirmStored(_ jobs: [JobID]) { change { $0.confirmedStored += jobs } }
    package func unconfirmedDocuments() -> [JobID: UnconfirmedDocument] { all.unconfirmed }
    package func hash(_ job: JobID, _ document: Document) { change { $0.hashing.append(job) } }
    package func publish(_ job: JobID, _ reservation: Job.Reservation, wantedName: String) {
        change { $0.published.append(job) }
    }
    package func removeDocument(of job: JobID, at path: String, mark: FileMark) {
        change { $0.removed.append(job) }
    }
    package func takeServed() -> [JobID] {
        notes.withLock { notes in
            defer { notes.served = [] }
            return notes.served
        }
    }
    package func discardPartial(of job: JobID) { change { $0.discarded.append(job) } }
    package func publication(of job: JobID, _ reservation: Job.Reservation) -> Publication {
        all.publications[job] ?? .lost
    }
    package func mark(ofDocument path: String) -> FileMark? { all.marks[path] }
    package func freeBytes() -> Int64? { all.freeBytes }
    package func obstacle() -> String? { all.obstacle }
    package func findAgain() -> String? { all.obstacle }
    package func tryWriting(anew: Bool) { change { $0.tries += 1 } }
    package var silence: String { "/d does not answer" }
    /// Returns what came of a try, once each; nil if there is none that has come back.
    package func takeTry() -> (refusal: String?, Void)? {
        notes.withLock { notes in
            guard notes.tries > 0, !notes.isSilent else { return nil }
            notes.tries -= 1
            return (notes.refusal, ())
        }
    }
    package var partialsGeneration: Int { all.partialsGeneration }
    package var identity: DetectorIdentity? { all.identity }
    package func submit(_ request: DetectionRequest) {
        change { notes in
            notes.detecting.append(request.job)
            notes.engines.append(request.engine)
        }
    }
    package func withdraw(_ job: JobID) { change { $0.withdrawn.append(job) } }
    package func append(_ lines: EventLines) { change { $0.events += lines.events } }
}

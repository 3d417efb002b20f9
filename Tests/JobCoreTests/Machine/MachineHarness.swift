import JobCore
import JobModel
import TestSupport
import Vocabulary

/// A job machine with queues and an outside that object to what makes no sense.
struct MachineHarness {
    struct Illegal: Error, CustomStringConvertible {
        var description: String
    }

    var machine: JobMachine
    var context: JobContext
    var now: Moment {
        get { context.now }
        set { context.now = newValue }
    }

    // The queues and the outside, as moves and effects leave them.
    var isQueued = false
    var hasPermit = false
    var isTransferring = false
    var isAskedToStop = false
    /// A body waits until the partial may be emptied.
    var isRestarting = false
    var isSealing = false
    var isPublishing = false
    /// True if what is being published is a body from memory.
    var isStoring = false
    var isHashing = false
    var isRemoving = false
    /// A document that can't be hashed is looked at all the same.
    var hashHasFailed = false
    var isInDetection = false
    var partialLength: Int64?
    var documentPath: String?
    /// The document that has been published, which nothing may change.
    private var document: Document?
    var events: [JobEvent.Kind] = []
    var moves: [QueueMove] = []
    var effects: [JobEffect] = []
    var refusal: String?
    /// The highest number that was given to anything that the job came to.
    private var lastEnding: Int64 = 0

    /// A job of https://example.org/200/300, with a name that was asked for, or a source.
    init(name: String?, source: String?) throws {
        let url = try JobURL("https://example.org/200/300")
        try self.init(url: url)
        var job = machine.job
        job.hasGivenName = name != nil
        job.name = name ?? DocumentName.derived(from: url)
        job.options.source = source
        machine = JobMachine(job: job)
    }

    init(url: JobURL? = nil, headers: [RequestHeader] = [], retry: RetryPolicy = RetryPolicy()) throws {
        let now = Moment(microseconds: 1_795_243_503_000_000)
        context = JobContext(now: now, retry: retry, generator: SeededGenerator(seed: 1))
        var job = Job(
            id: JobID(rawValue: 3),
            batch: BatchID(rawValue: 1),
            createdAt: now,
            url: try url ?? JobURL("https://ann:secret@example.org/a.jpg"),
            name: "a.jpg"
        )
        job.headers = headers
        machine = JobMachine(job: job)
        isQueued = true
    }

    var job: Job { machine.job }
    var state: JobState { machine.job.state }

    /// Feeds an input; what follows from it is checked and collected.
    mutating func feed(_ input: JobInput) throws {
        let before = machine
        let decision = machine.handle(input, in: &context)
        events += decision.events
        moves += decision.moves
        effects += decision.effects
        refusal = decision.refusal
        if let impossibility = decision.impossibility { throw Illegal(description: impossibility) }
        if machine.job != before.job, !decision.isDirty, !input.isProgress {
            throw Illegal(description: "\(input) changed the job, and nobody would store it")
        }
        if !decision.events.isEmpty, !decision.isDirty {
            throw Illegal(description: "\(input) tells \(decision.events) of a job that didn't change")
        }
        if before.job.isLookedAtAgain, !machine.job.hasResult {
            throw Illegal(description: "\(input) ends the first look's result")
        }
        for move in decision.moves { try carryOut(move) }
        for effect in decision.effects { try carryOut(effect) }
        try checkInvariants(after: input)
        try checkEndings(after: input, events: decision.events, before: before.job)
    }

    /// Checks that whatever the job comes to gets a number of its own, higher than all before, and nothing
    /// else does.
    private mutating func checkEndings(
        after input: JobInput,
        events: [JobEvent.Kind],
        before: Job
    ) throws {
        var come: Set<JobEnding> = []
        for event in events {
            switch event {
            case .stored: come.insert(.stored)
            case .detectionFinished, .detectionFailed: come.insert(.done)
            case .failed: come.insert(.failed)
            case .cancelled: come.insert(.cancelled)
            default: break
            }
        }
        let floor = lastEnding
        for ending in JobEnding.allCases {
            let (then, now) = (before.endings[ending], job.endings[ending])
            guard come.contains(ending) ? (now ?? 0) > floor : now == then else {
                throw Illegal(
                    description: "\(ending) has number \(now ?? 0) after \(input), and \(then ?? 0) before"
                )
            }
            lastEnding = max(lastEnding, now ?? 0)
        }
        guard (job.ended != nil) == job.state.isFinal else {
            throw Illegal(description: "ended is \(job.ended ?? 0) after \(input) in \(job.state)")
        }
    }

    private mutating func carryOut(_ move: QueueMove) throws {
        switch move {
        case .enqueueTransfer:
            guard !isTransferring, !hasPermit else { throw Illegal(description: "queued with a permit") }
            isQueued = true
        case .dequeueTransfer: isQueued = false
        case .releasePermit:
            guard hasPermit else { throw Illegal(description: "releases no permit") }
            hasPermit = false
        case .wake(let until):
            guard until >= now else { throw Illegal(description: "wakes in the past") }
        case .enqueueDetection:
            guard documentPath != nil || isPublishing else {
                throw Illegal(description: "detects in nothing")
            }
            isInDetection = true
        case .moveDetection:
            guard documentPath != nil || isPublishing else {
                throw Illegal(description: "moves nothing in the line for detection")
            }
        case .dequeueDetection: isInDetection = false
        }
    }

    private mutating func carryOut(_ effect: JobEffect) throws {
        switch effect {
        case .startTransfer(let resume):
            guard hasPermit, !isTransferring, !isSealing, !isPublishing else {
                throw Illegal(description: "a transfer begins beside something else")
            }
            if let resume, resume.offset != partialLength {
                throw Illegal(description: "resumes at \(resume.offset) of \(partialLength ?? -1)")
            }
            if resume == nil { partialLength = 0 }
            isTransferring = true
            isAskedToStop = false
            isRestarting = false
        case .confirmTransfer where isRestarting:
            guard isTransferring, job.validator == nil, job.totalBytes == nil, job.segments == nil,
                job.bytes == 0, job.durableBytes == 0, job.partialBoot == nil
            else { throw Illegal(description: "empties a partial that the job still claims") }
            isRestarting = false
            partialLength = 0
        case .confirmTransfer:
            guard isTransferring, job.segments != nil else {
                throw Illegal(description: "splits what isn't there, or isn't known to be in segments")
            }
        case .stopTransfer:
            guard isTransferring else { throw Illegal(description: "stops what isn't there") }
            isAskedToStop = true
        case .seal:
            guard !isTransferring, !isSealing, !isPublishing, partialLength != nil else {
                throw Illegal(description: "seals what isn't there or isn't still")
            }
            isSealing = true
        case .store(let body, _, _, _):
            guard !isTransferring, !isSealing, !isPublishing, partialLength == nil, job.attempts == 1,
                body.length == job.bytes, job.reservation == nil
            else { throw Illegal(description: "stores a body beside something else") }
            isPublishing = true
            isStoring = true
        case .publish(let reservation, _):
            guard machine.job.reservation == reservation, !isSealing, !isTransferring else {
                throw Illegal(description: "publishes without a reservation")
            }
            isPublishing = true
        case .hash(let document):
            guard document.path == job.path, document.length == job.bytes, job.sha256 == nil else {
                throw Illegal(description: "hashes what isn't there, or is hashed")
            }
            isHashing = true
        case .discardPartial:
            guard !isTransferring, !isSealing, !isPublishing else {
                throw Illegal(description: "removes a partial that is in use")
            }
            partialLength = nil
        case .removeDocument(let path, _):
            guard job.state.isFinal, job.path == path, documentPath == path, !isRemoving else {
                throw Illegal(description: "removes what isn't there, or somebody needs")
            }
            isRemoving = true
        case .lookAgain:
            guard machine.job.state == .detecting, !isInDetection else {
                throw Illegal(description: "has it looked at by two")
            }
            isInDetection = true
        case .withdrawDetection:
            guard !isInDetection else { throw Illegal(description: "withdrawn, and still in the queue") }
        case .syncPartial:
            guard !isTransferring, !isSealing, !isPublishing else {
                throw Illegal(description: "syncs a partial that is in use")
            }
        }
    }

    /// Checks what the store's own constraints and the outside rely on.
    private mutating func checkInvariants(after input: JobInput) throws {
        let job = machine.job
        func require(_ condition: Bool, _ what: String) throws {
            guard condition else { throw Illegal(description: "\(what) after \(input) in \(job.state)") }
        }
        try require(
            (job.state == .waiting) == (job.waiting != nil),
            "waiting without reason, or reason without"
        )
        try require(
            (job.state == .failed) == (job.failure != nil),
            "failed without reason, or reason without"
        )
        try require(
            (job.state.isFinal || job.isLookedAtAgain) == (job.finishedAt != nil),
            "an end without a time, or a time without"
        )
        if [.stored, .detecting, .done].contains(job.state) {
            try require(job.path != nil || job.isEvicted && job.state == .done, "no document")
            try require(job.sha256 != nil || isHashing || hashHasFailed, "no hash, and nobody makes it")
            try require(job.reservation == nil, "a reservation too many")
        }
        if job.state == .cancelled, machine.activity == .idle, job.path == nil {
            try require(partialLength == nil, "cancelled, and its partial is there")
        }
        if let document {
            try require(job.path == document.path, "the document has another path")
            try require(job.bytes == document.length, "the document has another length")
        } else if let path = job.path {
            document = Document(path: path, length: job.bytes)
        }
        try require((0...10).contains(job.loggedSteps), "steps out of range")
        try require(job.bytes >= 0, "negative bytes")
        if machine.activity == .publishing {
            try require((job.reservation == nil) == isStoring, "a reservation too many or too few")
        }
        if job.state == .queued {
            try require(isQueued || isTransferring || isPublishing || isSealing, "queued nowhere")
        }
        if job.state == .downloading {
            try require(isTransferring || isSealing || isPublishing, "downloading, and nobody does")
        }
        if job.state == .stored || job.state == .detecting {
            try require(isInDetection || isHashing, "nobody will look at it")
        }
    }
}

extension MachineHarness {
    mutating func grantPermit() throws {
        isQueued = false
        hasPermit = true
        try feed(.permitGranted(partialLength: partialLength))
    }

    mutating func begin(
        _ mode: TransferStart.Mode = .fresh,
        offset: Int64 = 0,
        total: Int64? = 100,
        validator: Validator? = .entityTag("\"v1\"")
    ) throws {
        partialLength = offset
        try feed(
            .transfer(.began(TransferStart(mode: mode, offset: offset, total: total, validator: validator)))
        )
    }

    /// The server sends the whole file in place of the rest: the transfer asks, and begins anew once it may.
    mutating func restart(
        _ reason: String,
        total: Int64? = 100,
        validator: Validator? = .entityTag("\"v1\"")
    ) throws {
        isRestarting = true
        try feed(.transfer(.restarting(reason: reason)))
        guard !isRestarting else { return }
        try begin(.restarted(reason: reason), total: total, validator: validator)
    }

    mutating func progress(_ bytes: Int64) throws {
        partialLength = bytes
        try feed(.transfer(.progressed(bytes: bytes)))
    }

    mutating func end(_ end: TransferEnd, fault: AttemptFault = .own) throws {
        isTransferring = false
        if case .completed(let length, _) = end { partialLength = length }
        if case .buffered = end { partialLength = nil }
        try feed(.transfer(.ended(end), fault: fault))
    }

    /// The request comes back that was never sent.
    mutating func giveBack(wasTold: Bool = true) throws {
        isTransferring = false
        try feed(.unsent(wasTold: wasTold))
    }

    mutating func seal(freeName: String = "a.jpg", sha256: String? = "ab", length: Int64? = nil) throws {
        isSealing = false
        let sealed = SealedPartial(inode: 7, length: length ?? partialLength ?? 0, sha256: sha256)
        try feed(.storage(.sealed(sealed, path: "/p/3.part", freeName: freeName)))
    }

    /// The whole body of 100 bytes comes, and is in memory.
    mutating func endInMemory() throws {
        let body = BufferedBody(Array(repeating: 7, count: 100), of: BufferRoom(limit: 100), taken: 0)
        try end(.buffered(body, lengthProven: true))
    }

    mutating func store(mark: FileMark? = nil) throws {
        isPublishing = false
        isStoring = false
        documentPath = "/d/a.jpg"
        let sealed = SealedPartial(inode: 7, length: 100, sha256: "ab", modified: 0)
        let reservation = Job.Reservation(name: "a.jpg", sealed: sealed)
        try feed(.storage(.stored(reservation, partialPath: "/p/3.part", path: "/d/a.jpg", mark: mark)))
    }

    mutating func failToStore(_ failure: JobFailure) throws {
        isPublishing = false
        isStoring = false
        try feed(.storage(.publishFailed(failure, keepsPartial: false)))
    }

    mutating func publish(mark: FileMark? = nil) throws {
        if isStoring { return try store(mark: mark) }
        isPublishing = false
        let path = "/d/" + (job.reservation?.name ?? "?")
        documentPath = path
        partialLength = nil
        try feed(.storage(.published(path: path, mark: mark)))
    }

    /// The document is removed to make room.
    mutating func remove() throws {
        isRemoving = false
        documentPath = nil
        document = nil
        try feed(.storage(.removed))
    }

    mutating func hash(_ sha256: String? = "ab") throws {
        isHashing = false
        if let sha256 { return try feed(.storage(.hashed(sha256: sha256))) }
        hashHasFailed = true
        try feed(.storage(.hashFailed(JobFailure(.storageError, "it has been changed"))))
    }

    mutating func detect(_ result: DetectionResult = DetectionResult(outcome: .counted)) throws {
        try feed(.detectionBegan)
        try endDetection(result)
    }

    mutating func endDetection(_ result: DetectionResult) throws {
        isInDetection = false
        try feed(.detectionEnded(result))
    }

    /// To the end of a download of 100 bytes.
    mutating func download() throws {
        try grantPermit()
        try begin()
        try progress(100)
        try end(.completed(length: 100, lengthProven: true))
        try seal()
        try publish()
    }

    /// As it would be after a crash: what is durable, and a fresh machine.
    mutating func crash() {
        machine = JobMachine(job: machine.job)
        isQueued = false
        hasPermit = false
        isTransferring = false
        isSealing = false
        isPublishing = false
        isStoring = false
        isHashing = false
        isRemoving = false
        isInDetection = false
        events = []
        moves = []
        effects = []
    }
}

extension JobInput {
    /// Bytes alone are not worth a commit.
    fileprivate var isProgress: Bool {
        if case .transfer(.progressed, _) = self { return true }
        return false
    }
}

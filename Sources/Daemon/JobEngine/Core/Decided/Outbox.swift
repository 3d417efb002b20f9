import JobCore
import JobModel
import Vocabulary

/// The work for the outside, held back until the decisions are durable.
struct Outbox {
    /// Transfers to start; further lists hold those to confirm and to stop.
    private var starts: [TransferRequest] = []
    private var confirmations: [JobID] = []
    private var stops: [JobID] = []
    /// Transfers to end if they wait for others, of those that are to be started.
    private var recalls: Set<JobID> = []
    /// Transfers that need not wait for the commit, since a crash only means starting them again.
    private var earlyStarts: [TransferRequest] = []
    /// Work for the document store, in order.
    private var files: [(job: JobID, effect: JobEffect)] = []
    /// True if the document store has been given work of which it will report.
    var hasGivenFiles = false
    /// Documents for the detectors.
    private var looks: [DetectionRequest] = []
    private var withdrawals: [JobID] = []
    /// The jobs whose bodies have become documents, as the store now knows.
    private var stored: [JobID] = []
    /// The SHA-256 of documents whose jobs are forgotten.
    private var forgottenContents: [String] = []

    /// True if there is nothing to do after the commit.
    var isEmpty: Bool {
        starts.isEmpty && confirmations.isEmpty && stops.isEmpty && files.isEmpty && looks.isEmpty
            && withdrawals.isEmpty && forgottenContents.isEmpty && stored.isEmpty
    }

    /// Adds work for a job; if it is early, it doesn't wait for the commit.
    ///
    /// `turn` is the limit that its transfer keeps to with others of its host, and `spread` how they are spread over
    /// connections.
    mutating func add(
        _ effect: JobEffect,
        for job: Job,
        isEarly: Bool,
        documents: any DocumentPort,
        turn: @autoclosure () -> TransferTurn? = nil,
        spread: @autoclosure () -> ConnectionSpread? = nil
    ) {
        switch effect {
        case .startTransfer(let resume):
            // The earlier transfer must have ended, so a stop that was meant for it is void.
            if !stops.isEmpty { stops.removeAll { $0 == job.id } }
            recalls.remove(job.id)
            var request = TransferRequest(
                job: job.id,
                url: job.url,
                partialPath: documents.partialPath(of: job.id),
                resume: resume,
                headers: job.headers,
                rateLimit: job.rateLimit
            )
            request.source = job.source
            request.turn = turn()
            request.spread = spread()
            // Before a document gets its name, a given checksum is compared, and room is found for an
            // evictable one: neither works with a body in memory.
            request.mayBuffer =
                resume == nil && job.attempts == 1 && job.expectedSHA256 == nil && !job.isEvictable
            if isEarly { earlyStarts.append(request) } else { starts.append(request) }
        case .confirmTransfer: confirmations.append(job.id)
        case .stopTransfer: stops.append(job.id)
        case .seal(let name, let mustHash, let traits) where isEarly:
            hasGivenFiles = true
            documents.seal(job.id, wantedName: name, mustHash: mustHash, traits)
        case .store(let body, let validator, let name, let traits) where isEarly:
            hasGivenFiles = true
            documents.store(job.id, body, validator: validator, wantedName: name, traits)
        case .seal, .store, .hash, .publish, .syncPartial, .discardPartial, .removeDocument:
            files.append((job.id, effect))
        case .lookAgain:
            if let request = DetectionRequest(job) { look(request) }
        case .withdrawDetection: withdrawals.append(job.id)
        }
    }

    /// Adds a document for a detector.
    mutating func look(_ request: DetectionRequest) { looks.append(request) }

    /// Forgets that a document is to be looked at.
    ///
    /// One that another has made room for may be cancelled in the same turn, or put back because the daemon ends.
    mutating func dropLook(at job: JobID) { looks.removeAll { $0.job == job } }

    /// Adds a job whose body has become a document.
    mutating func noteStored(_ job: JobID) { stored.append(job) }

    /// Adds the content of a document whose job is forgotten.
    mutating func forget(content sha256: String) { forgottenContents.append(sha256) }

    /// Starts the transfers that don't wait for the commit.
    mutating func startEarly(_ transfers: any TransferPort) {
        guard !earlyStarts.isEmpty else { return }
        transfers.start(earlyStarts)
        recallStarted(earlyStarts, from: transfers)
        earlyStarts = []
    }

    /// Has transfers end that wait for others of their hosts: now, and those that are yet to be started as soon as they
    /// are.
    mutating func recall(_ jobs: [JobID], from transfers: any TransferPort) {
        transfers.recall(jobs)
        guard !starts.isEmpty || !earlyStarts.isEmpty else { return }
        recalls.formUnion(Set(jobs).intersection((starts + earlyStarts).map(\.job)))
    }

    private mutating func recallStarted(_ started: [TransferRequest], from transfers: any TransferPort) {
        guard !recalls.isEmpty else { return }
        let jobs = started.map(\.job).filter { recalls.remove($0) != nil }
        if !jobs.isEmpty { transfers.recall(jobs) }
    }

    /// Hands all work to the ports.
    ///
    /// `isHashed` says whether a document's hash has arrived in the same turn that asked for it.
    mutating func perform(_ ports: EnginePorts, isHashed: (JobID) -> Bool) {
        // First, because what is published in the same turn takes the room that this frees.
        for case (let job, .removeDocument(let path, let mark)) in files {
            ports.documents.removeDocument(of: job, at: path, mark: mark)
        }
        for (job, effect) in files {
            switch effect {
            case .seal(let name, let mustHash, let traits):
                ports.documents.seal(job, wantedName: name, mustHash: mustHash, traits)
            case .store(let body, let validator, let name, let traits):
                ports.documents.store(job, body, validator: validator, wantedName: name, traits)
            case .hash(let document): if !isHashed(job) { ports.documents.hash(job, document) }
            case .publish(let reservation, let name):
                ports.documents.publish(job, reservation, wantedName: name)
            case .syncPartial: ports.documents.sync(job)
            case .discardPartial: ports.documents.discardPartial(of: job)
            case .removeDocument, .startTransfer, .confirmTransfer, .stopTransfer, .lookAgain,
                .withdrawDetection:
                break
            }
        }
        for job in withdrawals { ports.detection.withdraw(job) }
        // Before starts, because they are meant for the transfer that reported, not for its successor.
        if !confirmations.isEmpty { ports.transfers.confirm(confirmations) }
        // Starts come before stops, so that a transfer started and stopped in one turn ends up stopped.
        if !starts.isEmpty { ports.transfers.start(starts) }
        recallStarted(starts, from: ports.transfers)
        if !stops.isEmpty { ports.transfers.stop(stops) }
        for request in looks { ports.detection.submit(request) }
        if !stored.isEmpty { ports.documents.confirmStored(stored) }
        if !forgottenContents.isEmpty { ports.contentsForgotten(forgottenContents) }
        let (early, left) = (earlyStarts, recalls)
        let gives = hasGivenFiles || files.contains { $0.effect.isReported }
        self = Outbox()
        (earlyStarts, recalls, hasGivenFiles) = (early, left, gives)
    }

    /// Forgets jobs whose batch was withdrawn.
    mutating func forget(_ jobs: ClosedRange<JobID>) {
        starts.removeAll { jobs.contains($0.job) }
        earlyStarts.removeAll { jobs.contains($0.job) }
        files.removeAll { jobs.contains($0.job) }
        confirmations.removeAll(where: jobs.contains)
        stops.removeAll(where: jobs.contains)
        looks.removeAll { jobs.contains($0.job) }
        withdrawals.removeAll(where: jobs.contains)
    }
}

extension JobEffect {
    /// True if the document store reports of it soon: not of hashing, which may take long.
    fileprivate var isReported: Bool {
        switch self {
        case .seal, .store, .publish, .removeDocument: true
        default: false
        }
    }
}

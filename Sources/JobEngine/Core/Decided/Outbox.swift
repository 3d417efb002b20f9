import JobCore

/// What the outside is to do once what was decided is durable.
struct Outbox {
    /// Beginnings, confirmations and ends of transfers.
    private var starts: [TransferRequest] = []
    private var confirmations: [JobID] = []
    private var stops: [JobID] = []
    /// Transfers of this turn that nothing rests on yet: in case of a crash they begin anew.
    private var earlyStarts: [TransferRequest] = []
    /// For the document store, in order.
    private var files: [(job: JobID, deed: JobDeed)] = []
    /// For the detectors.
    private var looks: [DetectionRequest] = []
    private var withdrawals: [JobID] = []

    /// True when there is nothing to do after the commit.
    var isEmpty: Bool {
        starts.isEmpty && confirmations.isEmpty && stops.isEmpty && files.isEmpty && looks.isEmpty
            && withdrawals.isEmpty
    }

    /// Takes a deed for a job; one that is marked as early waits for no commit.
    mutating func add(_ deed: JobDeed, for job: Job, isEarly: Bool, documents: any DocumentPort) {
        switch deed {
        case .startTransfer(let resume):
            // An earlier transfer has ended, or there would be no other: a stop that was meant for it is void.
            if job.attempts > 1 { stops.removeAll { $0 == job.id } }
            let request = TransferRequest(
                job: job.id,
                url: job.url,
                partialPath: documents.partialPath(of: job.id),
                resume: resume,
                headers: job.headers,
                rateLimit: job.rateLimit
            )
            if isEarly { earlyStarts.append(request) } else { starts.append(request) }
        case .confirmTransfer: confirmations.append(job.id)
        case .stopTransfer: stops.append(job.id)
        case .seal(let name, let mustHash) where isEarly:
            documents.seal(job.id, wantedName: name, mustHash: mustHash)
        case .seal, .hash, .publish, .syncPartial, .discardPartial: files.append((job.id, deed))
        case .lookAgain:
            guard let path = job.path else { return }
            look(DetectionRequest(job: job.id, path: path, engine: job.detectionDemand?.engine))
        case .withdrawDetection: withdrawals.append(job.id)
        }
    }

    /// Hands a document to a detector.
    mutating func look(_ request: DetectionRequest) { looks.append(request) }

    /// Begins the transfers that wait for no commit.
    mutating func startEarly(_ transfers: any TransferPort) {
        guard !earlyStarts.isEmpty else { return }
        transfers.start(earlyStarts)
        earlyStarts = []
    }

    /// Has everything done; `isHashed` says whether a document's hash has come in the very turn that asked
    /// for it.
    mutating func perform(_ ports: EnginePorts, isHashed: (JobID) -> Bool) {
        for (job, deed) in files {
            switch deed {
            case .seal(let name, let mustHash):
                ports.documents.seal(job, wantedName: name, mustHash: mustHash)
            case .hash(let document): if !isHashed(job) { ports.documents.hash(job, document) }
            case .publish(let reservation, let name):
                ports.documents.publish(job, reservation, wantedName: name)
            case .syncPartial: ports.documents.sync(job)
            case .discardPartial: ports.documents.discardPartial(of: job)
            case .startTransfer, .confirmTransfer, .stopTransfer, .lookAgain, .withdrawDetection: break
            }
        }
        for job in withdrawals { ports.detection.withdraw(job) }
        // Before starts: they mean the transfer that told of them, not one that follows it.
        if !confirmations.isEmpty { ports.transfers.confirm(confirmations) }
        // Starts before stops: a transfer that was started and stopped in one turn is stopped.
        if !starts.isEmpty { ports.transfers.start(starts) }
        if !stops.isEmpty { ports.transfers.stop(stops) }
        for request in looks { ports.detection.submit(request) }
        let early = earlyStarts
        self = Outbox()
        earlyStarts = early
    }

    /// Forgets jobs that never were.
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

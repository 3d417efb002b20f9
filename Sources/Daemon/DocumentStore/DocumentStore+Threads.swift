import Dispatch
import JobModel
import Vocabulary

/// The work of the store's threads.
extension DocumentStore {
    /// Seals partials, and makes documents of bodies from memory, until there is no more work.
    func runSealer(_ queue: WorkQueue<Sealing>, atOnce: Int) {
        var generation = 0
        while let work = queue.next(atMost: atOnce) {
            carryOut(work, since: &generation) { work in
                var (bodies, left): ([Storing], [Sealing]) = ([], [])
                var reports: [(JobID, StorageReport)] = []
                for item in work {
                    switch item {
                    case .seal(let job, let name, let mustHash, let traits):
                        let sealed = seal(partialOf: job, wantedName: name, mustHash: mustHash, traits)
                        let isLost = sealed.lossNumber != nil && place.trouble != nil
                        if isLost { left.append(item) } else { reports.append((job, sealed)) }
                    case .sync(let job):
                        if let synced = synced(partialOf: job) { reports.append((job, synced)) }
                    case .store(let storing): bodies.append(storing)
                    }
                }
                let (stored, again, held) = store(bodies)
                postpone(held)
                return (reports + stored, left + again.map(Sealing.store))
            }
        }
    }

    /// Gives documents their names and removes them, until there is no more work.
    func runPublisher() {
        var generation = 0
        while let work = publishing.next(atMost: 256) {
            carryOut(work, since: &generation) { work in
                var removals: [Removal] = []
                var publications: [Publishing] = []
                for item in work {
                    switch item {
                    case .remove(let removal): removals.append(removal)
                    case .publish(let publishing): publications.append(publishing)
                    }
                }
                // First, because what is published takes the room that this frees.
                let (removed, notYet) = remove(removals)
                if !removed.isEmpty { report(removed) }
                let (published, again) = publish(publications)
                return (published, notYet.map(Naming.remove) + again.map(Naming.publish))
            }
        }
    }

    /// Tries bodies again a little later that may not be written now, behind what others wait for.
    private func postpone(_ bodies: [Storing]) {
        guard !bodies.isEmpty else { return }
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + .milliseconds(200)) { [weak self] in
            for body in bodies { self?.sealing.add(.store(body)) }
        }
    }

    /// Performs work while the directories are where they should be, and repeats work during which they were
    /// lost once they are there again; work left when the store ends is dropped.
    ///
    /// `generation` is that of the directories in which the thread worked last.
    private func carryOut<Work>(
        _ work: [Work],
        since generation: inout Int,
        _ body: (_ work: [Work]) -> (reports: [(JobID, StorageReport)], again: [Work])
    ) {
        var left = work
        var wasLost = false
        while !left.isEmpty {
            guard place.enter() else { return }
            if place.generation != generation { wasLost = true }
            generation = place.generation
            let (reports, again) = body(left)
            place.leave()
            // A job whose file has gone with its directory has done nothing wrong.
            if !reports.isEmpty { report(wasLost ? reports.map { ($0.0, $0.1.blamingNobody) } : reports) }
            (left, wasLost) = (again, true)
        }
    }
}

extension StorageReport {
    /// The errno of what failed because something is not there any more; nil otherwise.
    var lossNumber: CInt? {
        switch self {
        case .sealFailed(_, _, let number?) where isLost(number): number
        case .publishFailed(_, _, let number?) where isLost(number): number
        default: nil
        }
    }

    /// The report with a loss that is told as one.
    fileprivate var blamingNobody: StorageReport {
        switch self {
        case .sealFailed(let failure, let keepsPartial, let number) where lossNumber != nil:
            let lost = JobFailure(.storageLost, failure.message)
            return .sealFailed(lost, keepsPartial: keepsPartial, errorNumber: number)
        case .publishFailed(let failure, let keepsPartial, let number) where lossNumber != nil:
            let lost = JobFailure(.storageLost, failure.message)
            return .publishFailed(lost, keepsPartial: keepsPartial, errorNumber: number)
        default: return self
        }
    }
}

/// The work of sealers.
enum Sealing: Sendable {
    case seal(JobID, wantedName: WantedName, mustHash: Bool, DocumentTraits)
    case sync(JobID)
    case store(Storing)
}

/// The work of the publisher, which gives documents their names and removes them.
enum Naming: Sendable {
    case publish(Publishing)
    case remove(Removal)
}

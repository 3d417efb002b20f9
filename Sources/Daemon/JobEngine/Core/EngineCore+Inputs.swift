import JobModel
import Vocabulary

extension EngineCore {
    /// Hands an input to the part that it concerns.
    func handle(_ input: EngineInput, now: Moment) throws(StoreFailure) {
        switch input {
        case .transfers(let reports):
            for (job, report) in reports {
                if report.saysStorageIsLost { storage.suspect() }
                if report.saysStorageFailed, storage.postpones(.transfer(report, of: job)) { continue }
                if report.saysDiskIsFull, storage.postponesFull(.transfer(report, of: job)) { continue }
                try handle(report, of: job, now: now)
            }
        case .storage(let reports):
            storage.heard()
            for (job, report) in reports {
                if report.saysStorageIsLost { storage.suspect() }
                if report.saysStorageFailed, storage.postpones(.storage(report, of: job)) { continue }
                if report.saysDiskIsFull, storage.postponesFull(.storage(report, of: job)) { continue }
                try handle(report, of: job, now: now)
            }
        case .storageTried(let refusal): storage.tried(refusal, now: now)
        case .detected(let job, let result):
            if result.isOfLostDirectory { storage.suspect() }
            try detections.ended(job, result, now: now) { storage.isLost() }
        case .submit(let submission, let reply):
            guard mayBegin else { return reply(.failure(.outOfSpace)) }
            try bulk.intake.submit(submission, now: now, reply: reply)
        case .keep(let write, let reply):
            guard !isHeldUp else { return reply(.failure(.outOfSpace)) }
            bulk.intake.keep(write, reply: reply)
        case .keepAnswer(let answer, let reply):
            guard !isHeldUp else { return reply(.failure(.outOfSpace)) }
            bulk.intake.keep(answer, reply: reply)
        case .steer(let action, let job, let reply):
            guard mayCarryOut(action) else { return reply(.failure(.outOfSpace)) }
            let isHidden = bulk.intake.isHidden(job)
            try bulk.steering.steer(action, job, isHidden: isHidden, now: now, reply: reply)
        case .steerAll(let action, let reply):
            guard mayCarryOut(action) else { return reply(.failure(.outOfSpace)) }
            bulk.steering.steerAll(action, upTo: bulk.intake.newestJob, reply: reply)
        case .steerMany(let action, let jobs, let states, let reply):
            guard mayCarryOut(action) else { return reply(.failure(.outOfSpace)) }
            bulk.steering.steer(action, jobs, in: states, reply: reply)
        case .forget(let jobs, let reply):
            guard !isHeldUp else { return reply(.failure(.outOfSpace)) }
            bulk.forgetting.forget(jobs, reply: reply)
        case .renew(let batch, let seconds, let reply):
            guard !isHeldUp else { return reply(.failure(.outOfSpace)) }
            try bulk.leases.renew(batch, seconds: seconds, now: now, reply: reply)
        case .removeDocument(let job, let reply):
            guard !isHeldUp else { return reply(.failure(.outOfSpace)) }
            storage.suspect()
            storage.look(now: now)
            if let obstacle = storage.obstacle {
                // A document that can't be found now need not be gone.
                return reply(.failure(.notPossible(job, .done, "\(obstacle); its document stays")))
            }
            try removal.remove(job, isHidden: bulk.intake.isHidden(job), now: now, reply: reply)
        case .attend(let client, let visible, let near, let reply):
            attention.look(client, visible: visible, near: near, now: now)
            reply(.success(()))
        case .served: eviction.served(now: now)
        case .setGate(let open, let reply):
            guard !isHeldUp else { return reply(.failure(.outOfSpace)) }
            bench.setDetectionGate(open: open)
            bench.answer(reply, ())
        case .followGate(let open): bench.queues.documents.setOpen(open)
        case .metered(let isMetered): hours.isMetered = isMetered
        case .suspectStorage: storage.suspect()
        case .hosts(let reply):
            // There may be a hundred thousand, so their list isn't made in a turn.
            reply(.success(HostList(transfers: bench.queues.transfers, now: now)))
        case .releaseHost(let host, let reply):
            guard !isHeldUp else { return reply(.failure(.outOfSpace)) }
            try transfers.release(host, now: now)
            bench.answer(reply, bench.queues.transfers.hostStatus(host, now: now))
        case .reconfigure(let configuration):
            bench.reconfigure(configuration)
            hours.reconfigured()
        case .checkIn(let answer): answer()
        }
    }

    /// Takes in a transfer's report, of which it is known whose fault it is if something could not be written.
    func handle(_ report: TransferReport, of job: JobID, now: Moment) throws(StoreFailure) {
        let isHeld = report.saysStorageFailed && storage.isHeld
        try transfers.handle(report, of: job, isStorageHeld: isHeld, now: now)
    }

    /// Takes in a report of the document store, of which the same is known.
    func handle(_ report: StorageReport, of job: JobID, now: Moment) throws(StoreFailure) {
        let isHeld = report.saysStorageFailed && storage.isHeld
        let blamed = isHeld ? report : report.withoutBlame
        try bench.step(job, .storage(blamed, fault: isHeld ? .shared(seconds: 0) : .own), now: now)
        if report == .notRemoved { eviction.kept(job) }
        if case .stored = report { bench.noteStored(job) }
        try removal.ended(job, report)
    }
}

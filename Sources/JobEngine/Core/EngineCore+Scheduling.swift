import JobCore

extension EngineCore {
    /// Takes up what was left when the daemon ended.
    func takeUp(_ stored: StoredState, now: Timestamp) {
        nextJob = stored.lastJob + 1
        nextBatch = stored.lastBatch + 1
        nextEvent = stored.lastEvent + 1
        counts = stored.jobsByState
        for job in stored.queued { queue.enqueue(job.id, host: job.host, priority: job.priority) }
        for job in stored.unfinished {
            machines[job.id] = JobMachine(job: job)
            let publication = job.reservation.map { ports.documents.publication(of: job.id, $0) }
            // The machine is at hand, so the store is not asked and can't fail.
            _ = try? step(job.id, .recovered(publication), now: now)
        }
    }

    /// Puts jobs whose time has come back into the queue.
    func takeDueTimers(now: Timestamp) throws(StoreFailure) {
        while let timer = timers.first, timer.until <= now {
            _ = timers.popFirst()
            guard let machine = try machine(timer.job) else { continue }
            // The job may have been steered away, and may wait for another time since.
            guard let waiting = machine.job.waiting, waiting.until <= now else { continue }
            try step(timer.job, .retryDue, now: now)
        }
    }

    /// Gives free slots to the jobs that are next.
    func grantSlots(now: Timestamp) throws(StoreFailure) {
        while true {
            var granted: [JobID] = []
            while let job = queue.next() { granted.append(job) }
            guard !granted.isEmpty else { return }
            try readAhead(of: granted)
            try loadMachines(granted)
            for job in granted {
                guard let machine = machines[job] else {
                    queue.release(job)
                    continue
                }
                let mayHavePartial = machine.job.attempts > 0
                let length = mayHavePartial ? ports.documents.partialLength(of: job) : nil
                try step(job, .slotGranted(partialLength: length), now: now)
            }
        }
    }

    /// Hands documents to free detectors.
    func beginDetections(now: Timestamp) throws(StoreFailure) {
        while let job = gate.next() {
            guard let machine = try step(job, .detectionBegan, now: now)?.machine,
                machine.job.state == .detecting, let path = machine.job.path
            else {
                gate.finish(job)
                continue
            }
            pending.detections.append(DetectionRequest(job: job, path: path))
        }
    }

    /// Keeps count of how fast a transfer is.
    func meter(_ job: JobID, _ report: TransferReport, now: Timestamp) {
        switch report {
        case .began(let start):
            meters[job] = TransferMeter(bytes: start.offset, total: start.total, now: now)
        case .progressed(let bytes):
            guard var meter = meters[job] else { return }
            let isWorthTelling = meter.update(bytes: bytes, now: now)
            meters[job] = meter
            if isWorthTelling, ports.bus.listenerCount > 0, let machine = machines[job] {
                pending.progress.append(.progress(job, machine.job.batch, meter.live))
            }
        case .ended: meters[job] = nil
        }
    }
}

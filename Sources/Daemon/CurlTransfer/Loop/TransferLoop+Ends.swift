import CCurl
import Glibc
import JobModel
import Vocabulary

/// Starting and ending transfers.
extension TransferLoop {
    func start(_ request: TransferRequest) {
        guard active[request.job] == nil else {
            logger.error(
                "a second transfer was asked for while one is active",
                metadata: ["job": "\(request.job)"]
            )
            return
        }
        let url: JobURL
        do {
            url = try configuration.policy.permitted(request.url)
        } catch {
            reports.append((request.job, .ended(.refused(error))))
            return
        }
        if let resume = request.resume, resume.isComplete {
            finishComplete(request, resume)
            return
        }
        makeRoom(at: url)
        guard let slot = TransferSlot(owner: self, transfer: Transfer(request, at: url, now: now)) else {
            reports.append((request.job, .ended(.interrupted(Self.wantOfMemory, retryAfter: nil))))
            return
        }
        active[request.job] = slot
        if let turn = request.turn { inHand.began(at: turn.host) }
        slot.part = request.resume.map(RequestedPart.init)
        send(slot)
    }

    /// Completes a transfer whose partial already has every byte, without asking a server.
    func finishComplete(_ request: TransferRequest, _ resume: ResumePoint) {
        let start = TransferStart(
            mode: .resumed,
            offset: resume.offset,
            total: resume.total,
            validator: resume.validator
        )
        do {
            _ = try PartialFile.open(request.partialPath, for: start, under: ceiling)
            reports.append((request.job, .began(start)))
            reports.append((request.job, .progressed(bytes: resume.offset)))
            reports.append((request.job, .ended(.completed(length: resume.offset, lengthProven: true))))
        } catch {
            reports.append((request.job, .ended(error.end)))
        }
    }

    func stop(_ job: JobID) {
        guard let slot = active[job] else { return giveBack(inHand.remove([job])) }
        if let crew = slot.transfer.crew { return endCrew(crew, .stopped) }
        takeBack(slot)
        end(slot, .stopped)
    }

    /// Handles the end of the request of a transfer by itself.
    func finishWhole(_ slot: TransferSlot, _ result: CURLcode) {
        // A body that is shorter than a signature can be a picture as well.
        if result == CURLE_OK, let beginning = slot.answer.beginning { _ = decide(slot, beginning) }
        if result == CURLE_OK, slot.answer.failure == nil, slot.transfer.replacement != nil {
            slot.transfer.replacement?.hasEnded = true
            return
        }
        if let failure = slot.answer.failure { return end(slot, failure) }
        if sendAgain(slot, result) { return }
        switch slot.answer.verdict {
        case .redirect(let target):
            do {
                try slot.follow(target, configuration.policy)
                if let wait = waitOfRedirect(slot) ?? paceOfRedirect(slot) { return end(slot, wait) }
                noteRequest(slot)
                send(slot)
            } catch {
                end(slot, .refused(error))
            }
        case .mustRestart(let reason):
            end(slot, .mustRestart(reason: reason))
        case .interrupted(let failure, let retryAfter):
            end(slot, failing(slot, failure, retryAfter) ?? .interrupted(failure, retryAfter: retryAfter))
        case .busy(let failure, let seconds):
            end(slot, busy(slot, failure, seconds: seconds))
        case .refused(let failure):
            end(slot, refusal(slot, failure) ?? .refused(failure))
        case .complete(let length):
            end(slot, .completed(length: length, lengthProven: true))
        case .accept(let start), .acceptIfPicture(let start, _):
            end(slot, result == CURLE_OK ? arrival(slot, start) : outcome(slot, result))
        case nil:
            end(slot, outcome(slot, result == CURLE_OK ? CURLE_WEIRD_SERVER_REPLY : result))
        }
    }

    /// Returns the end for a body that is complete, unless the server sent less than it announced, or the body was
    /// compressed and isn't all there.
    func arrival(_ slot: TransferSlot, _ start: TransferStart) -> TransferEnd {
        if let end = incompleteCoding(slot) { return end }
        noteArrival(slot)
        let length = slot.transfer.length
        guard length > 0 else {
            let failure = JobFailure(.empty, "\(slot.place) sent a file without a byte")
            return .interrupted(failure, retryAfter: nil)
        }
        if let total = start.total, length < total { return truncated(slot, length, of: total) }
        if let announced = slot.answer.announced, slot.answer.received != announced {
            return truncated(slot, slot.answer.received, of: announced)
        }
        if let buffer = slot.transfer.buffer {
            slot.transfer.buffer = nil
            return .buffered(buffer.body, lengthProven: slot.answer.reader.isFramed)
        }
        return .completed(length: length, lengthProven: slot.answer.reader.isFramed)
    }

    private func truncated(_ slot: TransferSlot, _ length: Int64, of total: Int64) -> TransferEnd {
        let failure = JobFailure(.truncated, "\(slot.place) sent \(length) of \(total) bytes")
        return .interrupted(failure, retryAfter: nil)
    }

    func outcome(_ slot: TransferSlot, _ result: CURLcode) -> TransferEnd {
        if result == CURLE_COULDNT_CONNECT, let refusal = slot.refusedAddress, !slot.allowedAddress {
            let failure = refusal.failure(at: slot.place)
            return self.refusal(slot, failure) ?? .refused(failure)
        }
        if let shortage = Shortage(result, socketError: slot.socketError, ceiling: ceiling)?.failure {
            return .interrupted(shortage, retryAfter: nil)
        }
        let outcome = CurlOutcome(result, phase: slot.phase, place: slot.place, detail: slot.detail)
        guard outcome.isTransient, let hindrance = hindrance(slot, result) else { return outcome.end }
        let failure = JobFailure(outcome.code, outcome.message)
        return .hindered(proxyFailure(slot, failure, hindrance) ?? failure, by: hindrance)
    }

    func end(_ slot: TransferSlot, _ wanted: TransferEnd) {
        held.forget(slot)
        forgetPaced(slot)
        if !lost.isEmpty { lost.removeAll { $0.slot === slot } }
        let transfer = slot.transfer
        let end = keepingBuffer(transfer, wanted)
        if transfer.report.isDue {
            dirty.removeAll { $0 === transfer }
            // The end of a buffered body says how long it is.
            if case .buffered = end { transfer.report.isDue = false } else { progress(transfer) }
        }
        active[transfer.job] = nil
        reports.append((transfer.job, .ended(end)))
        transfer.close()
        slot.release()
        // A connection has become free.
        for crew in crews { crew.mayGrow = true }
        follow(transfer.request, end)
    }
}

import CCurl
import JobModel
import Vocabulary

/// Starting the streams of a crew, and ending each of them.
extension TransferLoop {
    /// Starts as many streams for each crew as it can use.
    func growCrews() {
        for crew in crews where crew.mayGrow && crew.end == nil { grow(crew) }
    }

    private func grow(_ crew: SegmentCrew) {
        // One stream goes on where the last answer ended, which may have been before its request did.
        guard crew.maySplit || crew.plan.streamCount == 0 else { return }
        // What waits for its pace leaves the file to the streams that there are.
        if crew.plan.streamCount > 0, !isOpen(crew.trail.current) { return }
        crew.mayGrow = false
        // All work is assigned before any is requested, so that requests ask for what their streams will
        // really bring.
        var streams: [Int] = []
        var room = roomForConnections(to: crew.trail.current)
        // One after the other: each is begun when its turn comes.
        if pace(of: crew.trail.current) != nil, room > 1 { (room, crew.mayGrow) = (1, true) }
        // Many files at once fill a line as well.
        if crew.plan.isShort, active.count >= configuration.segments { room = 0 }
        // A crew without a stream would never end, so one is always allowed.
        if crew.plan.streamCount == 0 { room = crew.maySplit ? max(room, 1) : 1 }
        let judges = mayJudgeSpeeds(of: crew)
        while streams.count < room,
            let stream = crew.plan.next(
                isConnected: crew.idleConnections > 0,
                rate: { judges ? crew.rate(of: $0) : nil }
            )
        {
            crew.idleConnections = max(0, crew.idleConnections - 1)
            streams.append(stream)
        }
        if streams.isEmpty { crew.mayGrow = false }
        for stream in streams {
            guard let slot = crew.lead.stream == nil ? crew.lead : recruit(crew) else {
                crew.plan.end(stream)
                continue
            }
            slot.stream = TransferSlot.Stream(crew: crew, number: stream, shortcut: crew.trail.count)
            slot.trail = crew.trail
            slot.part = crew.part(of: stream)
            crew.slots[stream] = slot
            noteRequest(slot)
            send(slot)
        }
    }

    /// Returns whether a crew's streams are as fast as their connections allow, rather than as a rate or the disk does, and
    /// whether their host may be asked at any time.
    private func mayJudgeSpeeds(of crew: SegmentCrew) -> Bool {
        guard bucket == nil, crew.transfer.bucket == nil, !crew.isAhead else { return false }
        return pace(of: crew.trail.current) == nil
            && !crew.slots.values.contains { $0.hostRate?.bucket != nil }
    }

    private func recruit(_ crew: SegmentCrew) -> TransferSlot? {
        let slot = TransferSlot(owner: self, transfer: crew.transfer)
        slot?.publicHop = crew.lead.publicHop
        slot?.shareCookies(of: crew.lead)
        return slot
    }

    /// Handles the head of the answer to a stream's request.
    func streamHeadArrived(_ slot: TransferSlot, _ stream: TransferSlot.Stream) -> Bool {
        let head = slot.answer.reader.head
        let verdict = verdict(slot)
        slot.answer.verdict = verdict
        guard case .resumed = verdict.start?.mode, let end = head.partEnd else { return discard(slot, head) }
        let wanted = stream.crew.plan.rest(of: stream.number)
        guard end >= min(wanted.upperBound, wanted.lowerBound + SegmentPlan.leastAnswer) else {
            // Else a file would take a request for each few bytes of it.
            slot.answer.failure = .interrupted(
                JobFailure(.truncated, "\(slot.place) sent less of the file than was asked for"),
                retryAfter: nil
            )
            return discard(slot, head)
        }
        stream.crew.plan.answered(stream.number, reach: end, after: slot.timeToAnswer)
        slot.answer.body = .wanted(end: nil)
        return true
    }

    /// Writes a stream's bytes; returns false if no more are wanted.
    func store(
        _ bytes: UnsafeRawBufferPointer,
        _ slot: TransferSlot,
        _ stream: TransferSlot.Stream
    ) -> Bool {
        let (crew, number) = (stream.crew, stream.number)
        guard crew.failure == nil else { return false }
        let rest = crew.plan.rest(of: number)
        let count = min(bytes.count, Int(rest.upperBound - rest.lowerBound))
        do {
            try crew.transfer.file?.write(
                UnsafeRawBufferPointer(rebasing: bytes[..<count]),
                at: rest.lowerBound
            )
        } catch {
            crew.failure = error.end
            return false
        }
        crew.plan.received(number, Int64(count))
        crew.arrivals.note(now: now)
        markDirty(crew.transfer)
        if !crew.plan.isComplete { crew.failure = lackOfRoom(crew.transfer, written: count) }
        guard crew.failure == nil else { return false }
        return count == bytes.count && !crew.plan.hasEnough(number)
    }

    /// Handles the end of a stream's request in libcurl, and what it means for the crew.
    func finishStream(_ slot: TransferSlot, _ stream: TransferSlot.Stream, _ result: CURLcode) {
        if let failure = stream.crew.failure { return endCrew(stream.crew, failure) }
        if slot.answer.failure == nil, case .redirect(let target)? = slot.answer.verdict {
            do {
                try slot.follow(target, configuration.policy)
                noteRequest(slot)
                return send(slot)
            } catch {
                slot.answer.failure = .refused(error)
            }
        }
        if result == CURLE_OK { stream.crew.idleConnections += 1 }
        lose(slot, stream, loss(slot, stream, result))
    }

    /// Removes a stream, which ended early if `loss` says why; the crew goes on, or ends with it.
    func lose(_ slot: TransferSlot, _ stream: TransferSlot.Stream, _ loss: TransferEnd?) {
        let crew = stream.crew
        leave(slot, stream)
        if crew.plan.isComplete {
            endCrew(crew, .completed(length: crew.plan.total, lengthProven: true))
        } else if let loss, crew.plan.streamCount == 0, crew.plan.limit == 1 || !crew.maySplit {
            // While there may be several streams, each failure reduces their number, so this is reached
            // soon enough.
            endCrew(crew, loss)
        }
    }

    /// Returns what ended a stream early; nil if it has done its part.
    private func loss(
        _ slot: TransferSlot,
        _ stream: TransferSlot.Stream,
        _ result: CURLcode
    ) -> TransferEnd? {
        let crew = stream.crew
        if crew.plan.rest(of: stream.number).isEmpty, case .wanted = slot.answer.body { return nil }
        if case .wanted = slot.answer.body, slot.answer.failure == nil {
            crew.plan.reduce()
            guard result == CURLE_OK else { return outcome(slot, result) }
            return .interrupted(
                JobFailure(.truncated, "\(slot.place) sent less of the file than it announced"),
                retryAfter: nil
            )
        }
        guard slot.answer.failure != nil || slot.answer.verdict != nil else {
            let result = result == CURLE_OK ? CURLE_WEIRD_SERVER_REPLY : result
            if speaksOfServer(result, slot, crew) { noteServed(beside: slot, crew) }
            crew.plan.reduce()
            return outcome(slot, result)
        }
        if let failure = slot.answer.failure { return fallBack(crew, failure) }
        switch slot.answer.verdict {
        case .interrupted(_, let seconds):
            // An error of the server's says nothing about ranges.
            crew.plan.rest(for: seconds, now: now)
            return crew.end(for: slot.answer.verdict)
        case .busy(let failure, let seconds):
            crew.plan.rest(for: seconds, now: now)
            return busy(slot, failure, seconds: seconds)
        case _ where stream.shortcut > 0:
            // What a redirect led to may be good for some time or one request only, and show a page after that; the
            // file's own URL leads to the next.
            crew.trail = RedirectTrail(from: crew.transfer.home)
            return nil
        default: return fallBack(crew, crew.end(for: slot.answer.verdict))
        }
    }

    /// Has a crew fetch what is left in one stream, since its server answers ranges strangely.
    private func fallBack(_ crew: SegmentCrew, _ loss: TransferEnd) -> TransferEnd {
        crew.plan.fallBack()
        crew.trail = RedirectTrail(from: crew.transfer.home)
        return loss
    }

    /// Returns whether the end of a stream without an answer says how many its server serves, rather than that something
    /// is short here, or the line was down.
    private func speaksOfServer(_ result: CURLcode, _ slot: TransferSlot, _ crew: SegmentCrew) -> Bool {
        guard Shortage(result, socketError: slot.socketError, ceiling: ceiling) == nil,
            hindrance(slot, result) == nil
        else { return false }
        return result != CURLE_OPERATION_TIMEDOUT
            || crew.arrivals.coversHalf(ofSilenceSince: slot.sending.time, now: now)
    }

    /// Removes a slot from its crew; the lead stays for its next stream.
    func leave(_ slot: TransferSlot, _ stream: TransferSlot.Stream) {
        let crew = stream.crew
        crew.plan.end(stream.number)
        crew.slots[stream.number] = nil
        crew.mayGrow = true
        held.forget(slot)
        forgetPaced(slot)
        slot.forgetConnection()
        slot.stream = nil
        if slot !== crew.lead { slot.release() }
    }

    /// Gives up the streams that the server has left without an answer for long while it brought others something, so
    /// that those take over what was theirs.
    func giveUpSilentStreams() {
        for crew in crews where crew.end == nil {
            for (number, slot) in crew.slots where !slot.hasAnswer {
                // What waits for a connection has asked nobody yet.
                if slot.waitsInLibcurl { slot.sending.waitedUntil = now }
                guard isToBeGivenUp(number, slot, crew) else { continue }
                if isIgnored(slot, crew) { noteServed(beside: slot, crew) }
                takeBack(slot)
                crew.plan.reduce()
                leave(slot, TransferSlot.Stream(crew: crew, number: number))
            }
        }
    }

    /// Returns whether a stream has been without an answer for too long: sooner where another one is about to come to
    /// its part, and would otherwise give its own answer up.
    private func isToBeGivenUp(_ stream: Int, _ slot: TransferSlot, _ crew: SegmentCrew) -> Bool {
        let silence = silence(of: slot)
        let isLong = silence >= max(Self.longestSilence, 2 * crew.answerTime)
        // Others may have brought all that was theirs in the meantime.
        guard crew.hasAnswer else { return isLong && crew.arrivals.reaches(now - silence) }
        guard crew.arrivals.coversHalf(ofSilenceSince: now - silence, now: now) else { return false }
        if isLong { return true }
        // Another connection takes a few round trips, and the first answer took one at least.
        guard silence >= max(Self.shortSilence, 5 * crew.answerTime),
            let distance = crew.plan.distance(to: stream)
        else { return false }
        return distance <= Self.nearDistance
    }

    /// Returns whether it is the server that leaves a stream without an answer, rather than losses that keep its
    /// connection from being made, or a line of which nothing is known where no stream has an answer.
    private func isIgnored(_ slot: TransferSlot, _ crew: SegmentCrew) -> Bool {
        crew.hasAnswer && (slot.phase == .waitingForAnswer || silence(of: slot) >= Self.longestSilence)
    }

    /// Returns for how many milliseconds a server has left a stream without an answer.
    private func silence(of slot: TransferSlot) -> Int64 {
        now - max(slot.sending.time, slot.sending.waitedUntil)
    }

    /// Notes how many streams the server serves beside one that has no answer, if it serves any.
    private func noteServed(beside slot: TransferSlot, _ crew: SegmentCrew) {
        let host = slot.trail.hostKey
        let count = slotsAtWork.count { $0 !== slot && $0.hasAnswer && $0.trail.hostKey == host }
        guard count > 0 else { return }
        hosts.noteServed(count, by: host, now: now)
    }

    /// Ends every stream of a crew at once.
    func dismiss(_ crew: SegmentCrew) {
        for (number, slot) in crew.slots {
            takeBack(slot)
            leave(slot, TransferSlot.Stream(crew: crew, number: number))
        }
    }
}

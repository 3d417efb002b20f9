import CCurl
import Glibc
import JobCore
import JobModel

/// Handling of heads and bytes that arrive.
extension TransferLoop {
    var networksAge: Int64? { networksChangedAt.map { now - $0 } }

    /// Handles the head of an answer to a transfer by itself; returns whether libcurl is to go on.
    func wholeHeadArrived(_ slot: TransferSlot) -> Bool {
        let head = slot.answer.reader.head
        let verdict = verdict(slot)
        slot.answer.verdict = verdict
        noteAnswer(slot)
        switch verdict {
        case .accept(let start):
            noteLength(slot, start.total)
            guard case .restarted(let reason) = start.mode else { return accept(slot, start) }
            if let refusal = doubtfulReplacement(slot) { return judge(slot, start, refusal) }
            return requestReplacement(slot, start, reason: reason)
        case .acceptIfPicture(let start, let refusal):
            return judge(slot, start, refusal)
        case .complete(let length):
            guard let resume = slot.request.resume else { return false }
            let start = TransferStart(
                mode: .resumed,
                offset: length,
                total: length,
                validator: resume.validator
            )
            return accept(slot, start) && discard(slot, head)
        case .mustRestart, .redirect, .interrupted, .busy, .refused:
            return discard(slot, head)
        }
    }

    /// Makes a body wait that replaces the partial's content: while the store still claims that content, a
    /// crash would mix two versions in one file.
    func requestReplacement(
        _ slot: TransferSlot,
        _ start: TransferStart,
        reason: String,
        beginning: [UInt8] = []
    ) -> Bool {
        slot.transfer.replacement = Transfer.Replacement(start: start, beginning: beginning)
        slot.answer.body = .wanted(end: start.total)
        reports.append((slot.job, .restarting(reason: reason)))
        return true
    }

    /// Empties the partial and lets the body begin, once the store no longer claims anything of it.
    func replace(_ slot: TransferSlot, with replacement: Transfer.Replacement) {
        slot.transfer.replacement = nil
        let beginning = replacement.beginning
        var isAccepted = accept(slot, replacement.start, isAtHead: beginning.isEmpty)
        if isAccepted, !beginning.isEmpty {
            isAccepted = beginning.withUnsafeBytes { store($0, slot, end: replacement.start.total) }
        }
        // Bytes held by libcurl arrive when the transfer is resumed; an empty body ends here.
        guard !isAccepted || replacement.hasEnded else { return }
        takeBack(slot)
        finish(slot, isAccepted ? CURLE_OK : CURLE_WRITE_ERROR)
    }

    func verdict(_ slot: TransferSlot) -> ResponseVerdict {
        ResponseVerdict(
            to: slot.answer.reader.head,
            url: slot.trail.current,
            resume: slot.part?.point,
            policy: configuration.policy,
            now: Self.wallClock()
        )
    }

    /// Begins with a body; `isAtHead` says that none of its bytes have come.
    func accept(_ slot: TransferSlot, _ accepted: TransferStart, isAtHead: Bool = true) -> Bool {
        var start = accepted
        let held = slot.request.resume?.held
        if let held, case .resumed = start.mode { start.offset = held.count }
        let transfer = slot.transfer
        transfer.start = start
        if !beginBuffer(transfer, start) {
            do {
                transfer.file = try PartialFile.open(
                    slot.request.partialPath,
                    for: start,
                    held: held,
                    under: ceiling
                )
            } catch {
                slot.answer.failure = error.end
                return false
            }
        }
        segmentTable?.transferBegan(slot.job)
        slot.answer.decoder = slot.answer.decoder ?? BodyDecoder(slot.answer.reader.head.codings)
        slot.answer.body = .wanted(end: start.total)
        transfer.report.length = start.offset
        transfer.report.time = now
        reports.append((slot.job, .began(start)))
        // Streams divide what is still to come.
        if isAtHead { formCrew(slot, start) }
        return true
    }

    /// Discards an unwanted body: reads a small one to keep the connection, and breaks off a large one.
    func discard(_ slot: TransferSlot, _ head: ResponseHead) -> Bool {
        slot.answer.body = .unwanted
        return head.contentLength.map { $0 <= Self.drainLimit } ?? false
    }

    func bodyArrived(_ slot: TransferSlot, _ bytes: UnsafeRawBufferPointer) -> Int {
        switch slot.answer.body {
        case .undecided:
            return 0
        case .unwanted:
            return bytes.count
        case .wanted, .judged:
            guard mayReceive(slot) else {
                held.hold(slot)
                return Int(CURL_WRITEFUNC_PAUSE)
            }
            if let announced = slot.answer.announced, slot.answer.isTooLong(with: bytes.count) {
                return sentTooMuch(slot, announced)
            }
            if let decoder = slot.answer.decoder { return decode(bytes, slot, decoder) }
            count(bytes.count, slot)
            return store(bytes, slot) ? bytes.count : 0
        }
    }

    /// Gives up an answer whose body is longer than its head has announced, and with it all that came: what has been
    /// written may be another answer's.
    ///
    /// libcurl stops there, so this is reached only if it hands over what isn't of this answer.
    private func sentTooMuch(_ slot: TransferSlot, _ announced: Int64) -> Int {
        let end = TransferEnd.mustRestart(
            reason: "more came than the \(announced) bytes that the server announced"
        )
        if let stream = slot.stream { stream.crew.failure = end } else { slot.answer.failure = end }
        return 0
    }

    /// Stores bytes of a transfer by itself, whose body ends at `end` if that is known; returns false if no more are
    /// wanted.
    func store(_ bytes: UnsafeRawBufferPointer, _ slot: TransferSlot, end: Int64?) -> Bool {
        // Nothing may be written after bytes that could not be written.
        guard slot.answer.failure == nil else { return false }
        switch slot.answer.body {
        case .judged: return judge(bytes, slot)
        // What comes decoded behind a beginning that was refused.
        case .unwanted: return true
        case .wanted, .undecided: break
        }
        let transfer = slot.transfer
        // What comes decoded behind the beginning of a replacement.
        if transfer.replacement != nil {
            transfer.replacement?.beginning += bytes
            return true
        }
        let length = transfer.length + Int64(bytes.count)
        if let end, length > end {
            slot.answer.failure = .mustRestart(reason: "the server sent more bytes than it announced")
            return false
        }
        if let maximum = configuration.policy.maximumLength, length > maximum {
            slot.answer.failure = .refused(.tooLarge(length, maximum: maximum))
            return false
        }
        do {
            if transfer.buffer?.append(bytes) != true {
                try spill(transfer)
                try transfer.file?.append(bytes)
            }
        } catch {
            slot.answer.failure = error.end
            return false
        }
        markDirty(transfer)
        slot.answer.failure = lackOfRoom(transfer, written: bytes.count)
        return slot.answer.failure == nil
    }

    static func wallClock() -> Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
    }
}

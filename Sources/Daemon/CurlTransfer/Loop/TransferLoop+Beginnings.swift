import JobModel

/// Bodies whose type isn't accepted, and which are judged by their first bytes.
extension TransferLoop {
    /// Handles the head of an answer with such a body.
    func judge(_ slot: TransferSlot, _ start: TransferStart, _ refusal: JobFailure) -> Bool {
        switch start.mode {
        case .resumed:
            // The file's first bytes are there. Where they aren't any more, it has to begin anew.
            let bytes = PartialFile.firstBytes(at: slot.request.partialPath)
            if bytes.isEmpty || configuration.policy.accepts(firstBytes: bytes) { return accept(slot, start) }
            slot.answer.verdict = .refused(refusal)
            return discard(slot, slot.answer.reader.head)
        // What there is of a file isn't given up before something like it is there.
        case .fresh, .restarted:
            awaitBeginning(slot, start, refusal)
            return true
        }
    }

    /// Returns the failure of an answer that is empty, or is to replace a picture, unless it begins like a picture; nil where
    /// it may be anything, since there is no picture yet, or another type is announced that is accepted.
    func doubtfulReplacement(_ slot: TransferSlot) -> JobFailure? {
        let head = slot.answer.reader.head
        if head.contentLength == 0 { return JobFailure(.empty, "\(slot.place) sent a file without a byte") }
        let type = head.contentType?.lowercased() ?? ""
        let isOther = type.hasPrefix("application/") && !type.contains("octet-stream")
        guard !isOther,
            PictureKind(firstBytes: PartialFile.firstBytes(at: slot.request.partialPath)) != nil
        else { return nil }
        return JobFailure(
            .unexpectedContentType,
            "\(slot.place) sent something else instead of the rest of the picture"
        )
    }

    /// Has a body judged once its first bytes have come.
    func awaitBeginning(_ slot: TransferSlot, _ start: TransferStart, _ refusal: JobFailure) {
        slot.answer.beginning = TransferSlot.Beginning(start: start, refusal: refusal)
        slot.answer.decoder = BodyDecoder(slot.answer.reader.head.codings)
        slot.answer.body = .judged
    }

    /// Adds bytes to the beginning, and decides once there are enough; returns false if no more are wanted.
    func judge(_ bytes: UnsafeRawBufferPointer, _ slot: TransferSlot) -> Bool {
        slot.answer.beginning?.bytes += bytes
        guard let beginning = slot.answer.beginning, beginning.bytes.count >= PictureKind.signatureLength
        else { return true }
        return decide(slot, beginning)
    }

    /// Takes a body, or refuses it, by its beginning; returns false if no more of it is wanted.
    func decide(_ slot: TransferSlot, _ beginning: TransferSlot.Beginning) -> Bool {
        slot.answer.beginning = nil
        let isRestart = if case .restarted = beginning.start.mode { true } else { false }
        guard configuration.policy.accepts(firstBytes: beginning.bytes) else {
            // It may be a page that says why the file isn't there today.
            slot.answer.verdict =
                isRestart ? .interrupted(beginning.refusal, retryAfter: nil) : .refused(beginning.refusal)
            return discard(slot, slot.answer.reader.head)
        }
        if case .restarted(let reason) = beginning.start.mode {
            return requestReplacement(slot, beginning.start, reason: reason, beginning: beginning.bytes)
        }
        guard accept(slot, beginning.start, isAtHead: false) else { return false }
        return beginning.bytes.withUnsafeBytes { store($0, slot, end: beginning.start.total) }
    }
}

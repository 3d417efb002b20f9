import JobModel

/// Bodies whose type isn't accepted, and which are judged by their first bytes.
extension TransferLoop {
    /// Handles the head of an answer with such a body.
    func judge(_ slot: TransferSlot, _ start: TransferStart, _ refusal: JobFailure) -> Bool {
        switch start.mode {
        case .restarted(let reason): return requestReplacement(slot, start, reason: reason)
        case .resumed:
            // The file's first bytes are there. Where they aren't any more, it has to begin anew.
            let bytes = PartialFile.firstBytes(at: slot.request.partialPath)
            if bytes.isEmpty || configuration.policy.accepts(firstBytes: bytes) { return accept(slot, start) }
            slot.answer.verdict = .refused(refusal)
            return discard(slot, slot.answer.reader.head)
        case .fresh:
            awaitBeginning(slot, start, refusal)
            return true
        }
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
        guard configuration.policy.accepts(firstBytes: beginning.bytes) else {
            slot.answer.verdict = .refused(beginning.refusal)
            return discard(slot, slot.answer.reader.head)
        }
        guard accept(slot, beginning.start, isAtHead: false) else { return false }
        return beginning.bytes.withUnsafeBytes { store($0, slot, end: beginning.start.total) }
    }
}

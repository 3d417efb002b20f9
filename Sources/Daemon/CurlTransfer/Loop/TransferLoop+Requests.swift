import CCurl
import JobCore
import JobModel
import Vocabulary

/// Requests, from a slot to the end in libcurl.
///
/// A request is for a transfer by itself or for one stream of a crew. What its answer means is decided by different
/// rules, and this is the place where they part: a head, bytes, and the end.
extension TransferLoop {
    /// Sends a slot's request, once the pace of its host allows it.
    func send(_ slot: TransferSlot) {
        slot.sending.time = now
        if passesGate(slot) { transmit(slot) }
    }

    /// Sends a slot's request now.
    func transmit(_ slot: TransferSlot) {
        slot.sending.time = now
        slot.sending.answersSeen = hosts.answers(of: slot.trail.hostKey) ?? 0
        joinRelay(slot)
        held.forget(slot)
        guard slot.prepareRequest(configuration) else { return finishForWantOfMemory(slot) }
        // With a proxy, no other check would see this address.
        let literal = IPAddress(host: slot.trail.current.host)
        if let refusal = literal.flatMap({ slot.refusal(of: $0, isNamed: true) }) {
            let failure = refusal.failure(at: slot.place)
            slot.answer.failure = self.refusal(slot, failure) ?? .refused(failure)
            return finish(slot, CURLE_COULDNT_CONNECT)
        }
        let result = curl_multi_add_handle(multi, slot.easy)
        slot.isInLibcurl = result == CURLM_OK
        guard result != CURLM_OK else { return }
        let words = String(cString: curl_multi_strerror(result))
        let code: FailureCode = result == CURLM_OUT_OF_MEMORY ? .outOfResources : .connectFailed
        let failure = JobFailure(code, "the transfer can't begin: \(words)")
        let end = TransferEnd.interrupted(failure, retryAfter: nil)
        if let stream = slot.stream { lose(slot, stream, end) } else { self.end(slot, end) }
    }

    /// Ends a request that libcurl has no memory for, in words of our own: libcurl's code for that also says that a line of a
    /// head is too long.
    func finishForWantOfMemory(_ slot: TransferSlot) {
        slot.answer.failure = .interrupted(Self.wantOfMemory, retryAfter: nil)
        finish(slot, CURLE_FAILED_INIT)
    }

    static let wantOfMemory = JobFailure(
        .outOfResources,
        "there is not enough memory for another transfer"
    )

    /// Takes a slot's request back from libcurl.
    func takeBack(_ slot: TransferSlot) {
        curl_multi_remove_handle(multi, slot.easy)
        slot.isInLibcurl = false
    }

    /// Handles the head of an answer; returns whether libcurl is to go on.
    func headArrived(_ slot: TransferSlot) -> Bool {
        guard isTimely(slot) else {
            slot.answer.isMisled = true
            return false
        }
        guard isAlone(slot) else { return false }
        if let stream = slot.stream { return streamHeadArrived(slot, stream) }
        return wholeHeadArrived(slot)
    }

    /// Stores bytes of a body that have come without a coding; returns false if no more are wanted.
    func store(_ bytes: UnsafeRawBufferPointer, _ slot: TransferSlot) -> Bool {
        if let stream = slot.stream { return store(bytes, slot, stream) }
        let end: Int64? = if case .wanted(let end) = slot.answer.body { end } else { nil }
        return store(bytes, slot, end: end)
    }

    /// Handles the end of a request in libcurl, and what it means for the transfer.
    func finish(_ slot: TransferSlot, _ result: CURLcode) {
        let isSentAnew = mustAskAnew(slot, result)
        if result == CURLE_OK { noteEnd(slot) }
        slot.leg = nil
        slot.forgetConnection()
        if isSentAnew { return askAnew(slot) }
        if let stream = slot.stream { finishStream(slot, stream, result) } else { finishWhole(slot, result) }
    }

    /// Handles the ends of requests that libcurl has for us.
    func finishEnded() {
        var waiting: Int32 = 0
        while let message = curl_multi_info_read(multi, &waiting) {
            guard message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle,
                let context = CCurl_easy_private(easy)
            else { continue }
            // Read before the handle is removed, which invalidates the message.
            let result = CCurl_message_result(message)
            let slot = Unmanaged<TransferSlot>.fromOpaque(context).takeUnretainedValue()
            takeBack(slot)
            finish(slot, result)
        }
        askCrossedAnew()
    }
}

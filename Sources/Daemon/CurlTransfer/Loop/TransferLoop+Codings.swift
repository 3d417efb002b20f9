import CCurl
import JobModel

/// Bodies that come compressed although they weren't asked for so.
extension TransferLoop {
    /// The stored bytes of such a body after which others have their turn.
    ///
    /// Behind a few bytes there can be a thousand times as many, and everybody else would wait for them.
    private static let storedAtOnce = 1 << 20

    /// Undoes the codings of bytes of a body, and stores what they hold; returns what libcurl expects.
    func decode(_ bytes: UnsafeRawBufferPointer, _ slot: TransferSlot, _ decoder: BodyDecoder) -> Int {
        // After a pause, libcurl hands over again what it was refused.
        let known = min(slot.answer.decodedAhead, bytes.count)
        let news = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(known))
        var stored = 0
        let outcome = decoder.decode(news, while: { stored < Self.storedAtOnce }) { piece in
            stored += piece.count
            return store(piece, slot, end: nil)
        }
        switch outcome {
        case .taken:
            count(news.count, slot)
            slot.answer.decodedAhead -= known
            return bytes.count
        case .paused(let count):
            self.count(count, slot)
            slot.answer.decodedAhead += count
            held.hold(slot)
            return Int(CURL_WRITEFUNC_PAUSE)
        case .stopped: return 0
        case .damaged:
            slot.answer.failure = damage(slot, decoder)
            return 0
        }
    }

    /// Returns the end of a transfer whose body can't be decoded.
    ///
    /// What begins well and is damaged then is worth another attempt, as what breaks off is: servers and proxies
    /// that fail in the middle also add words of their own.
    private func damage(_ slot: TransferSlot, _ decoder: BodyDecoder) -> TransferEnd {
        let words = "\(slot.place) sent a compressed file that"
        guard decoder.hasProduced else {
            return .refused(JobFailure(.protocolError, "\(words) can't be decompressed"))
        }
        return .interrupted(JobFailure(.incompleteCoding, "\(words) is damaged"), retryAfter: nil)
    }

    /// Returns the end of a transfer whose body has come to its end before its codings did; nil for any other.
    func incompleteCoding(_ slot: TransferSlot) -> TransferEnd? {
        guard let decoder = slot.answer.decoder else { return nil }
        // For an empty body, only the server's word says that nothing is missing.
        let isWhole = decoder.hasBegun ? decoder.isWhole : slot.answer.reader.head.contentLength == 0
        guard !isWhole else { return nil }
        let words = "\(slot.place) sent a compressed file that breaks off"
        return .interrupted(JobFailure(.incompleteCoding, words), retryAfter: nil)
    }
}

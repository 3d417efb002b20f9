import CCurl
import Glibc
import JobModel

/// Small bodies that stay in memory until they are whole.
extension TransferLoop {
    /// Begins a body in memory, if it may be there and is small; returns whether it does.
    func beginBuffer(_ transfer: Transfer, _ start: TransferStart) -> Bool {
        guard transfer.request.mayBuffer, case .fresh = start.mode,
            let buffer = BodyBuffer(total: start.total, room: bufferRoom, now: now)
        else { return false }
        transfer.buffer = buffer
        buffered.append(transfer)
        return true
    }

    /// Writes what has arrived of a body to its partial, into which the rest goes as well.
    func spill(_ transfer: Transfer) throws(PartialError) {
        guard let buffer = transfer.buffer, let start = transfer.start else { return }
        transfer.giveUpBuffer()
        transfer.file = try PartialFile.open(transfer.request.partialPath, for: start, under: ceiling)
        let written = buffer.bytes.withUnsafeBytes { bytes in
            Result { () throws(PartialError) in try transfer.file?.append(bytes) }
        }
        try written.get()
    }

    /// Writes bodies that have been in memory for long enough to their partials.
    func spillOld() {
        var gone = 0
        for transfer in buffered {
            if let since = transfer.buffer?.since {
                guard now - since >= BodyBuffer.longest, !isHeld else { break }
                if let slot = active[transfer.job] { spillOrEnd(slot) }
            }
            gone += 1
        }
        buffered.removeFirst(gone)
    }

    /// Writes all that is in memory of bodies to their partials, before nothing may be written any more.
    func spillAll() {
        for slot in active.values where slot.transfer.buffer?.bytes.isEmpty == false { spillOrEnd(slot) }
    }

    private func spillOrEnd(_ slot: TransferSlot) {
        do { try spill(slot.transfer) } catch {
            takeBack(slot)
            end(slot, error.end)
        }
    }

    /// Returns how a transfer ends that leaves what has arrived to a later attempt.
    func keepingBuffer(_ transfer: Transfer, _ end: TransferEnd) -> TransferEnd {
        guard transfer.buffer?.bytes.isEmpty == false, !isHeld else { return end }
        switch end {
        case .interrupted, .hindered, .stopped:
            do { try spill(transfer) } catch { return error.end }
        case .completed, .buffered, .mustRestart, .damaged, .refused, .unsent: break
        }
        return end
    }
}

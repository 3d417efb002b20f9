import CCurl
import Glibc
import JobCore

/// Reports progress, and keeps to the total rate.
extension TransferLoop {
    func reportProgress() {
        dirty.removeAll { slot in
            guard now - slot.reportedAt >= Self.progressInterval else { return false }
            progress(slot)
            return true
        }
    }

    func progress(_ slot: TransferSlot) {
        slot.isDirty = false
        slot.reportedAt = now
        guard let length = slot.crew?.count ?? slot.file?.length, length != slot.reportedLength else {
            return
        }
        slot.reportedLength = length
        reports.append((slot.job, .progressed(bytes: length)))
    }

    func markDirty(_ slot: TransferSlot) {
        guard !slot.isDirty else { return }
        slot.isDirty = true
        dirty.append(slot)
    }

    func deliver() {
        guard !reports.isEmpty else { return }
        let turn = reports
        reports.removeAll(keepingCapacity: true)
        report(turn)
    }

    /// Whether both rates, the total one and the transfer's own, have bytes to give, the disk has room
    /// and has kept up, and the partial is free for them.
    func mayReceive(_ slot: TransferSlot) -> Bool {
        !isHeld && bucket?.hasBytes != false && slot.rate?.hasBytes != false && slot.crew?.isAhead != true
            && slot.replacement == nil
    }

    /// Lets held transfers go on, the longest held first, while there are bytes to give out.
    func resumeHeld() {
        bucket?.fill(now: now)
        guard !held.isEmpty else { return }
        // One that failed may have taken others with it.
        for slot in held.takeAll() where slot.isPaused {
            slot.rate?.fill(now: now)
            guard mayReceive(slot) else {
                held.keep(slot)
                continue
            }
            slot.isPaused = false
            // This calls back with the bytes that libcurl kept, and may hold the slot again.
            // Where that fails, libcurl tells nobody else, and would go on without those bytes.
            let result = curl_easy_pause(slot.easy, CURLPAUSE_CONT)
            if result != CURLE_OK {
                curl_multi_remove_handle(multi, slot.easy)
                finish(slot, result)
            }
        }
    }
}

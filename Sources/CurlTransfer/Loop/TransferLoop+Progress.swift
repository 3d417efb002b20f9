import CCurl
import Glibc
import JobCore

/// What is told of progress, and how the total rate is kept.
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
        guard let length = slot.file?.length, length != slot.reportedLength else { return }
        slot.reportedLength = length
        reports.append((slot.job, .progressed(bytes: length)))
    }

    func deliver() {
        guard !reports.isEmpty else { return }
        let turn = reports
        reports.removeAll(keepingCapacity: true)
        report(turn)
    }

    func hold(_ slot: TransferSlot) {
        guard !slot.isPaused else { return }
        slot.isPaused = true
        paused.append(slot)
    }

    /// Whether both rates, the total one and the transfer's own, have bytes to give.
    func mayReceive(_ slot: TransferSlot) -> Bool {
        bucket?.hasBytes != false && slot.bucket?.hasBytes != false
    }

    /// Lets held transfers go on, the longest held first, while there are bytes to give out.
    func resumePaused() {
        bucket?.fill(now: now)
        guard !paused.isEmpty else { return }
        let held = paused
        paused = []
        for slot in held {
            slot.bucket?.fill(now: now)
            guard mayReceive(slot) else {
                paused.append(slot)
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

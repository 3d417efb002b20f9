import CCurl
import Glibc
import JobModel

/// Reporting progress and limiting rates.
extension TransferLoop {
    func reportProgress() {
        dirty.removeAll { slot in
            guard now - slot.report.time >= Self.progressInterval else { return false }
            progress(slot)
            return true
        }
    }

    func progress(_ slot: TransferSlot) {
        slot.report.isDue = false
        slot.report.time = now
        guard let length = slot.countOfAll, length != slot.report.length else {
            return
        }
        slot.report.length = length
        reports.append((slot.job, .progressed(bytes: length)))
    }

    func markDirty(_ slot: TransferSlot) {
        guard !slot.report.isDue else { return }
        slot.report.isDue = true
        dirty.append(slot)
    }

    func deliver() {
        guard !reports.isEmpty else { return }
        let turn = reports
        reports.removeAll(keepingCapacity: true)
        report(turn)
    }

    /// Returns whether a slot may receive bytes: both rates allow it, the disk has room and has kept up,
    /// and the partial is ready.
    func mayReceive(_ slot: TransferSlot) -> Bool {
        !isHeld && bucket?.hasBytes != false && slot.rate?.hasBytes != false
            && slot.hostRate?.bucket?.hasBytes != false && slot.crew?.isAhead != true
            && slot.replacement == nil
    }

    /// Counts bytes that have been received.
    func spendRates(_ count: Int, _ slot: TransferSlot) {
        bucket?.spend(count)
        slot.rate?.spend(count)
        slot.hostRate?.bucket?.spend(count)
    }

    func hostRate(of host: String) -> HostRate? {
        guard let rate = configuration.hosts.limits(of: host).rateLimit else { return nil }
        return hostRates.rate(of: host, rate, now: now)
    }

    /// Resumes held transfers, the longest held first, as far as there are bytes to give.
    func resumeHeld() {
        bucket?.fill(now: now)
        hostRates.fill(now: now)
        guard !held.isEmpty else { return }
        // A transfer that failed may have taken others with it.
        for slot in held.takeAll() where slot.isPaused {
            slot.rate?.fill(now: now)
            guard mayReceive(slot) else {
                held.keep(slot)
                continue
            }
            slot.isPaused = false
            // This delivers the bytes that libcurl has kept, and may hold the slot again. If it fails,
            // libcurl reports that nowhere else, and would go on without those bytes.
            let result = curl_easy_pause(slot.easy, CURLPAUSE_CONT)
            if result != CURLE_OK {
                curl_multi_remove_handle(multi, slot.easy)
                finish(slot, result)
            }
        }
    }
}

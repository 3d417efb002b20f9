import CCurl
import Glibc
import JobModel

/// Reporting progress and limiting rates.
extension TransferLoop {
    func reportProgress() {
        dirty.removeAll { transfer in
            guard now - transfer.report.time >= Self.progressInterval else { return false }
            progress(transfer)
            return true
        }
    }

    func progress(_ transfer: Transfer) {
        transfer.report.isDue = false
        transfer.report.time = now
        guard let length = transfer.count, length != transfer.report.length else { return }
        transfer.report.length = length
        reports.append((transfer.job, .progressed(bytes: length)))
    }

    func markDirty(_ transfer: Transfer) {
        guard !transfer.report.isDue else { return }
        transfer.report.isDue = true
        dirty.append(transfer)
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
        let transfer = slot.transfer
        return !isHeld && bucket?.hasBytes != false && transfer.bucket?.hasBytes != false
            && slot.hostRate?.bucket?.hasBytes != false && !transfer.isAhead && transfer.replacement == nil
    }

    /// Counts bytes of a body, coded as they came.
    func count(_ count: Int, _ slot: TransferSlot) {
        slot.answer.received += Int64(count)
        bucket?.spend(count)
        slot.transfer.bucket?.spend(count)
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
            slot.transfer.bucket?.fill(now: now)
            guard mayReceive(slot) else {
                held.keep(slot)
                continue
            }
            slot.isPaused = false
            // This delivers the bytes that libcurl has kept, and may hold the slot again. If it fails,
            // libcurl reports that nowhere else, and would go on without those bytes.
            let result = curl_easy_pause(slot.easy, CURLPAUSE_CONT)
            if result != CURLE_OK {
                takeBack(slot)
                finish(slot, result)
            }
        }
    }
}

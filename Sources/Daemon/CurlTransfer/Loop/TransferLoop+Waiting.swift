import CCurl
import JobModel

/// Requests that wait in libcurl for a connection.
extension TransferLoop {
    /// The milliseconds between two looks at those that wait, after which one that nobody will wake is woken, too.
    static let wakeInterval: Int64 = 250
    /// The number of times that the wait doubles, limited against overflow alone: each wake starts libcurl's time-out
    /// for connections anew, which has to be able to pass between two of them.
    private static let mostDoublings = 30

    /// Gives requests to libcurl again that wait there although nothing of their host is under way.
    ///
    /// libcurl lets one that waits go on when another one ends, or a connection is there. Now and then one misses that
    /// (7.88; see also curl's issue 2416), and waits until it is too late, beside connections that have nothing to do.
    func wakeWaiting() {
        guard now >= wakesAt else { return }
        wakesAt = now + Self.wakeInterval
        giveUpUnread()
        splitSlowFiles()
        endResting()
        if watchedConnections.count > 0 { hosts.endWatches(now: now) }
        var busy: Set<String> = []
        var waiting: [TransferSlot] = []
        for slot in slotsAtWork {
            if slot.waitsInLibcurl { waiting.append(slot) } else { busy.insert(slot.trail.hostKey) }
        }
        waiting.removeAll { giveUpOpening($0) }
        for slot in waiting where !busy.contains(slot.trail.hostKey) {
            // What waits for the connections of other hosts isn't helped by this, and is left alone for longer each time.
            let patience = Self.wakeInterval << min(slot.sending.wakes, Self.mostDoublings)
            guard now - slot.sending.time >= patience else { continue }
            slot.sending.wakes += 1
            takeBack(slot)
            slot.isInLibcurl = curl_multi_add_handle(multi, slot.easy) == CURLM_OK
            if !slot.isInLibcurl { finishForWantOfMemory(slot) }
        }
    }

    /// The slots whose requests libcurl may have.
    var slotsAtWork: [TransferSlot] { active.values.flatMap(\.slotsOfTransfer) }
}

extension TransferSlot {
    /// The slots whose requests fetch the transfer at the moment: those of its crew, or this one.
    var slotsOfTransfer: [TransferSlot] {
        transfer.crew.map { Array($0.slots.values) } ?? [self]
    }
}

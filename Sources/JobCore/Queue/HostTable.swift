/// The hosts of jobs that wait for permits or have them, by numbers, which take less room than names.
struct HostTable: Sendable {
    /// A host that has jobs.
    struct Host: Sendable {
        var name: String
        var active = 0
        /// The number of jobs that wait for a permit.
        var queued = 0
        var aside = AttendedHeap<TransferEntry>()
    }

    /// The hosts by number.
    ///
    /// It is changed in place, since a host's heap is large.
    var all: [Int32: Host] = [:]
    private var numbers: [String: Int32] = [:]
    /// Numbers of hosts that were forgotten, which are used again.
    private var unused: [Int32] = []

    /// Returns the number of a host, which gets one if it has none.
    mutating func number(of host: String) -> Int32 {
        if let number = numbers[host] { return number }
        let number = unused.popLast() ?? Int32(clamping: all.count)
        all[number] = Host(name: host)
        numbers[host] = number
        return number
    }

    /// Forgets a host that no longer has any jobs, and returns the number of entries in its heap, which are stale;
    /// nil for any other host.
    mutating func forgetIfUnused(_ number: Int32) -> Int? {
        guard let host = all[number], host.active == 0, host.queued == 0 else { return nil }
        all[number] = nil
        numbers[host.name] = nil
        // Without hosts, numbers start from 0 again and the list of free ones isn't needed.
        if all.isEmpty { unused = [] } else { unused.append(number) }
        return host.aside.count
    }
}

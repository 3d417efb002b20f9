/// The hosts of the jobs in a queue.
extension TransferQueue {
    /// Returns how things stand with each host that has jobs here, by name.
    public func hostStatuses(now: Moment) -> [HostStatus] {
        hosts.all.values.map { host in
            HostStatus(host: host.name, active: host.active, queued: host.queued)
        }
        .sorted { $0.host < $1.host }
    }
}

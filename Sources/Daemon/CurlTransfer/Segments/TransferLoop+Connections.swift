import CCurl
import Vocabulary

/// Limiting the connections to one server.
extension TransferLoop {
    /// Returns how many more streams to a server may be started.
    func roomForConnections(to url: JobURL) -> Int { useOfConnections(to: url).room }

    /// Returns how many more streams to a server may be started, and whether another small file needs none of them,
    /// since it goes over a connection with others that are under way.
    private func useOfConnections(to url: JobURL) -> (room: Int, isThere: Bool) {
        // All small files of a host may share one connection.
        let isShared = configuration.streams > 1 && hosts.shares(url.hostKey)
        var (streams, small) = (0, 0)
        var connections: [ConnectionEnds: Int] = [:]
        for slot in slotsAtWork where slot.trail.hostKey == url.hostKey {
            if slot.stream == nil, !slot.isApart { small += 1 } else { streams += 1 }
            if let ends = slot.connection { connections[ends, default: 0] += 1 }
        }
        let most = configuration.hosts.limits(of: url.hostName).perHost ?? configuration.connectionsPerHost
        let room = max(0, most - streams - (isShared ? min(1, small) : small))
        return (room, isShared && (small > 0 || connections.values.contains { $0 > 1 }))
    }

    /// Ends a crew's stream if another transfer needs the connection.
    func makeRoom(at url: JobURL) {
        guard !crews.isEmpty else { return }
        let use = useOfConnections(to: url)
        // Otherwise each small file would cut a stream off that comes back at once.
        guard use.room == 0, !use.isThere else { return }
        for crew in crews where crew.slots.count > 1 {
            guard
                let (number, slot) = crew.slots.first(where: {
                    $1.trail.hostKey == url.hostKey && $1 !== crew.lead
                })
            else { continue }
            takeBack(slot)
            leave(slot, TransferSlot.Stream(crew: crew, number: number))
            return
        }
    }
}

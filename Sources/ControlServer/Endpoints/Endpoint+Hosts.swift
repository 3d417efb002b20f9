import ControlAPI
import JobCore

extension Endpoint {
    /// The endpoint that lists hosts.
    static let hosts = [
        Endpoint(
            .get,
            "/v1/hosts",
            id: "listHosts",
            "The hosts that files are still to be fetched from, by name: who waits for what, and until when.",
            parameters: [Parameters.limit, Parameters.afterHost],
            problems: [.stopping]
        ) { server, call in
            let hosts = try await server.control.hosts()
            return HostPage.page(hosts, after: call[Parameters.afterHost], limit: call.limit)
        }
    ]
}

/// The pages of a list of hosts.
enum HostPage {
    /// Returns the page that begins behind a host.
    ///
    /// - Parameter hosts: All hosts, in any order.
    static func page(_ hosts: [HostStatus], after: String?, limit: Int) -> PageJSON<HostJSON> {
        // Of very many hosts, putting all in order for each page would take long.
        var (items, rest): ([HostStatus], Int) = ([], 0)
        for host in hosts {
            if let after, !precedes(after, host.host) { continue }
            rest += 1
            if items.count >= limit, let last = items.last, precedes(last.host, host.host) { continue }
            var (low, high) = (0, items.count)
            while low < high {
                let middle = (low + high) / 2
                if precedes(items[middle].host, host.host) { low = middle + 1 } else { high = middle }
            }
            items.insert(host, at: low)
            if items.count > limit { items.removeLast() }
        }
        let hasMore = rest > items.count
        return PageJSON(
            items: items.map { HostJSON($0) },
            total: hosts.count,
            hasMore: hasMore,
            next: hasMore ? items.last?.host : nil
        )
    }

    /// Returns whether a host comes before another: by their bytes, so that the order is the same in every version.
    private static func precedes(_ host: String, _ other: String) -> Bool {
        host.utf8.lexicographicallyPrecedes(other.utf8)
    }
}

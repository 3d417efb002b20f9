import ControlAPI
import JobModel

extension Endpoint {
    /// The endpoints that list hosts, and end a hold.
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
        },
        Endpoint(
            .post,
            "/v1/hosts/release",
            id: "releaseHost",
            "Ends the wait of a host that has asked for one: one request goes there now, and once that is answered the "
                + "others follow. A host that asks for nothing stays as it is.",
            parameters: [Parameters.heldHost.required],
            problems: [.notFound, .stopping, .outOfSpace]
        ) { server, call in
            guard let name = call[Parameters.heldHost] else {
                throw ProblemJSON(
                    .invalidParameter,
                    "host is missing: the host with its port, as in example.org:443"
                )
            }
            guard let status = try await server.control.releaseHost(name) else {
                throw ProblemJSON(.notFound, "nothing waits for the host \(name.quoted)")
            }
            // Whoever looks for why it was asked finds this.
            if status.waiting != nil {
                let user = call.user.map { "user \($0)" } ?? "somebody"
                server.logger.notice("the host \(status.host) is asked before its time, as \(user) wants")
            }
            return HostJSON(status)
        },
    ]
}

/// The pages of a list of hosts.
enum HostPage {
    /// Returns the page that begins behind a host.
    ///
    /// - Parameter hosts: All hosts, by the bytes of their names.
    static func page(_ hosts: [HostStatus], after: String?, limit: Int) -> PageJSON<HostJSON> {
        var (first, end) = (0, after == nil ? 0 : hosts.count)
        // Of very many hosts, looking at all for each page would take long.
        while let after, first < end {
            let middle = (first + end) / 2
            if precedes(after, hosts[middle].host) { end = middle } else { first = middle + 1 }
        }
        let items = hosts[first...].prefix(limit)
        let hasMore = items.endIndex < hosts.endIndex
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

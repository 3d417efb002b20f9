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
        // By their bytes, so that the order is the same in every version.
        let sorted = hosts.sorted { $0.host.utf8.lexicographicallyPrecedes($1.host.utf8) }
        let rest = sorted.drop { host in
            after.map { !$0.utf8.lexicographicallyPrecedes(host.host.utf8) } ?? false
        }
        let items = rest.prefix(limit)
        let hasMore = rest.count > items.count
        return PageJSON(
            items: items.map { HostJSON($0) },
            total: hosts.count,
            hasMore: hasMore,
            next: hasMore ? items.last?.host : nil
        )
    }
}

/// The servers that a connection string names, to be tried one after the other.
///
/// libpq goes through them by itself, but stays with one that is frozen for as long as it is let: then the
/// others would never be reached. So each is a connection of its own, with its own share of the time.
enum HostAttempts {
    /// Returns the options of each connection to try, in order; none where the string names one server.
    ///
    /// - Parameter options: All that libpq made of the connection string, of its environment and of its
    ///   service file.
    static func of(_ options: [String: String]) -> [[String: String]] {
        let list = { (key: String) in
            options[key].map { $0.split(separator: ",", omittingEmptySubsequences: false).map { String($0) } }
                ?? []
        }
        let (hosts, addresses, ports) = (list("host"), list("hostaddr"), list("port"))
        let count = max(hosts.count, addresses.count)
        guard count > 1 else { return [] }
        // A queue is written to: the first server that only reads is of no use, unless somebody says so.
        let wanted =
            switch options["target_session_attrs"] {
            case nil, "any": ["read-write"]
            case "prefer-standby": ["standby", "any"]
            case let attributes?: [attributes]
            }
        return wanted.flatMap { attributes in
            (0..<count).map { index in
                var attempt = options
                // What it led to is here already.
                attempt["service"] = nil
                attempt["host"] = hosts.indices.contains(index) ? hosts[index] : nil
                attempt["hostaddr"] = addresses.indices.contains(index) ? addresses[index] : nil
                attempt["port"] =
                    ports.count > 1 && ports.indices.contains(index) ? ports[index] : ports.first
                attempt["target_session_attrs"] = attributes
                return attempt.filter { !$0.value.isEmpty }
            }
        }
    }
}

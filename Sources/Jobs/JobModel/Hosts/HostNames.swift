/// Values for hosts by their names, or by the domains that they are under.
public struct HostNames<Value: Hashable & Sendable>: Hashable, Sendable {
    /// The values of the hosts with these very names.
    private var exact: [String: Value] = [:]
    /// The values of all hosts under a domain, which itself isn't among them.
    private var domains: [String: Value] = [:]

    /// Creates values by `NAME`, or by `*.NAME` for all hosts under that domain.
    ///
    /// Of the names that fit a host, the longest counts. Upper and lower case are the same.
    public init(_ named: [String: Value] = [:]) {
        for (name, value) in named {
            let name = name.lowercased()
            if name.hasPrefix("*.") {
                domains[String(name.dropFirst(2))] = value
            } else {
                exact[name] = value
            }
        }
    }

    /// True if no name has a value.
    public var isEmpty: Bool { exact.isEmpty && domains.isEmpty }

    /// The value of a host, given by its name or address in lower case, without a port or brackets; nil if no name
    /// fits.
    public subscript(host: String) -> Value? {
        if isEmpty { return nil }
        if let value = exact[host] { return value }
        var rest = host[...]
        while let dot = rest.firstIndex(of: ".") {
            rest = rest[rest.index(after: dot)...]
            if let value = domains[String(rest)] { return value }
        }
        return nil
    }
}

import HTTPRequests

/// The TLS sessions of hosts, each of which has its own: libcurl would keep eight of all together.
struct SessionMemory {
    private var hosts: [String: TLSSessions] = [:]
    /// Those of requests without TLS: libcurl 7.88 leaks what a handle has of its own when it gets others.
    private lazy var none = TLSSessions()
    /// The most hosts whose sessions are kept.
    private static let mostHosts = 256

    /// Returns the sessions of a host, named like ``JobURL/hostKey``, or those of requests without TLS; nil if libcurl has
    /// no memory.
    mutating func sessions(of host: String?) -> TLSSessions? {
        guard let host else { return none }
        if let known = hosts[host] { return known }
        if hosts.count >= Self.mostHosts { forget() }
        let new = TLSSessions()
        hosts[host] = new
        return new
    }

    /// Forgets all sessions: whoever goes on from one isn't asked again for a certificate.
    mutating func forget() { hosts = [:] }
}

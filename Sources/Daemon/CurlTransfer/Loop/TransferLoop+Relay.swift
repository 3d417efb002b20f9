import CCurl
import Vocabulary

/// Choosing one of a host's shared connections, and going over from one to the next.
extension TransferLoop {
    /// The milliseconds for which a request waits in libcurl to make the next connection.
    static let longestOpening: Int64 = 1000

    /// Gives a request that is about to be sent its place on its host's connections, if they are known to be shared.
    func joinRelay(_ slot: TransferSlot) {
        slot.leg = nil
        let url = slot.trail.current
        guard !usesProxy, !slot.isApart, url.scheme == "https", hosts.shares(url.hostKey) else { return }
        let own = configuration.hosts.limits(of: url.hostName).perHost
        let most = own ?? configuration.connectionsPerHost
        let streams = configuration.streams > 1 ? configuration.streams : Self.usualStreams
        // Only there the queue counts what goes over how many connections (HostStreams).
        let isCounted = own == nil && streams > most && slot.trail.isAtHome
        var limits = ConnectionLanes.Limits(connections: most, streams: streams, opensAtOnce: isCounted)
        if isCounted, slot.stream == nil, let spread = slot.request.spread {
            (limits.spread, limits.streams) = (spread.connections, min(streams, max(1, spread.streams)))
        }
        slot.leg = hosts.lanes(of: url.hostKey).join(apart: slot.stream != nil, in: limits)
    }

    /// Sends a request over the connection that there is, since it has waited too long to make the next one.
    func giveUpOpening(_ slot: TransferSlot) -> Bool {
        guard slot.opensConnection, now - slot.sending.time >= Self.longestOpening else { return false }
        takeBack(slot)
        transmit(slot)
        return true
    }
}

extension TransferSlot {
    /// True if the current request is to make its host's next connection, and hasn't yet.
    var opensConnection: Bool { leg.map { $0.relay.opens($0) } ?? false }

    /// Chooses the connection by the current leg.
    ///
    /// libcurl lets requests share a connection only where these options are equal, and leaves no other way to choose
    /// one. To OpenSSL they mean nothing with the versions of TLS that HTTP/2 goes over.
    func chooseConnection() {
        let number = leg?.identity ?? 0
        let options = [
            CURLSSLOPT_NO_REVOKE, CURLSSLOPT_REVOKE_BEST_EFFORT, CURLSSLOPT_AUTO_CLIENT_CERT,
            // Means something to TLS 1.0 only, and HTTP/2 takes 1.2 at least (RFC 9113, section 9.2).
            CURLSSLOPT_ALLOW_BEAST,
        ]
        let chosen = options.enumerated()
            .reduce(0) { number & 1 << $1.offset == 0 ? $0 : $0 | Int($1.element) }
        // Nobody else's connections have this one, which is for other systems.
        let apart = isApart ? Int(CURLSSLOPT_NATIVE_CA) : 0
        _ = CCurl_easy_setopt_long(easy, CURLOPT_SSL_OPTIONS, chosen | apart)
        // Those that have been left are closed soon, rather than kept as the next request to the host might use them.
        let age = leg?.hasLeftOthers == true ? Self.shortAge : Self.usualAge
        _ = CCurl_easy_setopt_long(easy, CURLOPT_MAXAGE_CONN, age)
    }

    /// The seconds without a request after which connections are closed, and libcurl's own number of them.
    private static let shortAge = 1
    private static let usualAge = 118
}

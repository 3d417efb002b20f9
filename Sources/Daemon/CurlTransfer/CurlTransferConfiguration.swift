import JobCore
import JobModel

/// The options that all transfers share.
public struct CurlTransferConfiguration: Sendable {
    /// The User-Agent to send.
    ///
    /// Some hosts refuse clients without one.
    public var userAgent: String
    /// The time limit in seconds for name lookup, connecting and TLS together
    /// (CURLOPT_CONNECTTIMEOUT_MS).
    public var connectTimeout: Double
    /// The speed in bytes per second below which a transfer is cut off (CURLOPT_LOW_SPEED_LIMIT).
    public var lowSpeedLimit: Int
    /// The seconds that a transfer may be too slow, or an answer may take (CURLOPT_LOW_SPEED_TIME).
    public var lowSpeedTime: Int
    /// The policy on what may be fetched: types, sizes, redirects, plain http.
    public var policy: TransferPolicy
    /// The rate limit of all transfers together in bytes per second; nil for no limit.
    public var totalRateLimit: Int64?
    /// The lowest rate that ``CurlTransfer/limitRate(to:)`` will set: a transfer that this makes slow isn't
    /// stalled.
    public var lowestRateLimit: Int64?
    /// The bytes to keep free on the partials' disk.
    public var diskReserve: Int64
    /// Networks to which connections are never made, whatever name leads there.
    public var deniedNetworks: [NetworkRange]
    /// The most streams that fetch one file together; with 1, every file is fetched in one stream.
    public var segments: Int
    /// The number of connections to a host from which no further streams are started.
    ///
    /// Transfers are started nonetheless; their number is decided elsewhere.
    public var connectionsPerHost: Int
    /// The most connections to any host (CURLMOPT_MAX_HOST_CONNECTIONS), beyond which requests wait for one; nil for any
    /// number.
    ///
    /// It doesn't hold where requests go through a proxy, which libcurl would take for the host.
    public var mostConnectionsPerHost: Int?
    /// The most requests at once over one connection, but for the moment in which another one is made (so
    /// CURLMOPT_MAX_CONCURRENT_STREAMS is more); with 1, as many as libcurl takes by itself.
    public var streams: Int
    /// The number of connections kept open for further requests (CURLMOPT_MAXCONNECTS).
    ///
    /// If there were fewer than concurrent transfers, connections would be closed only to be opened
    /// again.
    public var connectionCacheSize: Int
    /// The most connections at once, those included that are kept open (CURLMOPT_MAX_TOTAL_CONNECTIONS);
    /// nil for any number.
    public var maximumConnections: Int?
    /// Returns the number from which on descriptors are left to others: without a lower one, a request waits.
    public var descriptorCeiling: @Sendable () -> Int
    /// The most bytes in one read from a connection (CURLOPT_BUFFERSIZE), for which libcurl reserves
    /// memory per active transfer.
    public var receiveBufferSize: Int
    /// The limits of hosts: rates are heeded here, and requests to those with a pace are reported
    /// (``TransferReport/requested(host:)``).
    public var hosts: HostRules
    /// What is sent to hosts with every request.
    public var credentials: HostNames<HostCredentials>
    /// The files with which TLS proves who is who.
    public var certificates: CertificateFiles

    public init(
        userAgent: String,
        connectTimeout: Double = 30,
        lowSpeedLimit: Int = 1024,
        lowSpeedTime: Int = 60,
        policy: TransferPolicy = TransferPolicy(),
        totalRateLimit: Int64? = nil,
        lowestRateLimit: Int64? = nil,
        diskReserve: Int64 = 0,
        deniedNetworks: [NetworkRange] = NetworkRange.deniedByDefault,
        segments: Int = 4,
        connectionsPerHost: Int = 6,
        mostConnectionsPerHost: Int? = nil,
        streams: Int = 1,
        connectionCacheSize: Int = 128,
        maximumConnections: Int? = nil,
        descriptorCeiling: @escaping @Sendable () -> Int = { .max },
        receiveBufferSize: Int = 64 * 1024,
        hosts: HostRules = HostRules(),
        credentials: HostNames<HostCredentials> = HostNames(),
        certificates: CertificateFiles = CertificateFiles()
    ) {
        self.userAgent = userAgent
        self.connectTimeout = connectTimeout
        self.lowSpeedLimit = lowSpeedLimit
        self.lowSpeedTime = lowSpeedTime
        self.policy = policy
        self.totalRateLimit = totalRateLimit
        self.lowestRateLimit = lowestRateLimit
        self.diskReserve = diskReserve
        self.deniedNetworks = deniedNetworks
        self.segments = segments
        self.connectionsPerHost = connectionsPerHost
        self.mostConnectionsPerHost = mostConnectionsPerHost
        self.streams = streams
        self.connectionCacheSize = connectionCacheSize
        self.maximumConnections = maximumConnections
        self.descriptorCeiling = descriptorCeiling
        self.receiveBufferSize = receiveBufferSize
        self.hosts = hosts
        self.credentials = credentials
        self.certificates = certificates
    }

    /// The rules on addresses to connect to.
    var addressRules: AddressRules {
        AddressRules(denied: deniedNetworks, privateByRedirect: policy.privateByRedirect)
    }

    /// The highest number that a descriptor may have.
    var ceiling: DescriptorCeiling { DescriptorCeiling(number: descriptorCeiling) }

    /// Returns a ``receiveBufferSize`` with which a number of concurrent streams take at most 32 MiB,
    /// between libcurl's default (16 KiB) and its maximum (512 KiB).
    ///
    /// With a larger buffer, a fast transfer takes fewer rounds through libcurl and poll(2): a tenth
    /// less processor time with 512 KiB than with 64.
    public static func receiveBufferSize(streams: Int) -> Int {
        min(max((32 << 20) / max(streams, 1), 16 << 10), 512 << 10)
    }
}

import JobCore

/// The options that all transfers share.
public struct CurlTransferConfiguration: Sendable {
    /// Sent as User-Agent.
    ///
    /// Some hosts refuse a client that doesn't say who it is.
    public var userAgent: String
    /// Seconds for looking up the name, connecting and TLS together (CURLOPT_CONNECTTIMEOUT_MS).
    public var connectTimeout: Double
    /// A transfer slower than this many bytes a second is cut off (CURLOPT_LOW_SPEED_LIMIT).
    public var lowSpeedLimit: Int
    /// Seconds that a transfer may be too slow, or an answer take to come (CURLOPT_LOW_SPEED_TIME).
    public var lowSpeedTime: Int
    /// What may be fetched: types, sizes, redirects, plain http.
    public var policy: TransferPolicy
    /// The most bytes a second for all transfers together; nil for no limit.
    public var totalRateLimit: Int64?
    /// Bytes that stay free on the disk that partials are on.
    public var diskReserve: Int64
    /// Networks that are never connected to, whatever name leads there.
    public var deniedNetworks: [NetworkRange]
    /// The most streams that fetch one large file together; 1 fetches every file in one.
    public var segments: Int
    /// Connections to one host beyond which no further streams are begun.
    ///
    /// Transfers are begun all the same: how many there are is decided elsewhere.
    public var connectionsPerHost: Int
    /// Connections kept open for the next request (CURLMOPT_MAXCONNECTS).
    ///
    /// Fewer than transfers at once would close connections only to open them again.
    public var connectionCacheSize: Int
    /// Bytes that one read from a connection may bring (CURLOPT_BUFFERSIZE):
    /// libcurl holds that much memory for each active transfer.
    public var receiveBufferSize: Int
    /// A PEM file of the authorities trusted instead of the system's; nil for the system's.
    public var certificateFile: String?

    /// A configuration with defaults that suit a daemon of some dozens of transfers.
    public init(
        userAgent: String,
        connectTimeout: Double = 30,
        lowSpeedLimit: Int = 1024,
        lowSpeedTime: Int = 60,
        policy: TransferPolicy = TransferPolicy(),
        totalRateLimit: Int64? = nil,
        diskReserve: Int64 = 0,
        deniedNetworks: [NetworkRange] = NetworkRange.deniedByDefault,
        segments: Int = 4,
        connectionsPerHost: Int = 6,
        connectionCacheSize: Int = 128,
        receiveBufferSize: Int = 64 * 1024,
        certificateFile: String? = nil
    ) {
        self.userAgent = userAgent
        self.connectTimeout = connectTimeout
        self.lowSpeedLimit = lowSpeedLimit
        self.lowSpeedTime = lowSpeedTime
        self.policy = policy
        self.totalRateLimit = totalRateLimit
        self.diskReserve = diskReserve
        self.deniedNetworks = deniedNetworks
        self.segments = segments
        self.connectionsPerHost = connectionsPerHost
        self.connectionCacheSize = connectionCacheSize
        self.receiveBufferSize = receiveBufferSize
        self.certificateFile = certificateFile
    }

    /// Which addresses may be connected to.
    var addressRules: AddressRules {
        AddressRules(denied: deniedNetworks, privateByRedirect: policy.privateByRedirect)
    }

    /// A ``receiveBufferSize`` with which so many streams at once take 32 MiB at the most: as large
    /// as libcurl has them (512 KiB), or as small as it has them by default (16 KiB).
    ///
    /// The larger it is, the fewer are the rounds through libcurl and poll(2) that a fast transfer
    /// takes: a tenth less processor time with 512 KiB than with 64.
    public static func receiveBufferSize(streams: Int) -> Int {
        min(max((32 << 20) / max(streams, 1), 16 << 10), 512 << 10)
    }
}

import Vocabulary

extension DaemonSettings {
    /// Downloads.
    public struct Transfer: Hashable, Sendable {
        /// The number of concurrent transfers.
        public var concurrency: Int
        /// The number of concurrent transfers from one host.
        public var perHost: Int
        /// The number of concurrent transfers from one host that share a connection; 1 turns this off.
        public var streams: Int
        /// The most requests begun at one host in a length of time; nil for any number.
        public var pace: Pace?
        /// The number of ranges of one large file fetched at once; 1 turns this off.
        public var segments: Int
        /// The rate limit for all transfers together in bytes per second; nil for no limit.
        public var rateLimit: Int64?
        /// Rules by time; empty for no timetable.
        public var timetable: [TimetableEntry]
        /// The time zone of the timetable; nil for the machine's.
        public var timeZone: String?
        /// The treatment of metered connections.
        public var onMetered: OnMetered
        /// The largest file, in bytes; nil for no limit.
        public var maximumSize: Int64?
        /// The most redirects followed for one file.
        public var redirects: Int
        /// The time limit in seconds for name lookup, connecting and TLS together.
        public var connectTimeout: Double
        /// The speed in bytes per second below which a transfer is stalled.
        public var stallSpeed: Int64
        /// The seconds that a transfer may be that slow.
        public var stallTime: Double
        /// The number of fruitless attempts in a row after which a download is given up.
        public var tries: Int
        /// The seconds of fruitless attempts after which a download is given up.
        public var giveUp: Double
        /// The User-Agent header field.
        public var userAgent: String
        /// The PEM file of authorities to trust besides the system's; nil for none.
        public var authorities: String?
        /// The PEM file of the certificate to show to servers that ask for one; nil for none.
        public var clientCertificate: String?
        /// The PEM file of its key; nil if that is in the same file.
        public var clientKey: String?
        /// The treatment of `http:` URLs.
        public var insecureHTTP: PlainHTTP
        /// Networks to which connections are never made, as address/prefix length.
        public var deniedNetworks: [String]
        /// The treatment of redirects from public to private addresses.
        public var privateByRedirect: PrivateByRedirect
        /// The media types accepted as documents, such as `image/*`; `none` stands for a missing
        /// Content-Type.
        public var accept: [String]
        /// True if what servers reserve from machine learning is refused.
        public var respectNoAI: Bool
    }

    /// The treatment of metered connections.
    public enum OnMetered: String, CaseIterable, Sendable {
        /// They are used as any other.
        case allow
        /// Nothing is downloaded over them.
        case hold
    }
}

extension DaemonSettings.Transfer {
    /// Reads the section, in the order of the table.
    init(_ reader: inout SettingsReader) throws(SettingsReader.BadDefault) {
        concurrency = try reader.value(Keys.concurrency)
        perHost = try reader.value(Keys.perHost)
        streams = try reader.value(Keys.streams)
        pace = try reader.value(Keys.pace)
        segments = try reader.value(Keys.segments)
        rateLimit = try reader.value(Keys.rateLimit).unlessZero
        timetable = try reader.value(Keys.timetable)
        timeZone = try reader.value(Keys.timeZone)
        onMetered = try reader.value(Keys.onMetered)
        maximumSize = try reader.value(Keys.maximumSize).unlessZero
        redirects = try reader.value(Keys.redirects)
        connectTimeout = try reader.value(Keys.connectTimeout)
        stallSpeed = try reader.value(Keys.stallSpeed)
        stallTime = try reader.value(Keys.stallTime)
        tries = try reader.value(Keys.tries)
        giveUp = try reader.value(Keys.giveUp)
        userAgent = try reader.value(Keys.userAgent)
        authorities = try reader.value(Keys.authorities)
        clientCertificate = try reader.value(Keys.clientCertificate)
        clientKey = try reader.value(Keys.clientKey)
        insecureHTTP = try reader.value(Keys.insecureHTTP)
        deniedNetworks = try reader.value(Keys.deniedNetworks)
        privateByRedirect = try reader.value(Keys.privateByRedirect)
        accept = try reader.value(Keys.accept)
        respectNoAI = try reader.value(Keys.respectNoAI)
    }
}

extension Int64 {
    /// The value, or nil for zero, which stands for no limit.
    fileprivate var unlessZero: Int64? { self == 0 ? nil : self }
}

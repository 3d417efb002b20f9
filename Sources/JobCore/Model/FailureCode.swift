/// The stable name of a reason why a job failed or waits, for programs.
///
/// People get the sentence beside it.
public struct FailureCode: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// Lower-case words joined by underscores.
    public let rawValue: String

    /// A code, by its stable name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The stable name itself.
    public var description: String { rawValue }

    /// The host's name has no address, or none could be asked for.
    public static let unresolvedHost = FailureCode(rawValue: "unresolved_host")
    /// Nobody answered at the address.
    public static let connectFailed = FailureCode(rawValue: "connect_failed")
    /// The connection broke in mid-transfer.
    public static let connectionLost = FailureCode(rawValue: "connection_lost")
    /// The body ended before its announced length.
    public static let truncated = FailureCode(rawValue: "truncated")
    /// Connecting, or the first byte, took too long.
    public static let timedOut = FailureCode(rawValue: "timed_out")
    /// The transfer became too slow for too long.
    public static let stalled = FailureCode(rawValue: "stalled")
    /// TLS could not be agreed on.
    public static let tlsFailed = FailureCode(rawValue: "tls_failed")
    /// The server's certificate is not to be trusted.
    public static let badCertificate = FailureCode(rawValue: "bad_certificate")
    /// More redirects than allowed, or a loop of them.
    public static let tooManyRedirects = FailureCode(rawValue: "too_many_redirects")
    /// A redirect to another scheme than http and https, or to no URL at all.
    public static let refusedRedirect = FailureCode(rawValue: "refused_redirect")
    /// The scheme is not allowed by the settings.
    public static let refusedScheme = FailureCode(rawValue: "refused_scheme")
    /// The address lies in a network that is never connected to.
    public static let deniedNetwork = FailureCode(rawValue: "denied_network")
    /// The body's type is none of those accepted.
    public static let unexpectedContentType = FailureCode(rawValue: "unexpected_content_type")
    /// The body is larger than allowed.
    public static let tooLarge = FailureCode(rawValue: "too_large")
    /// The document's SHA-256 is not the expected one.
    public static let checksumMismatch = FailureCode(rawValue: "checksum_mismatch")
    /// No room for the file.
    public static let diskFull = FailureCode(rawValue: "disk_full")
    /// The machine has no file descriptors or no memory left.
    public static let outOfResources = FailureCode(rawValue: "out_of_resources")
    /// The disk refused to take, keep or give back the data.
    public static let storageError = FailureCode(rawValue: "storage_error")
    /// The server speaks no HTTP that can be understood.
    public static let protocolError = FailureCode(rawValue: "protocol_error")

    /// The server answered with this status code, of the 3 digits of RFC 9110 §15.
    public static func http(_ status: Int) -> FailureCode { FailureCode(rawValue: "http_\(status)") }
}

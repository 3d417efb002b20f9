/// A stable, machine-readable name for the reason why a job failed or waits.
///
/// People read the sentence that comes with it, ``JobFailure/message``.
public struct FailureCode: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The name: lower-case words joined by underscores.
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    /// The name itself.
    public var description: String { rawValue }

    /// The host name has no address, or could not be looked up.
    public static let unresolvedHost = FailureCode(rawValue: "unresolved_host")
    /// Nobody answered at the address.
    public static let connectFailed = FailureCode(rawValue: "connect_failed")
    /// The connection broke during the transfer.
    public static let connectionLost = FailureCode(rawValue: "connection_lost")
    /// The turn at a host with a pace of ours has not come yet: only jobs that wait have this one.
    public static let paced = FailureCode(rawValue: "paced")
    /// The body ended before its announced length.
    public static let truncated = FailureCode(rawValue: "truncated")
    /// The body had no byte.
    public static let empty = FailureCode(rawValue: "empty")
    /// The body was compressed, and what came of that broke off or was damaged.
    public static let incompleteCoding = FailureCode(rawValue: "incomplete_coding")
    /// Connecting, or waiting for the first byte, took too long.
    public static let timedOut = FailureCode(rawValue: "timed_out")
    /// The transfer became too slow for too long.
    public static let stalled = FailureCode(rawValue: "stalled")
    /// The TLS handshake failed.
    public static let tlsFailed = FailureCode(rawValue: "tls_failed")
    /// The server's certificate can't be trusted.
    public static let badCertificate = FailureCode(rawValue: "bad_certificate")
    /// The server asks for a browser instead of answering.
    public static let challenge = FailureCode(rawValue: "challenge")
    /// More redirects than allowed, or a loop of them.
    public static let tooManyRedirects = FailureCode(rawValue: "too_many_redirects")
    /// A redirect to a scheme other than http and https, or to something that is no URL.
    public static let refusedRedirect = FailureCode(rawValue: "refused_redirect")
    /// The settings don't allow the URL's scheme.
    public static let refusedScheme = FailureCode(rawValue: "refused_scheme")
    /// The address is in a network to which connections are never made.
    public static let deniedNetwork = FailureCode(rawValue: "denied_network")
    /// The content type is not one of those accepted.
    public static let unexpectedContentType = FailureCode(rawValue: "unexpected_content_type")
    /// The server reserves the file from machine learning, and the settings respect that.
    public static let refusedByRobots = FailureCode(rawValue: "refused_by_robots")
    /// The file is larger than allowed.
    public static let tooLarge = FailureCode(rawValue: "too_large")
    /// The server doesn't say how long the file is, and it filled the disk more than once.
    public static let tooLargeForDisk = FailureCode(rawValue: "too_large_for_disk")
    /// The document's SHA-256 is not the expected one.
    public static let checksumMismatch = FailureCode(rawValue: "checksum_mismatch")
    /// The disk has no room for the file.
    public static let diskFull = FailureCode(rawValue: "disk_full")
    /// The machine has run out of file descriptors or memory.
    public static let outOfResources = FailureCode(rawValue: "out_of_resources")
    /// Data could not be written to the disk, synced or read back.
    public static let storageError = FailureCode(rawValue: "storage_error")
    /// The fetched data, or the place for it, is gone.
    public static let storageLost = FailureCode(rawValue: "storage_lost")
    /// The folder for the document can't be one: a file or a link has its place, or it is on another disk.
    public static let badFolder = FailureCode(rawValue: "bad_folder")
    /// The recipe of the job's source can't be used, so that nobody knows how to ask its server.
    public static let sourceUnusable = FailureCode(rawValue: "source_unusable")
    /// The server's answer is not valid HTTP.
    public static let protocolError = FailureCode(rawValue: "protocol_error")

    /// The code for an HTTP status, given as the three digits of RFC 9110 §15.
    public static func http(_ status: Int) -> FailureCode { FailureCode(rawValue: "http_\(status)") }
}

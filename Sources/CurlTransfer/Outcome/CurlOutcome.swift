import CCurl
import JobCore

/// What a result of libcurl means for a job, where the response didn't decide it.
struct CurlOutcome: Equatable {
    /// The stable name of the failure.
    var code: FailureCode
    /// Whether another try may end better.
    var isTransient: Bool
    /// One sentence for people, without a full stop.
    var message: String

    /// How far a transfer came; a timeout means something else in each.
    enum Phase: Equatable {
        case connecting
        case waitingForAnswer
        case receiving
    }

    /// - Parameters:
    ///   - result: any but CURLE_OK.
    ///   - phase: how far the transfer came.
    ///   - place: host and port, as people know them.
    ///   - detail: libcurl's own words (CURLOPT_ERRORBUFFER), or nothing.
    init(_ result: CURLcode, phase: Phase, place: String, detail: String) {
        // Some of libcurl's words are the server's.
        let words = detail.isEmpty ? String(cString: curl_easy_strerror(result)) : detail.excerpt
        switch result {
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_URL_MALFORMAT:
            self = .final(.protocolError, "\(place) doesn't speak HTTP: \(words)")
        case CURLE_COULDNT_RESOLVE_PROXY:
            self = .transient(.unresolvedHost, "the proxy's name has no address")
        case CURLE_COULDNT_RESOLVE_HOST:
            self = .transient(.unresolvedHost, "\(place) has no address")
        case CURLE_COULDNT_CONNECT:
            self = .transient(.connectFailed, "nobody answers at \(place)")
        case CURLE_PROXY:
            self = .transient(.connectFailed, "the proxy can't reach \(place): \(words)")
        case CURLE_OPERATION_TIMEDOUT:
            self = Self.timeout(in: phase, place: place)
        case CURLE_PARTIAL_FILE:
            self = .transient(.truncated, "\(place) ended the file too early")
        case CURLE_GOT_NOTHING:
            self = .transient(.connectionLost, "\(place) closed the connection without an answer")
        case CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_HTTP2, CURLE_HTTP2_STREAM, CURLE_SSL_SHUTDOWN_FAILED:
            self = .transient(.connectionLost, "the connection to \(place) broke: \(words)")
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS,
            CURLE_SSL_PINNEDPUBKEYNOTMATCH:
            self = .final(.badCertificate, "the certificate of \(place) is not to be trusted: \(words)")
        case CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER:
            self = .final(.tlsFailed, "no TLS with \(place): \(words)")
        case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ENGINE_INITFAILED:
            self = .transient(.tlsFailed, "no TLS with \(place): \(words)")
        case CURLE_BAD_CONTENT_ENCODING:
            self = .final(.protocolError, "\(place) sent the file in an encoding that can't be undone")
        default:
            self = .transient(.protocolError, "\(place) can't be understood: \(words)")
        }
    }

    /// How the transfer ends for it.
    var end: TransferEnd {
        let failure = JobFailure(code, message)
        return isTransient ? .interrupted(failure, retryAfter: nil) : .refused(failure)
    }

    private init(code: FailureCode, isTransient: Bool, message: String) {
        self.code = code
        self.isTransient = isTransient
        self.message = message
    }

    private static func transient(_ code: FailureCode, _ message: String) -> CurlOutcome {
        CurlOutcome(code: code, isTransient: true, message: message)
    }

    private static func final(_ code: FailureCode, _ message: String) -> CurlOutcome {
        CurlOutcome(code: code, isTransient: false, message: message)
    }

    private static func timeout(in phase: Phase, place: String) -> CurlOutcome {
        switch phase {
        case .connecting: .transient(.timedOut, "connecting to \(place) took too long")
        case .waitingForAnswer: .transient(.timedOut, "\(place) took too long to answer")
        case .receiving: .transient(.stalled, "\(place) sent next to nothing for too long")
        }
    }
}

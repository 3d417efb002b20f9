import CCurl
import JobModel
import Vocabulary

/// The meaning of a libcurl result for a job, in case the response didn't decide it.
struct CurlOutcome: Equatable {
    /// The failure's code.
    var code: FailureCode
    /// True if another attempt may succeed.
    var isTransient: Bool
    /// A sentence for people, without a full stop.
    var message: String

    /// A stage of a transfer; a timeout means something different in each.
    enum Phase: Equatable {
        case connecting
        case waitingForAnswer
        case receiving
    }

    /// - Parameters:
    ///   - result: any but CURLE_OK.
    ///   - phase: the stage that the transfer had reached.
    ///   - place: the host, with its port unless that is the default.
    ///   - detail: libcurl's error message (CURLOPT_ERRORBUFFER), or an empty text.
    init(_ result: CURLcode, phase: Phase, place: String, detail: String) {
        // Some of libcurl's messages quote the server.
        let words = detail.isEmpty ? String(cString: curl_easy_strerror(result)) : detail.excerpt
        switch result {
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_URL_MALFORMAT:
            self = .final(.protocolError, "\(place) does not speak HTTP: \(words)")
        case CURLE_COULDNT_RESOLVE_PROXY:
            self = .transient(.unresolvedHost, "the proxy's host name can't be resolved")
        case CURLE_COULDNT_RESOLVE_HOST:
            self = .transient(.unresolvedHost, "the host name of \(place) can't be resolved")
        case CURLE_COULDNT_CONNECT:
            self = .transient(.connectFailed, "\(place) does not accept connections")
        case CURLE_PROXY:
            self = .transient(.connectFailed, "the proxy can't reach \(place): \(words)")
        case CURLE_OPERATION_TIMEDOUT:
            self = Self.timeout(in: phase, place: place)
        case CURLE_PARTIAL_FILE:
            self = .transient(.truncated, "\(place) ended the file early")
        case CURLE_GOT_NOTHING:
            self = .transient(.connectionLost, "\(place) closed the connection without answering")
        case CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_HTTP2, CURLE_HTTP2_STREAM, CURLE_SSL_SHUTDOWN_FAILED:
            self = .transient(.connectionLost, "the connection to \(place) was lost: \(words)")
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS,
            CURLE_SSL_PINNEDPUBKEYNOTMATCH:
            self = .transient(.badCertificate, "the certificate of \(place) is not trusted: \(words)")
        case CURLE_SSL_CERTPROBLEM:
            // A certificate of ours is no fault of the job, and may be put right.
            self = .transient(
                .tlsFailed,
                "TLS with \(place) failed, since transfer.client-certificate can't be used: \(words)"
            )
        case CURLE_SSL_CLIENTCERT:
            self = .final(
                .tlsFailed,
                "\(place) wants a certificate of whoever asks (transfer.client-certificate)"
            )
        case CURLE_SSL_CIPHER:
            self = .final(.tlsFailed, "TLS with \(place) failed: \(words)")
        case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ENGINE_INITFAILED:
            self = .transient(.tlsFailed, "TLS with \(place) failed: \(words)")
        case CURLE_OUT_OF_MEMORY, Self.tooLarge:
            // Memory doesn't run out: libcurl takes lines of 100 KiB at most.
            self = .transient(
                .protocolError,
                "\(place) sent a line in the head of its answer that is too long"
            )
        case CURLE_BAD_CONTENT_ENCODING:
            self = .final(
                .protocolError,
                "\(place) sent the file with a Content-Encoding or Transfer-Encoding that can't be decoded"
            )
        default:
            self = .transient(.protocolError, "\(place) sent an answer that makes no sense: \(words)")
        }
    }

    /// CURLE_TOO_LARGE, which libcurl has since 8.6 (libcurl-errors(3)).
    private static let tooLarge = CURLcode(rawValue: 100)

    /// The resulting end of the transfer.
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
        case .receiving: .transient(.stalled, "\(place) sent almost nothing for too long")
        }
    }
}

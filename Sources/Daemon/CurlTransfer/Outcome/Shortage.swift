import CCurl
import Glibc
import JobModel

/// A shortage of descriptors or memory that libcurl reports as some other error.
struct Shortage {
    let failure: JobFailure

    /// Recognizes a shortage; nil if a result of libcurl has another cause.
    ///
    /// - Parameters:
    ///   - result: any but CURLE_OK.
    ///   - socketError: the errno of a socket that could not be created, or 0.
    ///   - ceiling: how high descriptors may be.
    init?(_ result: CURLcode, socketError: Int32, ceiling: DescriptorCeiling) {
        switch result {
        case CURLE_COULDNT_CONNECT, CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY,
            CURLE_FAILED_INIT, CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CACERT_BADFILE,
            CURLE_ABORTED_BY_CALLBACK:
            // Resolvers and TLS open files themselves, and don't say why they can't.
            guard
                let failure = JobFailure.shortage(errorNumber: socketError)
                    ?? JobFailure.shortage(errorNumber: ceiling.errorOfOpening())
            else { return nil }
            self.failure = failure
        // CURLE_OUT_OF_MEMORY isn't reliable, since libcurl also uses it for header fields that are too
        // long.
        default: return nil
        }
    }
}

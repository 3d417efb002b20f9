import CCurl
import Glibc
import JobCore

/// A shortage of descriptors or memory that libcurl reports as some other failure.
struct Shortage {
    let failure: JobFailure

    /// Nil where a result of libcurl has another reason.
    ///
    /// - Parameters:
    ///   - result: any but CURLE_OK.
    ///   - socketError: errno of a socket that could not be had, or 0.
    init?(_ result: CURLcode, socketError: Int32) {
        switch result {
        case CURLE_COULDNT_CONNECT, CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY,
            CURLE_FAILED_INIT, CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CACERT_BADFILE:
            // Resolvers and TLS open files of their own, and keep to themselves why they can't.
            guard
                let failure = JobFailure.shortage(errorNumber: socketError)
                    ?? JobFailure.shortage(errorNumber: Self.errorOfOpening())
            else { return nil }
            self.failure = failure
        // CURLE_OUT_OF_MEMORY is none: libcurl has it for header fields that are too long, too.
        default: return nil
        }
    }

    /// Why a file can't be opened now, as errno; 0 where it can.
    private static func errorOfOpening() -> Int32 {
        let file = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard file >= 0 else { return errno }
        close(file)
        return 0
    }
}

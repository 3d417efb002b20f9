import CCurl
import ControlAPI
import HTTPRequests

/// One small file from the web, into memory.
enum NetworkDownload {
    /// The most bytes that are taken: all known networks are much smaller.
    static let longest = 4 << 20

    /// The reason why there is no file, as the end of a sentence.
    struct Failure: Error {
        let reason: String
    }

    /// The bytes that have come.
    private final class Received {
        var bytes: [UInt8] = []
    }

    /// Fetches the file.
    ///
    /// It goes through the proxy that the environment names, as libcurl does by itself.
    static func fetch(_ url: String) throws(Failure) -> [UInt8] {
        guard let handle = EasyHandle() else { throw Failure(reason: "there is not enough memory") }
        let (easy, received) = (handle.easy, Received())
        handle.receive { piece in
            received.bytes.append(contentsOf: piece)
            return received.bytes.count <= longest
        }
        var message = [CChar](repeating: 0, count: Int(CURL_ERROR_SIZE))
        let code = withExtendedLifetime(handle) {
            message.withUnsafeMutableBufferPointer { text in
                prepare(easy, url)
                CCurl_easy_setopt_pointer(easy, CURLOPT_ERRORBUFFER, text.baseAddress)
                defer { CCurl_easy_setopt_pointer(easy, CURLOPT_ERRORBUFFER, nil) }
                return curl_easy_perform(easy)
            }
        }
        if received.bytes.count > longest {
            throw Failure(reason: "it has more than \(longest >> 20) MiB, and no network that is known has")
        }
        guard code == CURLE_OK else {
            let said = String(
                decoding: message.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)),
                as: UTF8.self
            )
            throw Failure(reason: said.isEmpty ? EasyHandle.words(code) : said)
        }
        guard handle.status == 200 else { throw Failure(reason: "the server says \(handle.status)") }
        return received.bytes
    }

    private static func prepare(_ easy: UnsafeMutableRawPointer, _ url: String) {
        CCurl_easy_setopt_string(easy, CURLOPT_URL, url)
        CCurl_easy_setopt_string(easy, CURLOPT_PROTOCOLS_STR, "http,https")
        // What begins safe stays safe.
        let isSafe = url.lowercased().hasPrefix("https:")
        CCurl_easy_setopt_string(easy, CURLOPT_REDIR_PROTOCOLS_STR, isSafe ? "https" : "http,https")
        CCurl_easy_setopt_long(easy, CURLOPT_FOLLOWLOCATION, 1)
        CCurl_easy_setopt_long(easy, CURLOPT_MAXREDIRS, 5)
        CCurl_easy_setopt_long(easy, CURLOPT_NOSIGNAL, 1)
        CCurl_easy_setopt_long(easy, CURLOPT_CONNECTTIMEOUT, 20)
        // Fewer than so many bytes a second for so long, and nothing more is to be hoped for.
        CCurl_easy_setopt_long(easy, CURLOPT_LOW_SPEED_LIMIT, 100)
        CCurl_easy_setopt_long(easy, CURLOPT_LOW_SPEED_TIME, 30)
        CCurl_easy_setopt_string(easy, CURLOPT_USERAGENT, "facefetch/\(ProductVersion.current)")
    }
}

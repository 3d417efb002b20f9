import CCurl
import ControlAPI

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
        guard let easy = curl_easy_init() else { throw Failure(reason: "there is not enough memory") }
        defer { curl_easy_cleanup(easy) }
        let received = Received()
        var message = [CChar](repeating: 0, count: Int(CURL_ERROR_SIZE))
        let code = withExtendedLifetime(received) {
            message.withUnsafeMutableBufferPointer { text in
                prepare(easy, url, received)
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
            throw Failure(reason: said.isEmpty ? String(cString: curl_easy_strerror(code)) : said)
        }
        var status = 0
        CCurl_easy_getinfo_long(easy, CURLINFO_RESPONSE_CODE, &status)
        guard status == 200 else { throw Failure(reason: "the server says \(status)") }
        return received.bytes
    }

    private static func prepare(_ easy: UnsafeMutableRawPointer, _ url: String, _ received: Received) {
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
        CCurl_easy_setopt_receive(
            easy,
            CURLOPT_WRITEFUNCTION,
            { bytes, size, count, context in
                guard let context else { return 0 }
                let received = Unmanaged<Received>.fromOpaque(context).takeUnretainedValue()
                received.bytes.append(
                    contentsOf: UnsafeRawBufferPointer(start: bytes, count: size * count)
                )
                // Anything but the whole count ends the transfer.
                return received.bytes.count > NetworkDownload.longest ? 0 : size * count
            }
        )
        CCurl_easy_setopt_pointer(easy, CURLOPT_WRITEDATA, Unmanaged.passUnretained(received).toOpaque())
    }
}

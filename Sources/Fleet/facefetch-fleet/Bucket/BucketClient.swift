import CCurl
import ControlAPI
import Glibc
import HTTPRequests
import SourceCore
import Synchronization

/// A client of a bucket's server, over a connection that is kept.
///
/// Each call blocks until its request is answered, or ``Uploader/stop()`` gives it up. Not Sendable: it stays with
/// the thread that made it.
final class BucketClient {
    /// The body of a request.
    enum Body {
        /// These bytes.
        case bytes([UInt8])
        /// A part of an open file.
        case file(Int32, from: Int64, count: Int64)

        var count: Int64 {
            switch self {
            case .bytes(let bytes): Int64(bytes.count)
            case .file(_, _, let count): count
            }
        }
    }

    /// An answer of the server.
    struct Answer {
        /// The status.
        var status: Int
        /// The body, up to its 64th KiB.
        var body: String
        /// The field ETag.
        var entityTag: String?

        /// The text of the first element of this name in the body.
        func element(_ name: String) -> String? {
            guard let start = body.firstRange(of: "<\(name)>"),
                let end = body[start.upperBound...].firstRange(of: "</\(name)>")
            else { return nil }
            let text = String(body[start.upperBound..<end.lowerBound])
            return text.replacing("&quot;", with: "\"").replacing("&lt;", with: "<")
                .replacing("&gt;", with: ">").replacing("&amp;", with: "&")
        }

        /// The problem, in the server's own word.
        var code: String? { element("Error") == nil ? nil : element("Code") }
    }

    let settings: BucketSettings
    private let handle: EasyHandle
    private let isStopped: @Sendable () -> Bool
    private var received: [UInt8] = []
    private var body = Body.bytes([])
    private var sent: Int64 = 0
    /// True if the file could not be read any more.
    private var hasReadError = false

    /// The most of an answer's body that is read.
    private static let mostReceived = 64 << 10
    /// The time that a connection may take to be made, and for which nothing may arrive or leave, in seconds.
    private static let patience = 60

    /// Creates a client, which connects with the first request; nil without memory.
    init?(_ settings: BucketSettings, isStopped: @escaping @Sendable () -> Bool) {
        guard let handle = EasyHandle() else { return nil }
        (self.settings, self.handle, self.isStopped) = (settings, handle, isStopped)
    }

    private var easy: UnsafeMutableRawPointer { handle.easy }

    /// Sends a signed request for an object.
    ///
    /// - Parameters:
    ///   - parameters: Those of the query.
    ///   - sha256: The SHA-256 of the body in lower-case hex, by which the server checks it.
    ///   - fields: More header fields.
    func send(
        _ method: String,
        _ key: String,
        parameters: [(String, String)] = [],
        _ body: Body,
        sha256: String,
        fields: [String] = []
    ) throws(UploadFailure) -> Answer {
        let request = S3Request.change(
            bucket: settings.name,
            key: key,
            parameters: parameters,
            payload: sha256,
            endpoint: settings.endpoint,
            sessionToken: settings.keys.sessionToken
        )
        prepare(method, request, body, fields)
        let code = curl_easy_perform(easy)
        if hasReadError { throw .changed }
        guard code == CURLE_OK else {
            throw .trouble("the bucket's server can't be reached: \(EasyHandle.words(code))")
        }
        var field: UnsafeMutablePointer<curl_header>?
        let hasTag = curl_easy_header(easy, "ETag", 0, UInt32(CURLH_HEADER), -1, &field) == CURLHE_OK
        let tag = hasTag ? field.map { String(cString: $0.pointee.value) } : nil
        return Answer(status: handle.status, body: String(decoding: received, as: UTF8.self), entityTag: tag)
    }

    private func prepare(_ method: String, _ request: S3Request, _ body: Body, _ fields: [String]) {
        curl_easy_reset(easy)
        (received, self.body, sent, hasReadError) = ([], body, 0, false)
        CCurl_easy_setopt_string(easy, CURLOPT_URL, request.url)
        CCurl_easy_setopt_long(easy, CURLOPT_PATH_AS_IS, 1)
        CCurl_easy_setopt_string(easy, CURLOPT_PROTOCOLS_STR, "http,https")
        CCurl_easy_setopt_long(easy, CURLOPT_NOSIGNAL, 1)
        CCurl_easy_setopt_long(easy, CURLOPT_CONNECTTIMEOUT, Self.patience)
        CCurl_easy_setopt_long(easy, CURLOPT_LOW_SPEED_LIMIT, 1)
        CCurl_easy_setopt_long(easy, CURLOPT_LOW_SPEED_TIME, Self.patience)
        CCurl_easy_setopt_string(easy, CURLOPT_USERAGENT, "facefetch-fleet/\(ProductVersion.current)")
        handle.setHeaders(signed(method, request).map { "\($0.name): \($0.value)" } + fields)
        if method != "DELETE" {
            CCurl_easy_setopt_long(easy, CURLOPT_UPLOAD, 1)
            CCurl_easy_setopt_offset(easy, CURLOPT_INFILESIZE_LARGE, curl_off_t(body.count))
        }
        CCurl_easy_setopt_string(easy, CURLOPT_CUSTOMREQUEST, method)
        listen()
    }

    /// The fields of a request with its signature.
    private func signed(_ method: String, _ request: S3Request) -> [BucketSigner.Field] {
        let fields = request.headers.map { ($0.name, $0.value) }
        let signer = BucketSigner(
            region: settings.endpoint.region,
            keyID: settings.keys.id,
            key: settings.keys.key
        )
        return fields + signer.fields(signing: method, request.url, with: fields, at: Int64(time(nil)))
    }

    /// Sets what libcurl calls back, unretained, because it does so only within calls on this object.
    private func listen() {
        let this = Unmanaged.passUnretained(self).toOpaque()
        CCurl_easy_setopt_send(
            easy,
            { bytes, size, count, context in
                guard let bytes, let context else { return Int(CURL_READFUNC_ABORT) }
                let client = Unmanaged<BucketClient>.fromOpaque(context).takeUnretainedValue()
                return client.read(UnsafeMutableRawBufferPointer(start: bytes, count: size * count))
            }
        )
        CCurl_easy_setopt_pointer(easy, CURLOPT_READDATA, this)
        CCurl_easy_setopt_seek(
            easy,
            { context, offset, origin in
                guard let context, origin == SEEK_SET else { return CURL_SEEKFUNC_FAIL }
                Unmanaged<BucketClient>.fromOpaque(context).takeUnretainedValue().sent = Int64(offset)
                return CURL_SEEKFUNC_OK
            }
        )
        CCurl_easy_setopt_pointer(easy, CURLOPT_SEEKDATA, this)
        handle.receive { [unowned self] piece in
            received.append(contentsOf: piece.prefix(max(0, Self.mostReceived - received.count)))
            return true
        }
        CCurl_easy_setopt_long(easy, CURLOPT_NOPROGRESS, 0)
        CCurl_easy_setopt_progress(
            easy,
            { context, _, _, _, _ in
                guard let context else { return 0 }
                return Unmanaged<BucketClient>.fromOpaque(context).takeUnretainedValue().isStopped() ? 1 : 0
            }
        )
        CCurl_easy_setopt_pointer(easy, CURLOPT_XFERINFODATA, this)
    }

    /// Copies more of the body.
    private func read(_ room: UnsafeMutableRawBufferPointer) -> Int {
        let count = Int(min(Int64(room.count), body.count - sent))
        guard count > 0 else { return 0 }
        switch body {
        case .bytes(let bytes):
            bytes[Int(sent)...].prefix(count).withUnsafeBytes { room.copyMemory(from: $0) }
            sent += Int64(count)
            return count
        case .file(let file, let start, _):
            let got = pread(file, room.baseAddress, count, off_t(start + sent))
            guard got > 0 else {
                hasReadError = true
                return Int(CURL_READFUNC_ABORT)
            }
            sent += Int64(got)
            return got
        }
    }
}

/// The reason why a document isn't in the bucket.
enum UploadFailure: Error, Hashable, Sendable {
    /// The file is no longer what was stored.
    case changed
    /// It may succeed later; a sentence for people.
    case trouble(String)
}

/// The bucket of a fleet's documents, and who may write there.
struct BucketSettings: Hashable, Sendable, CustomStringConvertible {
    /// The bucket's name.
    var name: String
    /// The beginning of all keys; empty, or ending in a slash.
    var prefix = ""
    /// The server.
    var endpoint: S3Endpoint
    /// The keys that requests are signed with.
    var keys: S3Keys
    /// The most documents that are uploaded at once.
    var uploads = 8

    /// The range of ``uploads``.
    static let uploads = 1...64

    /// The name alone: the rest holds a secret.
    var description: String { name }
}

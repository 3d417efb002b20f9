import CCurl
import Vocabulary

@testable import JobModel

/// A URL, and after a line break where a server sends us from there: what is asked for is what curl asks for.
enum RequestTargetTrial {
    static func read(_ bytes: [UInt8]) throws(BrokenPromise) -> String? {
        let lines = bytes.split(separator: 0x0A, maxSplits: 1, omittingEmptySubsequences: false)
        guard let given = lines.first, isComparable(given),
            let url = try? JobURL(PercentEncoding.text(ofURL: given))
        else {
            return nil
        }
        try compare(url, RequestTarget([(Array(given), true)]))
        // Of two slashes in a row, curl takes one for the end of a ".." behind them, unlike RFC 3986 §5.2.4.
        if let location = lines.dropFirst().first, isComparable(location), isReference(location),
            !url.path.contains("//"),
            let target = try? url.redirected(to: PercentEncoding.text(ofURL: location))
        {
            try compare(target, RequestTarget([(Array(url.text.utf8), false), (Array(location), true)]))
        }
        return String(url.path.dropFirst())
    }

    private static func compare(_ url: JobURL, _ curls: RequestTarget?) throws(BrokenPromise) {
        guard let curls, let ours = RequestTarget([(Array(url.text.utf8), false)]) else { return }
        try promise(
            ours == curls,
            "curl asks for \(String(decoding: curls.bytes, as: UTF8.self).quotedForLog), and not for "
                + String(decoding: ours.bytes, as: UTF8.self).quotedForLog
        )
    }

    /// Returns whether curl takes the bytes as they are: of white space around them it knows less, and a zero
    /// byte ends its texts.
    private static func isComparable(_ bytes: some Collection<UInt8>) -> Bool {
        guard !bytes.contains(0) else { return false }
        let text = String(decoding: bytes, as: UTF8.self)
        return text.first?.isWhitespace == false && text.last?.isWhitespace == false
    }

    /// Returns whether a relative path has nothing between two slashes, of which curl takes one for the end
    /// of `..`.
    private static func hasEmptySegment(_ bytes: ArraySlice<UInt8>) -> Bool {
        let path = bytes.prefix { !"?#".utf8.contains($0) }
        return path.first == UInt8(ascii: ".")
            && zip(path, path.dropFirst()).contains { $0 == 0x2F && $1 == 0x2F }
    }

    /// Returns whether curl resolves this as RFC 3986 has it: it takes more for a scheme, and a fragment for
    /// a path.
    private static func isReference(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard bytes.first != UInt8(ascii: "#"), !hasEmptySegment(bytes) else { return false }
        let start = bytes.prefix { !"/?#".utf8.contains($0) }
        return !start.contains(UInt8(ascii: ":")) || bytes.starts(with: "http://".utf8)
    }
}

/// The path and the query that libcurl asks for, percent-decoded.
struct RequestTarget: Equatable {
    let bytes: [UInt8]

    /// Creates the target that is asked for at a URL, or after redirects to others; nil if libcurl refuses
    /// one.
    ///
    /// It makes a plus of a blank in a query, as forms do, so it is given `%20`.
    init?(_ urls: [(bytes: [UInt8], encodes: Bool)]) {
        guard let handle = curl_url() else { return nil }
        defer { curl_url_cleanup(handle) }
        for url in urls {
            let text =
                url.bytes.reduce(into: [UInt8]()) { $0 += $1 == 0x20 ? [0x25, 0x32, 0x30] : [$1] } + [0]
            let code = text.withUnsafeBytes { text in
                curl_url_set(
                    handle,
                    CURLUPART_URL,
                    text.baseAddress?.assumingMemoryBound(to: CChar.self),
                    url.encodes ? UInt32(CURLU_URLENCODE) : 0
                )
            }
            guard code == CURLUE_OK else { return nil }
        }
        guard let path = Self.part(CURLUPART_PATH, of: handle) else { return nil }
        let query = Self.part(CURLUPART_QUERY, of: handle)
        bytes = Self.decoded(path) + (query.map { [0x3F] + Self.decoded($0) } ?? [])
    }

    private static func part(_ part: CURLUPart, of handle: OpaquePointer) -> [UInt8]? {
        var text: UnsafeMutablePointer<CChar>?
        guard curl_url_get(handle, part, &text, 0) == CURLUE_OK, let text else { return nil }
        defer { curl_free(text) }
        var (bytes, index) = ([UInt8](), 0)
        while text[index] != 0 {
            bytes.append(UInt8(bitPattern: text[index]))
            index += 1
        }
        return bytes
    }

    private static func decoded(_ text: [UInt8]) -> [UInt8] {
        var (result, rest) = ([UInt8](), text[...])
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2).compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
            guard byte == 0x25, digits.count == 2 else {
                result.append(byte)
                continue
            }
            result.append(UInt8(digits[0] << 4 | digits[1]))
            rest = rest.dropFirst(2)
        }
        return result
    }
}

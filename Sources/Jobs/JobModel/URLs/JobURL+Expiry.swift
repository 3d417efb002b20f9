import Vocabulary

/// The times at which links expire that are signed for a while.
extension JobURL {
    /// The time from which on the server refuses the link, as its own query says; nil where that says nothing.
    ///
    /// Links to buckets are signed for a time: with a date and seconds by S3 (Signature Version 4, `X-Amz-Expires`) and by
    /// Google (`X-Goog-Expires`), until a time by Azure (`se`, beside `sig`), and until seconds since 1970 by CloudFront
    /// and older versions of the others (`Expires`).
    public var expiry: Timestamp? {
        guard let mark = text.utf8.firstIndex(of: UInt8(ascii: "?")) else { return nil }
        let query = text[mark...].dropFirst().prefix { $0 != "#" }
        var fields: [String: Substring] = [:]
        for part in query.split(separator: "&") {
            guard let sign = part.firstIndex(of: "=") else { continue }
            let name = part[..<sign].lowercased()
            // Servers go by the first, if they take two of one name at all.
            if Self.names.contains(name), fields[name] == nil {
                fields[name] = part[part.index(after: sign)...]
            }
        }
        guard !fields.isEmpty else { return nil }
        func time(_ date: String, _ seconds: String) -> Timestamp? {
            guard let began = fields[date].flatMap(Self.basicTime),
                let length = fields[seconds].flatMap(Self.number)
            else { return nil }
            return began.adding(seconds: Double(length))
        }
        let azure = fields["sig"] == nil ? nil : fields["se"].flatMap(Self.extendedTime)
        let seconds = fields["expires"].flatMap(Self.number).flatMap { number in
            // Others mean something else, such as a number of seconds from now on.
            Self.plausibleSeconds.contains(number) ? Timestamp(microseconds: number * 1_000_000) : nil
        }
        let times = [
            time("x-amz-date", "x-amz-expires"), time("x-goog-date", "x-goog-expires"), azure, seconds,
        ]
        return times.compactMap(\.self).min()
    }

    private static let names: Set<String> = [
        "x-amz-date", "x-amz-expires", "x-goog-date", "x-goog-expires", "se", "sig", "expires",
    ]

    /// The seconds since 1970 from 2001 to 2286.
    private static let plausibleSeconds = Int64(1_000_000_000)..<10_000_000_000

    private static func number(_ text: Substring) -> Int64? {
        guard (1...10).contains(text.utf8.count), text.utf8.allSatisfy({ (48...57).contains($0) }) else {
            return nil
        }
        return Int64(text)
    }

    /// Reads a time such as `20261126T214800Z`.
    private static func basicTime(_ text: Substring) -> Timestamp? {
        let bytes = Array(text.utf8)
        guard bytes.count == 16 else { return nil }
        let digits = { (range: Range<Int>) in String(decoding: bytes[range], as: UTF8.self) }
        return Timestamp(
            rfc3339: "\(digits(0..<4))-\(digits(4..<6))-\(digits(6..<8))\(digits(8..<11))"
                + ":\(digits(11..<13)):\(digits(13..<16))"
        )
    }

    /// Reads a time such as `2026-11-26T21:48:00Z`, also without seconds or without a time, as a shared access signature
    /// may have it; the colons may be percent-encoded.
    private static func extendedTime(_ encoded: Substring) -> Timestamp? {
        var text = ""
        for (place, part) in encoded.split(separator: "%3", omittingEmptySubsequences: false).enumerated() {
            if place == 0 {
                text += part
            } else if part.first == "A" || part.first == "a" {
                text += ":\(part.dropFirst())"
            } else {
                return nil
            }
        }
        switch text.utf8.count {
        case 10: return Timestamp(rfc3339: text + "T00:00:00Z")
        case 17 where text.hasSuffix("Z"): return Timestamp(rfc3339: String(text.dropLast()) + ":00Z")
        default: return Timestamp(rfc3339: text)
        }
    }
}

import FoundationEssentials
import Glibc

/// Converts times of the API for people.
enum LocalTime {
    /// Parses an RFC 3339 time; nil if the text is something else.
    static func parse(_ text: String) -> Date? {
        let withFraction = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        return (try? withFraction.parse(text)) ?? (try? Date.ISO8601FormatStyle().parse(text))
    }

    /// Returns a time as in the API: RFC 3339, in UTC.
    static func exact(_ date: Date) -> String {
        Date.ISO8601FormatStyle(includingFractionalSeconds: true).format(date)
    }

    /// Returns a date and time of day in the local time zone; the text itself if it isn't a time.
    static func full(_ text: String) -> String { format(text, "%Y-%m-%d %H:%M:%S") }

    /// Returns a time of day in the local time zone; the text itself if it isn't a time.
    static func clock(_ text: String) -> String { format(text, "%H:%M:%S") }

    private static func format(_ text: String, _ pattern: String) -> String {
        guard let date = parse(text) else { return text.safeForTerminal }
        var seconds = time_t(date.timeIntervalSince1970.rounded(.down))
        var parts = tm()
        guard localtime_r(&seconds, &parts) != nil else { return text.safeForTerminal }
        var buffer = [CChar](repeating: 0, count: 64)
        let count = strftime(&buffer, buffer.count, pattern, &parts)
        return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

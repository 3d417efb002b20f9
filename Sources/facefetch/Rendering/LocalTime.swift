import FoundationEssentials
import Glibc

/// Moments of the API as people read them.
enum LocalTime {
    /// The moment that an RFC 3339 text stands for; nil where it is none.
    static func parse(_ text: String) -> Date? {
        let withFraction = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        return (try? withFraction.parse(text)) ?? (try? Date.ISO8601FormatStyle().parse(text))
    }

    /// As the API has a time: RFC 3339, in UTC.
    static func exact(_ date: Date) -> String {
        Date.ISO8601FormatStyle(includingFractionalSeconds: true).format(date)
    }

    /// A date and time of day in the person's own time zone; the text itself where it is no time.
    static func full(_ text: String) -> String { format(text, "%Y-%m-%d %H:%M:%S") }

    /// A time of day in the person's own time zone; the text itself where it is no time.
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

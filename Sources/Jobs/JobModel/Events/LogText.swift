import Vocabulary

/// A writer for text of the event log, as UTF-8.
///
/// About ten lines are written for every file, and writing bytes takes a tenth of the time of writing
/// strings.
public struct LogText: Sendable {
    /// The text so far.
    public private(set) var bytes: [UInt8] = []

    private var time: Timestamp?
    private var timeText: [UInt8] = []
    private var longestURL = Int.max
    /// The length in bytes to which a URL is shortened if a message is too long.
    private static let shortenedURLLength = 1000

    public init() {}

    /// Appends an event's line without its line feed.
    public mutating func append(lineOf event: JobEvent) {
        // The events of a turn share their time.
        if time != event.time.wall {
            time = event.time.wall
            timeText = Array(event.time.wall.rfc3339.utf8)
        }
        bytes += timeText
        append(" b")
        append(event.batch.rawValue)
        append(" j")
        append(event.job.rawValue)
        append(" ")
        append(threeDecimals: event.elapsed)
        append(" ")
        append(messageOf: event.kind)
    }

    /// Appends a byte, such as the separator of lines.
    public mutating func append(_ byte: UInt8) { bytes.append(byte) }

    /// Appends an event's message, in at most ``JobEvent/maximumMessageLength`` bytes.
    mutating func append(messageOf kind: JobEvent.Kind) {
        let start = bytes.count
        appendWhole(kind)
        guard bytes.count - start > JobEvent.maximumMessageLength else { return }
        // The URL is shortened first, so that what follows it can still be read.
        bytes.removeSubrange(start...)
        longestURL = Self.shortenedURLLength
        appendWhole(kind)
        longestURL = .max
        guard bytes.count - start > JobEvent.maximumMessageLength else { return }
        let message = String(decoding: bytes[start...], as: UTF8.self)
        bytes.removeSubrange(start...)
        append(message.limited(toBytes: JobEvent.maximumMessageLength))
    }

    private mutating func appendWhole(_ kind: JobEvent.Kind) {
        switch kind {
        case .started(let url): write("started download of ", .url(url))
        case .progressed(let name, let percent):
            write("downloading ", .name(name), ", ", .number(percent), "% done")
        case .received(let name, let bytes):
            write("downloading ", .name(name), ", ", .number(Int(bytes)), " bytes done")
        case .resumed(let name, let offset, let total):
            write("resumed download of ", .name(name), " at byte ", .number(Int(offset)))
            if let total { write(" of ", .number(Int(total))) }
        case .restarted(let name, let reason):
            write("restarted download of ", .name(name), " from zero: ", .plain(reason))
        case .finished(let url, let path): write("finished download of ", .url(url), " to ", .plain(path))
        case .stored(let name, let path, let length):
            write("stored ", .name(name), " at ", .plain(path))
            if length == .unproven { write(", of unproven length") }
        case .waiting(let name, let until, let reason):
            write(
                "waiting to retry ",
                .name(name),
                " until ",
                .plain(until.rfc3339),
                ": ",
                .plain(reason.message)
            )
        case .failed(let url, let failure):
            write(
                "failed download of ",
                .url(url),
                ": ",
                .plain(failure.code.rawValue),
                ", ",
                .plain(failure.message)
            )
        case .paused(let name): write("paused ", .name(name))
        case .continued(let name): write("continued ", .name(name))
        case .cancelled(let name): write("cancelled ", .name(name))
        case .evicted(let name): write("removed ", .name(name), " to make room")
        case .removed(let name): write("removed ", .name(name))
        case .detectionStarted(let name): write("started face detection in ", .name(name))
        case .detectionFinished(let name, let count, let origin):
            write(
                "finished face detection in ",
                .name(name),
                ": ",
                .number(count),
                count == 1 ? " face" : " faces"
            )
            append(sharing: origin)
        case .detectionDeferred(let name): write("deferred face detection in ", .name(name))
        case .detectionCancelled(let name): write("cancelled face detection in ", .name(name))
        case .detectionFailed(let name, .skipped, _, _): write("skipped face detection in ", .name(name))
        case .detectionFailed(let name, let outcome, let origin, let reason):
            write("failed face detection in ", .name(name), ": ", .plain(outcome.rawValue))
            if let reason { write(", ", .plain(reason)) }
            append(sharing: origin)
        }
    }

    /// Appends the job that a result is shared from, if any.
    private mutating func append(sharing origin: JobID?) {
        if let origin { write(", the same bytes as ", .words(origin.description)) }
    }

    private enum Piece: ExpressibleByStringLiteral {
        /// Our own words.
        case words(String)
        /// Foreign text, which is escaped.
        case plain(String)
        /// A URL, which is escaped and shortened if there is no room.
        case url(String)
        /// A name, which is escaped and quoted.
        case name(String)
        case number(Int)

        init(stringLiteral words: String) { self = .words(words) }
    }

    private mutating func write(_ pieces: Piece...) {
        for piece in pieces {
            switch piece {
            case .words(let words): append(words)
            case .url(let text):
                append((text.isPlainInLog ? text : text.escapedForLog).limited(toBytes: longestURL))
            case .plain(let text): append(text.isPlainInLog ? text : text.escapedForLog)
            case .name(let name):
                guard name.isPlainInLog, !name.utf8.contains(UInt8(ascii: "\"")) else {
                    append(name.quotedForLog)
                    continue
                }
                append("\"")
                append(name)
                append("\"")
            case .number(let number): append(Int64(number))
            }
        }
    }

    private mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

    private mutating func append(_ number: Int64) {
        guard number >= 10 || number < 0 else { return bytes.append(UInt8(ascii: "0") + UInt8(number)) }
        append(String(number))
    }

    /// Appends seconds with three decimals, truncated.
    private mutating func append(threeDecimals seconds: Double) {
        let milliseconds = Int64(seconds * 1000 + 0.000_5)
        append(milliseconds / 1000)
        append(".")
        append(milliseconds / 100 % 10)
        append(milliseconds / 10 % 10)
        append(milliseconds % 10)
    }
}

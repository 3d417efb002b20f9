import ExportFormats
import Glibc

/// A scan of an earlier export for the end of its whole lines, and the number in the last of them.
struct LineScan {
    /// The kind of lines.
    enum Kind { case csv, jsonl }

    /// The place where the last whole line ends; what follows is torn.
    private(set) var end: Int64 = 0
    /// The number in the last line; 0 if there is none.
    private(set) var lastEnded: Int64 = 0

    /// The most line ends that a row that was torn may have within quotes; more than that is never cut off.
    private static let mostTornLines = 1

    /// Goes through a file.
    ///
    /// - Parameter coordinates: Those of what is to be added, which lines of JSON name.
    /// - Throws: ``ClientError`` when it can't be read, or is none of ours.
    init(
        _ descriptor: Int32,
        _ path: String,
        _ kind: Kind,
        _ coordinates: Coordinates
    ) throws(ClientError) {
        var lines = Lines(kind: kind)
        var piece = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let count = read(descriptor, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                throw .unsuccessful(
                    "\(path.safeForTerminal) can't be read: \(String(cString: strerror(errno)))."
                )
            }
            guard count > 0 else { break }
            lines.scan(piece[..<count])
        }
        end = lines.end
        // A stray quote, as of somebody's editor, turns all rows behind it into one that doesn't end.
        guard lines.tornLines <= Self.mostTornLines else { throw Self.damaged(path) }
        guard end > 0 else {
            // A torn heading is not a heading; anything else isn't ours to cut.
            guard lines.torn.isEmpty || kind == .csv && CSVFormat.heading.starts(with: lines.torn) else {
                throw Self.foreign(path)
            }
            return
        }
        switch kind {
        case .csv:
            guard lines.first == CSVFormat.heading else { throw Self.foreign(path) }
            if lines.count > 1 { lastEnded = try Self.number(lines.lastEnded, path) }
        case .jsonl:
            guard let job = try? ExportedJob(json: lines.last), let ended = job.ended else {
                throw Self.foreign(path)
            }
            let there = JSONLinesFormat.coordinates(of: lines.last, job)
            if let there, there != coordinates { throw Self.other(path, there) }
            lastEnded = ended
        }
    }

    private static func number(_ field: [UInt8], _ path: String) throws(ClientError) -> Int64 {
        guard let number = Int64(String(decoding: field, as: UTF8.self)) else { throw foreign(path) }
        return number
    }

    private static func damaged(_ path: String) -> ClientError {
        .usage(
            """
            \(path.safeForTerminal) has a quote that doesn't end, so nothing can be added to it: \
            set it right, export to another file, or without --append.
            """
        )
    }

    private static func other(_ path: String, _ coordinates: Coordinates) -> ClientError {
        .usage(
            """
            The boxes in \(path.safeForTerminal) are of the \(coordinates.rawValue) picture: add to it with \
            --coordinates \(coordinates.rawValue), or export to another file.
            """
        )
    }

    private static func foreign(_ path: String) -> ClientError {
        .usage(
            """
            \(path.safeForTerminal) is not an export of this version, so nothing can be added to it: \
            export to another file, or without --append.
            """
        )
    }

    /// The lines so far, as far as they are known.
    private struct Lines {
        let kind: Kind
        var end: Int64 = 0
        var count = 0
        /// The first line, if it isn't very long.
        var first: [UInt8] = []
        /// The last whole line; of CSV it isn't kept.
        var last: [UInt8] = []
        /// The number of the ending in the last whole row.
        var lastEnded: [UInt8] = []
        /// The number of line ends that follow the last whole line, all within quotes.
        private(set) var tornLines = 0
        /// The beginning of what follows the last whole line.
        var torn: [UInt8] { Array((kind == .csv ? first : current).prefix(count == 0 ? 1000 : 0)) }

        private var position: Int64 = 0
        private var isQuoted = false
        /// The place of the present field in its row, and the field itself if it is the number of an ending.
        private var place = 0
        private var field: [UInt8] = []
        private var current: [UInt8] = []

        init(kind: Kind) { self.kind = kind }

        mutating func scan(_ bytes: ArraySlice<UInt8>) {
            for byte in bytes {
                position += 1
                if count == 0, first.count < 1000 { first.append(byte) }
                if kind == .csv { column(byte) } else { current.append(byte) }
                guard byte == UInt8(ascii: "\n") else { continue }
                tornLines += 1
                guard !isQuoted else { continue }
                tornLines = 0
                count += 1
                end = position
                if kind == .csv {
                    lastEnded = field.filter { $0 != 0x0D && $0 != 0x0A }
                    field.removeAll(keepingCapacity: true)
                    place = 0
                } else {
                    swap(&last, &current)
                    current.removeAll(keepingCapacity: true)
                }
            }
        }

        /// Quotes within quotes come in pairs, so that counting them is enough.
        private mutating func column(_ byte: UInt8) {
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            if byte == UInt8(ascii: ","), !isQuoted {
                place += 1
            } else if place == CSVFormat.endedPlace, field.count < 100 {
                field.append(byte)
            }
        }
    }
}

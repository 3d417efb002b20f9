import CPages
import SourceCore

/// Parses lines into rows (RFC 4180, using libcsv); a quoted field may span several lines.
///
/// Where quotes are characters like any other, each line is a row, and divided at its delimiters.
final class RowParser {
    /// The most fields in a row.
    static let mostFields = 4096

    private let parser = UnsafeMutablePointer<csv_parser>.allocate(capacity: 1)
    private let delimiter: UInt8
    private let hasQuotes: Bool
    /// The fields of the current row.
    private var fields: [String] = []
    private var rows: [[String]] = []
    /// The column that is known to have URLs; others may, too.
    var urlColumn: Int?
    /// The bytes of the current row.
    private var pending = 0
    /// The line at which the current row begins, or began that was completed last.
    private(set) var firstLine = 1
    private var isTooWide = false

    init(delimiter: UInt8, hasQuotes: Bool = true) throws(ListerFailure) {
        (self.delimiter, self.hasQuotes) = (delimiter, hasQuotes)
        parser.initialize(to: csv_parser())
        guard csv_init(parser, 0) == 0 else {
            throw ListerFailure("too_much_memory", "there is no memory to read rows")
        }
        csv_set_delim(parser, delimiter)
        // libcsv strips white space around fields, and would strip a tab that separates them.
        csv_set_space_func(parser) { $0 == 0x20 ? 1 : 0 }
    }

    deinit {
        csv_free(parser)
        parser.deallocate()
    }

    /// True if the last line ended inside of quotes.
    var isWithinRow: Bool { pending > 0 && rows.isEmpty }

    /// Parses a line with its line ending, and returns the row that it completes; nil within a row and
    /// for an empty line.
    func parse(_ line: ArraySlice<UInt8>, number: Int) throws(ListerFailure) -> [String]? {
        guard hasQuotes else { return try divide(line, number) }
        if pending == 0 { firstLine = number }
        let isEmpty = pending == 0 && line.allSatisfy { $0 == 0x20 || $0 == 0x0A || $0 == 0x0D }
        pending += line.count
        guard pending <= LineReader.longestLine else {
            throw ListerFailure(
                "unexpected_shape",
                "the row before line \(number) is longer than 1 MiB; is a closing quote missing?"
            )
        }
        let count = line.withUnsafeBytes {
            csv_parse(
                parser,
                $0.baseAddress,
                $0.count,
                Self.field,
                Self.row,
                Unmanaged.passUnretained(self).toOpaque()
            )
        }
        let row = try finished(count == line.count, number)
        // Of such a line libcsv makes nothing, and the next one begins a row.
        if isEmpty { pending = 0 }
        return row
    }

    /// Divides a line at its delimiters.
    private func divide(_ line: ArraySlice<UInt8>, _ number: Int) throws(ListerFailure) -> [String]? {
        firstLine = number
        let line = line.withoutLineEnd
        guard line.contains(where: { $0 != 0x20 }) else { return nil }
        let parts = line.split(
            separator: delimiter,
            maxSplits: Self.mostFields,
            omittingEmptySubsequences: false
        )
        isTooWide = parts.count > Self.mostFields
        rows = [
            parts.enumerated().map { index, part in
                TextDecoder.text(part.trimmingSpaces, isURL: index == urlColumn)
            }
        ]
        return try finished(true, number)
    }

    /// Returns the last row of a list that doesn't end with a line ending.
    ///
    /// - Throws: ``ListerFailure`` for one that ends inside of quotes, which may have swallowed many rows.
    func end(number: Int) throws(ListerFailure) -> [String]? {
        csv_set_opts(parser, UInt8(CSV_STRICT | CSV_STRICT_FINI))
        let status = csv_fini(parser, Self.field, Self.row, Unmanaged.passUnretained(self).toOpaque())
        guard status == 0 || isTooWide else {
            throw ListerFailure(
                "unexpected_shape",
                "the row that begins at line \(firstLine) has no end; is a closing quote missing?"
            )
        }
        return try finished(true, number)
    }

    private func finished(_ isRead: Bool, _ number: Int) throws(ListerFailure) -> [String]? {
        guard isRead, !isTooWide else {
            let reason = isTooWide ? "has more than \(Self.mostFields) fields" : "can't be read"
            throw ListerFailure("unexpected_shape", "the row at line \(number) \(reason)")
        }
        guard let row = rows.first else { return nil }
        rows = []
        pending = 0
        return row
    }

    private static let field:
        @convention(c) (UnsafeMutableRawPointer?, Int, UnsafeMutableRawPointer?) -> Void = {
            bytes,
            count,
            context in
            guard let context else { return }
            let parser = Unmanaged<RowParser>.fromOpaque(context).takeUnretainedValue()
            guard parser.fields.count < mostFields else {
                parser.isTooWide = true
                return
            }
            let field = UnsafeRawBufferPointer(start: bytes, count: count)
            let isURL = parser.fields.count == parser.urlColumn
            parser.fields.append(TextDecoder.text(field, isURL: isURL))
        }

    private static let row: @convention(c) (Int32, UnsafeMutableRawPointer?) -> Void = { _, context in
        guard let context else { return }
        let parser = Unmanaged<RowParser>.fromOpaque(context).takeUnretainedValue()
        parser.rows.append(parser.fields)
        parser.fields = []
    }
}

extension ArraySlice<UInt8> {
    /// The bytes without spaces around them, which libcsv leaves out, too.
    fileprivate var trimmingSpaces: ArraySlice<UInt8> {
        var rest = drop { $0 == 0x20 }
        while rest.last == 0x20 { rest.removeLast() }
        return rest
    }
}

import ExportFormats
import Glibc

/// Jobs as comma-separated values.
final class CSVWriter: ExportWriter {
    private let file: LineFile
    private let coordinates: Coordinates
    private let isRaw: Bool

    /// Rows for a file, which has a heading or gets one.
    init(_ file: LineFile, _ coordinates: Coordinates, isRaw: Bool) throws {
        (self.file, self.coordinates, self.isRaw) = (file, coordinates, isRaw)
        if file.isEmpty { try file.bytes.add(CSVFormat.heading) }
    }

    var endedAfter: Int64? { file.lastEnded }

    func write(_ item: ExportedPage.Item, of page: ExportedPage) throws -> LeftOut.Reason? {
        try file.bytes.add { CSVFormat.write(item.job, in: coordinates, isRaw: isRaw, to: &$0) }
        return nil
    }

    func finish() throws { try file.finish() }
    func abandon() { file.abandon() }
}

/// Jobs as JSON Lines.
final class JSONLinesWriter: ExportWriter {
    private let file: LineFile
    private let coordinates: Coordinates

    /// Lines for a file.
    init(_ file: LineFile, _ coordinates: Coordinates) throws {
        (self.file, self.coordinates) = (file, coordinates)
    }

    var endedAfter: Int64? { file.lastEnded }

    func write(_ item: ExportedPage.Item, of page: ExportedPage) throws -> LeftOut.Reason? {
        try file.bytes.add { try JSONLinesFormat.write(item, of: page, in: coordinates, to: &$0) }
        return nil
    }

    func finish() throws { try file.finish() }
    func abandon() { file.abandon() }
}

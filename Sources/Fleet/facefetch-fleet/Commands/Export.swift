import ArgumentParser
import ExportFormats
import Glibc
import SourceCore

/// Writes records in the formats of other programs.
struct Export: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Writes records, pictures and faces in the formats of other programs, on standard output.",
        discussion: """
            csv and jsonl have every job that ended, the others the pictures whose faces were counted: coco, wider, \
            label-studio and img2dataset, as "facefetch export" has them. Their path is that of the document: a \
            path, or a URI such as file://NODE/path or s3://BUCKET/key. What needs the pictures themselves (yolo, \
            voc, imagefolder, webdataset, bagit, xmp) is made of jsonl by "facefetch export --from -", wherever the \
            documents can be read.

            With --after it has what was recorded behind a cursor of results, and the last line on standard error is \
            the cursor to go on with.
            """
    )

    /// A format.
    enum Format: String, CaseIterable, ExpressibleByArgument {
        case csv, jsonl, coco, wider
        case labelStudio = "label-studio"
        case img2dataset
    }

    @OptionGroup var config: ConfigOptions
    @Option(
        help: ArgumentHelp(
            "The format: \(Format.allCases.map(\.rawValue).joined(separator: ", ")).",
            valueName: "format"
        )
    )
    var format: Format
    @Option(help: ArgumentHelp("Only jobs of this batch.", valueName: "number"))
    var batch: Int64?
    @Option(
        help: ArgumentHelp("Goes on behind this.", valueName: "cursor"),
        transform: FleetCursor.init(argument:)
    )
    var after: FleetCursor?
    @Option(
        help: ArgumentHelp(
            "What boxes are of, upright or stored: upright by default, but for img2dataset.",
            valueName: "kind"
        )
    )
    var coordinates: Coordinates?
    @Flag(help: "Leaves texts as they are that a spreadsheet would take for formulas (csv).")
    var raw = false

    func validate() throws {
        if raw, format != .csv { throw ValidationError("--raw is for csv.") }
    }

    func run() throws {
        let queue = try config.queue()
        try config.check(batch, queue)
        if let after { try asked { try after.check(queue) } }
        var document = ExportedDocument(format, coordinates, isRaw: raw)
        try Output.bytes(document.opening)
        var cursor = after?.cursor ?? .start
        while true {
            let page = try asked {
                try queue.records(after: cursor, of: batch, as: .job, isLast: after == nil)
            }
            guard let last = page.last else { break }
            try Output.bytes(document.text(of: page.map { $0.json }))
            cursor = last.cursor
        }
        try document.close(Output.bytes)
        if document.leftOut > 0 {
            Output.note("\(document.leftOut) pictures are left out: their size isn't known.")
        }
        if after != nil { Output.note(cursor.text) }
    }
}

extension Coordinates: ExpressibleByArgument {}

/// An export as text, piece by piece.
struct ExportedDocument {
    private let format: Export.Format
    private let chosen: Coordinates?
    private let isRaw: Bool
    private var coco: COCOFormat
    private var labelStudio: LabelStudioFormat
    /// The annotations of COCO, which follow all images.
    private var annotations: SetAside
    /// The number of pictures whose size isn't known.
    private(set) var leftOut = 0

    /// An export that has nothing yet.
    ///
    /// - Parameter limit: The number of bytes to set aside in memory.
    init(_ format: Export.Format, _ chosen: Coordinates?, isRaw: Bool = false, limit: Int = 1 << 20) {
        (self.format, self.chosen, self.isRaw) = (format, chosen, isRaw)
        annotations = SetAside(limit: limit)
        coco = COCOFormat(in: chosen ?? .upright)
        labelStudio = LabelStudioFormat(in: chosen ?? .upright)
    }

    /// The text before the first record.
    var opening: [UInt8] {
        switch format {
        case .csv: CSVFormat.heading
        case .coco: coco.opening
        case .labelStudio: labelStudio.opening
        case .jsonl, .wider, .img2dataset: []
        }
    }

    /// Writes the text behind the last record, piece by piece.
    func close(_ write: ([UInt8]) throws(FleetFailure) -> Void) throws(FleetFailure) {
        switch format {
        case .coco:
            try write(coco.middle)
            try annotations.read(write)
            try write(coco.closing)
        case .labelStudio: try write(labelStudio.closing)
        case .csv, .jsonl, .wider, .img2dataset: break
        }
    }

    /// Returns the text of records that are in a daemon's form, with passwords in URLs masked.
    ///
    /// - Throws: ``FleetFailure`` if one makes no sense.
    mutating func text(of records: [String]) throws(FleetFailure) -> [UInt8] {
        let list = records.map { UserInformation.masked(in: $0) }.joined(separator: ",")
        let page: ExportedPage
        do throws(NoJob) { page = try ExportedPage(Array("{\"items\":[\(list)]}".utf8)) } catch {
            throw FleetFailure(.unsuccessful, "The database has a record that makes no sense.")
        }
        var text: [UInt8] = []
        for item in page.items {
            switch format {
            case .csv: CSVFormat.write(item.job, in: chosen ?? .upright, isRaw: isRaw, to: &text)
            case .jsonl:
                do throws(NoJob) {
                    try JSONLinesFormat.write(item, of: page, in: chosen ?? .upright, to: &text)
                } catch {
                    throw FleetFailure(.unsuccessful, "The database has a record that makes no sense.")
                }
            case .coco, .wider, .labelStudio, .img2dataset: write(item.job, to: &text)
            }
        }
        try annotations.spill()
        return text
    }

    private mutating func write(_ job: ExportedJob, to text: inout [UInt8]) {
        guard job.detection?.isCounted == true else { return }
        let usual = format == .img2dataset ? Img2DatasetFormat.coordinates(of: job) : .upright
        guard let picture = job.picture(in: chosen ?? usual) else {
            leftOut += 1
            return
        }
        switch format {
        case .coco: coco.write(job, picture, images: &text, annotations: &annotations.bytes)
        case .wider: WIDERFormat.write(job, picture, to: &text)
        case .labelStudio: labelStudio.write(job, picture, to: &text)
        case .img2dataset: Img2DatasetFormat.write(job, picture, to: &text)
        case .csv, .jsonl: break
        }
    }
}

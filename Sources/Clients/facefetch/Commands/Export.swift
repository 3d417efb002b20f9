import ArgumentParser
import ControlAPI
import ExportFormats
import Glibc

/// `facefetch export`: what is known of pictures and faces, for other programs.
struct Export: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Writes jobs, pictures and faces in the formats of other programs.",
        discussion: """
            csv and jsonl have every job that ended, and bagit every document. All others have the pictures whose faces were counted, \
            and name on standard error what they leave out, such as pictures whose size isn't known.

            FORMATS
              csv           a row for each job, for spreadsheets
              jsonl         a line of JSON for each job, as "facefetch list --json" has it
              coco          annotations as COCO has them, one file
              yolo          a folder with images/ (links, or copies) and labels/
              wider         ground truth as WIDER FACE has it
              label-studio  tasks with predictions, for Label Studio's local files
              img2dataset   URLs with boxes to blur (--input_format jsonl --bbox_col bbox)
              webdataset    a folder of tar archives with pictures and their JSON
              voc           Pascal VOC: Annotations/, and JPEGImages/ (links, or copies)
              imagefolder   a folder for Hugging Face's datasets, with metadata.jsonl
              bagit         a bag (RFC 8493): copies of documents, SHA-256s and the csv
              xmp           NAME.xmp for each picture with faces, beside it or in --out

            Boxes are of the picture as people see it, its EXIF orientation applied; programs that don't \
            apply it need --coordinates stored. XMP always has those of the file. img2dataset gets what it \
            reads: upright for TIFF, stored for everything else, unless --coordinates says otherwise.

            What yolo and voc copy is upright in its pixels, unless --coordinates is stored. imagefolder has \
            boxes of the upright picture, since its reader turns pictures; formats that this can't read are \
            copied, and others linked. bagit has the documents of jobs that are done.

            A file is written under a temporary name, and takes the place of an old one when it is whole. \
            With --append, lines are added to it instead, of what ended since its last one: give the same \
            filter, --coordinates and --raw each time, since a table doesn't say which it was made with. \
            Sidecars of others are never touched.

            EXAMPLES
              facefetch export --format csv --out faces.csv
              facefetch export --format coco --out faces.json --min-faces 1 --source museum
              facefetch export --format jsonl --out all.jsonl --append
              facefetch export --format bagit --out bag --source museum
              facefetch export --format xmp
              facefetch-fleet export --format jsonl | facefetch export --from - --format yolo --out set
            """
    )

    @OptionGroup var connection: ConnectionOptions

    @Option(help: ArgumentHelp("The format: \(ExportFormat.list).", valueName: "format"))
    var format: ExportFormat

    @Option(
        help: ArgumentHelp(
            """
            The file to write; a folder for yolo, voc, imagefolder, webdataset, bagit and xmp; - for standard \
            output (csv, jsonl).
            """,
            valueName: "path"
        ),
        completion: .file()
    )
    var out: String?

    @OptionGroup(title: "Which jobs") var filter: ExportFilter

    @Option(
        help: ArgumentHelp(
            """
            The jobs of a file instead of a daemon's: what facefetch-fleet export --format jsonl writes; - for \
            standard input.
            """,
            valueName: "file"
        ),
        completion: .file()
    )
    var from: String?

    @Option(
        help: ArgumentHelp(
            """
            Where documents are here whose address begins with a prefix, such as s3://pictures/=/mnt/pictures or \
            file://fetch-1/=/. May be repeated, with --from.
            """,
            valueName: "prefix=folder"
        )
    )
    var at: [String] = []

    @Option(
        help: ArgumentHelp(
            "What boxes are of, upright or stored: upright by default, but for img2dataset and xmp.",
            valueName: "kind"
        )
    )
    var coordinates: Coordinates?

    @Flag(help: "Adds what ended since the last line of the file (csv, jsonl).")
    var append = false

    @Flag(help: "Leaves texts as they are that a spreadsheet would take for formulas (csv, bagit).")
    var raw = false

    @Flag(help: "Copies pictures instead of linking to them (yolo, voc, imagefolder).")
    var copy = false

    func validate() throws {
        let isTable = format == .csv || format == .jsonl
        if out == nil, format != .xmp { throw ValidationError("Say where to, with --out.") }
        if out?.isEmpty == true { throw ValidationError("--out needs a path.") }
        if out == "-", !isTable { throw ValidationError("Only csv and jsonl can go to standard output.") }
        if append, !isTable || out == "-" { throw ValidationError("--append is for files of csv and jsonl.") }
        if from != nil, append || filter.endedAfter != nil || !filter.isOfAll {
            throw ValidationError("With --from, whoever wrote the file has chosen the jobs.")
        }
        if from == nil, !at.isEmpty { throw ValidationError("--at goes with --from.") }
        if let wrong = at.first(where: { DocumentMapping(argument: $0) == nil }) {
            throw ValidationError("--at \(wrong) isn't like s3://pictures/=/mnt/pictures.")
        }
        if append, filter.endedAfter != nil {
            throw ValidationError(
                "Give either --append or --ended-after: the file's last line says where to go on."
            )
        }
        if raw, ![.csv, .bagit].contains(format) { throw ValidationError("--raw is for csv and bagit.") }
        if copy, ![.yolo, .voc, .imagefolder].contains(format) {
            throw ValidationError("--copy is for yolo, voc and imagefolder.")
        }
        if format == .xmp, coordinates == .upright {
            throw ValidationError("XMP has coordinates of the stored pixels, and no others.")
        }
        if format == .imagefolder, coordinates == .stored {
            throw ValidationError("imagefolder has coordinates of the upright picture, and no others.")
        }
    }

    func run() throws {
        // Of what goes into a pipe nothing is to be taken away: a signal ends this at once, even while nobody
        // reads there.
        let isInPlace = out.map(NewFile.isWrittenInPlace) ?? false
        let signals = try SignalPipe(isInPlace ? [] : [SIGINT, SIGTERM, SIGHUP])
        let client = try connection.client()
        let ended = EndedJobs(
            client: client,
            filter: filter,
            endings: format.hasEveryJob ? [.done, .failed, .cancelled] : [.done]
        )
        let places = at.compactMap { DocumentMapping(argument: $0) }
        let lines = from.map { LineJobs(path: $0, places: places, hasEveryJob: format.hasEveryJob) }
        let run = ExportRun(jobs: lines ?? ended, signals: signals)
        if let number = try run.run(into: try writer(client, signals.descriptor)) {
            throw SignalPipe.die(by: number)
        }
    }

    private func writer(_ client: ControlClient, _ signals: Int32) throws -> any ExportWriter {
        let coordinates = coordinates ?? .upright
        let out = out ?? "-"
        switch format {
        case .csv: return try CSVWriter(try lines(out), coordinates, isRaw: raw)
        case .jsonl: return try JSONLinesWriter(try lines(out), coordinates)
        case .coco: return try COCOWriter(try NewFile(out), coordinates)
        case .wider: return PictureListWriter(try NewFile(out), coordinates, WIDERFormat.write)
        case .img2dataset: return Img2DatasetWriter(try NewFile(out), self.coordinates)
        case .labelStudio: return try LabelStudioWriter(try NewFile(out), coordinates)
        case .yolo:
            return try YOLOWriter(try NewFolder(out), coordinates, isCopying: copy, signals: signals)
        case .voc:
            return try VOCWriter(try NewFolder(out), coordinates, isCopying: copy, signals: signals)
        case .imagefolder:
            return try ImageFolderWriter(try NewFolder(out), isCopying: copy, signals: signals)
        case .bagit:
            return try BagItWriter(try NewFolder(out), coordinates, isRaw: raw)
        case .webdataset: return try WebDatasetWriter(try NewFolder(out), coordinates)
        case .xmp: return try SidecarWriter(folder: self.out, client: from == nil ? client : nil)
        }
    }

    private func lines(_ out: String) throws -> LineFile {
        let kind: LineScan.Kind = format == .csv ? .csv : .jsonl
        if append, let old = try AppendedFile(out, kind, coordinates ?? .upright) { return .old(old) }
        return .new(try NewFile(out))
    }
}

/// A format that exports can have.
enum ExportFormat: String, CaseIterable, ExpressibleByArgument {
    case csv, jsonl, coco, yolo, wider
    case labelStudio = "label-studio"
    case img2dataset, webdataset, voc, imagefolder, bagit, xmp

    /// All of them, for help texts.
    static var list: String { allCases.map(\.rawValue).joined(separator: ", ") }

    /// True if it has jobs that failed and documents that aren't pictures, too.
    var hasEveryJob: Bool { self == .csv || self == .jsonl }
}

extension Coordinates: ExpressibleByArgument {}

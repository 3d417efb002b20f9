import ArgumentParser
import ControlAPI
import DetectorProtocol
import Glibc
import Vocabulary

/// `facefetch copies`: copies of pictures with their faces marked, cut out or hidden.
struct Copies: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "copies",
        abstract: "Makes copies of pictures, with their faces marked, cut out or hidden.",
        usage: "facefetch copies --annotated|--crops|--redacted --out DIR [OPTION]...",
        discussion: """
            Documents stay as they are. Each copy is made from pixels, by facefetch-detector, which has \
            each picture decoded by a process of its own in a sandbox. Copies are upright and in sRGB, \
            and hold pixels and nothing else: no EXIF data with its thumbnail, no position, no profile. \
            As many pictures are copied at once as there are processors.

            KINDS
              --annotated  the picture with a box around each face, as NAME-jN-faces.jpg
              --crops      each face with some room around it, as NAME-jN-face1.jpg…
              --redacted   the picture with its faces hidden, as NAME-jN-redacted.jpg

            N is the job, so that no two pictures have copies of one name. Copies of JPEG, WebP, HEIC, \
            AVIF, JPEG XL, JPEG 2000 and of RAW files' previews are JPEGs, and those of PNG, GIF, TIFF and BMP are PNGs; annotated ones are JPEGs of at \
            most 4096 pixels a side. What has more than a hundred million pixels is shrunk.

            Boxes and crops are of the faces that are known, so they are of jobs that are done; --redacted \
            takes every document that is stored, also those that nobody has looked at yet. Crops have three \
            tenths of a face's size around it. --aligned turns \
            and scales faces to the 112 by 112 pixels that networks such as ArcFace take, with eyes, nose \
            and mouth in their places; that needs faces found by yunet.

            For --redacted, each picture is looked at once more, in all sizes, and what is far less sure \
            than what is counted is hidden, too, with three tenths of its size around it. That takes as \
            long as looking for faces with detection.small-faces: always, which for small pictures is twice \
            as long as with auto, and for large ones many times. Faces can be \
            missed all the same: look at the copies before you hand them on, first of all at those with \
            faces of low confidence, which are listed on standard output. yunet finds many more faces \
            than haar; it is taken where --model gives its file, or where "facefetch model install" has \
            put one. Black is the safest. --with mosaic and blur leave a few coarse \
            colours, from which a person may still be guessed, and black where a face would still be found \
            in them; they take longer.

            A copy takes its name when it is whole. A file that is there is kept unless --replace is \
            given, so what was interrupted goes on when it is run again. Nothing is ever deleted: crops of \
            an earlier run that had more faces are named on standard error. What can't be copied is named \
            there as well, and the exit status is 1.

            EXAMPLES
              facefetch copies --crops --square --out faces --min-faces 1
              facefetch copies --redacted --out public --source museum
              facefetch copies --annotated --out look --batch b3
            """
    )

    @OptionGroup var connection: ConnectionOptions

    @Flag(help: "Copies with a box around each face.")
    var annotated = false

    @Flag(help: "Each face as a picture of its own.")
    var crops = false

    @Flag(help: "Copies with hidden faces.")
    var redacted = false

    @Option(
        help: ArgumentHelp("The folder for the copies, which is made if it isn't there.", valueName: "dir"),
        completion: .directory
    )
    var out: String

    @OptionGroup(title: "Which jobs") var filter: ExportFilter

    @Flag(help: "Crops are squares.")
    var square = false

    @Flag(help: "Crops are aligned faces of 112 by 112 pixels.")
    var aligned = false

    @Option(help: ArgumentHelp("What hides faces: solid (the default), mosaic or blur.", valueName: "what"))
    var with: String?

    @Option(
        help: ArgumentHelp(
            "The engine that looks for faces to hide: \(DetectionEngine.list).",
            valueName: "engine"
        )
    )
    var engine: DetectionEngine?

    @Option(help: ArgumentHelp("The network for yunet.", valueName: "file"), completion: .file())
    var model: String?

    @Flag(help: "Copies take the place of files that have their names.")
    var replace = false

    @Option(
        help: ArgumentHelp(
            "Pictures to copy at once; as many as there are processors unless given.",
            valueName: "n"
        )
    )
    var workers: Int?

    func validate() throws {
        guard [annotated, crops, redacted].count(where: \.self) == 1 else {
            throw ValidationError("Say what to make: --annotated, --crops or --redacted.")
        }
        if out.isEmpty { throw ValidationError("--out needs a folder.") }
        if square || aligned, !crops { throw ValidationError("--square and --aligned are for --crops.") }
        if square, aligned { throw ValidationError("Give either --square or --aligned.") }
        if let with {
            guard redacted else { throw ValidationError("--with is for --redacted.") }
            guard ["solid", "mosaic", "blur"].contains(with) else {
                throw ValidationError("--with is solid, mosaic or blur.")
            }
        }
        if engine != nil || model != nil, !redacted {
            throw ValidationError(
                "--engine and --model are for --redacted: others go by the faces that are known."
            )
        }
        if let workers, !(1...64).contains(workers) { throw ValidationError("--workers is 1 to 64.") }
    }

    func run() throws {
        let signals = try SignalPipe([SIGINT, SIGTERM, SIGHUP])
        let jobs = EndedJobs(
            client: try connection.client(),
            filter: filter,
            endings: redacted ? [.stored, .done] : [.done]
        )
        let program = try OwnProgram.find("facefetch-detector", for: "Copies are made")
        let crew = CopyCrew(
            program: program,
            arguments: arguments,
            size: workers ?? max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        )
        let run = CopyRun(jobs: jobs, kind: kind, isReplacing: replace, crew: crew, signals: signals)
        if let number = try run.run() { throw SignalPipe.die(by: number) }
        if run.hasFailures { throw ExitStatus.unsuccessful }
    }

    private var kind: CopyKind {
        if crops { return aligned ? .aligned : .crops }
        return redacted ? .redacted : .annotated
    }

    /// Arguments for the workers.
    private var arguments: [String] {
        // A name that begins with a hyphen isn't a flag.
        let folder = out.hasPrefix("/") ? out : "./" + out
        var words = ["--serve-copies"]
        switch kind {
        case .annotated: words += ["--annotate", folder]
        case .crops: words += ["--crops", folder] + (square ? ["--square"] : [])
        case .aligned: words += ["--crops", folder, "--aligned"]
        case .redacted:
            words += ["--redact", folder, "--with", with ?? "solid"]
            let model = model ?? (engine == .haar ? nil : Self.installedModel)
            let engine = engine ?? (model == nil ? .haar : .yunet)
            words += ["--engine", engine.rawValue]
            if let model { words += ["--model", model] }
        }
        return words + (replace ? ["--replace"] : [])
    }

    /// A network that was found.
    private static var installedModel: String? {
        // The last is where facefetch-detector(1) once said to put it.
        FoundNetwork.find(in: NetworkFolders.all() + ["/usr/local/share/facefetch"])?.path
    }
}

/// The kind of copies that are made of pictures.
enum CopyKind {
    case annotated, crops, aligned, redacted
}

import ArgumentParser
import FaceDetection

/// The copies to make, as chosen on the command line.
struct CopyOptions: ParsableArguments {
    /// A discussion of each kind of copy, for help texts.
    static let discussion = """
        Copies hold pixels and nothing else of a picture's file: no EXIF data
        with its thumbnail, no position, no profile. They are upright and in
        sRGB. Copies of JPEG, WebP, HEIC, AVIF, JPEG XL, JPEG 2000 and of RAW
        files' previews are JPEGs, those of PNG, GIF, TIFF and BMP are PNGs,
        and those with boxes are JPEGs. What has more than
        a hundred million pixels is shrunk. A copy takes its name when it is
        whole, and never that of another file unless --replace is given.
        Nothing is deleted: crops of an earlier run that had more faces are
        named on standard error.

        --crops cuts each face out with three tenths of its size around it,
        as NAME-face1.jpg and so on. --aligned turns and scales it instead to
        the 112 by 112 pixels that networks such as ArcFace take, with eyes,
        nose and mouth in their places; that needs yunet.

        --redact hides each face, with as much around it, as
        NAME-redacted.jpg. It looks in all sizes and takes for a face what is
        far less sure than what is counted. Faces can be missed all the same:
        look at the copies before you hand them on, first of all at those
        with doubtful faces. Black, --with solid, is the safest. --with
        mosaic and --with blur leave a few coarse colours, from which a
        person may still be guessed; a face that is still seen in them gets
        coarser ones, and black in the end. That takes longer.
        """

    @Option(
        help: ArgumentHelp(
            "Write a copy of each picture, with the boxes drawn, into this folder.",
            discussion: "Copies are JPEGs of at most \(AnnotatedPicture.longestSide) pixels a side.",
            valueName: "dir"
        ),
        completion: .directory
    )
    var annotate: String?

    @Option(
        help: ArgumentHelp("Write each face as a picture of its own into this folder.", valueName: "dir"),
        completion: .directory
    )
    var crops: String?

    @Option(
        help: ArgumentHelp(
            "Write a copy of each picture, with its faces hidden, into this folder.",
            valueName: "dir"
        ),
        completion: .directory
    )
    var redact: String?

    /// For `facefetch export`, which names the copies.
    @Option(help: .hidden)
    var upright: String?

    @Flag(help: "Crops are squares.")
    var square = false

    @Flag(help: "Crops are aligned faces of 112 by 112 pixels.")
    var aligned = false

    @Option(
        help: ArgumentHelp(
            "What hides faces: \(RedactionStyle.allCases.map(\.rawValue).joined(separator: ", ")); solid by default.",
            valueName: "what"
        )
    )
    var with: RedactionStyle?

    @Flag(help: "Copies take the place of files that have their names, which are kept otherwise.")
    var replace = false

    func validate() throws {
        if [annotate, crops, redact, upright].count(where: { $0 != nil }) > 1 {
            throw ValidationError("give one of --annotate, --crops and --redact at a time")
        }
        if square || aligned, crops == nil { throw ValidationError("--square and --aligned are for --crops") }
        if square, aligned { throw ValidationError("give either --square or --aligned") }
        if with != nil, redact == nil { throw ValidationError("--with is for --redact") }
        if replace, kind == nil { throw ValidationError("--replace is for copies: say which to make") }
    }

    /// The kind of copies to make; nil for none.
    var kind: CopyKind? {
        if annotate != nil { return .annotated }
        if crops != nil { return aligned ? .alignedCrops : .crops(square: square) }
        if redact != nil { return .redacted(with ?? .solid) }
        if upright != nil { return .upright }
        return nil
    }

    /// The folder for copies; nil if none are made.
    var folder: String? { annotate ?? crops ?? redact ?? upright }
}

extension RedactionStyle: ExpressibleByArgument {}

/// The kind of copies that are made of a picture.
enum CopyKind: Hashable {
    /// A copy with boxes around the faces.
    case annotated
    /// Each face with what is around it.
    case crops(square: Bool)
    /// Each face as networks expect it.
    case alignedCrops
    /// A copy with hidden faces.
    case redacted(RedactionStyle)
    /// A copy of the whole picture, upright and in its full size.
    case upright
}

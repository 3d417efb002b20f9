import ArgumentParser
import CLinux
import Confinement
import ControlAPI
import Digests
import FaceDetection
import Glibc

/// The command `facefetch-detector`, which counts the faces in pictures, by hand or for the daemon.
@main
struct DetectorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "facefetch-detector",
        abstract: "Counts the faces in pictures.",
        usage:
            "facefetch-detector [--engine \(EngineOptions.names("|"))] [--model FILE] [--annotate DIR|--crops DIR|--redact DIR] FILE...",
        discussion: """
            Prints one line of JSON for each file, in order, with the keys
              file        the name as given
              outcome     "counted"; "unreadable" for what is not a picture;
                          "crashed" or "timed_out" where decoding went wrong;
                          "out_of_resources" where nobody could look, since
                          the machine has no descriptor, process or memory
                          left: try again later; with --redact also "kept"
                          where the copy was there, so that nobody looked, and
                          "failed" where it could not be written
              face_count  how many faces, null when not counted
              faces       x, y, width, height in pixels of the upright picture
                          at full resolution, and a confidence; the surest
                          face comes first. landmarks, with yunet: right eye,
                          left eye, nose, right and left corner of the mouth,
                          an x and a y each; null with haar
              looks       the sizes that the picture was looked at in: its
                          longer side in pixels, a number for each look
              engine      the engine that looked
              seconds     how long it took
              damaged     true where much of a JPEG's data is damaged, so that
                          faces may be missing; there is no such key otherwise
              fingerprint 16 hexadecimal digits that tell what the picture looks
                          like: those of its copies in another size, quality
                          or format differ in few of the 64 bits; there is no
                          such key for a picture without anything in it
              turned      with --turned auto: 90, 180 or 270 where the faces were
                          seen only in the picture turned clockwise by so
                          many degrees; there is no such key otherwise
              copies      with --annotate, --crops and --redact: the names of
                          the picture's copies
              doubtful    with --redact: of the faces, those that counting
                          would not count
            and for each unreadable file the reason, on standard error.

            JPEG, PNG, WebP, GIF, TIFF, HEIC, AVIF, JPEG XL, JPEG 2000, BMP and
            the RAW files of cameras are read, recognized by their content and never by their name; of
            animations and documents of many pages, only the first picture in
            full resolution; of RAW files the preview, if it has 640 pixels or
            more. Each is decoded by a process of its own, in a sandbox that
            can't open, connect or start anything.

            \(EngineOptions.discussion)

            \(CopyOptions.discussion)

            \(EngineOptions.models)

            EXIT STATUS
              0  all files were counted, and all copies are there
              1  a file could not be looked at, or a copy not be made
              2  bad usage
            """,
        version: "facefetch-detector \(ProductVersion.current)"
    )

    @OptionGroup var engine: EngineOptions

    @OptionGroup(title: "Copies") var copies: CopyOptions

    @Flag(help: .hidden)
    var serve = false

    @Flag(help: .hidden)
    var servePictures = false

    @Flag(help: .hidden)
    var serveCopies = false

    @Option(help: .hidden)
    var checkSandbox: String?

    @Option(help: .hidden)
    var documents: [String] = []

    @Option(help: .hidden)
    var timeLimit: Double?

    @Flag(
        help:
            "Refuse to work on a kernel without Landlock, instead of doing without that part of the sandbox."
    )
    var requireLandlock = false

    @Argument(help: ArgumentHelp("The pictures to look at.", valueName: "file"), completion: .file())
    var files: [String] = []

    func validate() throws {
        if let timeLimit, !(0.001...86400).contains(timeLimit) {
            throw ValidationError("--time-limit is \(timeLimit); give seconds, at most 86400")
        }
        if copies.upright != nil, !serveCopies {
            throw ValidationError("--upright is for --serve-copies")
        }
        if copies.aligned, engine.looking != .yunet, !serveCopies {
            throw ValidationError(
                "--aligned needs --engine yunet, which tells where eyes, nose and mouth are"
            )
        }
        if serveCopies, copies.kind == nil { throw ValidationError("--serve-copies needs a kind of copy") }
        if serve || servePictures || serveCopies || checkSandbox != nil {
            if !files.isEmpty {
                throw ValidationError("--serve, --serve-pictures and --check-sandbox take no files")
            }
        } else if files.isEmpty {
            throw ValidationError("give the pictures to look at, such as: facefetch-detector a.jpg")
        }
    }

    func run() throws {
        OwnProcess.ensureOneThread()
        if let checkSandbox {
            return try self.check(sandboxAt: checkSandbox)
        }
        // This also applies to the decoders. It may fail in a container, which doesn't matter.
        if serve { OwnProcess.lowerPriority() }
        // First of all, while there is one thread and nothing to be seen.
        let decoders = try Decoders(
            limit: .seconds(timeLimit ?? 300),
            isPatient: !serve && !servePictures
        )
        // Pictures and copies are encoded here, and the library can't be set up in the sandbox.
        if serve || servePictures || copies.kind != nil, let failure = VipsLibrary.failure {
            throw ValidationError("libvips can't be used: \(failure)")
        }
        if servePictures {
            try PictureServer(decoders: decoders).run(
                documents: documents,
                requireLandlock: requireLandlock
            )
            return
        }
        if serve {
            let detectors = try engine.loadAll().map {
                FaceDetector(
                    engine: $0,
                    smallFaces: engine.smallFaces ?? .auto,
                    turned: engine.turned,
                    limit: limit
                )
            }
            try RequestServer(detectors: detectors, decoders: decoders).run(
                documents: documents,
                requireLandlock: requireLandlock
            )
            return
        }
        let maker = try maker(decoders)
        // Each look of another size takes other buffers: fetching them anew takes a tenth of the time.
        if copies.redact != nil { CLinux_keep_freed_memory(64 << 20) }
        if serveCopies, let maker, let folder = copies.folder {
            let detector = copies.redact == nil ? nil : try detector()
            try CopyServer(maker: maker, detector: detector, decoders: decoders).run(
                documents: documents,
                folder: folder
            )
            return
        }
        try FileReport(detector: try detector(), decoders: decoders, maker: maker, folder: copies.folder)
            .run(files: files, requireLandlock: requireLandlock || maker != nil)
    }

    /// Tries what the sandboxes should refuse.
    private func check(sandboxAt inside: String) throws {
        let (check, limit) = (SandboxCheck(inside: inside), Duration.seconds(timeLimit ?? 1))
        let server = try ForkServer(.decoding, limit: limit) { () throws(SandboxFailure) in
            try DecoderProcess.prepare()
            return check.work(limits: Decoders.limits)
        }
        let sandbox = Sandbox(
            .decoding,
            limits: Decoders.limits,
            readable: [inside],
            requireLandlock: requireLandlock
        )
        let holds = try check.run(server, in: sandbox, requireLandlock: requireLandlock) { ending in
            LostDecoder(ending, limit: limit)?.description
        }
        let still = open(inside, O_RDONLY | O_CLOEXEC)
        Streams.say(still < 0 ? "REFUSED: read inside" : "allowed: read inside", to: STDOUT_FILENO)
        guard holds, still >= 0 else { throw ExitCode(1) }
    }

    private func detector() throws -> FaceDetector {
        FaceDetector(
            engine: try engine.load(),
            smallFaces: engine.smallFaces ?? (copies.redact == nil ? .auto : .always),
            turned: engine.turned,
            limit: limit
        )
    }

    /// The time that a picture may take: the daemon, whose limit is shorter than the decoders', waits no
    /// longer.
    private var limit: Duration { .seconds(max(0, (timeLimit ?? 300) - 5)) }

    /// Returns the maker of copies, if any are wanted; opens their folder.
    private func maker(_ decoders: Decoders) throws -> CopyMaker? {
        guard let kind = copies.kind, let path = copies.folder else { return nil }
        do {
            let folder = try CopyFolder(path, isMaking: true)
            return CopyMaker(kind, into: folder, decoders: decoders, isReplacing: copies.replace)
        } catch {
            throw ValidationError(error.description)
        }
    }

    /// Replaces ArgumentParser's own main, so that wrong usage exits with 2 instead of sysexits' 64.
    static func main() {
        // Networks are known by their sums, and so are the files that copies are made of.
        SHA256.prepareForSandbox()
        do {
            var command = try parseAsRoot()
            try command.run()
        } catch {
            let status = exitCode(for: error)
            let text = fullMessage(for: error)
            if !text.isEmpty { Streams.say(text, to: status.isSuccess ? STDOUT_FILENO : STDERR_FILENO) }
            Self.exit(withError: ExitCode(status == .validationFailure ? 2 : status.rawValue))
        }
    }
}

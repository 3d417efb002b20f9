import ArgumentParser
import FaceDetection

/// `facefetch-detector`: counts the faces in pictures, by hand or for the daemon.
@main
struct DetectorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "facefetch-detector",
        abstract: "Counts the faces in pictures.",
        usage: "facefetch-detector [--engine haar|yunet] [--model FILE] [--annotate DIR] FILE...",
        discussion: """
            Prints one line of JSON for each file, in order, with the keys
              file        the name as given
              outcome     "counted", or "unreadable" for what is no picture
              face_count  how many faces, null when unreadable
              faces       x, y, width, height in pixels of the upright picture
                          at full resolution, and a confidence; the surest
                          face comes first
              engine      the engine that looked
              seconds     how long it took
            and for each unreadable file the reason, on standard error.

            JPEG, PNG, WebP, GIF, TIFF, HEIC and AVIF are read, told by what
            is in the file, never by its name; of animations and documents of
            many pages, the first. Pictures are decoded in a sandbox that
            can't write, connect or start anything.

            The engine "haar" needs nothing further; its confidence is the sum
            of the cascade's last stage, which has no upper end. The engine
            "yunet" finds more; it needs face_detection_yunet_2023mar.onnx of
            OpenCV's model zoo, and its confidence goes from 0 to 1.

            EXIT STATUS
              0  all files were counted
              1  a file could not be looked at
              2  bad usage
            """
    )

    @OptionGroup var engine: EngineOptions

    @Option(
        help: ArgumentHelp(
            "Write a copy of each picture, with the boxes drawn, into this folder.",
            discussion: "Copies are JPEGs of at most \(AnnotatedPicture.longestSide) pixels a side.",
            valueName: "dir"
        ),
        completion: .directory
    )
    var annotate: String?

    @Flag(help: .hidden)
    var serve = false

    @Option(help: .hidden)
    var checkSandbox: String?

    @Option(help: .hidden)
    var documents: [String] = []

    @Flag(
        help:
            "Refuse to work on a kernel without Landlock, instead of doing without that part of the sandbox."
    )
    var requireLandlock = false

    @Argument(help: ArgumentHelp("The pictures to look at.", valueName: "file"), completion: .file())
    var files: [String] = []

    func validate() throws {
        if serve || checkSandbox != nil {
            if !files.isEmpty { throw ValidationError("--serve and --check-sandbox take no files") }
        } else if files.isEmpty {
            throw ValidationError("give the pictures to look at, such as: facefetch-detector a.jpg")
        }
    }

    func run() throws {
        Sandbox.ensureOneThread()
        if serve {
            let detectors = try engine.loadAll().map { FaceDetector(engine: $0) }
            try RequestServer(detectors: detectors).run(
                documents: documents,
                requireLandlock: requireLandlock
            )
            return
        }
        let detector = FaceDetector(engine: try engine.load())
        if let checkSandbox {
            try SandboxCheck(inside: checkSandbox).run(requireLandlock: requireLandlock)
        } else {
            try FileReport(detector: detector, annotations: annotate)
                .run(files: files, requireLandlock: requireLandlock)
        }
    }

    /// As ArgumentParser's own, but bad usage ends with 2, not with sysexits' 64.
    static func main() {
        do {
            var command = try parseAsRoot()
            try command.run()
        } catch {
            let status = exitCode(for: error)
            let text = fullMessage(for: error)
            if !text.isEmpty { StandardStreams.write(text + "\n", to: status.isSuccess ? 1 : 2) }
            Self.exit(withError: ExitCode(status == .validationFailure ? 2 : status.rawValue))
        }
    }
}

import ArgumentParser
import DetectorProtocol
import FaceDetection
import FoundationEssentials
import Glibc

/// Looks at the files given on the command line, and prints a line of JSON for each.
struct FileReport {
    let detector: FaceDetector
    /// The nursery of decoders.
    let nursery: Nursery
    let annotations: String?

    func run(files: [String], requireLandlock: Bool) throws {
        let output = StandardStreams.reserveOutput()
        try nursery.awaitReady(requireLandlock: requireLandlock)
        try Sandbox(readable: files, writable: annotations, requireLandlock: requireLandlock).close()
        for warning in nursery.warnings {
            StandardStreams.write("facefetch-detector: \(warning)\n", to: STDERR_FILENO)
        }
        var complete = true
        for file in files {
            complete = try report(file, to: output) && complete
        }
        guard complete else { throw ExitCode(1) }
    }

    /// Prints a file's line; returns false if the file could not be looked at, or its copy not written.
    private func report(_ file: String, to output: Int32) throws -> Bool {
        let clock = ContinuousClock()
        let start = clock.now
        var outcome = DetectorResponse.Outcome.unreadable.rawValue
        var seen: Findings?
        var problem: String?
        do {
            seen = try detector.look { try nursery.decode(path: file, workingSize: $0) }
            outcome = DetectorResponse.Outcome.counted.rawValue
        } catch let unreadable as UnreadablePicture {
            problem = unreadable.description
        } catch let lost as LostDecoder {
            outcome = lost.outcome
            problem = lost.description
        } catch let lack as LackOfResources {
            outcome = LackOfResources.outcome
            problem = lack.description
        }
        let line = ReportLine(
            file: file,
            outcome: outcome,
            faces: seen?.faces.map(DetectorResponse.Face.init),
            looks: seen?.looks,
            engine: detector.engine.name,
            seconds: (clock.now - start).seconds
        )
        if let seen { problem = annotate(file, seen.faces) }
        guard StandardStreams.write(Array((try line.json() + "\n").utf8), to: output) else {
            throw ExitCode(1)
        }
        if let problem {
            StandardStreams.write("facefetch-detector: \(file): \(problem)\n", to: STDERR_FILENO)
        }
        return problem == nil
    }

    /// Writes the copy with boxes, if wanted; returns the reason if it can't.
    private func annotate(_ file: String, _ faces: [FoundFace]) -> String? {
        guard let annotations else { return nil }
        do {
            let picture = try nursery.decode(path: file, workingSize: AnnotatedPicture.longestSide)
            let copy = try AnnotatedPicture(picture, faces: faces)
            try copy.write(toFolder: annotations, named: URL(filePath: file).lastPathComponent)
            return nil
        } catch {
            return "no annotated copy: \(error)"
        }
    }
}

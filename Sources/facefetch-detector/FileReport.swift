import ArgumentParser
import DetectorProtocol
import FaceDetection
import FoundationEssentials
import Glibc

/// Looks at files that a person has named and prints a line of JSON for each.
struct FileReport {
    let detector: FaceDetector
    let annotations: String?

    func run(files: [String], requireLandlock: Bool) throws {
        let output = StandardStreams.reserveOutput()
        let warning = try Sandbox(
            readable: files,
            writable: annotations,
            requireLandlock: requireLandlock
        ).close()
        if let warning { StandardStreams.write("facefetch-detector: \(warning)\n", to: STDERR_FILENO) }
        var complete = true
        for file in files {
            complete = try report(file, to: output) && complete
        }
        guard complete else { throw ExitCode(1) }
    }

    /// Prints a file's line; false when the file couldn't be looked at, or its copy not written.
    private func report(_ file: String, to output: Int32) throws -> Bool {
        let clock = ContinuousClock()
        let start = clock.now
        let detection = detector.look(at: file)
        let seconds = (clock.now - start).seconds
        let line: ReportLine
        var problem: String?
        switch detection {
        case .counted(let faces, _, _):
            line = ReportLine(
                file: file,
                outcome: .counted,
                faces: faces.map(DetectorResponse.Face.init),
                engine: detector.engine.name,
                seconds: seconds
            )
            problem = annotate(file, faces)
        case .unreadable(let reason):
            line = ReportLine(
                file: file,
                outcome: .unreadable,
                faces: nil,
                engine: detector.engine.name,
                seconds: seconds
            )
            problem = reason
        }
        guard StandardStreams.write(Array((try line.json() + "\n").utf8), to: output) else {
            throw ExitCode(1)
        }
        if let problem {
            StandardStreams.write("facefetch-detector: \(file): \(problem)\n", to: STDERR_FILENO)
        }
        return problem == nil
    }

    /// Writes the copy with boxes, where one is wanted; the reason when it can't.
    private func annotate(_ file: String, _ faces: [FoundFace]) -> String? {
        guard let annotations else { return nil }
        do {
            let copy = try AnnotatedPicture(path: file, faces: faces)
            try copy.write(toFolder: annotations, named: URL(filePath: file).lastPathComponent)
            return nil
        } catch {
            return "no annotated copy: \(error)"
        }
    }
}

import ArgumentParser
import Confinement
import DetectorProtocol
import FaceDetection
import FoundationEssentials
import Glibc
import Vocabulary

/// Looks at the files given on the command line, and prints a line of JSON for each.
struct FileReport {
    let detector: FaceDetector
    /// The decoders of the files.
    let decoders: Decoders
    /// The maker of copies, if any are wanted.
    let maker: CopyMaker?
    /// The folder for them.
    let folder: String?

    func run(files: [String], requireLandlock: Bool) throws {
        let output = Streams.reserveOutput()
        try decoders.confine(readable: files, writable: folder, requireLandlock: requireLandlock)
        for warning in decoders.warnings { Self.complain(warning) }
        var names = CopyMarks()
        var complete = true
        for file in files {
            let subject = CopyMaker.Subject(path: file, name: file, mark: names.mark(for: file))
            do {
                complete = try report(subject, to: output) && complete
            } catch let failure as CopyFailure {
                // The others would cost their time for nothing.
                Self.complain("\(failure); stopped")
                complete = false
                break
            }
        }
        do { try maker?.finish() } catch {
            Self.complain(error.description)
            complete = false
        }
        guard complete else { throw ExitCode(1) }
    }

    /// Prints a file's line; returns false if the file could not be looked at, or its copies not written.
    ///
    /// - Throws: ``CopyFailure`` when no copy can be written any more, after the line.
    private func report(_ subject: CopyMaker.Subject, to output: Int32) throws -> Bool {
        let clock = ContinuousClock()
        let start = clock.now
        var (look, seen, copies) = (Look.unreadable, Findings?.none, CopyMaker.Result?.none)
        var (problem, end) = (String?.none, CopyFailure?.none)
        do {
            if case .redacted = maker?.kind {
                copies = try maker?.redact(subject, by: detector)
                seen = copies?.hidden?.findings
                look = seen == nil ? .kept : .counted
            } else {
                let findings = try detector.look { size in
                    try decoders.decode(path: subject.path, workingSize: size)
                } rows: { size, take in
                    try decoders.rows(path: subject.path, workingSize: size, take)
                }
                (look, seen) = (.counted, findings)
                copies = try make(subject, findings)
            }
        } catch let unreadable as UnreadablePicture {
            if seen == nil, unreadable == .tooMuchTime { look = .lost("timed_out") }
            problem = unreadable.description
        } catch let lost as LostDecoder {
            if seen == nil { look = .lost(LostDecoder.outcome) }
            problem = lost.description
        } catch let lack as LackOfResources {
            if seen == nil { look = .lost(LackOfResources.outcome) }
            problem = lack.description
        } catch let failure as CopyFailure {
            if seen == nil { look = .lost("failed") }
            problem = failure.description
            end = failure.isOfFolder ? failure : nil
        }
        let line = ReportLine(
            file: subject.path,
            outcome: look.word,
            faces: seen?.faces.map(\.answer),
            looks: seen?.looks,
            engine: detector.engine.name,
            seconds: (clock.now - start).seconds,
            isDamaged: seen?.isDamaged ?? false,
            fingerprint: seen?.fingerprint,
            turned: seen?.turned,
            copies: maker == nil ? nil : copies ?? CopyMaker.Result()
        )
        for name in copies?.surplus ?? [] {
            Self.complain(
                "\(name) is of an earlier run, and of no face that is known now; it is left as it is"
            )
        }
        guard Streams.write(Array((try line.json() + "\n").utf8), to: output) else {
            throw ExitCode(1)
        }
        if let problem {
            Self.complain("\(subject.path): " + (seen == nil ? "" : "no copies: ") + problem)
        }
        if let end { throw end }
        return problem == nil
    }

    /// The outcome of looking at a file.
    private enum Look {
        case counted, unreadable
        /// Nobody looked, since its copy was there.
        case kept
        /// Something else went wrong.
        case lost(String)

        var word: String {
            switch self {
            case .counted: DetectorResponse.Outcome.counted.rawValue
            case .unreadable: DetectorResponse.Outcome.unreadable.rawValue
            case .kept: "kept"
            case .lost(let word): word
            }
        }
    }

    /// Makes the copies of a picture that was looked at.
    private func make(_ subject: CopyMaker.Subject, _ seen: Findings) throws -> CopyMaker.Result? {
        guard let maker else { return nil }
        switch maker.kind {
        case .annotated: return try maker.annotate(subject, faces: seen.faces)
        case .crops, .alignedCrops:
            return try maker.crop(subject, faces: seen.faces, width: seen.width, height: seen.height)
        case .redacted, .upright: return nil
        }
    }

    private static func complain(_ words: String) {
        Streams.say("facefetch-detector: \(words.withoutSteering())", to: STDERR_FILENO)
    }
}

/// Marks that distinguish files of one name whose copies go into one folder.
struct CopyMarks {
    private var taken: Set<String> = []

    /// Returns nothing for the first file of a name, and " (2)" for the second.
    mutating func mark(for file: String) -> String {
        let stem = CopyName.stem(file)
        var (mark, number) = ("", 1)
        while !taken.insert(stem + mark).inserted {
            number += 1
            mark = " (\(number))"
        }
        return mark
    }
}

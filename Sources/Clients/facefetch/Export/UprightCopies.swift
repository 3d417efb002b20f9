import DetectorProtocol
import ExportFormats
import Glibc
import Vocabulary

/// Upright copies of pictures, made by detectors for an export.
final class UprightCopies {
    /// The most pixels that a copy has (`PlainCopy` of the detector).
    private static let mostPixels = 100_000_000
    /// The longest side that it has.
    private static let longestSide = 65_500

    private let folder: String
    private let signals: Int32
    private var crew: CopyCrew?

    /// Copies that are made in a folder, which there is none of yet.
    ///
    /// - Parameters:
    ///   - folder: The folder, which is removed again by ``finish()``.
    ///   - signals: A descriptor that ends the waiting for a copy when it can be read.
    init(in folder: String, signals: Int32) { (self.folder, self.signals) = (folder, signals) }

    /// Makes a copy, and returns its path, or why there is none; neither if a signal came before.
    ///
    /// - Throws: ``ClientError`` if no copies can be made at all.
    func make(_ job: ExportedJob, _ picture: ExportedPicture) throws -> (path: String?, LeftOut.Reason?) {
        let size = picture.size
        guard max(size.width, size.height) <= Self.longestSide,
            size.width <= Self.mostPixels / size.height
        else { return (nil, .wouldShrink) }
        var request = CopyRequest(id: job.id, path: job.path ?? "", name: "\(JobID(job.id))", mark: "")
        (request.sha256, request.width, request.height) = (job.sha256, size.width, size.height)
        switch try begun().copy(request, of: job, signals: signals) {
        case nil: return (nil, nil)
        case .crashed: return (nil, .copy("the process that made its copy has crashed"))
        case .answer(let answer):
            let message = answer.message?.safeForTerminal ?? "facefetch-detector doesn't say why"
            if answer.outcome == .stopped { throw ClientError.unsuccessful(message.endedSentence) }
            guard answer.outcome == .made, let file = answer.file, !file.utf8.contains(UInt8(ascii: "/"))
            else { return (nil, .copy(message)) }
            return (folder + "/" + file, nil)
        }
    }

    /// Lets the detectors end, and removes the folder.
    ///
    /// - Throws: ``ClientError`` if copies may not be on the disk.
    func finish() throws {
        guard let crew else { return }
        _ = try crew.finish(signals: -1) { _, _ in }
        self.crew = nil
        rmdir(folder)
    }

    /// Ends the detectors at once.
    func abandon() { crew = nil }

    private func begun() throws -> CopyCrew {
        if let crew { return crew }
        let program = try OwnProgram.find("facefetch-detector", for: "Upright copies are made")
        let folder = folder.hasPrefix("/") ? folder : "./" + folder
        let new = CopyCrew(program: program, arguments: ["--serve-copies", "--upright", folder], size: 1)
        crew = new
        return new
    }
}

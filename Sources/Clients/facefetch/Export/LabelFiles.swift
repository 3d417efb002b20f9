import ExportFormats
import Glibc
import Sidecars
import Vocabulary

/// Pictures of an export in one folder of it, links or copies, and a file beside each that says what is in it.
struct LabelledPictures {
    let pictures: PlacedPictures
    let labels: LabelFiles
    let isCopying: Bool

    /// Puts a picture there, with a file for which `label` gives the content by the picture's name.
    ///
    /// - Returns: The stem that both files have, or the reason for which there are none; neither where a signal came
    ///   before.
    /// - Throws: ``ClientError``
    func put(
        _ job: ExportedJob,
        _ picture: ExportedPicture,
        label: (String) -> [UInt8]
    ) throws -> (stem: String?, reason: LeftOut.Reason?) {
        let document: StoredDocument
        do throws(StoredDocument.Unusable) { document = try StoredDocument(job) } catch {
            return (nil, .sidecar(.document(error)))
        }
        let (file, stem) = try labels.make(job)
        let outcome = try pictures.put(
            job,
            picture,
            document,
            as: stem,
            suffix: YOLOFormat.suffix(job),
            isRemade: isCopying && PlacedPictures.needsPixels(job, picture)
        )
        guard case .placed(let name) = outcome else {
            labels.remove(stem)
            if case .leftOut(let reason) = outcome { return (nil, reason) }
            return (nil, nil)
        }
        try file.add(label(name))
        try file.flush()
        return (stem, nil)
    }

    /// Lets helpers end.
    ///
    /// - Throws: ``ClientError`` if copies may not be on the disk.
    func finish() throws { try pictures.finish() }

    /// Ends helpers at once.
    func abandon() { pictures.abandon() }
}

/// Files beside pictures that have the pictures' names, each once.
struct LabelFiles {
    private let folder: NewFolder
    private let place: String
    private let suffix: String
    private let stemsAreWords: Bool

    /// Files in a folder of an export, which has to be there, with this extension.
    ///
    /// With `stemsAreWords`, a picture whose name isn't a word (``VOCFormat/isWord(_:)``) is named by its job.
    init(in folder: NewFolder, _ place: String, suffix: String, stemsAreWords: Bool = false) {
        (self.folder, self.place, self.suffix) = (folder, place, suffix)
        self.stemsAreWords = stemsAreWords
    }

    /// A new file, and its stem: the picture's own, where no picture before had the same, and both of its
    /// files can have it.
    ///
    /// - Throws: ``ClientError``
    func make(_ job: ExportedJob) throws -> (file: ByteFile, stem: String) {
        let own = YOLOFormat.split(job.name).stem
        let stem = stemsAreWords && !VOCFormat.isWord(own) ? "\(JobID(job.id))" : own
        let longest = max(suffix.utf8.count, YOLOFormat.suffix(job).utf8.count, ".jpg".utf8.count)
        for stem in [stem, "\(stem)-\(JobID(job.id))", "\(JobID(job.id))"]
        where stem.utf8.count + longest <= folder.longestName {
            let descriptor = open(path(stem), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
            if descriptor >= 0 { return (ByteFile(job.name, descriptor: descriptor), stem) }
            guard errno == EEXIST || errno == ENAMETOOLONG else { throw ByteFile.failure(job.name, errno) }
        }
        throw ByteFile.failure(job.name, EEXIST)
    }

    /// Removes a file whose picture couldn't be put there.
    func remove(_ stem: String) { unlink(path(stem)) }

    private func path(_ stem: String) -> String { folder.path + "/" + place + "/" + stem + suffix }
}

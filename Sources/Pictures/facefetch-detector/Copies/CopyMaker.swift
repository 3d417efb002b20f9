import DetectorProtocol
import FaceDetection
import Vocabulary

/// Makes copies of pictures, each of which is decoded by a process of its own.
///
/// What is written is encoded here, from pixels.
final class CopyMaker {
    /// A picture to make copies of.
    struct Subject {
        /// The file.
        var path: String
        /// The beginning of the copies' names.
        var name: String
        /// A mark that distinguishes pictures of one name.
        var mark = ""
        /// The SHA-256 that the file has to have, in lower-case hexadecimal; nil if any will do.
        var sum: String?
    }

    /// The copies that were made of a picture.
    struct Result {
        /// The names of its copies.
        var files: [String] = []
        /// The number of these that were there already.
        var kept = 0
        /// The names of crops of an earlier run, beyond those of the faces that are known.
        var surplus: [String] = []
        /// The faces that were seen while they were hidden; nil for other copies, and if the copy was there.
        var hidden: FacesToHide?
    }

    /// The kind of copies to make.
    let kind: CopyKind
    private let folder: CopyFolder
    private let decoders: Decoders
    private let isReplacing: Bool

    init(_ kind: CopyKind, into folder: CopyFolder, decoders: Decoders, isReplacing: Bool) {
        (self.kind, self.folder, self.decoders, self.isReplacing) = (kind, folder, decoders, isReplacing)
    }

    /// Sees to it that the names of all copies survive a power cut.
    func finish() throws(CopyFailure) { try folder.sync() }

    /// Makes a copy with boxes under a name that nobody has.
    ///
    /// - Throws: ``UnreadablePicture``, ``CopyFailure``, ``LostDecoder``, ``LackOfResources``
    func annotate(_ subject: Subject, faces: [Face]) throws -> Result {
        let picture = try decoders.decode(
            path: subject.path,
            workingSize: AnnotatedPicture.longestSide,
            isShown: true
        )
        let copy = try AnnotatedPicture(picture, faces: Self.inside(faces, picture))
        for number in 1...1000 {
            let suffix = Self.annotated + (number == 1 ? "" : " (\(number))") + ".jpg"
            let name = CopyName.make(subject.name, mark: subject.mark, suffix: suffix)
            if try folder.put(copy.jpeg, named: name, isReplacing: isReplacing) {
                return Result(files: [name])
            }
        }
        throw CopyFailure("\(folder.path) has a thousand copies of \(subject.name) already")
    }

    /// Makes a copy with boxes that were found in a picture of this size, unless it is there.
    func annotate(_ subject: Subject, faces: [Face], width: Int, height: Int) throws -> Result {
        try checkPlace(of: subject)
        if let result = existing(subject, [Self.annotated]) { return result }
        let picture = try decoders.decode(
            path: subject.path,
            workingSize: AnnotatedPicture.longestSide,
            isShown: true,
            sum: subject.sum
        )
        try Self.check(picture, width, height)
        var result = Result()
        let copy = try AnnotatedPicture(picture, faces: Self.inside(faces, picture))
        try put(copy.jpeg, subject, Self.annotated, "jpg", into: &result)
        return result
    }

    /// Cuts out faces that were found in a picture of this size, as far as their copies aren't there.
    func crop(_ subject: Subject, faces: [Face], width: Int, height: Int) throws -> Result {
        let suffixes = faces.indices.map(Self.face)
        try checkPlace(of: subject)
        let surplus = self.surplus(subject, behind: faces.count)
        if faces.isEmpty { return Result(surplus: surplus) }
        if var result = existing(subject, suffixes) {
            result.surplus = surplus
            return result
        }
        let picture = try decoders.decodeForCopy(path: subject.path, sum: subject.sum)
        try Self.check(picture, width, height)
        var result = Result(surplus: surplus)
        for (face, suffix) in zip(faces, suffixes) {
            let part: Picture?
            switch kind {
            case .alignedCrops: part = FaceCrop.align(face, from: picture)
            case .crops(let square): part = FaceCrop.cut(face, from: picture, square: square)
            case .annotated, .redacted, .upright: part = nil
            }
            guard let part else {
                throw CopyFailure("face \(suffix.dropFirst(5)) is nowhere in it, or has no landmarks")
            }
            let copy = try PlainCopy(part)
            try put(copy.bytes, subject, suffix, copy.format.rawValue, into: &result)
        }
        return result
    }

    /// Copies the whole picture, upright, which has to have this size.
    func turn(_ subject: Subject, width: Int, height: Int) throws -> Result {
        try checkPlace(of: subject)
        let picture = try decoders.decodeForCopy(path: subject.path, sum: subject.sum)
        try Self.check(picture, width, height)
        guard picture.width == width, picture.height == height else {
            throw CopyFailure("has too many pixels for a copy in its full size")
        }
        var result = Result()
        let copy = try PlainCopy(picture)
        try put(copy.bytes, subject, "", copy.format.rawValue, into: &result)
        return result
    }

    /// Hides what may be a face, and faces that are known, unless the copy is there.
    func redact(_ subject: Subject, known: CopyRequest? = nil, by detector: FaceDetector) throws -> Result {
        guard case .redacted(let style) = kind else { return Result() }
        try checkPlace(of: subject)
        if let result = existing(subject, [Self.redacted]) { return result }
        let picture = try decoders.decodeForCopy(path: subject.path)
        let isKnown = known?.width == picture.fullWidth && known?.height == picture.fullHeight
        let (redacted, seen) = try RedactedPicture.hidingFaces(
            of: picture,
            known: isKnown ? Self.inside(known?.faces ?? [], picture) : [],
            style: style,
            by: detector
        )
        let copy = try PlainCopy(redacted.picture)
        var result = Result(hidden: seen)
        try put(copy.bytes, subject, Self.redacted, copy.format.rawValue, into: &result)
        return result
    }

    /// Returns what there is if all copies are there already and are to be kept; nil otherwise.
    private func existing(_ subject: Subject, _ suffixes: [String]) -> Result? {
        guard !isReplacing else { return nil }
        var result = Result()
        for suffix in suffixes {
            guard let name = existing(subject, suffix) else { return nil }
            result.files.append(name)
        }
        result.kept = suffixes.count
        return result
    }

    /// The crops behind those of so many faces, as an earlier run numbered them.
    ///
    /// They stay: nobody knows whether they are ours.
    private func surplus(_ subject: Subject, behind count: Int) -> [String] {
        var names: [String] = []
        while names.count < DetectorResponse.maximumFaceCount,
            let name = existing(subject, Self.face(count + names.count))
        {
            names.append(name)
        }
        return names
    }

    /// The name of a copy that is there, in whatever format.
    private func existing(_ subject: Subject, _ suffix: String) -> String? {
        CopyName.extensions
            .map { CopyName.make(subject.name, mark: subject.mark, suffix: "\(suffix).\($0)") }
            .first(where: folder.has)
    }

    private func put(
        _ bytes: [UInt8],
        _ subject: Subject,
        _ suffix: String,
        _ format: String,
        into result: inout Result
    ) throws(CopyFailure) {
        if !isReplacing, let name = existing(subject, suffix) {
            result.files.append(name)
            result.kept += 1
            return
        }
        let name = CopyName.make(subject.name, mark: subject.mark, suffix: "\(suffix).\(format)")
        if try !folder.put(bytes, named: name, isReplacing: isReplacing) { result.kept += 1 }
        result.files.append(name)
    }

    /// A folder that has pictures in it is none for their copies: a copy could take the place of a picture,
    /// or a picture be taken for a copy that is kept.
    private func checkPlace(of subject: Subject) throws(CopyFailure) {
        guard !folder.holds(subject.path) else {
            throw CopyFailure("lies in \(folder.path), the folder for copies: name another folder for them")
        }
    }

    private static func check(_ picture: Picture, _ width: Int, _ height: Int) throws(CopyFailure) {
        guard picture.fullWidth == width, picture.fullHeight == height else {
            throw CopyFailure("is not the picture that was looked at: look again (facefetch detect)")
        }
    }

    private static func inside(_ faces: [Face], _ picture: Picture) -> [Face] {
        faces.compactMap { $0.inside(width: picture.fullWidth, height: picture.fullHeight) }
    }

    private static func face(_ index: Int) -> String { "-face\(index + 1)" }

    private static let annotated = "-faces"
    private static let redacted = "-redacted"
}

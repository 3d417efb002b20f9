/// Looks for faces in documents, one at a time.
///
/// It is deliberately not Sendable: neither decoding by libvips nor OpenCV's engines gain from threads
/// here, since the work is spread over processes.
public final class FaceDetector {
    /// The engine to use.
    public let engine: any FaceEngine
    let smallFaces: SmallFaces
    private let decoder: PictureDecoder

    /// A detector with one engine.
    public init(
        engine: any FaceEngine,
        smallFaces: SmallFaces = .auto,
        decoder: PictureDecoder = PictureDecoder()
    ) {
        self.engine = engine
        self.smallFaces = smallFaces
        self.decoder = decoder
    }

    /// Everything that decides what is found in a picture, known before it is looked at.
    public var parameters: String {
        "\(engine.parameters) small-faces=\(smallFaces.rawValue)"
            + (smallFaces == .off ? "" : " rule=\(LookLadder.version)")
    }

    /// Decodes a document and looks for faces in it.
    public func look(at path: String) -> Detection {
        do {
            return .counted(try look { size in try decoder.decode(path: path, workingSize: size) })
        } catch {
            return .unreadable(reason: "\(error)")
        }
    }

    /// Looks for faces in a picture that `decode` makes smaller than it is: its longer side is at most
    /// what `decode` is given, which it may be called for several times.
    public func look(_ decode: (_ size: Int) throws -> Picture) throws -> Findings {
        let ladder = engine.ladder
        var picture = try decode(ladder.sizes[0])
        var findings = Findings(
            faces: [],
            width: picture.fullWidth,
            height: picture.fullHeight,
            orientation: picture.orientation,
            format: picture.format,
            looks: []
        )
        var (index, unclear) = (0, 0.0)
        while true {
            // Of a large look that costs much, a sample first.
            if index > 0, smallFaces == .auto, try !engine.isWorthLooking(at: picture) { return findings }
            findings.faces.removeAll { Double($0.width) <= unclear }
            let candidates = try engine.candidates(in: picture)
            let minimum = engine.confidence(at: index)
            let certain = candidates.filter { $0.confidence >= minimum }
            // What the earlier look has seen well, and this one couldn't know better.
            let new = index == 0 ? certain : certain.filter { $0.width <= ladder.widest }
            findings.faces = FaceMerge.merge(
                findings.faces,
                with: new.compactMap { $0.enlarged(to: picture) }
            )
            findings.looks.append(max(picture.width, picture.height))
            let look = LookLadder.Look(
                index: index,
                size: max(picture.width, picture.height),
                fullSize: max(picture.fullWidth, picture.fullHeight),
                fullPixels: picture.fullWidth * picture.fullHeight,
                widths: candidates.map(\.width),
                certainWidths: certain.map(\.width)
            )
            guard let next = ladder.next(after: look, mode: smallFaces) else { return findings }
            // What is that small is for the next look to judge.
            unclear = ladder.small * Double(picture.fullWidth) / Double(picture.width)
            picture = try decode(ladder.sizes[next])
            guard picture.fullWidth == findings.width, picture.fullHeight == findings.height else {
                throw UnreadablePicture.changed
            }
            index = next
        }
    }
}

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
        var (faces, looks, unclear) = ([FoundFace](), [Int](), 0.0)
        let picture = try eachLook(at: decode) { index, picture in
            faces.removeAll { Double($0.width) <= unclear }
            let candidates = try engine.candidates(in: picture).map { box in
                PossibleFace(box: box, isCounted: engine.isFace(box, at: index))
            }
            // What the earlier look has seen well, and this one couldn't know better.
            let new = candidates.filter { $0.isCounted && (index == 0 || $0.box.width <= ladder.widest) }
            faces = FaceMerge.merge(faces, with: new.compactMap { $0.box.enlarged(to: picture) })
            looks.append(max(picture.width, picture.height))
            // What is that small is for the next look to judge.
            unclear = ladder.small * Double(picture.fullWidth) / Double(picture.width)
            return candidates
        }
        return Findings(
            faces: faces,
            width: picture.fullWidth,
            height: picture.fullHeight,
            orientation: picture.orientation,
            format: picture.format,
            looks: looks
        )
    }

    /// Lets `look` look at a picture in one size after the other, as long as that pays, and returns the
    /// largest.
    func eachLook(
        at decode: (_ size: Int) throws -> Picture,
        _ look: (_ index: Int, Picture) throws -> [PossibleFace]
    ) throws -> Picture {
        let ladder = engine.ladder
        var (picture, index) = (try decode(ladder.sizes[0]), 0)
        while true {
            // Of a large look that costs much, a sample first.
            if index > 0, smallFaces == .auto, try !engine.isWorthLooking(at: picture) { return picture }
            let possible = try look(index, picture)
            let seen = LookLadder.Look(
                index: index,
                size: max(picture.width, picture.height),
                fullSize: max(picture.fullWidth, picture.fullHeight),
                fullPixels: picture.fullWidth * picture.fullHeight,
                widths: possible.map(\.box.width),
                certainWidths: possible.filter(\.isCounted).map(\.box.width)
            )
            guard let next = ladder.next(after: seen, mode: smallFaces) else { return picture }
            let larger = try decode(ladder.sizes[next])
            guard larger.fullWidth == picture.fullWidth, larger.fullHeight == picture.fullHeight else {
                throw UnreadablePicture.changed
            }
            (picture, index) = (larger, next)
        }
    }
}

import Glibc
import Vocabulary

/// Looks for faces in documents, one at a time.
///
/// It is deliberately not Sendable: neither decoding by libvips nor OpenCV's engines gain from threads
/// here, since the work is spread over processes.
public final class FaceDetector {
    /// The engine to use.
    public let engine: any FaceEngine
    let smallFaces: SmallFaces
    private let turned: TurnedLooks
    private let decoder: PictureDecoder
    /// The time that a picture may take; nil for as long as it takes.
    private let limit: Duration?

    /// The time within which a picture has to be decoded again, if its first look began at `begin`; nil for as long as
    /// it takes.
    public func timeLeft(since begin: ContinuousClock.Instant) -> Duration? {
        LookTime(limit: limit, begin: begin).left
    }

    /// A detector with one engine.
    ///
    /// Of giant pictures no larger looks are taken that might end after `limit`.
    public init(
        engine: any FaceEngine,
        smallFaces: SmallFaces = .auto,
        turned: TurnedLooks = .off,
        decoder: PictureDecoder = PictureDecoder(),
        limit: Duration? = nil
    ) {
        self.engine = engine
        self.smallFaces = smallFaces
        self.turned = turned
        self.decoder = decoder
        self.limit = limit
    }

    /// Everything that decides what is found in a picture, known before it is looked at.
    public var parameters: String {
        "\(engine.parameters) small-faces=\(smallFaces.rawValue)"
            + (smallFaces == .off ? "" : " rule=\(LookLadder.version)")
            + (turned == .off ? "" : " turned=\(turned.rawValue)")
    }

    /// Decodes a document and looks for faces in it.
    public func look(at path: String) -> Detection {
        let decoder = decoder
        do {
            let findings = try look { size in
                try decoder.decode(path: path, workingSize: size)
            } rows: { size, take in
                let descriptor = try PictureDecoder.open(path: path)
                defer { close(descriptor) }
                try take(try decoder.rows(descriptor: descriptor, workingSize: size))
            }
            return .counted(findings)
        } catch {
            return .unreadable(reason: "\(error)")
        }
    }

    /// Decodes a picture, smaller than it is, to rows: its longer side is at most what it is given.
    public typealias RowDecoder = (_ size: Int, _ take: (PictureRows) throws -> Void) throws -> Void

    /// Looks for faces in a picture that `decode` makes smaller than it is: its longer side is at most
    /// what `decode` is given, which it may be called for several times.
    ///
    /// `rows` decodes it for a look in tiles; without that there is no such look.
    public func look(_ decode: (_ size: Int) throws -> Picture, rows: RowDecoder? = nil) throws -> Findings {
        let ladder = engine.ladder
        let time = LookTime(limit: limit)
        var (faces, looks, unclear) = ([Face](), [Int](), 0.0)
        var fingerprint: Fingerprint?
        var first: Picture?
        let (picture, last) = try eachLook(
            at: decode,
            time: time,
            hasTiles: rows != nil,
            mayLack: true
        ) { index, picture in
            if index == 0 { fingerprint = Fingerprint(picture) }
            faces.removeAll { Double($0.width) <= unclear }
            let boxes =
                try index == 0
                ? engine.candidates(in: picture)
                : engine.candidates(in: picture, isThorough: smallFaces == .always)
            let candidates = boxes.map { PossibleFace(box: $0, isCounted: engine.isFace($0, at: index)) }
            // What the earlier look has seen well, and this one couldn't know better.
            let new = candidates.filter { $0.isCounted && (index == 0 || $0.box.width <= ladder.widest) }
            faces = FaceMerge.merge(faces, with: new.compactMap { $0.box.enlarged(to: picture) })
            looks.append(max(picture.width, picture.height))
            if index == 0, turned == .auto { first = picture }
            // What is that small is for the next look to judge.
            unclear = ladder.small * Double(picture.fullWidth) / Double(picture.width)
            return candidates
        }
        // What goes on behind damage is held as a whole.
        if let rows, !picture.isDamaged, let tiles = ladder.tiles(after: last, mode: smallFaces),
            time.isEnough
        {
            try Self.unlessLacking {
                try rows(tiles.size) { larger in
                    let frame = larger.frame
                    guard frame.fullWidth == picture.fullWidth, frame.fullHeight == picture.fullHeight else {
                        throw UnreadablePicture.changed
                    }
                    let look = TiledLook(
                        engine: engine,
                        index: ladder.sizes.count,
                        isSampled: tiles.isSampled,
                        unclear: faces.filter { Double($0.width) <= unclear }
                    )
                    guard let result = try look.look(at: larger, mayGoOn: { time.isLeft }) else { return }
                    let clear = faces.filter { Double($0.width) > unclear }
                    faces = FaceMerge.merge(clear + result.left, with: result.found)
                    looks.append(max(frame.width, frame.height))
                }
            }
        }
        let lying = try faces.isEmpty ? first.flatMap { try TurnedLook(engine: engine).look(at: $0) } : nil
        return Findings(
            faces: lying?.faces ?? faces,
            width: picture.fullWidth,
            height: picture.fullHeight,
            orientation: picture.orientation,
            format: picture.format,
            looks: looks,
            isDamaged: picture.isDamaged,
            fingerprint: fingerprint,
            turned: lying?.angle
        )
    }

    /// Takes a further look, which is left out where there is too little memory or time to decode the picture.
    private static func unlessLacking(_ look: () throws -> Void) throws {
        do { try look() } catch let unreadable as UnreadablePicture where unreadable.isLack {}
    }

    /// Lets `look` look at a picture in one size after the other, as long as that pays, and returns the
    /// largest, and the last look.
    ///
    /// If it `mayLack` looks, those end with the first for which there is too little memory or time.
    func eachLook(
        at decode: (_ size: Int) throws -> Picture,
        time: LookTime = LookTime(limit: nil),
        hasTiles: Bool = false,
        mayLack: Bool = false,
        _ look: (_ index: Int, Picture) throws -> [PossibleFace]
    ) throws -> (Picture, LookLadder.Look) {
        let ladder = engine.ladder
        var (picture, index) = (try decode(ladder.sizes[0]), 0)
        var last = LookLadder.Look(of: picture, index: 0, seeing: [])
        while true {
            // Of a large look that costs much, a sample first.
            if index > 0, smallFaces == .auto, try !engine.isWorthLooking(at: picture) {
                return (picture, last)
            }
            last = LookLadder.Look(of: picture, index: index, seeing: try look(index, picture))
            guard let next = ladder.next(after: last, mode: smallFaces, hasTiles: hasTiles),
                last.fullPixels <= LookLadder.mostPixels || smallFaces == .always || time.isEnough
            else { return (picture, last) }
            let larger: Picture
            do {
                larger = try decode(ladder.sizes[next])
            } catch let unreadable as UnreadablePicture where mayLack && unreadable.isLack {
                // What was found so far is told.
                return (picture, last)
            }
            guard larger.fullWidth == picture.fullWidth, larger.fullHeight == picture.fullHeight else {
                throw UnreadablePicture.changed
            }
            (picture, index) = (larger, next)
        }
    }
}

extension LookLadder.Look {
    fileprivate init(of picture: Picture, index: Int, seeing possible: [PossibleFace]) {
        self.init(
            index: index,
            size: max(picture.width, picture.height),
            fullSize: max(picture.fullWidth, picture.fullHeight),
            fullPixels: picture.fullWidth * picture.fullHeight,
            widths: possible.map(\.box.width),
            certainWidths: possible.filter(\.isCounted).map(\.box.width)
        )
    }
}

/// The rest of the time that a picture may take, so that a larger look at a giant one costs nobody the result
/// of those before.
struct LookTime {
    private let begin: ContinuousClock.Instant
    private let limit: Duration?

    init(limit: Duration?, begin: ContinuousClock.Instant = .now) {
        (self.limit, self.begin) = (limit, begin)
    }

    /// True if a third of it is enough for all so far: the next look has to decode the picture again.
    var isEnough: Bool { limit.map { begin.duration(to: .now) * 3 <= $0 } ?? true }
    /// True if a fifth of it is left, in which a look can be broken off.
    var isLeft: Bool { limit.map { begin.duration(to: .now) * 5 <= $0 * 4 } ?? true }
    /// The time until only that fifth is left; nil for as long as it takes.
    var left: Duration? { limit.map { max(.zero, $0 * 4 / 5 - begin.duration(to: .now)) } }
}

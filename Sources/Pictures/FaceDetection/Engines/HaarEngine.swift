import CPictures

/// Finds faces with a cascade of boosted Haar features in equalized grey.
///
/// A face's confidence is its level weight: the greatest sum of the last stage's features among the
/// windows that make up the face. It has no upper bound, and its scale depends on the cascade; higher is
/// surer. With `frontalface_alt` it is above 105.76, the last stage's threshold, and rarely above 110.
public final class HaarEngine: FaceEngine {
    /// The engine's name in results.
    public let name = "haar"
    private let settings: HaarSettings
    private let cascade: HaarCascade

    /// Loads the cascade; throws if its file can't be read or isn't a cascade.
    public init(settings: HaarSettings = HaarSettings()) throws(EngineFailure) {
        self.settings = settings
        CFaceDetect_use_one_thread()
        cascade = try HaarCascade(file: settings.cascade)
    }

    /// Faces are found from ``HaarSettings/minimumFace`` pixels on.
    public var ladder: LookLadder {
        let least = Double(settings.minimumFace)
        return LookLadder(
            sizes: [settings.workingSize, settings.workingSize * 8 / 3],
            small: least * 1.5,
            large: least * 2.5,
            widest: least * 4
        )
    }

    /// Every candidate is one that windows agree on; in a larger look more of them agree by chance.
    public func confidence(at look: Int) -> Double {
        guard look > 0, isUsualCascade else { return settings.minimumConfidence }
        return max(settings.minimumConfidence, Self.laterConfidence)
    }

    /// What only just enough windows agree on is a face if they are surer than most.
    ///
    /// In a larger look, what many windows agree on is a face even where none of them is that sure.
    public func isFace(_ box: EngineBox, at look: Int) -> Bool {
        guard isUsualCascade else { return box.confidence >= settings.minimumConfidence }
        let spare = box.windows - settings.neighbours - 1
        if Self.leastMeans.indices.contains(spare), box.mean < Self.leastMeans[spare] { return false }
        return box.confidence >= confidence(at: look)
            || look > 0 && box.windows >= Self.laterWindows && box.confidence >= settings.minimumConfidence
    }

    /// True for the default cascade, whose sums are known.
    private var isUsualCascade: Bool { settings.cascade == HaarSettings().cascade }

    /// The means of the last stage's sums that a face has to have: of the fewest windows that are enough, and of
    /// one more.
    ///
    /// In photographs, also with their faces painted over, turned, cropped, blurred and grained, that leaves as few
    /// false faces as asking for one more window, and most of the faces which that would cost: precision .951 for
    /// .916, F1 .835 for .823, and 4.7 false faces for 8.3 in 100 pictures.
    private static let leastMeans = [106.6, 106.1]

    /// The sum that the default cascade's last stage has to reach in a larger look.
    ///
    /// Of the faces of 64 pixels that such looks find in crowds, nine in ten have more, and of what they
    /// find in pictures without people, little has.
    private static let laterConfidence = 107.4
    /// Or so many windows have to agree: in crowds of 64 pixels that raises recall from .74 to .78, with a
    /// precision of .995.
    private static let laterWindows = 6

    /// The cascade and its parameters.
    public var parameters: String {
        let file = settings.cascade.split(separator: "/").last.map(String.init) ?? settings.cascade
        return "cascade=\(file) size=\(settings.workingSize) scale=\(settings.scaleFactor) "
            + "neighbours=\(settings.neighbours) minimum=\(settings.minimumFace)"
            + (isUsualCascade ? " means=\(Self.leastMeans.map { "\($0)" }.joined(separator: ","))" : "")
            + (settings.enlarges ? " enlarged" : "")
    }

    /// The faces, the surest first.
    public func candidates(in picture: Picture) throws(UnreadablePicture) -> [EngineBox] {
        try candidates(in: picture, scaleFactor: settings.scaleFactor, neighbours: settings.neighbours)
    }

    /// The faces, the surest first.
    ///
    /// Where a larger look sees a crowd, for which a thorough one always looks, a picture that has fewer pixels
    /// than such a look is enlarged to it, at most to twice its size: in crowds of faces of 25 to 64 pixels, in
    /// pictures of 1,000, that finds .81 of them instead of .36, with a precision of .96.
    public func candidates(in picture: Picture, isThorough: Bool) throws(UnreadablePicture) -> [EngineBox] {
        let side = max(picture.width, picture.height)
        let size = min(ladder.sizes[1], Self.longestEnlarged)
        guard settings.enlarges, side < size else { return try candidates(in: picture) }
        var how = how(scaleFactor: settings.scaleFactor, neighbours: settings.neighbours)
        if !isThorough {
            // There is no larger look that would see those which are too small for this one.
            how.minimum_face = min(how.minimum_face, Self.smallest)
            let found = try cascade.faces(in: picture, how)
            guard isCrowd(found) else { return found.filter { $0.width >= Double(settings.minimumFace) } }
        }
        how.enlarge_to = Int32(clamping: size)
        // In pixels of the picture as it is.
        how.minimum_face = Int32(Double(settings.minimumFace) / min(2, Double(size) / Double(side)))
        let found = try cascade.faces(in: picture, how)
        // What is seen of one or two so small faces alone is more often none.
        return isCrowd(found) ? found : try candidates(in: picture)
    }

    private func isCrowd(_ boxes: [EngineBox]) -> Bool {
        boxes.count { $0.width <= ladder.small && isFace($0, at: 1) } >= LookLadder.leastOfCrowd
    }

    /// The longest side to which a larger look is enlarged, whatever the working size: a look takes some 14 bytes
    /// a pixel.
    private static let longestEnlarged = 8192
    /// The side of the smallest window of the default cascade.
    private static let smallest: Int32 = 20

    /// Returns whatever two windows agree on.
    public func possibleFaces(
        in picture: Picture,
        at look: Int
    ) throws(UnreadablePicture) -> [PossibleFace] {
        try candidates(
            in: picture,
            scaleFactor: settings.scaleFactor,
            neighbours: min(settings.neighbours, 1)
        ).map { PossibleFace(box: $0, isCounted: $0.windows > settings.neighbours && isFace($0, at: look)) }
    }

    /// Returns whether there is a face in a sample of the picture.
    ///
    /// Six parts that lie evenly over it, together a quarter of it, are looked at in coarser steps. A look
    /// at all of it takes seconds, and most large pictures have nothing to show for them.
    public func isWorthLooking(at picture: Picture) throws(UnreadablePicture) -> Bool {
        // No part is so small that faces can't be whole in it.
        let least = settings.minimumFace * 8
        let width = min(picture.width, max(picture.width / 6, least))
        let height = min(picture.height, max(picture.height / 4, least))
        for row in 0..<2 {
            for column in 0..<3 {
                let part = picture.part(
                    x: (picture.width - width) * column / 2,
                    y: (picture.height - height) * row,
                    width: width,
                    height: height
                )
                guard let part else { continue }
                let faces = try candidates(
                    in: part,
                    scaleFactor: max(settings.scaleFactor, 1.2),
                    neighbours: settings.neighbours
                )
                if !faces.isEmpty { return true }
            }
        }
        return false
    }

    private func candidates(
        in picture: Picture,
        scaleFactor: Double,
        neighbours: Int
    ) throws(UnreadablePicture) -> [EngineBox] {
        try cascade.faces(in: picture, how(scaleFactor: scaleFactor, neighbours: neighbours))
    }

    private func how(scaleFactor: Double, neighbours: Int) -> CFaceDetectHaarSettings {
        CFaceDetectHaarSettings(
            scale_factor: scaleFactor,
            neighbours: Int32(clamping: neighbours),
            minimum_face: Int32(clamping: settings.minimumFace),
            minimum_confidence: settings.minimumConfidence,
            enlarge_to: settings.enlarges ? Int32(clamping: settings.workingSize) : 0,
            leaves_it_to_opencv: false
        )
    }
}

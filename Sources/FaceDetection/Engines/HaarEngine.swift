import CFaceDetect

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
        guard look > 0, settings.cascade == HaarSettings().cascade else { return settings.minimumConfidence }
        return max(settings.minimumConfidence, Self.laterConfidence)
    }

    /// In a larger look, what many windows agree on is a face even where none of them is that sure.
    public func isFace(_ box: EngineBox, at look: Int) -> Bool {
        box.confidence >= confidence(at: look)
            || look > 0 && box.windows >= Self.laterWindows && box.confidence >= settings.minimumConfidence
    }

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
            + (settings.enlarges ? " enlarged" : "")
    }

    /// The faces, the surest first.
    public func candidates(in picture: Picture) throws(UnreadablePicture) -> [EngineBox] {
        try candidates(in: picture, scaleFactor: settings.scaleFactor, neighbours: settings.neighbours)
    }

    /// Returns whatever two windows agree on.
    public func possibleFaces(
        in picture: Picture,
        at look: Int
    ) throws(UnreadablePicture) -> [PossibleFace] {
        try candidates(
            in: picture,
            scaleFactor: settings.scaleFactor,
            neighbours: min(settings.neighbours, 1)
        ).map { PossibleFace(box: $0, isCounted: $0.windows > settings.neighbours) }
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

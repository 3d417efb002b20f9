import CFaceDetect

/// Finds faces with a cascade of boosted Haar features, on equalized grey.
///
/// A face's confidence is the level weight: the greatest sum of the last
/// stage's features among the windows that make up the face. It has no upper
/// end, and its scale is the cascade's; higher is surer. With
/// `frontalface_alt` it lies above 105.76, the last stage's threshold, and
/// seldom above 110.
public final class HaarEngine: FaceEngine {
    /// The name that results carry.
    public let name = "haar"
    private let settings: HaarSettings
    private let cascade: OpaquePointer

    /// Loads the cascade; throws when its file can't be read or is no cascade.
    public init(settings: HaarSettings = HaarSettings()) throws(EngineFailure) {
        self.settings = settings
        CFaceDetect_use_one_thread()
        do {
            cascade = try ShimCall.open { text, size in CFaceDetect_haar_open(settings.cascade, text, size) }
        } catch {
            throw EngineFailure(
                "the cascade \(settings.cascade) can't be loaded (\(error)); "
                    + "Debian's package opencv-data installs it"
            )
        }
    }

    deinit { CFaceDetect_haar_close(cascade) }

    /// The long side that pictures are decoded to, in pixels.
    public var workingSize: Int { settings.workingSize }

    /// The cascade and what it was run with.
    public var parameters: String {
        let file = settings.cascade.split(separator: "/").last.map(String.init) ?? settings.cascade
        return "cascade=\(file) size=\(settings.workingSize) scale=\(settings.scaleFactor) "
            + "neighbours=\(settings.neighbours) minimum=\(settings.minimumFace)"
    }

    /// The faces, the surest first.
    public func faces(in picture: Picture) throws(UnreadablePicture) -> [EngineBox] {
        var how = CFaceDetectHaarSettings(
            scale_factor: settings.scaleFactor,
            neighbours: Int32(clamping: settings.neighbours),
            minimum_face: Int32(clamping: settings.minimumFace),
            minimum_confidence: settings.minimumConfidence
        )
        return try ShimCall.find(in: picture) { picture, boxes, capacity, text, size in
            CFaceDetect_haar_find(cascade, picture, &how, boxes, capacity, text, size)
        }
    }
}

import CPictures

/// One cascade of OpenCV.
final class HaarCascade {
    private let handle: OpaquePointer

    /// Loads a cascade; throws if its file can't be read or isn't one.
    init(file: String) throws(EngineFailure) {
        do {
            handle = try ShimCall.open { text, size in CFaceDetect_haar_open(file, text, size) }
        } catch {
            throw EngineFailure(
                "the cascade \(file) can't be loaded (\(error)); Debian's package opencv-data installs it"
            )
        }
    }

    deinit { CFaceDetect_haar_close(handle) }

    /// The faces that it finds, the surest first.
    func faces(in picture: Picture, _ how: CFaceDetectHaarSettings) throws(UnreadablePicture) -> [EngineBox] {
        var how = how
        return try ShimCall.find(in: picture) { picture, boxes, capacity, text, size in
            CFaceDetect_haar_find(handle, picture, &how, boxes, capacity, text, size)
        }
    }
}

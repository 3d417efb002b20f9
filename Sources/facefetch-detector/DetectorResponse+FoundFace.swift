import DetectorProtocol
import FaceDetection

extension DetectorResponse.Face {
    /// Creates a face for the answer; four decimals are enough for a confidence.
    init(_ face: FoundFace) {
        self.init(
            x: face.x,
            y: face.y,
            width: face.width,
            height: face.height,
            confidence: (face.confidence * 10_000).rounded() / 10_000,
            landmarks: face.landmarks?.map { .init(x: $0.x, y: $0.y) }
        )
    }
}

extension Duration {
    /// The duration in seconds, rounded to a tenth of a millisecond.
    var seconds: Double {
        let (whole, rest) = components
        return ((Double(whole) + Double(rest) / 1e18) * 10_000).rounded() / 10_000
    }
}

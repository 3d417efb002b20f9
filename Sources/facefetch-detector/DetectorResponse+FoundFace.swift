import DetectorProtocol
import FaceDetection

extension DetectorResponse.Face {
    /// A face as it is reported: ten-thousandths say all that a confidence can.
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
    /// The duration in seconds, to the tenth of a millisecond.
    var seconds: Double {
        let (whole, rest) = components
        return ((Double(whole) + Double(rest) / 1e18) * 10_000).rounded() / 10_000
    }
}

import DetectorProtocol

/// A network of the YuNet family: its SHA-256, and from which confidence on its candidates are faces.
///
/// Thresholds were chosen on crowds (Benchmarks/Python/crowds.py) and photographs: the lowest with a
/// precision of .96 or more at each size of look.
struct YuNetModel: Hashable, Sendable {
    /// The SHA-256 of its file.
    let sha256: String
    /// The confidence from which a candidate is a face, a look each; the last holds for larger ones, too.
    let confidences: [Double]

    /// The networks that are known.
    static let all = [
        YuNetModel(sha256: FaceNetwork.yunetN.sha256, confidences: [0.8, 0.75, 0.7]),
        YuNetModel(sha256: FaceNetwork.yunet.sha256, confidences: [0.7, 0.7, 0.65]),
    ]

    /// One that nobody here has measured.
    static func unknown(sha256: String) -> YuNetModel { YuNetModel(sha256: sha256, confidences: [0.7]) }
}

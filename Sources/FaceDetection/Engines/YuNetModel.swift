/// A network of the YuNet family: what it is known by, where it comes from, and from which confidence on
/// its candidates are faces.
///
/// Thresholds were chosen on crowds (Benchmarks/Python/crowds.py) and photographs: the lowest with a
/// precision of .96 or more at each size of look.
public struct YuNetModel: Hashable, Sendable {
    /// The usual name of its file.
    public let file: String
    /// The SHA-256 of its file.
    public let sha256: String
    /// The network's speciality, in a few words.
    public let about: String
    /// The address to get it from.
    public let address: String
    /// The terms under which it is given away.
    public let licence: String
    /// The confidence from which a candidate is a face, a look each; the last holds for larger ones, too.
    let confidences: [Double]

    /// Those that are known, the one to recommend first.
    public static let all = [
        YuNetModel(
            file: "yunet_n_640_640.onnx",
            sha256: "25a606a145a5b6d7271ae138fbd00eba91dad8b83222ae3f2c7ecd0f4a7b0e31",
            about: "finds more",
            address: "https://github.com/ShiqiYu/libfacedetection.train/raw/master/onnx/yunet_n_640_640.onnx",
            licence: "Apache-2.0",
            confidences: [0.8, 0.75, 0.7]
        ),
        YuNetModel(
            file: "face_detection_yunet_2023mar.onnx",
            sha256: "8f2383e4dd3cfbb4553ea8718107fc0423210dc964f9f4280604804ed2552fa4",
            about: "is a fifth faster",
            address:
                "https://github.com/opencv/opencv_zoo/raw/main/models/face_detection_yunet/face_detection_yunet_2023mar.onnx",
            licence: "MIT",
            confidences: [0.7, 0.7, 0.65]
        ),
    ]

    /// One that nobody here has measured.
    static func unknown(file: String, sha256: String) -> YuNetModel {
        YuNetModel(file: file, sha256: sha256, about: "", address: "", licence: "", confidences: [0.7])
    }
}

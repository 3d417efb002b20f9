/// A network of the YuNet family that is known: its file, and where that comes from.
public struct FaceNetwork: Hashable, Sendable {
    /// The name by which people ask for it.
    public let name: String
    /// The usual name of its file.
    public let file: String
    /// The SHA-256 of its file, in lower-case hexadecimal.
    public let sha256: String
    /// The length of its file in bytes.
    public let length: Int
    /// The network's speciality, in a few words.
    public let about: String
    /// The address to get it from.
    public let address: String
    /// The terms under which it is given away.
    public let licence: String

    public init(
        name: String,
        file: String,
        sha256: String,
        length: Int,
        about: String,
        address: String,
        licence: String
    ) {
        self.name = name
        self.file = file
        self.sha256 = sha256
        self.length = length
        self.about = about
        self.address = address
        self.licence = licence
    }

    /// The network that finds more.
    public static let yunetN = FaceNetwork(
        name: "yunet-n",
        file: "yunet_n_640_640.onnx",
        sha256: "25a606a145a5b6d7271ae138fbd00eba91dad8b83222ae3f2c7ecd0f4a7b0e31",
        length: 317_466,
        about: "finds more",
        address: "https://github.com/ShiqiYu/libfacedetection.train/raw/master/onnx/yunet_n_640_640.onnx",
        licence: "Apache-2.0"
    )

    /// The network of OpenCV's collection, whose address names a commit: what is there stays what it is.
    public static let yunet = FaceNetwork(
        name: "yunet",
        file: "face_detection_yunet_2023mar.onnx",
        sha256: "8f2383e4dd3cfbb4553ea8718107fc0423210dc964f9f4280604804ed2552fa4",
        length: 232_589,
        about: "is a fifth faster",
        address:
            "https://github.com/opencv/opencv_zoo/raw/82b38c8f98e7b52aa171400f3e4c722352d0669f/models/face_detection_yunet/face_detection_yunet_2023mar.onnx",
        licence: "MIT"
    )

    /// Those that are known; where several are there, the first of them looks.
    public static let all = [yunetN, yunet]

    /// The network to get where none is named.
    public static let recommended = yunet

    /// The known network whose file has this SHA-256; nil if there is none.
    public static func known(sha256: String) -> FaceNetwork? { all.first { $0.sha256 == sha256 } }
}

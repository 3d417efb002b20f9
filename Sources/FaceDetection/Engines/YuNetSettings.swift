/// The parameters of the network engine.
public struct YuNetSettings: Hashable, Sendable {
    /// The network's file, `face_detection_yunet_2023mar.onnx` of OpenCV's model zoo.
    public var model: String
    /// Faces below this confidence are dropped, 0 to 1.
    public var minimumConfidence = 0.7
    /// Of two faces that overlap more than this (intersection over union), one is
    /// dropped; OpenCV's default.
    public var maximumOverlap = 0.3
    /// The long side of the second pass, in pixels, for faces that fill the picture; 0 for none.
    public var secondPass = 256

    /// The defaults, for a network in a file.
    public init(model: String) { self.model = model }
}

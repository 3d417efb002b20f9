/// The parameters of the engine `yunet`.
public struct YuNetSettings: Hashable, Sendable {
    /// The network's file.
    public var model: String
    /// True if a network is accepted that isn't one of ``YuNetModel/all``.
    public var allowsUnknownModel = false
    /// Of two faces that overlap more than this (intersection over union), one is
    /// dropped; OpenCV's default.
    public var maximumOverlap = 0.3
    /// The long side of the second pass, in pixels, for faces that fill the picture; 0 for none.
    public var secondPass = 256

    public init(model: String) { self.model = model }
}

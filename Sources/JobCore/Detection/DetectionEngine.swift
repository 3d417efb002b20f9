/// A way to find faces; the raw values are part of the API.
public enum DetectionEngine: String, CaseIterable, Sendable, Codable {
    /// OpenCV's cascades of boosted Haar features.
    case haar
    /// A small neural network, whose file the settings name.
    case yunet
}

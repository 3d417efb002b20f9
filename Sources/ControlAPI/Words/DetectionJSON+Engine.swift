extension DetectionJSON {
    /// Who can look for faces.
    public enum Engine: String, CaseIterable, Sendable {
        /// OpenCV's cascades of Haar features.
        case haar
        /// A small neural network.
        case yunet
    }
}

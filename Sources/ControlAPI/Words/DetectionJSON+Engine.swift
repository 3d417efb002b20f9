extension DetectionJSON {
    /// Who can look for faces.
    public enum Engine: String, CaseIterable, Sendable {
        /// OpenCV's cascades of Haar features.
        case haar
        /// A small neural network.
        case yunet

        /// What it is, in a few words for people.
        public var about: String {
            switch self {
            case .haar: "an OpenCV cascade"
            case .yunet: "a neural network; needs detection.model"
            }
        }

        /// True for one that needs the file that `detection.model` names.
        public var needsModel: Bool {
            switch self {
            case .haar: false
            case .yunet: true
            }
        }
    }
}

/// An engine as people choose it, in settings and on command lines.
public enum EngineChoice: String, CaseIterable, Sendable {
    /// yunet where there is a file for it, else haar.
    case auto
    /// OpenCV's cascades of Haar features.
    case haar
    /// A small neural network.
    case yunet

    /// Returns the engine that looks, where there is a file for yunet or none.
    public func engine(hasNetwork: Bool) -> DetectionEngine {
        switch self {
        case .auto: hasNetwork ? .yunet : .haar
        case .haar: .haar
        case .yunet: .yunet
        }
    }
}

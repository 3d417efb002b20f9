/// An engine that looks for faces.
///
/// The raw values are stored, and are the words of the API.
public enum DetectionEngine: String, CaseIterable, Sendable, Codable {
    /// OpenCV's cascades of Haar features.
    case haar
    /// A small neural network.
    case yunet

    /// A description in a few words for people.
    public var about: String {
        switch self {
        case .haar: "an OpenCV cascade"
        case .yunet: "a neural network, which finds more and invents less; needs a file"
        }
    }

    /// True if the engine needs the file of a network.
    public var needsModel: Bool {
        switch self {
        case .haar: false
        case .yunet: true
        }
    }
}

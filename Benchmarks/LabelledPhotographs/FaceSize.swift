/// The sizes of faces that are counted apart, by their height in pixels at full resolution.
public enum FaceSize: String, CaseIterable, Sendable {
    case under20 = "under 20"
    case from20 = "20 to 40"
    case from40 = "40 to 80"
    case from80 = "80 and more"

    /// The size of a face of this height.
    public init(height: Int) {
        switch height {
        case ..<20: self = .under20
        case ..<40: self = .from20
        case ..<80: self = .from40
        default: self = .from80
        }
    }
}

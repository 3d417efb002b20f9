/// A choice whether a picture gets larger looks than the first, for faces that are too small in that.
public enum SmallFaces: String, CaseIterable, Sendable {
    /// One look, however large the picture is.
    case off
    /// Larger looks where it is likely that they pay.
    case auto
    /// All larger looks that the picture has pixels for.
    case always
}

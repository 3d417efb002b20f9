/// A choice whether a picture gets larger looks than the first, for faces that are too small in that.
public enum SmallFaces: String, CaseIterable, Sendable {
    /// One look, however large the picture is.
    case off
    /// Larger looks where it is likely that they pay.
    case auto
    /// All larger looks that the picture has pixels for.
    case always
}

/// A choice whether a picture in which no face is found is looked at on its side and upside down, too.
public enum TurnedLooks: String, CaseIterable, Sendable {
    /// Pictures are looked at upright alone.
    case off
    /// Where no face is found, the first look is repeated three times.
    case auto

    /// The angles by which pictures are turned clockwise, in degrees.
    public static let angles = [90, 180, 270]
}

/// A choice whether a picture in which no face is found is looked at on its side and upside down, too.
public enum TurnedLooks: String, CaseIterable, Sendable {
    /// Pictures are looked at upright alone.
    case off
    /// Where no face is found, the first look is repeated three times.
    case auto

    /// The angles by which pictures are turned clockwise, in degrees.
    public static let angles = [90, 180, 270]
}

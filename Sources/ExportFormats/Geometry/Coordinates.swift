/// What the coordinates of faces are of.
public enum Coordinates: String, CaseIterable, Sendable {
    /// The picture as people see it, its EXIF orientation applied.
    case upright
    /// The pixels as they lie in the file.
    case stored
}

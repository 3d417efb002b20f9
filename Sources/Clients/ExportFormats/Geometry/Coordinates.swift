/// The frame of reference of the coordinates of faces.
public enum Coordinates: String, CaseIterable, Sendable {
    /// The picture as people see it, with its orientation applied.
    case upright
    /// The pixels as they are stored in the file.
    case stored
}

/// What hides a face.
public enum RedactionStyle: String, CaseIterable, Sendable {
    /// Black, of which nothing can be won back.
    case solid
    /// A few large squares of one colour each.
    case mosaic
    /// The same with smooth transitions.
    case blur
}

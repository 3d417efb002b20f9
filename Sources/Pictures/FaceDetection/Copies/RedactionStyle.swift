/// The means of hiding a face.
public enum RedactionStyle: String, CaseIterable, Sendable {
    /// Black, of which nothing can be won back.
    case solid
    /// A few large squares of one colour each; networks tell people apart in finer ones (R. McPherson, R. Shokri and
    /// V. Shmatikov, "Defeating Image Obfuscation with Deep Learning", 2016).
    case mosaic
    /// The same with smooth transitions.
    case blur
}

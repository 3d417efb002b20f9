/// The distance of a job from what someone is looking at.
///
/// A job that nobody looks at has none.
public enum Interest: Int, Comparable, Sendable {
    /// It is in view.
    case visible
    /// It is near the view, and may soon be in it.
    case near

    /// Orders what is in view first.
    public static func < (lhs: Interest, rhs: Interest) -> Bool { lhs.rawValue < rhs.rawValue }

    /// All kinds of jobs, in the order in which they go: those that nobody looks at come last.
    public static let order: [Interest?] = [.visible, .near, nil]
}

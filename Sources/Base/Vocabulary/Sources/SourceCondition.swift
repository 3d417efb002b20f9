/// The activity of a source, as people and programs know it.
///
/// The raw values are the words of the API.
public enum SourceCondition: String, CaseIterable, Sendable {
    /// It asks for pages.
    case reading
    /// It has read far enough ahead.
    case held
    /// It waits for its next walk.
    case idle
    /// A page failed, and is asked for again.
    case waiting
    /// Somebody has to mend something.
    case failed
    /// Somebody has paused it.
    case paused
    /// It has been read, and looks again only when somebody asks.
    case ended
}

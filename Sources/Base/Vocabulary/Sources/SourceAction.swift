/// Actions on a source.
///
/// The raw values are the words of the API.
public enum SourceAction: String, CaseIterable, Sendable {
    /// It walks at once.
    case poll
    /// A lazy one reads on.
    case more
    /// It asks for nothing more.
    case pause
    /// It goes on.
    case resume
}

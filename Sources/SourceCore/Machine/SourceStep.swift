/// What a source does next.
public enum SourceStep: Hashable, Sendable {
    /// It asks for a page.
    case read(PagePlan)
    /// It rests until a moment of the steady clock; nil until somebody does something.
    case rest(until: Double?)
    /// It has read far enough ahead: it goes on once some of its jobs are through, or somebody asks for more.
    /// The front of a lazy list is looked at then; nil for never.
    case hold(until: Double?)
}

/// A page that is to be asked for.
public struct PagePlan: Hashable, Sendable {
    /// Where in the source it is.
    public var part: WalkState.Part
    /// Which page of that it is.
    public var cursor: Cursor
    /// What to ask for it with, where an unchanged page says anything; nil asks for it as it is.
    public var validators: PageValidators?
    /// Whether equal bytes mean that nothing has changed.
    public var mayBeUnchanged: Bool
    /// The most items that may still be listed; a list read row by row is read so far, and no further.
    public var mostItems = Int.max
}

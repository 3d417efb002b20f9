/// The next step of a source.
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
    /// The part of the source that it belongs to.
    public var part: WalkState.Part
    /// The cursor of the page in that part.
    public var cursor: Cursor
    /// The validators to request it with, where an unchanged page says anything; nil requests it
    /// unconditionally.
    public var validators: PageValidators?
    /// True if equal bytes mean that nothing has changed.
    public var mayBeUnchanged: Bool
    /// The most items that may still be listed; a list read row by row is read so far, and no further.
    public var mostItems = Int.max
}

extension Job {
    /// True if the document may be removed to make room: it is known as it was stored, nobody has pinned it,
    /// and its result is known.
    public var mayBeEvicted: Bool {
        options.isEvictable && state == .done && path != nil && documentMark != nil && !isPinned
            && evictedAt == nil
    }

    /// True if the document is being removed.
    public var isBeingEvicted: Bool { evictedAt != nil && path != nil }

    /// True if the document was removed.
    public var isEvicted: Bool { evictedAt != nil && path == nil }
}

/// Functions that are told of what happens to documents and their directories, on any thread.
public struct DocumentHearers: Sendable {
    /// Called when work begins to wait because a directory is not where it should be, and when the directory of
    /// partials is another one than before.
    public var lost: @Sendable () -> Void = {}
    /// Called with what came of each try to write: the reason for which nothing can be, if there is one.
    public var tried: @Sendable (_ refusal: String?) -> Void = { _ in }
    /// Called, on the thread that removes them, with the path of each document that was removed, while its folder is
    /// still there.
    public var removed: @Sendable (_ path: String) -> Void = { _ in }
    /// Called each time that the documents directory is another one than before; nothing is stored in it before that
    /// returns.
    public var replaced: @Sendable () -> Void = {}

    /// Functions that do nothing.
    public init() {}
}

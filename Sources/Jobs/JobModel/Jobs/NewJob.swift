import Vocabulary

/// A validated item of a batch that is about to be accepted.
public struct NewJob: Hashable, Sendable {
    /// The URL of the file.
    public var url: JobURL
    /// The name asked for, already safe; nil to derive one from the URL.
    public var name: String?
    /// The priority, from −100 to 100; higher goes first.
    public var priority: Int
    /// Further options.
    public var options: JobOptions

    public init(
        url: JobURL,
        name: String? = nil,
        priority: Int = 0,
        options: JobOptions = JobOptions()
    ) {
        self.url = url
        self.name = name
        self.priority = priority
        self.options = options
    }
}

/// A checked item of a batch that is about to be accepted.
public struct NewJob: Hashable, Sendable {
    /// Where the file comes from.
    public var url: JobURL
    /// The name asked for, already safe; nil derives one from the URL.
    public var name: String?
    /// Higher goes first; −100 to 100.
    public var priority: Int
    /// What else is asked for.
    public var options: JobOptions

    /// An item of a batch.
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

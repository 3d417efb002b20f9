/// Configuration of the source engine.
public struct SourceEngineConfiguration: Sendable {
    /// The folder that pages lie in while they are read; the daemon's own.
    public var pagesDirectory: String
    /// The folders that secrets are looked for in, the first that has one counts.
    public var secretsDirectories: [String]
    /// The longest that reading and checking a recipe, or trying it, may take: a server may be slow, and others
    /// may have to be waited for.
    public var patience = Duration.seconds(120)

    public init(pagesDirectory: String, secretsDirectories: [String]) {
        self.pagesDirectory = pagesDirectory
        self.secretsDirectories = secretsDirectories
    }
}

/// The program's version.
enum Version {
    /// Semantic Versioning 2.0.0.
    static let current = "0.1.0"
}

/// The version of facefetch, shared by its programs, which are installed together.
public enum ProductVersion {
    /// The version as shown by `--version`, the status and the user agent.
    public static let current = "0.2.0"
}

/// The version of facefetch: of its programs together, which are installed together.
public enum ProductVersion {
    /// As `--version`, the status and the user agent say it.
    public static let current = "0.1.0"
}

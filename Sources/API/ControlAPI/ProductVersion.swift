/// The version of facefetch, shared by its programs, which are installed together.
public enum ProductVersion {
    /// The version as shown by `--version`, the status and the user agent.
    public static let current = "0.2.0"
    /// The seconds since 1970 at the beginning of the year in which this version was made: no clock that is right shows
    /// an earlier time.
    public static let earliestTime: Int64 = 1_767_225_600
}

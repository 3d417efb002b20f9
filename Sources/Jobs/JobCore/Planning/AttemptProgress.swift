/// The part of a file that an attempt has brought before it broke off.
///
/// A server that sends a byte for each request would be asked for ever if any byte were progress.
struct AttemptProgress: Hashable, Sendable {
    /// The bytes that no attempt before had brought.
    var bytes: Int64
    /// The seconds that the attempt took, with the wait that follows it.
    var seconds: Double
    /// The bytes that are still to come; nil if nobody knows.
    var rest: Int64?

    /// The seconds in which the rest has to come at an attempt's pace.
    static let longest = 86_400.0
    /// The bytes that are progress at any pace, since a file takes only so many attempts of that size: a line may be
    /// slow, and its rate limited by the settings.
    static let enough: Int64 = 1 << 20
    /// The bytes that are taken to be still to come where nobody knows.
    static let usualRest: Int64 = 1 << 20

    /// True if attempts like this one come to the file's end, so that it starts the count of tries anew.
    var isEnough: Bool {
        guard bytes > 0 else { return false }
        return bytes >= Self.enough
            || Double(rest ?? Self.usualRest) * seconds <= Double(bytes) * Self.longest
    }
}

/// The daemon's answer.
struct HTTPResponse: Hashable, Sendable {
    /// The status code.
    var status: Int
    /// The complete body.
    var body: [UInt8]

    /// True if the status is 200 to 299.
    var isSuccess: Bool { (200..<300).contains(status) }

    /// Returns whether a status says that the daemon could not answer, whatever it was asked
    /// (RFC 9110 §15.6).
    static func isServerError(_ status: Int) -> Bool { (500..<600).contains(status) }
}

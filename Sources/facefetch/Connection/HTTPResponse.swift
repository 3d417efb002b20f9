/// The daemon's answer.
struct HTTPResponse: Hashable, Sendable {
    /// The status code.
    var status: Int
    /// The complete body.
    var body: [UInt8]

    /// Whether the status is 200 to 299.
    var isSuccess: Bool { (200..<300).contains(status) }
}

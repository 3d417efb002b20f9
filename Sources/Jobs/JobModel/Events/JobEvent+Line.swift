extension JobEvent {
    /// The text of the event log's line without its leading fields, in at most ``maximumMessageLength``
    /// bytes.
    ///
    /// A URL that doesn't fit is shortened, so that what follows it can still be read.
    public var message: String {
        var text = LogText()
        text.append(messageOf: kind)
        return String(decoding: text.bytes, as: UTF8.self)
    }

    /// The complete line of the event log, without its line feed.
    public var logLine: String {
        var text = LogText()
        text.append(lineOf: self)
        return String(decoding: text.bytes, as: UTF8.self)
    }

    /// The longest line of the event log in bytes, including its line feed.
    public static let maximumLineLength = 4096
    /// The longest message in bytes: a line less its leading fields, which are a time and two ids.
    public static let maximumMessageLength = 4000
}

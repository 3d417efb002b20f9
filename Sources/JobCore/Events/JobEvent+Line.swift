extension JobEvent {
    /// What happened, as the event log says it, without the frame in front; at most
    /// ``maximumMessageLength`` bytes.
    ///
    /// A URL that would not fit is cut short, so that what follows it is still read.
    public var message: String {
        var text = LogText()
        text.append(messageOf: kind)
        return String(decoding: text.bytes, as: UTF8.self)
    }

    /// The whole line of the event log, without its line feed.
    public var logLine: String {
        var text = LogText()
        text.append(lineOf: self)
        return String(decoding: text.bytes, as: UTF8.self)
    }

    /// The longest line of the event log, in bytes, its line feed included.
    public static let maximumLineLength = 4096
    /// The longest message, in bytes: a line less its frame, of two ids and a time.
    public static let maximumMessageLength = 4000
}

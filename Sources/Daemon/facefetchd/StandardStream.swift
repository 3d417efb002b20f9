import SmallFiles

/// A stream on which the program talks to whoever started it.
enum StandardStream: Int32 {
    case output = 1
    case error = 2

    /// Writes a text, or as much of it as is accepted.
    func write(_ text: String) { try? KeptFile.append(Array(text.utf8), to: rawValue) }
}

import Glibc

/// A stream on which the program talks to whoever started it.
enum StandardStream: Int32 {
    case output = 1
    case error = 2

    /// Writes a text, or as much of it as is accepted.
    func write(_ text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(rawValue, $0.baseAddress, $0.count) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}

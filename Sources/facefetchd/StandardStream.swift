import Glibc

/// A stream on which the program speaks to whoever started it.
enum StandardStream: Int32 {
    case output = 1
    case error = 2

    /// Writes all of a text, or as much as anyone takes.
    func write(_ text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(rawValue, $0.baseAddress, $0.count) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}

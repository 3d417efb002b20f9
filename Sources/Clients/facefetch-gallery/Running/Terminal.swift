import Glibc

/// The gallery's words to the person who has started it.
enum Terminal {
    /// A line on standard output, at once: whoever reads it waits for it.
    static func line(_ text: String) { write(text + "\n", to: STDOUT_FILENO) }

    /// A sentence on standard error.
    static func note(_ text: String) { write("facefetch-gallery: \(text)\n", to: STDERR_FILENO) }

    private static func write(_ text: String, to descriptor: Int32) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 || errno == EINTR else { return }
            bytes = bytes.dropFirst(max(0, count))
        }
    }
}

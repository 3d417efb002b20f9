import Dispatch
import Glibc
import SmallFiles

/// The gallery's words to the person who has started it.
enum Terminal {
    /// A line on standard output, at once: whoever reads it waits for it.
    static func line(_ text: String) { write(text + "\n", to: STDOUT_FILENO) }

    /// A sentence on standard error.
    static func note(_ text: String) { write("facefetch-gallery: \(text)\n", to: STDERR_FILENO) }

    private static func write(_ text: String, to descriptor: Int32) {
        try? WholeFile.write(Array(text.utf8), to: descriptor)
    }
}

/// Enter, in the terminal that a gallery was started in.
enum Keyboard {
    /// Calls back for each line on standard input, on a queue of its own, until there are no more.
    static func onEnter(_ act: @escaping @Sendable () -> Void) {
        // In the background a terminal isn't ours to read from: then reading fails, instead of stopping us.
        signal(SIGTTIN, SIG_IGN)
        DispatchQueue(label: "keyboard").async {
            var byte: UInt8 = 0
            while read(STDIN_FILENO, &byte, 1) == 1 {
                if byte == UInt8(ascii: "\n") { act() }
            }
        }
    }
}

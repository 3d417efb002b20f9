import Dispatch
import Glibc

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

import CJq
import Glibc

extension PageReader {
    /// The exit status of a process that had no memory for a page.
    public static let noMemory: Int32 = 77

    /// Has libjq end this process with ``noMemory`` where it finds no memory, instead of by a signal.
    public static func endWithoutMemory() { jv_nomem_handler({ _ in _exit(PageReader.noMemory) }, nil) }
}

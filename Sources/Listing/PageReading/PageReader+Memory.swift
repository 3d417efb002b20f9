import CJq
import Glibc

extension PageReader {
    /// The exit status of a process that ran out of memory.
    public static let noMemory: Int32 = 77

    /// Makes libjq end this process with ``noMemory`` when it runs out of memory, instead of by a
    /// signal.
    public static func endWithoutMemory() { jv_nomem_handler({ _ in _exit(PageReader.noMemory) }, nil) }
}

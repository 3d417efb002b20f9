import Glibc

/// Hands the bytes of a page to the process that reads it, as fast as that takes them.
final class Feed {
    /// As much as a pipe takes without waiting when it says that it is ready (pipe(7), PIPE_BUF).
    static let piece = 4096

    let pipe: Int32
    private(set) var isOpen = true
    private let page: Int32
    private var waiting: ArraySlice<UInt8>
    private var buffer = [UInt8](repeating: 0, count: 1 << 16)

    /// A page after a few bytes of our own.
    init(page: Int32, pipe: Int32, waiting: ArraySlice<UInt8>) {
        self.page = page
        self.pipe = pipe
        self.waiting = waiting
    }

    /// Writes a piece; the pipe is ready.
    func step() {
        if waiting.isEmpty { waiting = Streams.read(page, &buffer) }
        let count = waiting.prefix(Self.piece).withUnsafeBytes { Glibc.write(pipe, $0.baseAddress, $0.count) }
        if count < 0, errno == EINTR { return }
        // Who has read enough has closed the other end.
        guard count > 0 else { return end() }
        waiting = waiting.dropFirst(count)
    }

    /// The page has ended, or nobody reads it any more.
    func end() {
        guard isOpen else { return }
        isOpen = false
        close(pipe)
    }
}

import Confinement
import Glibc

/// Feeds the bytes of a page to the process that reads it, as fast as it takes them.
final class Feed {
    /// The number of bytes that a pipe accepts without blocking once it is ready (pipe(7), PIPE_BUF).
    static let piece = 4096

    let pipe: Int32
    private(set) var isOpen = true
    private let page: Int32?
    private var waiting: ArraySlice<UInt8>
    private var buffer = [UInt8](repeating: 0, count: 1 << 16)

    init(page: Int32?, pipe: Int32, waiting: ArraySlice<UInt8>) {
        self.page = page
        self.pipe = pipe
        self.waiting = waiting
    }

    /// Writes a piece to the pipe, which must be ready.
    func step() {
        if waiting.isEmpty, let page { waiting = Streams.read(from: page, into: &buffer) }
        guard !waiting.isEmpty else { return end() }
        let count = waiting.prefix(Self.piece).withUnsafeBytes { Glibc.write(pipe, $0.baseAddress, $0.count) }
        if count < 0, errno == EINTR { return }
        // A reader that has read enough closes its end.
        guard count > 0 else { return end() }
        waiting = waiting.dropFirst(count)
    }

    /// Ends the feed, because the page has ended or nobody reads it any more.
    func end() {
        guard isOpen else { return }
        isOpen = false
        close(pipe)
    }
}

import NIOCore

/// The number of bytes that are read from a connection at once.
///
/// Everything that has been read is parsed, and kept until it is answered. A client that sends requests
/// without waiting for answers (RFC 9112 §9.3.2) could otherwise have thousands of them parsed at a time,
/// which take a hundred times the memory of their bytes and keep the thread from all other connections.
enum ReadSize {
    /// About twenty of the smallest requests.
    static let piece = 1 << 10
    /// For requests.
    static let requests = FixedSizeRecvByteBufferAllocator(capacity: piece)
    /// For a large body that has been given room in memory.
    static let body = FixedSizeRecvByteBufferAllocator(capacity: 16 << 10)
}

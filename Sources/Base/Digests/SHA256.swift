import CCrypto

/// A running hash of SHA-256 (FIPS 180-4).
///
/// It is a value: a copy goes on by itself.
public struct SHA256: Sendable {
    /// The number of bytes of a digest.
    public static let byteCount = 32

    private var state: State

    /// Begins a hash.
    public init() { state = State() }

    /// Sets the library up for programs that close a sandbox: hashing then opens no file.
    ///
    /// To be called first of all, and not where there is TLS: openssl.cnf, which has rules for that, isn't
    /// read.
    public static func prepareForSandbox() {
        LibCrypto.check(OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_LOAD_CONFIG), nil), "be set up")
        _ = hash(data: [UInt8]())
    }

    /// Returns the digest of bytes.
    @inlinable public static func hash(data: some Collection<UInt8>) -> [UInt8] {
        data.withContiguousStorageIfAvailable { hash(bufferPointer: UnsafeRawBufferPointer($0)) }
            ?? hash(data: Array(data))
    }

    /// Returns the digest of bytes.
    public static func hash(bufferPointer bytes: UnsafeRawBufferPointer) -> [UInt8] {
        digest {
            LibCrypto.check(
                EVP_Digest(bytes.baseAddress, bytes.count, $0, nil, LibCrypto.sha256, nil),
                "hash"
            )
        }
    }

    /// Adds bytes.
    @inlinable public mutating func update(data: some Collection<UInt8>) {
        let added: Void? = data.withContiguousStorageIfAvailable {
            update(bufferPointer: UnsafeRawBufferPointer($0))
        }
        if added == nil { update(data: Array(data)) }
    }

    /// Adds bytes.
    public mutating func update(bufferPointer bytes: UnsafeRawBufferPointer) {
        if !isKnownUniquelyReferenced(&state) { state = State(copying: state) }
        LibCrypto.check(EVP_DigestUpdate(state.context, bytes.baseAddress, bytes.count), "hash more")
    }

    /// Returns the digest of all bytes so far, after which more may be added.
    public func finalize() -> [UInt8] {
        let last = State(copying: state)
        return Self.digest { LibCrypto.check(EVP_DigestFinal_ex(last.context, $0, nil), "end a hash") }
    }

    /// Returns the digest that `body` writes.
    private static func digest(_ body: (UnsafeMutablePointer<UInt8>?) -> Void) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, count in
            body(buffer.baseAddress)
            count = byteCount
        }
    }

    /// The library's state of a hash, which copies have in common until one of them goes on.
    // Nobody changes it but a value that has it alone.
    private final class State: @unchecked Sendable {
        let context = LibCrypto.need(EVP_MD_CTX_new(), "room for a hash")

        init() { LibCrypto.check(EVP_DigestInit_ex(context, LibCrypto.sha256, nil), "begin a hash") }

        init(copying other: State) {
            LibCrypto.check(EVP_MD_CTX_copy_ex(context, other.context), "copy a hash")
        }

        deinit { EVP_MD_CTX_free(context) }
    }
}

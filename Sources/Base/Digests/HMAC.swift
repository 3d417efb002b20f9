import CCrypto

/// HMAC with SHA-256 (RFC 2104): a code that only somebody who has a key can make of a message.
public enum HMAC {
    /// Returns the code of a message under a key.
    public static func code(of message: [UInt8], key: [UInt8]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: SHA256.byteCount) { buffer, count in
            let made = EVP_Q_mac(
                LibCrypto.context,
                "HMAC",
                nil,
                "SHA256",
                nil,
                key,
                key.count,
                message,
                message.count,
                buffer.baseAddress,
                buffer.count,
                &count
            )
            _ = LibCrypto.need(made, "HMAC with SHA-256")
        }
    }
}

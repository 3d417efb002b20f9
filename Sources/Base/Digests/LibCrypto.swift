import CCrypto

/// OpenSSL's libcrypto, as far as it is used here.
///
/// It fails only where memory is short or the library isn't whole. As with Swift's own allocations, that ends
/// the program.
enum LibCrypto {
    /// A context of our own: openssl.cnf, which may leave digests out by mistake, holds for the common one.
    // Like the other, it is made once and never changed, and has its own locks inside.
    nonisolated(unsafe) static let context = need(OSSL_LIB_CTX_new(), "context")

    /// SHA-256, looked up once: that takes longer than to hash a line.
    nonisolated(unsafe) static let sha256 = need(EVP_MD_fetch(context, "SHA256", nil), "SHA-256")

    /// Returns what the library has made.
    static func need<Made>(_ made: Made?, _ what: String) -> Made {
        guard let made else { fail("makes no \(what)") }
        return made
    }

    /// Checks that a call has succeeded.
    static func check(_ answer: Int32, _ what: String) {
        guard answer == 1 else { fail("can't \(what)") }
    }

    private static func fail(_ what: String) -> Never {
        preconditionFailure("libcrypto \(what): memory is short, or it isn't whole")
    }
}

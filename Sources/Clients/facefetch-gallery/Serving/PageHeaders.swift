import HTTPTypes

/// The header fields that every answer of a gallery has.
enum PageHeaders {
    /// Nothing runs, and nothing is loaded, that doesn't come from the gallery itself.
    static let policy = [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'", "connect-src 'self'",
        "worker-src 'self'", "manifest-src 'self'", "base-uri 'none'", "form-action 'none'",
        "frame-ancestors 'none'",
    ].joined(separator: "; ")

    static let fields: HTTPFields = {
        var fields: HTTPFields = [
            .contentSecurityPolicy: policy,
            .xContentTypeOptions: "nosniff",
            .cacheControl: "no-store",
        ]
        for (name, value) in [
            ("Referrer-Policy", "no-referrer"), ("Cross-Origin-Opener-Policy", "same-origin"),
            ("Cross-Origin-Resource-Policy", "same-origin"), ("X-Frame-Options", "DENY"),
            ("Permissions-Policy", "camera=(), geolocation=(), microphone=()"),
        ] {
            fields[.constant(name)] = value
        }
        return fields
    }()
}

/// A certificate that a server has made for itself, in a directory.
struct Certificate {
    /// The path of the certificate.
    let path: String
    /// The path of its key.
    let key: String

    /// Makes one for an address.
    init(for address: String, in directory: String) throws(BenchError) {
        (path, key) = (directory + "/certificate.pem", directory + "/key.pem")
        try Command(
            "openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                "-days", "2", "-subj", "/CN=bench", "-addext", "subjectAltName=IP:\(address)",
                "-keyout", key, "-out", path,
            ]
        ).run()
    }
}

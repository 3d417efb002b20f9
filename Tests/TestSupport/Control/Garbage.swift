/// Makes bad requests, the same ones for the same seed.
public enum Garbage {
    private static let words = [
        "GET", "POST", "PATCH", "HEAD", "get", "/v1/status", "/v1/batches", "/v1/jobs/1", "/v1/jobs?limit=",
        "/v1/events",
        " ", " HTTP/1.1", " HTTP/9.9", "\r\n", "\n", "\r\n\r\n", "Host: localhost\r\n",
        "Host: localhost\r\nHost: x\r\n",
        "Content-Length: 5\r\n", "Content-Length: -1\r\n", "Content-Length: 99999999999999999999\r\n",
        "Transfer-Encoding: chunked\r\n", "ffffffffffffffff\r\n", "0\r\n\r\n", "5\r\nhello\r\n",
        "{\"items\":[", "{\"url\":",
        "]}", "Expect: 100-continue\r\n", "Last-Event-ID: 1\r\n", "Connection: close\r\n", "Upgrade: h2c\r\n",
        "%00", "\u{0}",
        "é", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", ":", "Idempotency-Key: a\r\n",
    ]

    /// One request, or what is left of one.
    public static func request(_ random: inout SeededGenerator) -> [UInt8] {
        var bytes: [UInt8] = []
        if Bool.random(using: &random) { bytes += "GET /v1/status HTTP/1.1\r\nHost: localhost\r\n".utf8 }
        for _ in 0..<Int.random(in: 1...12, using: &random) {
            if Int.random(in: 0..<5, using: &random) == 0 {
                bytes += (0..<Int.random(in: 1...64, using: &random)).map { _ in
                    UInt8.random(in: 0...255, using: &random)
                }
            } else {
                bytes += (words.randomElement(using: &random) ?? "").utf8
            }
        }
        return bytes
    }
}

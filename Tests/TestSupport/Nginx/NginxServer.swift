import Foundation

/// A real nginx on loopback, with a configuration and a directory of its own.
public final class NginxServer: Sendable {
    /// The path of nginx; nil if it isn't installed, so that tests can skip visibly.
    public static let executable: String? = ["/usr/sbin/nginx", "/usr/local/sbin/nginx", "/usr/bin/nginx"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    /// The reason why nginx isn't there.
    public struct Failure: Error, CustomStringConvertible {
        /// The event, in words.
        public let description: String
    }

    /// The directory whose files are served.
    public let root: String
    /// The port it listens at on 127.0.0.1.
    public let port: UInt16

    private let scheme: String
    private let directory: TemporaryDirectory
    private let process: ChildProcess

    /// Starts nginx.
    ///
    /// - Parameters:
    ///   - location: directives for `location /`, such as `limit_rate 100k;`.
    ///   - server: directives for the whole server, such as `http2_max_concurrent_streams 1;`.
    ///   - certificate: paths of a certificate and its key, to serve https and HTTP/2.
    ///   - hasStreams: False for HTTP/1.1 alone.
    ///   - authority: path of the authority that has to vouch for clients' certificates; nil to want none.
    public static func start(
        location: String = "",
        server directives: String = "",
        certificate: (file: String, key: String)? = nil,
        hasStreams: Bool = true,
        clientsOf authority: String? = nil
    ) throws
        -> NginxServer
    {
        guard let executable else { throw Failure(description: "nginx isn't installed") }
        // Another process may take the port between finding it and nginx's bind.
        for _ in 0..<5 {
            let server = try NginxServer(
                executable: executable,
                location: location,
                directives: directives,
                certificate: certificate,
                hasStreams: hasStreams,
                authority: authority
            )
            if server.listens() { return server }
            server.stop()
        }
        throw Failure(description: "nginx doesn't listen")
    }

    private init(
        executable: String,
        location: String,
        directives: String,
        certificate: (file: String, key: String)?,
        hasStreams: Bool,
        authority: String?
    ) throws {
        let directory = try TemporaryDirectory()
        self.directory = directory
        root = try directory.directory("root")
        let (probe, port) = try OriginSocket.listen(at: "127.0.0.1", port: 0)
        probe.close()
        self.port = port
        scheme = certificate == nil ? "http" : "https"
        let tls =
            (certificate.map { "ssl_certificate \($0.file); ssl_certificate_key \($0.key);" } ?? "")
            + (authority.map { " ssl_client_certificate \($0); ssl_verify_client on;" } ?? "")
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map { "\($0)_temp_path \(directory.path("tmp-\($0)"));" }.joined(separator: " ")
        let text = """
            \(geteuid() == 0 ? "user root;" : "")
            daemon off; master_process off; pid \(directory.path("pid")); error_log \(directory.path("error.log"));
            events { worker_connections 512; }
            http {
              log_format short '$connection $server_protocol $status $body_bytes_sent $sent_http_content_length $msec $request_time $ssl_session_reused'; access_log \(directory.path("access.log")) short; sendfile on; keepalive_requests 100000; \(temporary)
              types { image/jpeg jpg; image/png png; } default_type application/octet-stream;
              server {
                listen 127.0.0.1:\(port)\(certificate == nil ? "" : hasStreams ? " ssl http2" : " ssl"); \(tls) \(directives)
                location / { root \(root); \(location) }
              }
            }
            """
        let configuration = try directory.write(Array(text.utf8), to: "nginx.conf")
        process = try ChildProcess(
            executable,
            ["-c", configuration, "-e", directory.path("error.log"), "-p", directory.path]
        )
    }

    /// The URL of a path.
    public func url(_ path: String) -> String { "\(scheme)://127.0.0.1:\(port)\(path)" }

    /// Writes a file that is served.
    public func serve(
        _ bytes: [UInt8],
        at name: String,
        modified: Date = Date(timeIntervalSince1970: 1_700_000_000)
    ) throws {
        let path = root + "/" + name
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.modificationDate: modified], ofItemAtPath: path)
    }

    /// Stops nginx and waits for its end; further calls do nothing.
    public func stop() { process.stop() }

    /// The connection's number, the protocol, the status, the lengths of what was sent of the body and of what was
    /// announced, the time of its end, the seconds that it took, and `r` where the connection went on from a TLS session,
    /// of each answer; complete once it is stopped.
    public func answers() throws -> [[String]] {
        try String(decoding: directory.read("access.log"), as: UTF8.self)
            .split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    }

    /// Returns the most connections that were in use at once: each from its first request to its last answer.
    public func mostConnections() throws -> Int {
        var uses: [String: (first: Double, last: Double)] = [:]
        for answer in try answers() where answer.count >= 7 {
            guard let end = Double(answer[5]), let length = Double(answer[6]) else { continue }
            let use = uses[answer[0]] ?? (first: .infinity, last: -.infinity)
            uses[answer[0]] = (first: min(use.first, end - length), last: max(use.last, end))
        }
        return uses.values.map { use in
            uses.values.count { $0.first <= use.first && use.first < $0.last }
        }.max() ?? 0
    }

    /// Waits until nginx listens, or has ended, or 10 s are over.
    ///
    /// It writes its id once it has taken the port. Whoever only asked there for a connection might get one from
    /// another test that has taken it meanwhile.
    private func listens() -> Bool {
        let deadline = Date().addingTimeInterval(10)
        while process.isRunning, Date() < deadline {
            if FileManager.default.fileExists(atPath: directory.path("pid")) { return true }
            usleep(5000)
        }
        return false
    }
}

import Foundation
import Glibc

/// nginx over files in memory: as fast as it goes, also by TLS and HTTP/2, 20 MB/s a connection, or hardly at all.
final class WebServer {
    /// The folder of files to serve.
    let root: String
    /// The certificate of the server for its addresses by https.
    let certificate: Certificate
    private let port: Int
    private let securePort: Int
    private let pid: pid_t

    /// Starts nginx and waits until it listens.
    init(directory: String) throws {
        root = directory + "/root"
        try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
        // Whoever else wants this port at this moment is not on a machine that measures.
        port = 20_000 + Int(getpid()) % 20_000
        securePort = port + 20_000
        certificate = try Certificate(for: "127.0.0.1", in: directory)
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map { "\($0)_temp_path \(directory)/tmp-\($0);" }.joined(separator: " ")
        // A limited response's last chunk comes at once: a small one, or many requests would pay.
        let text = """
            \(geteuid() == 0 ? "user root;" : "")
            daemon off; worker_processes 1; pid \(directory)/nginx.pid; error_log \(directory)/nginx.log;
            events { worker_connections 2048; }
            http {
              access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000; \(temporary)
              default_type image/jpeg;
              server {
                listen 127.0.0.1:\(port) backlog=1024; root \(root);
                listen 127.0.0.1:\(securePort) ssl http2 backlog=1024;
                ssl_certificate \(certificate.path); ssl_certificate_key \(certificate.key);
                location /limited/ { alias \(root)/; limit_rate 20000000; sendfile_max_chunk 256k; }
                location /paced/ { alias \(root)/; set $limit_rate $arg_rate; }
                location ~ ^/named/([0-9]+)/ { alias \(root)/s$1.jpg; }
                location /crawling/ { alias \(root)/; limit_rate 2000; }
              }
            }
            """
        let configuration = directory + "/nginx.conf"
        try Data(text.utf8).write(to: URL(fileURLWithPath: configuration))
        let arguments = ["-c", configuration, "-e", directory + "/nginx.log", "-p", directory]
        pid = try Command("nginx", arguments).start(errors: directory + "/nginx.err")
        let deadline = Clock.seconds() + 10
        while !FileManager.default.fileExists(atPath: directory + "/nginx.pid") {
            guard Clock.seconds() < deadline else { throw BenchError.failed("nginx doesn't start") }
            usleep(5000)
        }
    }

    func stop() {
        kill(pid, SIGTERM)
        waitpid(pid, nil, 0)
    }

    func url(_ path: String) -> String { "http://127.0.0.1:\(port)/\(path)" }

    /// The URL of a file by TLS and HTTP/2.
    func secureURL(_ path: String) -> String { "https://127.0.0.1:\(securePort)/\(path)" }

    /// Makes a file of this many bytes that doesn't repeat itself within a megabyte.
    func make(_ name: String, count: Int) throws {
        let path = root + "/" + name
        _ = FileManager.default.createFile(atPath: path, contents: nil)
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        defer { try? file.close() }
        let block = Data((0..<min(count, 1 << 20)).map { _ in UInt8.random(in: 0...255) })
        var rest = count
        while rest > 0 {
            try file.write(contentsOf: block.prefix(rest))
            rest -= min(rest, block.count)
        }
    }

    /// Makes files of 10 to 40 KB, and says their names.
    func makeSmallFiles(_ count: Int) throws -> [String] {
        let block = Data((0..<40_000).map { _ in UInt8.random(in: 0...255) })
        return try (0..<count).map { number in
            // Spread evenly over the sizes, and the same in every run.
            let size = 10_000 + number * 7919 % 30_001
            let name = "s\(number).jpg"
            try block.prefix(size).write(to: URL(fileURLWithPath: root + "/" + name))
            return name
        }
    }

    func remove(_ names: [String]) { for name in names { unlink(root + "/" + name) } }
}

import Foundation
import Glibc

/// A line with delay, a rate and losses between two network namespaces, and an nginx at its far end.
///
/// Made of TUN devices, since few kernels of virtual machines have netem. Only root may make those.
final class Line {
    /// The properties of a line.
    struct Properties {
        /// Milliseconds there and back.
        var roundTrip: Int
        /// Megabits a second, in each direction; 0 for no limit.
        var rate: Int
        /// Per cent of the packets that are lost, in each direction.
        var loss: Double
        /// The congestion control of the server (tcp(7)), on which it depends what losses cost.
        var congestion: String

        /// Takes the kernel's own congestion control where none is named.
        init(roundTrip: Int, rate: Int, loss: Double, congestion: String?) {
            (self.roundTrip, self.rate, self.loss) = (roundTrip, rate, loss)
            let usual = try? String(
                contentsOfFile: "/proc/sys/net/ipv4/tcp_congestion_control",
                encoding: .utf8
            )
            self.congestion =
                congestion ?? usual?.trimmingCharacters(in: .whitespacesAndNewlines) ?? "cubic"
        }

        var words: String {
            "\(roundTrip) ms" + (rate > 0 ? ", \(rate) Mbit/s" : "") + (loss > 0 ? ", \(loss) % lost" : "")
                + " (\(congestion))"
        }
    }

    /// The reason why there can be no line here; nil if there can.
    static var obstacle: String? {
        if geteuid() != 0 { return "only root can make one" }
        if access("/dev/net/tun", R_OK | W_OK) != 0 { return "there is no /dev/net/tun" }
        return nil
    }

    private static let address = "10.98.0.2"
    private let near: String
    private let far: String
    private let directory: String
    private var processes: [pid_t] = []

    /// The path of the certificate that the server at the far end has made for itself.
    var certificate: String { directory + "/certificate.pem" }

    /// Makes a line, with its files in a directory, to a server of the files below `root`.
    init(_ properties: Properties, in directory: String, serving root: String) throws {
        self.directory = directory
        (near, far) = ("facefetch-near-\(getpid())", "facefetch-far-\(getpid())")
        do {
            try lay(properties)
            try serve(root)
        } catch {
            close()
            throw error
        }
    }

    /// Ends the server and the carrier; the namespaces go with their devices.
    func close() {
        for process in processes.reversed() {
            kill(process, SIGTERM)
            waitpid(process, nil, 0)
        }
        processes = []
        for space in [near, far] { _ = try? Command("ip", ["netns", "del", space]).run() }
    }

    /// The URL of a file at the far end.
    func url(_ path: String, isSecure: Bool) -> String {
        "\(isSecure ? "https" : "http")://\(Self.address)/\(path)"
    }

    /// The words before a command that is to run at this end.
    var prefix: [String] { ["ip", "netns", "exec", near] }

    /// Runs a program at this end; returns the seconds that it took.
    func run(_ name: String, _ arguments: [String]) throws -> Double {
        let program = try Command(name, []).path
        return try Command("ip", prefix.dropFirst() + [program] + arguments).run().wall
    }

    /// The number of connections over which the server has answered so far.
    func connectionCount() throws -> Int {
        let text = try String(contentsOfFile: directory + "/connections.log", encoding: .utf8)
        return Set(text.split(separator: "\n")).count
    }

    private func lay(_ properties: Properties) throws {
        let program = directory + "/line"
        try Command("cc", ["-O2", "-o", program, "Benchmarks/Line/line.c"]).run()
        let devices = ["ffn\(getpid())", "fff\(getpid())"]
        // A router's buffer holds what is sent in a round trip, or a little more.
        let numbers = [
            String(Double(properties.roundTrip) / 2), String(properties.rate), String(properties.loss),
            String(max(50, properties.roundTrip)),
        ]
        let said = directory + "/line.txt"
        processes.append(
            try Command(program, devices + numbers).start(errors: directory + "/line.err", output: said)
        )
        try until("the line is ready") { FileManager.default.contents(atPath: said)?.isEmpty == false }
        for (space, device, address) in [(near, devices[0], "10.98.0.1"), (far, devices[1], Self.address)] {
            for words in [
                ["netns", "add", space], ["link", "set", device, "netns", space],
                ["-n", space, "link", "set", "lo", "up"],
                ["-n", space, "link", "set", device, "up", "mtu", "1500"],
                ["-n", space, "addr", "add", address + "/30", "dev", device],
            ] {
                try Command("ip", words).run()
            }
        }
        // Where the kernel's own can't be changed, a route's can.
        let route = ["-n", far, "route", "replace", "10.98.0.0/30", "dev", devices[1], "src", Self.address]
        try Command("ip", route + ["congctl", properties.congestion]).run()
    }

    /// Starts nginx as it is by default, but for where its files are; with the versions of TLS that Debian's own
    /// configuration has, and nginx by default only since 1.23.4.
    private func serve(_ root: String) throws {
        let files = try Certificate(for: Self.address, in: directory)
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map { "\($0)_temp_path \(directory)/tmp-\($0);" }.joined(separator: " ")
        let text = """
            user root; daemon off; worker_processes 1; pid \(directory)/nginx.pid;
            error_log \(directory)/nginx.log;
            events { worker_connections 512; }
            http {
              log_format connections '$connection'; access_log \(directory)/connections.log connections;
              sendfile on; tcp_nopush on; default_type image/jpeg; \(temporary)
              server {
                listen \(Self.address):80; listen \(Self.address):443 ssl http2; root \(root);
                ssl_certificate \(files.path); ssl_certificate_key \(files.key);
                ssl_protocols TLSv1.2 TLSv1.3;
              }
            }
            """
        let configuration = directory + "/nginx.conf"
        try Data(text.utf8).write(to: URL(fileURLWithPath: configuration))
        let nginx = try Command("nginx", []).path
        let arguments = ["-c", configuration, "-e", directory + "/nginx.log", "-p", directory]
        let server = try Command("ip", ["netns", "exec", far, nginx] + arguments)
        processes.append(try server.start(errors: directory + "/nginx.err"))
        try until("nginx is ready") { access(directory + "/nginx.pid", F_OK) == 0 }
    }

    private func until(_ words: String, _ isSo: () -> Bool) throws(BenchError) {
        let deadline = Clock.seconds() + 10
        while !isSo() {
            guard Clock.seconds() < deadline else { throw .failed("it takes too long until \(words)") }
            usleep(5000)
        }
    }
}

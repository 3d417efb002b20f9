import Foundation

/// A server of HTTP/2 over TLS on loopback that treats its requests as told, in frames of its own making.
///
/// It answers each request with the same small body, whatever it asks for. A Python program, since that has TLS.
public final class StreamServer: Sendable {
    /// The path of Python; nil if it isn't installed, so that tests can skip visibly.
    public static let executable: String? = ["/usr/bin/python3", "/usr/local/bin/python3"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    /// The treatment of requests; 0 turns each off.
    public struct Manners: Sendable {
        /// The most streams at once that it allows on a connection.
        public var limit = 0
        /// The number of requests behind the first one, on all connections, that it refuses (REFUSED_STREAM).
        public var refused = 0
        /// The number of first requests that it resets as broken (INTERNAL_ERROR), and of requests behind the first one.
        public var broken = 0
        public var reset = 0
        /// The number of requests behind the first one at which it closes their connections without a word.
        public var lost = 0
        /// The number of first connections that it closes at once when a second request has come there.
        public var closed = 0
        /// The number of answers after which it sends a connection away (GOAWAY).
        public var farewell = 0
        /// The number of requests after which it waits for `awaited` requests at once before it answers any.
        public var gate = 0
        public var awaited = 0
        /// The number of SETTINGS frames that it sends before each answer.
        public var settings = 0
        /// True if it begins heads that never end (CONTINUATION without END_HEADERS).
        public var endlessHeads = false

        /// The number of requests behind the first one whose answers it begins, and never ends.
        public var unended = 0
        /// True if it lets nobody send a byte of a body (a window of nothing).
        public var givesNoWindow = false

        public init() {}
    }

    /// The counts of what came.
    public struct Counts: Codable, Sendable {
        public var connections = 0
        public var requests = 0
        public var answers = 0
        /// The most requests at once on one connection.
        public var widest = 0
    }

    /// The body of each answer.
    public static let body = [UInt8](repeating: 0x61, count: 1000)
    /// The port it listens at on 127.0.0.1.
    public let port: UInt16

    private let directory: TemporaryDirectory
    private let process: ChildProcess

    /// Starts a server.
    public init(certificate: (file: String, key: String), _ manners: Manners) throws {
        guard let executable = Self.executable else {
            throw NginxServer.Failure(description: "Python isn't installed")
        }
        directory = try TemporaryDirectory()
        let program = try directory.write(Array(Self.program.utf8), to: "server.py")
        let numbers = [
            manners.limit, manners.refused, manners.broken, manners.lost, manners.closed,
            manners.farewell,
            manners.gate, manners.awaited, manners.settings, manners.endlessHeads ? 1 : 0, Self.body.count,
            manners.unended, manners.givesNoWindow ? 1 : 0, manners.reset,
        ]
        process = try ChildProcess(
            executable,
            [program, directory.path("counts"), certificate.file, certificate.key] + numbers.map(String.init)
        )
        let deadline = Date().addingTimeInterval(20)
        // It takes a free port by itself, so that nobody else can take that before.
        while true {
            let text = (try? directory.read("port")).map { String(decoding: $0, as: UTF8.self) }
            if let port = text.flatMap({ UInt16($0) }) {
                self.port = port
                return
            }
            guard process.isRunning, Date() < deadline else {
                throw NginxServer.Failure(description: "the server of streams doesn't listen")
            }
            usleep(5000)
        }
    }

    /// The URL of a path.
    public func url(_ path: String) -> String { "https://127.0.0.1:\(port)\(path)" }

    /// The counts so far.
    public func counts() throws -> Counts {
        guard let bytes = try? directory.read("counts") else { return Counts() }
        return try JSONDecoder().decode(Counts.self, from: Data(bytes))
    }

    /// Stops the server and waits for its end; further calls do nothing.
    public func stop() { process.stop() }

    private static let program = """
        import json, os, socket, ssl, struct, sys, threading, time

        counts_path, certificate, key = sys.argv[1:4]
        (limit, refused, broken, lost, closed, farewell, gate, awaited, settings, endless, length, unended, shut, reset) = map(int, sys.argv[4:])
        lock = threading.Lock()
        counts = dict(connections=0, requests=0, answers=0, widest=0)
        is_open = threading.Event()
        if not gate: is_open.set()

        def note(**more):
            for name, value in more.items(): counts[name] = value
            with open(counts_path + ".new", "w") as file: json.dump(counts, file)
            os.replace(counts_path + ".new", counts_path)

        def frame(kind, flags, stream, payload=b""):
            return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload

        def field(index, text):
            # A literal without indexing, whose name is in the static table (RFC 7541, 6.2.2).
            return bytes([0x0F, index - 15, len(text)]) + text.encode()

        def answer(stream):
            head = b"\\x88" + field(31, "image/png") + field(28, str(length))
            if endless:
                return frame(1, 0, stream, head) + frame(9, 0, stream, field(28, "9" * 100) * 150) * 40
            extra = frame(4, 0, 0, struct.pack(">HI", 3, limit or 100)) * settings
            return extra + frame(1, 4, stream, head) + frame(0, 1, stream, b"a" * length)

        class Gone(Exception): pass

        def serve(raw):
            connection = context.wrap_socket(raw, server_side=True)
            stream_file = connection.makefile("rb")
            def read(count):
                data = stream_file.read(count)
                if data is None or len(data) < count: raise Gone()
                return data
            read(24)
            with lock:
                note(connections=counts["connections"] + 1)
                number = counts["connections"]
            writing = threading.Lock()
            def send(data):
                with writing: connection.sendall(data)
            terms = struct.pack(">HI", 3, limit) if limit else b""
            send(frame(4, 0, 0, terms + (struct.pack(">HI", 4, 0) if shut else b"")))
            opened, answered, came = set(), 0, 0
            waiting = []
            def give(stream):
                nonlocal answered
                # Whoever has an answer may look at once.
                with lock: note(answers=counts["answers"] + 1)
                send(answer(stream))
                opened.discard(stream)
                answered += 1
                if farewell and answered >= farewell:
                    send(frame(7, 0, 0, struct.pack(">II", stream, 0)))
                    # What is still being sent to it would otherwise take the answer away (RFC 9113, 6.8).
                    while True: read(1)
            def release():
                # Nobody waits for ever: then the count says how many there were.
                is_open.wait(10)
                is_open.set()
                with lock:
                    late, waiting[:] = list(waiting), []
                for stream in late: give(stream)
            try:
                while True:
                    head = read(9)
                    size, kind, flags = int.from_bytes(head[:3], "big"), head[3], head[4]
                    stream = int.from_bytes(head[5:], "big") & 0x7FFFFFFF
                    payload = read(size)
                    if kind == 4 and not flags & 1: send(frame(4, 1, 0))
                    if kind == 6 and not flags & 1: send(frame(6, 1, 0, payload))
                    if kind == 3: opened.discard(stream)
                    if kind != 1: continue
                    opened.add(stream)
                    came += 1
                    with lock:
                        note(requests=counts["requests"] + 1, widest=max(counts["widest"], len(opened)))
                        request = counts["requests"]
                    if number <= closed and came > 1 or 1 < request <= lost + 1: raise Gone()
                    if 1 < request <= max(refused, reset) + 1 or request <= broken:
                        opened.discard(stream)
                        send(frame(3, 0, stream, struct.pack(">I", 2 if request <= broken or reset else 7)))
                        continue
                    if 1 < request <= unended + 1:
                        head = b"\\x88" + field(31, "image/png") + field(28, str(length))
                        send(frame(1, 4, stream, head) + frame(0, 0, stream, b"a" * (length // 2)))
                        continue
                    if not is_open.is_set() and request > gate:
                        with lock: waiting.append(stream)
                        if len(waiting) == 1: threading.Thread(target=release, daemon=True).start()
                        if len(opened) >= awaited: is_open.set()
                        continue
                    give(stream)
            finally:
                try: connection.shutdown(socket.SHUT_RDWR)
                except OSError: pass
                connection.close()

        def guarded(raw):
            try: serve(raw)
            except (Gone, OSError, ValueError): pass

        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        context.set_alpn_protocols(["h2"])
        listener = socket.create_server(("127.0.0.1", 0), backlog=128)
        port_path = os.path.join(os.path.dirname(counts_path), "port")
        with open(port_path + ".new", "w") as file: file.write(str(listener.getsockname()[1]))
        os.replace(port_path + ".new", port_path)
        while True:
            threading.Thread(target=guarded, args=(listener.accept()[0],), daemon=True).start()
        """
}

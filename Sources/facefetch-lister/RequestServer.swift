import CSandbox
import ChildProtocol
import Glibc
import ListerProtocol

/// Reads pages, or recipes, for the daemon, one at a time, until standard input closes.
struct RequestServer {
    let limit: Duration
    let requireLandlock: Bool

    /// Reads the program, reports whether it can be compiled, then handles requests.
    func run(pages: [String]) throws {
        // A daemon that is killed closes our standard input, but that is only noticed between pages.
        guard CSandbox_die_with(getppid()) == 0 else { return }
        _ = CSandbox_lower_priority()
        var reader = ListerFrameReader()
        guard let program = try next(&reader, .program)?.decode(ListerProgram.self) else { return }
        let forkServer = try ForkServer(program, limit: limit)
        try forkServer.awaitReady(requireLandlock: requireLandlock)
        let greeting = try forkServer.greeting()
        try Sandbox(readable: pages).close()
        guard Streams.write(try ListerFrame(.greeting, greeting).bytes, to: STDOUT_FILENO),
            greeting.problems.isEmpty
        else { return }
        while program == .recipes, let frame = try next(&reader, .recipe) {
            guard let answer = forkServer.read(try frame.decode(RecipeRequest.self)),
                Streams.write(answer.bytes, to: STDOUT_FILENO)
            else { return }
        }
        while let frame = try next(&reader, .request) {
            let request = try frame.decode(ListerRequest.self)
            for part in forkServer.read(request) {
                guard Streams.write(part.bytes, to: STDOUT_FILENO) else { return }
            }
        }
    }

    /// Returns the daemon's next message, which must be of this kind; nil at the end.
    private func next(_ reader: inout ListerFrameReader, _ kind: ListerFrame.Kind) throws -> ListerFrame? {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            if let frame = try reader.next() {
                guard frame.kind == kind else { throw FrameError.kind(frame.kind.rawValue) }
                return frame
            }
            let bytes = Streams.read(STDIN_FILENO, &buffer)
            guard !bytes.isEmpty else { return nil }
            reader.append(bytes)
        }
    }
}

import Confinement
import Glibc
import SourceCore
import Vocabulary

/// Reads pages, or recipes, for the daemon, one at a time, until standard input closes.
struct RequestServer {
    let limit: Duration
    let requireLandlock: Bool

    /// Reads the program, reports whether it can be compiled, then handles requests.
    func run(pages: [String]) throws {
        // A daemon that is killed closes our standard input, but that is only noticed between pages.
        guard OwnProcess.dieWithParent() else { return }
        OwnProcess.lowerPriority()
        var reader = ListerFrameReader()
        guard let program = try next(&reader, .program)?.decode(ListerProgram.self) else { return }
        let readers = try Readers(program, limit: limit)
        try readers.awaitReady(requireLandlock: requireLandlock)
        let greeting = try readers.greeting()
        try Sandbox(ofListerReading: pages, requireLandlock: requireLandlock).close()
        guard Streams.write(try ListerFrame(.greeting, greeting).bytes, to: STDOUT_FILENO),
            greeting.problems.isEmpty
        else { return }
        while program == .recipes, let frame = try next(&reader, .recipe) {
            guard let answer = readers.read(try frame.decode(RecipeRequest.self)),
                Streams.write(answer.bytes, to: STDOUT_FILENO)
            else { return }
        }
        while let frame = try next(&reader, .request) {
            let request = try frame.decode(ListerRequest.self)
            for part in readers.read(request) {
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
            let bytes = Streams.read(from: STDIN_FILENO, into: &buffer)
            guard !bytes.isEmpty else { return nil }
            reader.append(bytes)
        }
    }
}

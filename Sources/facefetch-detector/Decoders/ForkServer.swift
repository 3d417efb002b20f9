import CSandbox
import FaceDetection
import Glibc

/// Has each picture decoded by a process of its own, confined to that task and gone afterwards.
///
/// The processes are forked by one that has never seen a stranger's byte (see CSandboxForkServer.h). This
/// process opens the picture, passes it on, and takes pixels of checked size; it does nothing
/// to a stranger's bytes itself but to add them up.
final class ForkServer {
    /// A sentence about each part of the sandbox that is missing here.
    private(set) var warnings: [String] = []
    private let socket: Int32
    private let process: Int32
    private let limit: Duration
    /// The milliseconds to wait each time the machine lacks something.
    private let waits: [UInt32]

    /// Starts the fork server; this process must have a single thread and must not have opened anything yet.
    ///
    /// `limit` is the time limit for one picture. `isPatient` says that nobody else will try again if
    /// the machine lacks something. `body` is the work of each process, which gets `context`; that must
    /// live as long as this process.
    init(
        limit: Duration,
        isPatient: Bool = true,
        context: UnsafeRawPointer? = nil,
        body: @convention(c) (UnsafeRawPointer?, Int32, Int32, UInt32) -> Int32 = DecoderProcess.body
    ) throws {
        var socket: Int32 = -1
        let process = CSandbox_fork_server_begin(&socket)
        guard process >= 0 else {
            throw SandboxFailure("no decoder can be started: \(String(cString: strerror(errno)))")
        }
        if process == 0 {
            DecoderProcess.prepare { reason in CSandbox_fork_server_fail(socket, reason) }
            var limits = Sandbox.limits
            CSandbox_fork_server_serve(socket, &limits, body, context)
        }
        self.socket = socket
        self.process = process
        self.limit = limit
        waits = isPatient ? [10, 100, 500, 2000] : [10, 100, 400]
    }

    deinit { CSandbox_fork_server_end(socket, process) }

    /// Waits until the fork server has closed its own sandbox.
    func awaitReady(requireLandlock: Bool) throws {
        var state = CSandboxForkServerState()
        guard CSandbox_fork_server_await(socket, &state) == 0 else {
            throw SandboxFailure("no decoder can be started: the process that starts them has ended")
        }
        let failure = withUnsafeBytes(of: state.failure) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        guard failure.isEmpty else { throw SandboxFailure(failure) }
        try Sandbox.check(landlock: state.landlock, isRequired: requireLandlock)
        if state.landlock == 0 { warnings.append(Sandbox.withoutLandlock) }
        if !state.counts {
            warnings.append(
                "decoders' threads can't be counted here (seccomp has no listener, or another has it), "
                    + "so only limits on the whole service bound them"
            )
        }
    }

    /// Has a file decoded; with `isShown` in the colours that its profile means.
    ///
    /// - Throws: ``UnreadablePicture`` for a file that isn't a picture, ``LostDecoder`` if the process
    ///   didn't do its work, ``LackOfResources`` if the machine lacks something for it.
    ///
    /// The file has to have the SHA-256 `sum`, if that is given.
    func decode(
        path: String,
        workingSize: Int,
        isShown: Bool = false,
        sum: String? = nil
    ) throws -> Picture {
        try decode(path, DecoderOrder(workingSize: workingSize, isShown: isShown), sum: sum).picture
    }

    /// Has a file decoded in the size of its copy, in the colours that its profile means.
    ///
    /// - Throws: as ``decode(path:workingSize:isShown:sum:)``
    func decodeForCopy(path: String, sum: String? = nil) throws -> Picture {
        let size = PlainCopy.longestSide
        let order = DecoderOrder(workingSize: size, isShown: true, isForCopy: true)
        // Its sides are rounded.
        let mostPixels = PlainCopy.mostPixels + PlainCopy.longestSide
        return try decode(path, order, mostPixels: mostPixels, sum: sum).picture
    }

    /// Has a file decoded for an engine, and in the same pass for people, with its longer side at most
    /// `shownSide` pixels long, if it has a profile.
    ///
    /// - Throws: as above.
    func decode(
        path: String,
        workingSize: Int,
        shownSide: Int?
    ) throws -> (picture: Picture, shown: Picture?) {
        try decode(path, DecoderOrder(workingSize: workingSize, shownSide: shownSide))
    }

    private func decode(
        _ path: String,
        _ order: DecoderOrder,
        mostPixels: Int = .max,
        sum: String? = nil
    ) throws -> (picture: Picture, shown: Picture?) {
        let picture = try patiently { try Self.open(path: path) }
        defer { close(picture) }
        if let sum { try FileSum.check(sum, of: picture) }
        let answer = try run(input: picture, order: order.number) { output in
            Self.take(from: output, order, mostPixels: mostPixels)
        }
        // Before anything else, since an attack may have made the picture unreadable.
        tell(answer.ending, of: path)
        guard let taken = answer.result, let decoded = try Picture(header: taken.header, body: taken.body)
        else { throw LostDecoder.misbehaved }
        guard let second = taken.second else { return (decoded, nil) }
        guard case .pixels = second.header, let shown = try Picture(header: second.header, body: second.body)
        else { throw LostDecoder.misbehaved }
        return (decoded, shown)
    }

    /// Has a file decoded row by row, and lets `take` have the rows as they are decoded.
    ///
    /// What has been decoded well before may be given up half-way: the file's rows just end there.
    func rows(path: String, workingSize: Int, _ take: (PictureRows) throws -> Void) throws {
        let picture = try patiently { try Self.open(path: path) }
        defer { close(picture) }
        let order = DecoderOrder(workingSize: workingSize, isInRows: true).number
        let answer = try run(input: picture, order: order) { output in
            Result { try Self.take(from: output, workingSize: workingSize, take) }
        }
        tell(answer.ending, of: path)
        try answer.result.get()
    }

    /// Says on standard error what a decoder was refused.
    private func tell(_ ending: CSandboxEnding, of path: String) {
        guard ending.refused_opens > 0 else { return }
        StandardStreams.write(
            "facefetch-detector: the decoder of \(path.debugDescription) tried to open "
                + "\(ending.refused_opens) files, which was refused\n",
            to: STDERR_FILENO
        )
    }

    /// Has a process started for an open file, and lets `take` read its output until it has ended.
    ///
    /// - Throws: ``LostDecoder`` if it hasn't ended well, ``LackOfResources`` if it could not be
    ///   started.
    func run<Result>(
        input: Int32,
        order: UInt32,
        _ take: (Int32) -> Result
    ) throws -> (result: Result, ending: CSandboxEnding) {
        try patiently {
            let answer = try attempt(input: input, order: order, take)
            if let lost = LostDecoder(answer.ending, limit: limit) { throw lost }
            return answer
        }
    }

    /// Runs `body`, and repeats it after a while if the machine lacks something, which is not the
    /// picture's fault.
    private func patiently<Result>(_ body: () throws -> Result) throws -> Result {
        for milliseconds in waits {
            do {
                return try body()
            } catch is LackOfResources {
                usleep(milliseconds * 1000)
            }
        }
        return try body()
    }

    private static func open(path: String) throws -> Int32 {
        do throws(UnreadablePicture) {
            return try PictureDecoder.open(path: path)
        } catch {
            guard let lack = LackOfResources(error.openingError, of: "a descriptor for it") else {
                throw error
            }
            throw lack
        }
    }

    private func attempt<Result>(
        input: Int32,
        order number: UInt32,
        _ take: (Int32) -> Result
    ) throws -> (result: Result, ending: CSandboxEnding) {
        var order = CSandboxOrder(order: number, milliseconds: UInt32(limit / .milliseconds(1)))
        let output = CSandbox_fork_server_order(socket, &order, input)
        guard output >= 0 else { throw Self.failure(errno) }
        let result = take(output)
        // A process that still writes after that writes to nobody.
        close(output)
        var ending = CSandboxEnding()
        guard CSandbox_fork_server_ending(socket, &ending) == 0 else { throw LostDecoder.none(errno) }
        if ending.failure != 0 { throw Self.failure(ending.failure) }
        return (result, ending)
    }

    /// Returns the error for a process that could not be started.
    private static func failure(_ cause: Int32) -> any Error {
        LackOfResources(cause, of: "a process to decode it") ?? LostDecoder.none(cause)
    }

    private typealias Part = (header: PictureHeader, body: [UInt8])

    /// Reads a decoder's output to its end; nil for anything but a header and what belongs to it, once for
    /// each picture that was ordered.
    private static func take(
        from output: Int32,
        _ order: DecoderOrder,
        mostPixels: Int
    ) -> (header: PictureHeader, body: [UInt8], second: Part?)? {
        guard let first = part(from: output, workingSize: order.workingSize, mostPixels: mostPixels) else {
            return nil
        }
        var second: Part?
        if let side = order.shownSide, case .pixels(_, _, _, _, _, _, hasProfile: true, _) = first.header {
            second = part(from: output, workingSize: side, mostPixels: mostPixels)
            guard second != nil else { return nil }
        }
        return StandardStreams.isAtEnd(output) ? (first.header, first.body, second) : nil
    }

    private static func part(from output: Int32, workingSize: Int, mostPixels: Int) -> Part? {
        guard let bytes = StandardStreams.read(PictureHeader.length, from: output),
            let header = PictureHeader(bytes: bytes, workingSize: workingSize),
            header.bodyLength / 3 <= mostPixels,
            let body = StandardStreams.read(header.bodyLength, from: output)
        else { return nil }
        return (header, body)
    }

    /// Reads the header of a picture that comes row by row, and lets `body` read those.
    private static func take(
        from output: Int32,
        workingSize: Int,
        _ body: (PictureRows) throws -> Void
    ) throws {
        guard let bytes = StandardStreams.read(PictureHeader.length, from: output),
            let header = PictureHeader(bytes: bytes, workingSize: workingSize)
        else { throw LostDecoder.misbehaved }
        if case .reason(let length) = header {
            guard let reason = StandardStreams.read(length, from: output) else {
                throw LostDecoder.misbehaved
            }
            _ = try Picture(header: header, body: reason)
        }
        var left = header.bodyLength
        let rows = PictureRows(header: header) { count in
            let length = count * header.width * 3
            guard length <= left, let rows = StandardStreams.read(length, from: output) else { return nil }
            left -= length
            return rows
        }
        guard let rows else { throw LostDecoder.misbehaved }
        try body(rows)
    }
}

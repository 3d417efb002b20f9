import Confinement
import FaceDetection
import Glibc
import SmallFiles

/// Has each picture decoded by a process of its own, confined to that task and gone afterwards.
///
/// This process opens the picture, passes it on, and takes pixels of checked size; it does nothing
/// to a stranger's bytes itself but to add them up.
final class Decoders {
    /// The most that each process here may take: room for a picture of 1 GiB that has to be held whole, and CPU
    /// time for more pictures than the daemon gives to one process, also where each gets all looks.
    static let limits = ProcessLimits(furtherMemory: 3 << 30, cpuSeconds: 36_000)

    private let server: ForkServer
    /// The places that this process was let into.
    private var readable: [String] = []
    /// The milliseconds to wait each time the machine lacks something.
    private let waits: [UInt32]

    /// Starts the fork server of decoders; this process must have a single thread and must not have opened
    /// anything yet.
    ///
    /// `limit` is the time limit for one picture. `isPatient` says that nobody else will try again if
    /// the machine lacks something.
    init(limit: Duration, isPatient: Bool) throws(SandboxFailure) {
        server = try ForkServer(.decoding, limit: limit) { () throws(SandboxFailure) in
            try DecoderProcess.prepare()
            return ForkServer.Work(limits: Self.limits, body: DecoderProcess.body)
        }
        waits = isPatient ? [10, 100, 500, 2000] : [10, 100, 400]
    }

    /// A sentence about each part of the sandbox that is missing here.
    var warnings: [String] { server.warnings }

    /// Those in one; nil if nothing is missing.
    var warning: String? { server.warning }

    /// Waits until the fork server has closed its own sandbox, then closes that of this process, which may read
    /// some files and folders, and write into one folder.
    func confine(readable: [String], writable: String? = nil, requireLandlock: Bool) throws(SandboxFailure) {
        try server.awaitReady(requireLandlock: requireLandlock)
        try Sandbox(
            .decoding,
            limits: Self.limits,
            readable: readable,
            writable: writable,
            requireLandlock: requireLandlock
        ).close()
        self.readable = readable
    }

    /// Returns whether a document could not be opened because this process can't open its directory either: that
    /// is away, or was when the sandbox was closed, which lets nobody into what comes later.
    func isShutOut(by unreadable: UnreadablePicture) -> Bool {
        guard unreadable.openingError != 0 else { return false }
        return !readable.allSatisfy { path in
            let place = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
            if place >= 0 { close(place) }
            return place >= 0
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
    /// `shownSide` pixels long, if it has a profile; `within` less time than any picture has.
    ///
    /// - Throws: as above.
    func decode(
        path: String,
        workingSize: Int,
        shownSide: Int?,
        within time: Duration? = nil
    ) throws -> (picture: Picture, shown: Picture?) {
        try decode(path, DecoderOrder(workingSize: workingSize, shownSide: shownSide), within: time)
    }

    private func decode(
        _ path: String,
        _ order: DecoderOrder,
        mostPixels: Int = .max,
        sum: String? = nil,
        within time: Duration? = nil
    ) throws -> (picture: Picture, shown: Picture?) {
        let picture = try patiently { try open(path: path) }
        defer { close(picture) }
        if let sum { try FileSum.check(sum, of: picture) }
        let answer = try run(path, input: picture, order: order, within: time) { output in
            Self.readPictures(from: output, order, mostPixels: mostPixels)
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

    /// Has a file decoded row by row, and lets `body` have the rows as they are decoded.
    ///
    /// What has been decoded well before may be given up half-way: the file's rows just end there.
    func rows(
        path: String,
        workingSize: Int,
        within time: Duration? = nil,
        _ body: (PictureRows) throws -> Void
    ) throws {
        let picture = try patiently { try open(path: path) }
        defer { close(picture) }
        let order = DecoderOrder(workingSize: workingSize, isInRows: true)
        let answer = try run(path, input: picture, order: order, within: time) { output in
            Result { try Self.readRows(from: output, workingSize: workingSize, body) }
        }
        tell(answer.ending, of: path)
        try answer.result.get()
    }

    /// Says on standard error what a decoder was refused.
    private func tell(_ ending: ChildEnding, of path: String) {
        guard ending.refusedOpens > 0 else { return }
        Streams.say(
            "facefetch-detector: the decoder of \(path.debugDescription) tried to open "
                + "\(ending.refusedOpens) files, which was refused",
            to: STDERR_FILENO
        )
    }

    /// Has a process started for an open file, and lets `read` have its output until it has ended.
    ///
    /// - Throws: ``UnreadablePicture`` if it took too much memory or time, ``LostDecoder`` if it hasn't ended
    ///   well otherwise, ``LackOfResources`` if it could not be started.
    private func run<Result>(
        _ path: String,
        input: Int32,
        order: DecoderOrder,
        within time: Duration?,
        _ read: (Int32) -> Result
    ) throws -> (result: Result, ending: ChildEnding) {
        try patiently {
            let answer = try attempt(input: input, order: order, within: time, read)
            switch answer.ending.way {
            // That is the picture's fault, and would be so again.
            case .tooMuchMemory:
                Streams.say(
                    "facefetch-detector: the decoder of \(path.debugDescription) ended by signal "
                        + "\(answer.ending.signal ?? 0) when it held much memory, and is taken to have lacked some",
                    to: STDERR_FILENO
                )
                throw UnreadablePicture.tooMuchMemory
            case .timedOut where !answer.ending.wasRefused: throw UnreadablePicture.tooMuchTime
            default: break
            }
            if let lost = LostDecoder(answer.ending, limit: server.limit) { throw lost }
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

    /// Opens a picture: in a folder that this process was let into no link is followed, while a file that was named
    /// by hand may be one.
    private func open(path: String) throws -> Int32 {
        do throws(UnreadablePicture) {
            if let inside = readable.lazy.compactMap({ InnerPath(path, in: $0) }).first {
                return try PictureDecoder.open(inside: inside)
            }
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
        order: DecoderOrder,
        within time: Duration?,
        _ read: (Int32) -> Result
    ) throws -> (result: Result, ending: ChildEnding) {
        do throws(ForkServer.Unavailable) {
            return try server.run(input: input, order: order.number, within: time, read)
        } catch {
            switch error {
            case .server(let cause): throw LostDecoder.none(cause)
            case .child(let cause):
                throw LackOfResources(cause, of: "a process to decode it") ?? LostDecoder.none(cause)
            }
        }
    }

    private typealias Part = (header: PictureHeader, body: [UInt8])

    /// Reads a decoder's output to its end; nil for anything but a header and what belongs to it, once for
    /// each picture that was ordered.
    private static func readPictures(
        from output: Int32,
        _ order: DecoderOrder,
        mostPixels: Int
    ) -> (header: PictureHeader, body: [UInt8], second: Part?)? {
        guard let first = part(from: output, workingSize: order.workingSize, mostPixels: mostPixels) else {
            return nil
        }
        var second: Part?
        if let side = order.shownSide, case .pixels(_, _, _, _, _, _, hasProfile: true, _, _) = first.header {
            second = part(from: output, workingSize: side, mostPixels: mostPixels)
            guard second != nil else { return nil }
        }
        return Streams.isAtEnd(output) ? (first.header, first.body, second) : nil
    }

    private static func part(from output: Int32, workingSize: Int, mostPixels: Int) -> Part? {
        guard let bytes = Streams.read(PictureHeader.length, from: output),
            let header = PictureHeader(bytes: bytes, workingSize: workingSize),
            header.bodyLength / 3 <= mostPixels,
            let body = Streams.read(header.bodyLength, from: output)
        else { return nil }
        return (header, body)
    }

    /// Reads the header of a picture that comes row by row, and lets `body` read those.
    private static func readRows(
        from output: Int32,
        workingSize: Int,
        _ body: (PictureRows) throws -> Void
    ) throws {
        guard let bytes = Streams.read(PictureHeader.length, from: output),
            let header = PictureHeader(bytes: bytes, workingSize: workingSize)
        else { throw LostDecoder.misbehaved }
        if case .reason(let length) = header {
            guard let reason = Streams.read(length, from: output) else {
                throw LostDecoder.misbehaved
            }
            _ = try Picture(header: header, body: reason)
        }
        var left = header.bodyLength
        let rows = PictureRows(header: header) { count in
            let length = count * header.width * 3
            guard length <= left, let rows = Streams.read(length, from: output) else { return nil }
            left -= length
            return rows
        }
        guard let rows else { throw LostDecoder.misbehaved }
        try body(rows)
    }
}

extension ChildRole {
    /// The words for decoders.
    static let decoding = ChildRole(
        child: "decoder",
        input: "picture",
        work: "pictures are decoded",
        withoutLandlock: "leave out --require-landlock and copies (--annotate, --crops, --redact)"
    )
}

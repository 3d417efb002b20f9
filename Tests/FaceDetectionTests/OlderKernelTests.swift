import DetectorProtocol
import Foundation
import PaintedPictures
import TestTraits
import Testing

/// Tests of what the sandbox makes of a kernel that has no Landlock, or won't let it be used.
@Suite(.ownThread) struct OlderKernelTests {
    private let folder: TemporaryFolder
    private let picture: String

    init() throws {
        folder = try TemporaryFolder()
        picture = try folder.file("a.jpg", PaintedPicture(faces: 1).jpeg())
    }

    private func detector(_ flags: [String], _ call: String, _ error: Int32) throws -> Detector {
        try Detector(flags + [picture], on: .init(refused: call, error: error))
    }

    @Test(
        "Without Landlock a detector says so once and does without that part; where it is required, it ends",
        arguments: [ENOSYS, EOPNOTSUPP]
    )
    func withoutLandlock(error: Int32) throws {
        let second = try folder.file("b.jpg", PaintedPicture(faces: 2).jpeg())
        let run = try Detector(
            [picture, second],
            on: .init(refused: "landlock_create_ruleset", error: error)
        )
        #expect(run.status == 0)
        #expect(run.lines.map { $0["face_count"] as? Int } == [1, 2])
        let said = "facefetch-detector: this kernel has no Landlock; "
        #expect(run.errors.hasPrefix(said) && run.errors.split(separator: "\n").count == 1)

        let strict = try detector(["--require-landlock"], "landlock_create_ruleset", error)
        #expect(strict.status == 1)
        #expect(strict.output == "", "nothing is decoded")
        #expect(strict.errors.contains("this kernel has no Landlock"))
    }

    @Test("The rest of the sandbox is closed without Landlock, too", arguments: [ENOSYS, EOPNOTSUPP])
    func rest(error: Int32) throws {
        let check = try Detector(
            ["--check-sandbox", picture],
            on: .init(refused: "landlock_create_ruleset", error: error)
        )
        let lines = check.output.split(separator: "\n").map(String.init)
        let allowed = lines.filter { $0.contains("ALLOWED: ") }
        let landlocked = [
            "read a file outside", "list a folder outside", "read a process's memory through /proc",
        ]
        #expect(allowed == landlocked.map { "ALLOWED: " + $0 }, "nothing else rests on Landlock")
        #expect(lines.contains("refused: open a TCP socket (Operation not permitted)"))
        #expect(lines.contains("refused: make a file (Operation not permitted)"))
    }

    @Test(
        "Whatever else goes wrong with Landlock ends a detector before it decodes anything",
        arguments: [
            ("landlock_create_ruleset", EPERM), ("landlock_create_ruleset", EINVAL),
            ("landlock_create_ruleset", ENOMEM), ("landlock_add_rule", EPERM), ("landlock_add_rule", ENOSYS),
            ("landlock_restrict_self", EPERM), ("landlock_restrict_self", ENOSYS),
            ("landlock_restrict_self", EOPNOTSUPP),
        ],
        [[], ["--require-landlock"]]
    )
    func otherErrors(refusal: (call: String, error: Int32), flags: [String]) throws {
        let run = try detector(flags, refusal.call, refusal.error)
        #expect(run.status == 1)
        #expect(run.output == "")
        let cause = String(cString: strerror(refusal.error))
        #expect(run.errors.contains("the sandbox can't be set up: Landlock: \(cause)"))
    }

    @Test("Copies with boxes are written only where Landlock binds who writes them")
    func copies() throws {
        let run = try detector(["--annotate", folder.path], "landlock_create_ruleset", ENOSYS)
        #expect(run.status == 1)
        #expect(run.output == "", "nothing is decoded")
        #expect(run.errors.contains("--annotate"))
    }

    @Test("Where another has the listener, it says so, and all but the counting is as it was")
    func withoutListener() throws {
        let run = try Detector([picture], on: .listening)
        #expect(run.status == 0)
        #expect(run.lines.map { $0["face_count"] as? Int } == [1])
        #expect(run.errors.contains("decoders' threads can't be counted here"))

        let check = try Detector(["--check-sandbox", picture, "--time-limit", "4"], on: .listening)
        let allowed = check.output.split(separator: "\n").filter { $0.contains("ALLOWED: ") }
        #expect(allowed == ["decoder ALLOWED: have threads without end"])
        #expect(check.output.contains("decoder refused: read a file outside (Operation not permitted)\n"))
    }

    @Test("A decoder that is killed for a system call costs its picture alone, and the reason is said")
    func killed() throws {
        // WebP's decoder is the one that ends a thread, and threads end by a call of their own.
        let webp = try folder.file("b.webp", PaintedPicture(faces: 3).webp())
        let run = try Detector([webp, picture], on: .killing("exit"))
        #expect(run.status == 1)
        #expect(run.lines.map { $0["outcome"] as? String } == ["crashed", "counted"])
        #expect(run.lines[0]["face_count"] is NSNull)
        #expect(run.errors.contains("\(webp): the decoder made a system call that no decoder makes"))
    }

    /// The pipe that a decoder writes to, by its O_CLOEXEC; the fork server's own beginning needs another.
    private static let orderedPipe = "pipe2/1=\(O_CLOEXEC)"

    @Test(
        "Where the machine has run out of descriptors or memory, nothing is said of the picture",
        arguments: [EMFILE, ENFILE, ENOMEM]
    )
    func lack(error: Int32) throws {
        let run = try detector([], Self.orderedPipe, error)
        #expect(run.status == 1)
        #expect(run.lines.map { $0["outcome"] as? String } == ["out_of_resources"])
        #expect(run.lines.first?["face_count"] is NSNull)
        let cause = String(cString: strerror(error))
        #expect(run.errors.contains("a.jpg: a process to decode it is not available now: \(cause)"))

        let request = try DetectorFrame.encode(DetectorRequest(id: 1, path: picture))
        let served = try Detector(
            ["--serve", "--documents", folder.path],
            input: request,
            on: .init(refused: Self.orderedPipe, error: error)
        )
        #expect(served.status == DetectorExit.outOfResources)
        #expect(served.errors.contains("a.jpg\": a process to decode it is not available now: \(cause)"))
        var decoder = FrameDecoder()
        decoder.append(served.bytes)
        #expect(try decoder.next(DetectorGreeting.self) != nil)
        #expect(decoder.isBetweenMessages, "nothing was answered")
    }

    @Test("However few descriptors a detector may have, it doesn't blame the picture for that")
    func fewDescriptors() throws {
        let outcomes = try (4...24).map { count -> String in
            let run = try Detector([picture], descriptors: count)
            #expect((run.status == 0) == (run.lines.first?["face_count"] as? Int == 1), "\(run.errors)")
            return run.lines.first?["outcome"] as? String ?? "not started"
        }
        #expect(Set(outcomes).isSubset(of: ["not started", "out_of_resources", "counted"]), "\(outcomes)")
        #expect(outcomes.first == "not started" && outcomes.last == "counted", "\(outcomes)")
    }

    @Test("For the daemon, a lost decoder is the end of its detector, which says why")
    func killedWhileServing() throws {
        let webp = try folder.file("b.webp", PaintedPicture(faces: 3).webp())
        let frames = try [DetectorRequest(id: 1, path: webp), DetectorRequest(id: 2, path: picture)]
            .flatMap { try DetectorFrame.encode($0) }
        let run = try Detector(
            ["--serve", "--documents", folder.path],
            input: frames,
            on: .killing("exit")
        )
        #expect(run.status == DetectorExit.decoderSignalled + SIGSYS)
        var decoder = FrameDecoder()
        decoder.append(run.bytes)
        #expect(try decoder.next(DetectorGreeting.self) != nil)
        #expect(decoder.isBetweenMessages, "nothing was answered")
        #expect(run.errors.contains("b.webp\": the decoder made a system call that no decoder makes"))
    }
}

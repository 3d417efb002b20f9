import Foundation
import PaintedPictures
import Testing

/// What the sandbox makes of a kernel that has no Landlock, or won't let it be used.
@Suite struct OlderKernelTests {
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
        let said = "facefetch-detector: this kernel has no Landlock, "
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
        let allowed = lines.filter { $0.hasPrefix("ALLOWED: ") }
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
        #expect(run.errors.contains("the sandbox can't be closed: Landlock: \(cause)"))
    }
}

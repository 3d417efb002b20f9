import Testing
import Vocabulary

@testable import JobModel

@Suite("A job's document")
struct JobMachineResponseTests {
    private static let tag = Validator.entityTag("\"v1\"")

    private static func response(
        _ status: Int = 200,
        from url: String = "https://ann:***@example.org/a.jpg",
        modified: Int64 = 1_600_000_000
    ) -> ServerResponse {
        ServerResponse(
            finalURL: url,
            status: status,
            lastModified: Timestamp(microseconds: modified * 1_000_000),
            receivedAt: Timestamp(microseconds: 1_795_243_503_000_000)
        )
    }

    private static func start(
        _ mode: TransferStart.Mode,
        _ response: ServerResponse?,
        offset: Int64 = 0
    ) -> TransferReport {
        .began(TransferStart(mode: mode, offset: offset, total: 100, validator: tag, response: response))
    }

    @Test("is told of as the answer told that brought its first byte")
    func kept() throws {
        var harness = try MachineHarness()
        try harness.grantPermit()
        harness.partialLength = 0
        try harness.feed(.transfer(Self.start(.fresh, Self.response(from: "https://cdn.example.org/a"))))
        try harness.progress(50)
        try harness.end(.interrupted(JobFailure(.connectionLost, "gone"), retryAfter: nil))
        try harness.feed(.retryDue)
        try harness.grantPermit()
        try harness.feed(.transfer(Self.start(.resumed, Self.response(206), offset: 50)))
        #expect(harness.job.response == Self.response(from: "https://cdn.example.org/a"))
        try harness.end(.mustRestart(reason: "it has changed"))
        #expect(harness.job.response == nil)
        try harness.feed(.transfer(Self.start(.fresh, Self.response(203))))
        // Where the job's own URL has answered, it isn't kept twice.
        #expect(harness.job.response?.status == 203 && harness.job.response?.finalURL == nil)
    }

    @Test("keeps the URL that its answer came from when the job gets another")
    func otherURL() throws {
        var harness = try MachineHarness()
        try harness.grantPermit()
        harness.partialLength = 0
        try harness.feed(.transfer(Self.start(.fresh, Self.response(from: harness.job.url.masked))))
        try harness.progress(50)
        try harness.end(.interrupted(JobFailure(.connectionLost, "gone"), retryAfter: nil))
        let before = harness.job.url.masked
        try harness.feed(.retry(try JobURL("https://other.example.org/a.jpg"), keepsHeaders: true))
        #expect(harness.job.response?.finalURL == before)
    }

    @Test(
        "gets the server's time where the settings say so and there is one, and its content's extension",
        arguments: [
            (DocumentRules(), 1_600_000_000, DocumentTraits(modified: 1_600_000_000)),
            (DocumentRules(usesServerTimes: false), 1_600_000_000, DocumentTraits()),
            (DocumentRules(), 1_900_000_000, DocumentTraits()), (DocumentRules(), 0, DocumentTraits()),
            (
                DocumentRules(adjustsExtensions: false), 1_600_000_000,
                DocumentTraits(modified: 1_600_000_000, adjustsExtension: false)
            ),
        ] as [(DocumentRules, Int64, DocumentTraits)]
    )
    func traits(rules: DocumentRules, modified: Int64, traits: DocumentTraits) throws {
        for isInMemory in [false, true] {
            var harness = try MachineHarness()
            harness.context.documents = rules
            try harness.grantPermit()
            harness.partialLength = 0
            try harness.feed(.transfer(Self.start(.fresh, Self.response(modified: modified))))
            if isInMemory {
                try harness.endInMemory()
            } else {
                try harness.end(.completed(length: 100, lengthProven: true))
            }
            var traits = traits
            traits.response = harness.job.response
            switch harness.effects.last {
            case .seal(_, _, traits): #expect(!isInMemory)
            case .store(_, _, _, traits): #expect(isInMemory)
            default: Issue.record("\(String(describing: harness.effects.last))")
            }
        }
    }

    @Test("has its name adjusted unless a person gave it; a recipe's is no person's")
    func given() throws {
        for (name, source, adjusts) in [
            (nil, nil, true), ("a.php", nil, false), ("a.php", "museum", true), (nil, "museum", true),
        ] as [(String?, String?, Bool)] {
            var harness = try MachineHarness(name: name, source: source)
            try harness.grantPermit()
            try harness.begin()
            try harness.end(.completed(length: 100, lengthProven: true))
            guard case .seal(_, _, let traits) = harness.effects.last else {
                Issue.record("nothing is sealed")
                return
            }
            #expect(traits.adjustsExtension == adjusts)
        }
    }

    @Test("is wanted under its adjusted name from then on")
    func adjusted() throws {
        var harness = try MachineHarness()
        try harness.grantPermit()
        try harness.begin()
        try harness.end(.completed(length: 100, lengthProven: true))
        harness.isSealing = false
        let sealed = SealedPartial(inode: 7, length: 100, sha256: "ab")
        try harness.feed(
            .storage(.sealed(sealed, path: "/p/3.part", freeName: "a (2).png", wantedName: "a.png"))
        )
        let reservation = Job.Reservation(name: "a (2).png", sealed: sealed)
        #expect(harness.effects.last == .publish(reservation, wantedName: "a.png"))
        #expect(harness.job.name == "a.png")
    }
}

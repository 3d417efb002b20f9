import FleetCore
import Testing

@Suite("Cursors in a fleet's record")
struct RecordCursorTests {
    @Test("Cursors are read as they are written, and nothing else is one")
    func texts() {
        #expect(RecordCursor("0") == .start && RecordCursor.start.text == "0")
        #expect(RecordCursor("f1-7-8") == RecordCursor(fleet: "f1", transaction: 7, job: 8))
        #expect(RecordCursor("f1-7-8")?.text == "f1-7-8" && RecordCursor("f1-7-0") != nil)
        for text in [
            "", "7", "7-8", "f1-7-", "-7-8", "f1-7-8-9", "f1-a-b", "f1-0-1", "f1-7--8", "x-7-8", "F1-7-8",
            "f1-99999999999999999999-1",
        ] {
            #expect(RecordCursor(text) == nil, "\(text)")
        }
    }

    /// A failover at transaction 100 and one at 200.
    private let lives = [
        FleetLife(id: "a", firstTransaction: 3), FleetLife(id: "b", firstTransaction: 100),
        FleetLife(id: "c", firstTransaction: 200),
    ]

    private func verdict(_ text: String, _ lives: [FleetLife]? = nil) throws -> RecordCursor.Verdict {
        try #require(RecordCursor(text)).verdict(lives: lives ?? self.lives, next: 300)
    }

    @Test("A cursor goes on in its own life, and in the next ones from what they have in common with it")
    func goesOn() throws {
        for text in ["0", "c-250-1", "c-150-1", "c-299-9", "b-199-4", "b-100-0", "a-99-4", "a-5-1"] {
            #expect(try verdict(text) == .goesOn, "\(text)")
        }
    }

    @Test(
        "Behind the end of its life it begins again where the next has begun, and elsewhere at the beginning"
    )
    func beginsAgain() throws {
        let split = { (transaction: UInt64) in
            RecordCursor.Verdict.beginsAgain(
                at: RecordCursor(fleet: "c", transaction: transaction, job: 0)
            )
        }
        #expect(try verdict("b-200-1") == split(200) && verdict("b-260-1") == split(200))
        #expect(try verdict("a-100-1") == split(100) && verdict("a-260-1") == split(100))
        // One that this database can't have given, of another fleet, or from before a dump.
        #expect(
            try verdict("c-300-1") == .beginsAgain(at: .start) && verdict("d-5-1") == .beginsAgain(at: .start)
        )
        let dumped = lives + [FleetLife(id: "d", firstTransaction: nil)]
        #expect(try verdict("a-5-1", dumped) == .beginsAgain(at: .start))
        #expect(try verdict("d-5-1", dumped) == .goesOn && verdict("a-5-1", []) == .beginsAgain(at: .start))
        // Where it is told to begin, it goes on.
        #expect(try verdict("c-100-0") == .goesOn)
    }
}

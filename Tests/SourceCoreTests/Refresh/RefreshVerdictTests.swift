import Testing

@testable import SourceCore

/// Tests of what answers say about pictures that were fetched before.
struct RefreshVerdictTests {
    private typealias Validators = DocumentValidators

    private func verdict(
        _ status: Int,
        _ answer: DocumentValidators = DocumentValidators(),
        before: DocumentValidators,
        isAccepted: Bool = true,
        retryAfter: Double? = nil
    ) -> RefreshVerdict {
        RefreshVerdict(
            status: status,
            validators: answer,
            isAccepted: isAccepted,
            retryAfter: retryAfter,
            before: before
        )
    }

    @Test("The best validators that both versions have decide, and where they have none, nothing has changed")
    func comparison() {
        let monday = "Mon, 03 Nov 2025 06:45:03 GMT"
        let tuesday = "Tue, 04 Nov 2025 06:45:03 GMT"
        let table: [(Validators, Validators, isChanged: Bool)] = [
            (Validators(entityTag: "\"a\""), Validators(entityTag: "\"a\""), false),
            (Validators(entityTag: "\"a\""), Validators(entityTag: "\"b\""), true),
            // If-None-Match compares weakly.
            (Validators(entityTag: "\"a\""), Validators(entityTag: "W/\"a\""), false),
            (Validators(entityTag: "W/\"a\""), Validators(entityTag: "W/\"b\""), true),
            // A tag goes before a date, and a date before a length.
            (
                Validators(entityTag: "\"a\"", lastModified: monday),
                Validators(entityTag: "\"a\"", lastModified: tuesday, length: 9), false
            ),
            (Validators(lastModified: monday), Validators(lastModified: tuesday), true),
            (Validators(lastModified: monday), Validators(lastModified: monday), false),
            (
                Validators(lastModified: monday, length: 8), Validators(lastModified: monday, length: 9),
                true
            ),
            (Validators(length: 8), Validators(length: 8), false),
            (Validators(length: 8), Validators(length: 9), true),
            // A server that has stopped to send one, or has begun to.
            (Validators(entityTag: "\"a\"", length: 8), Validators(lastModified: monday, length: 8), false),
            (Validators(entityTag: "\"a\"", length: 8), Validators(lastModified: monday, length: 9), true),
            (Validators(), Validators(entityTag: "\"a\"", lastModified: monday, length: 9), false),
            (Validators(length: 8), Validators(), false),
            (Validators(), Validators(), false),
        ]
        for (before, answer, isChanged) in table {
            let verdict = verdict(200, answer, before: before)
            #expect((verdict == .changed) == isChanged, "\(before), \(answer): \(verdict)")
        }
    }

    @Test("An answer without change brings what the next question goes by")
    func updates() {
        let before = Validators(entityTag: "\"a\"", length: 8)
        let weak = Validators(entityTag: "W/\"a\"", lastModified: "Mon, 03 Nov 2025 06:45:03 GMT", length: 0)
        // A 304 has no body, and what it may say of a length is not of the picture's.
        #expect(
            verdict(304, weak, before: before)
                == .unchanged(
                    Validators(entityTag: "W/\"a\"", lastModified: weak.lastModified, length: 8)
                )
        )
        #expect(verdict(304, before: before) == .unchanged(before))
        #expect(verdict(200, Validators(length: 8), before: before) == .unchanged(before))
    }

    @Test("Only 404 and 410 say that a picture is gone; what isn't a picture is no version of one")
    func others() {
        let before = Validators(entityTag: "\"a\"")
        let other = Validators(entityTag: "\"b\"")
        #expect(verdict(404, other, before: before) == .gone(status: 404))
        #expect(verdict(410, other, before: before) == .gone(status: 410))
        #expect(verdict(200, other, before: before, isAccepted: false) == .refused(status: 200))
        for status in [201, 204, 206, 301, 400, 401, 403, 416, 500, 502] {
            #expect(verdict(status, other, before: before) == .refused(status: status))
        }
        #expect(
            verdict(429, other, before: before, retryAfter: 7) == .busy(status: 429, retryAfter: 7)
        )
        #expect(verdict(503, before: before) == .busy(status: 503, retryAfter: nil))
    }

    @Test("What can't be sent back as it is isn't kept", arguments: ["", "\"a\r\nX: y\"", "\u{7F}"])
    func fields(text: String) {
        #expect(Validators(entityTag: text, lastModified: text).fields.isEmpty)
        #expect(Validators(entityTag: String(repeating: "a", count: 1025)).fields.isEmpty)
        let both = Validators(entityTag: "\"a\"", lastModified: "Mon, 03 Nov 2025 06:45:03 GMT", length: 1)
        #expect(both.fields.map(\.name) == ["If-None-Match", "If-Modified-Since"])
    }
}

import JobModel
import SourceCore
import TestTraits
import Testing

@testable import Children

/// Listers that a page has taken over: what they say ends them, and nothing else.
@Suite("Lying listers", .timeLimit(.minutes(2))) struct LyingListerTests {
    private static let honest = #"{"listed":0,"bad":0,"badItems":[],"children":[]}"#

    private static func page(_ fields: String) -> String {
        #"{"listed":1,"bad":0,"badItems":[],"children":[],"#.replacing(
            #""listed":1,"#,
            with: fields.contains("\"listed\"") ? "" : #""listed":1,"#
        ).replacing(#""bad":0,"#, with: fields.contains("\"bad\"") ? "" : #""bad":0,"#) + fields + "}"
    }

    /// Returns the result of the frames of an answer to a request for a page, or for rows.
    private static func answer(
        _ frames: [(ListerFrame.Kind, String)],
        rows: ListerRequest.Rows = ListerRequest.Rows()
    ) throws -> ListerAnswer? {
        let request = ListerRequest(id: 7, path: "/page", url: "https://h/", rows: rows)
        var parts = AnswerInParts(to: request, program: ListerProgram(kind: "json"))
        for (kind, body) in frames {
            if let result = try parts.receive(ListerFrame(kind, id: 7, body: Array(body.utf8))) {
                return try result.get()
            }
        }
        return nil
    }

    private static let long = String(repeating: "x", count: ListedItem.longestText + 1)
    private static let most = "9223372036854775807"
    private static let row = #"[{"url":"a.jpg"}]"#

    @Test("A page that can't be is not believed")
    func pages() throws {
        let lies = [
            #""listed":\#(Self.most)"#, #""listed":\#(Self.most),"bad":\#(Self.most)"#, #""listed":100001"#,
            #""listed":-1"#, #""bad":-1"#, #""bad":2"#, #""listed":2,"bad":2"#, #""listed":1e300"#,
            #""next":{"rows":{"_0":{"bytes":5,"line":1,"most":5}}}"#,
        ]
        for fields in lies {
            #expect(throws: Misbehaviour.self, "\(fields)") {
                _ = try Self.answer([(.items, Self.row), (.page, Self.page(fields))])
            }
        }
        // Nothing else is wrong with it.
        let honest = Self.page(#""more":false"#)
        #expect(try Self.answer([(.items, Self.row), (.page, honest)])?.page.listed == 1)
    }

    @Test("A place in a list that can't be is not believed")
    func rows() throws {
        let many = String(repeating: "x", count: 65_537)
        let lies = [
            #""bytes":\#(Self.most),"line":6"#, #""bytes":101,"line":\#(Self.most)"#,
            #""bytes":100,"line":6"#,
            #""bytes":101,"line":4"#, #""bytes":101,"line":6,"columns":["\#(many)"]"#,
        ]
        let asked = ListerRequest.Rows(bytes: 100, line: 5, most: 10)
        func next(_ place: String) -> String {
            Self.page(#""next":{"rows":{"_0":{\#(place),"most":10}}}"#)
        }
        for place in lies {
            #expect(throws: Misbehaviour.self, "\(place.prefix(100))") {
                _ = try Self.answer([(.items, Self.row), (.page, next(place))], rows: asked)
            }
        }
        let honest = next(#""bytes":101,"line":6,"columns":["a"]"#)
        #expect(try Self.answer([(.items, Self.row), (.page, honest)], rows: asked)?.items.count == 1)
    }

    @Test("An item that can't be is not believed")
    func items() throws {
        let lies = [
            #"[{"url":"\#(Self.long)"}]"#, #"[{"url":"a","key":"\#(Self.long)"}]"#,
            #"[{"url":"a","changed":"\#(Self.long)"}]"#,
            #"[{"url":"a","priority":101}]"#, #"[{"url":"a","priority":-\#(Self.most)}]"#,
            #"[{"url":"a","variables":{"\#(Self.long)":"x"}}]"#, "[", "{}", "null",
        ]
        for items in lies {
            #expect(throws: Misbehaviour.self, "\(items.prefix(100))") {
                _ = try Self.answer([(.items, items), (.page, Self.page(#""more":false"#))])
            }
        }
    }

    @Test("Sitemaps are counted, and none has a longer URL than can be")
    func children() throws {
        #expect(throws: Misbehaviour.self) {
            _ = try Self.answer([(.children, #"[{"url":"\#(Self.long)"}]"#)])
        }
        #expect(throws: Misbehaviour.self) {
            let page = #"{"listed":0,"bad":0,"badItems":[],"children":[{"url":"a"}]}"#
            _ = try Self.answer([(.page, page)])
        }
    }

    @Test("What a server may well say is limited, and ends nothing")
    func limited() throws {
        let words = String(repeating: "y", count: 100_000)
        let fields =
            #""total":\#(Self.most),"ttl":\#(Self.most),"more":true,"#
            + #""badItems":[{"number":\#(Self.most),"message":"\#(words)"}]"#
        let text = Self.page(fields).replacing(#""badItems":[],"#, with: "")
        let page = try #require(try Self.answer([(.items, Self.row), (.page, text)])?.page)
        #expect(try #require(page.total) < .max / 2 && page.more == true)
        #expect(try #require(page.ttl) < .max / 2)
        #expect(page.badItems.map(\.message.utf8.count).allSatisfy { $0 <= 2000 })
        #expect(page.badItems.map(\.number).allSatisfy { $0 < .max / 2 })
    }

    @Test("A process that lies, floods or breaks off is ended, and costs the next page nothing")
    func processes() async throws {
        let lies = [
            #"frame E '{"listed":9223372036854775807,"bad":9223372036854775807,"badItems":[],"children":[]}'"#,
            "printf 'E'", "exec cat /dev/zero", "frame E ''; frame E '\(Self.honest)'", "yes complaint >&2",
            "frame G '{\"version\":1,\"problems\":[]}'",
        ]
        for lie in lies { try await process(lie) }
    }

    private func process(_ lie: String) async throws {
        let lister = try ScriptedLister(
            """
            greet
            while read_frame; do
                if [ $start = 1 ]; then
                    \(lie)
                    exec 1>&-
                    exit 1
                fi
                frame E '\(Self.honest)'
            done
            """
        )
        guard case .failure(let failure) = await lister.read() else {
            return #expect(Bool(false), "\(lie)")
        }
        #expect(failure.code == "reader_crashed", "\(lie): \(failure)")
        #expect(try await lister.read().get().items.isEmpty, "\(lie)")
        #expect(lister.starts == 2, "\(lie)")
        await lister.pool.stop()
    }
}

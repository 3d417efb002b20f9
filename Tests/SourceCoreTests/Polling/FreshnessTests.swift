import Foundation
import Testing

@testable import SourceCore

@Suite struct FreshnessTests {
    private func head(_ change: (inout PageHead) -> Void) -> PageHead {
        var head = PageHead()
        change(&head)
        return head
    }

    @Test(
        "Cache-Control says for how long a page is fresh (RFC 9111)",
        arguments: [
            (["max-age=600"], 600), (["public, Max-Age=\"600\""], 600), (["s-maxage=9, max-age=600"], 600),
            (["max-age=600", "max-age=60"], 60), (["max-age=x"], 0), (["max-age=-1"], 0), (["max-age"], 0),
            (["max-age=600, no-cache"], 0), (["no-store, max-age=600"], 0),
            (["max-age=99999999999999999999"], 86_400),
            (["private=\"a, max-age=5\", max-age=600"], 600), ([], 0),
        ] as [([String], Double)]
    )
    func maxAge(_ fields: [String], _ seconds: Double) {
        #expect(Freshness.seconds(head { $0.cacheControl = fields }) == seconds)
    }

    @Test("Age is taken off, Expires counts from Date, and Vary leaves no freshness")
    func others() {
        #expect(
            Freshness.seconds(
                head {
                    $0.cacheControl = ["max-age=600"]; $0.age = "500"
                }
            ) == 100
        )
        #expect(
            Freshness.seconds(
                head {
                    $0.cacheControl = ["max-age=600"]; $0.age = "700"
                }
            ) == 0
        )
        #expect(
            Freshness.seconds(
                head {
                    $0.expires = 1600; $0.date = 1000
                }
            ) == 600
        )
        #expect(
            Freshness.seconds(
                head {
                    $0.expires = 0; $0.date = 1000
                }
            ) == 0
        )
        #expect(Freshness.seconds(head { $0.expires = 1600 }) == 0)
        #expect(
            Freshness.seconds(
                head {
                    $0.cacheControl = ["max-age=9"]; $0.vary = ["Accept-Encoding"]
                }
            ) == 9
        )
        #expect(
            Freshness.seconds(
                head {
                    $0.cacheControl = ["max-age=9"]; $0.vary = ["accept-encoding, Cookie"]
                }
            ) == 0
        )
        #expect(
            Freshness.seconds(
                head {
                    $0.cacheControl = ["max-age=9"]; $0.vary = ["*"]
                }
            ) == 0
        )
    }

    @Test("Validators are kept as they stand there, weak ones too, and are of the URL that answered")
    func validators() throws {
        let first = try #require(
            PageValidators(
                head {
                    $0.etag = "W/\"a\""; $0.lastModified = "Sun, 06 Nov 1994 08:49:37 GMT"
                },
                sha256: "00",
                url: "u"
            )
        )
        #expect(first.fields.map(\.name) == ["If-None-Match", "If-Modified-Since"])
        #expect(first.fields.map(\.value) == ["W/\"a\"", "Sun, 06 Nov 1994 08:49:37 GMT"])
        let second = try #require(first.updated(by: head { $0.etag = "\"b\"" }))
        #expect((second.etag, second.lastModified, second.sha256) == ("\"b\"", first.lastModified, "00"))
        #expect(
            PageValidators(
                head {
                    $0.etag = "\"a\""; $0.cacheControl = ["no-store"]
                },
                sha256: nil,
                url: "u"
            ) == nil
        )
        #expect(first.updated(by: head { $0.cacheControl = ["no-store"] }) == nil)
        #expect(PageValidators(head { $0.etag = "a\nb" }, sha256: nil, url: "u")?.etag == nil)
    }

    @Test("What a 304 doesn't say of freshness stays as it was, and what it says counts")
    func updatedFreshness() throws {
        func kept(_ page: PageHead, _ answer: PageHead) throws -> Double {
            let validators = try #require(PageValidators(page, sha256: nil, url: "u"))
            return Freshness.seconds(validators.head(updatedBy: answer))
        }
        let hour = head {
            $0.cacheControl = ["max-age=3600"]; $0.age = "600"
        }
        #expect(try kept(hour, head { _ in }) == 3600)
        #expect(try kept(hour, head { $0.age = "60" }) == 3540)
        #expect(try kept(hour, head { $0.cacheControl = ["max-age=9"] }) == 9)
        #expect(try kept(hour, head { $0.cacheControl = ["no-cache"] }) == 0)
        #expect(try kept(hour, head { $0.vary = ["*"] }) == 0)
        // A moment stays the same moment.
        let dated = head {
            $0.date = 100; $0.expires = 500
        }
        #expect(try kept(dated, head { $0.date = 300 }) == 200)
        #expect(
            try kept(
                dated,
                head {
                    $0.date = 300; $0.expires = 900
                }
            ) == 600
        )
        #expect(
            try kept(
                head {
                    $0.cacheControl = ["max-age=9"]; $0.vary = ["Cookie"]
                },
                head { _ in }
            ) == 0
        )
        // It stays over any number of them, and what is too long to be kept counts as stale.
        let first = try #require(PageValidators(hour, sha256: nil, url: "u"))
        let second = try #require(first.updated(by: head { _ in }))
        #expect(Freshness.seconds(second.head(updatedBy: head { _ in })) == 3600)
        let long = head { $0.cacheControl = ["max-age=9", String(repeating: "x", count: 2000)] }
        #expect(try kept(long, head { _ in }) == 0)
    }

    @Test("A first page is asked for conditionally only where its being unchanged says something")
    func conditions() {
        let record = SliceRecord(changed: nil, completedIn: 1)
        func apply(
            _ part: WalkState.Part,
            _ recipe: Recipe,
            isFull: Bool = false,
            record: SliceRecord? = nil,
            page: Int = 1,
            completed: Bool = true
        ) -> Bool {
            var walk = WalkState(number: 2, part: part, isFull: isFull)
            if page > 1 { walk.cursor = Cursor(page: page, place: .url("x")) }
            return Conditions.apply(walk, recipe: recipe, record: record, hasCompleted: completed)
        }
        let one = WalkTests.recipe { $0.next = nil }
        #expect(apply(.pages(nil), one))
        #expect(!apply(.pages(nil), one, completed: false))
        #expect(!apply(.pages(nil), WalkTests.recipe()))
        let newest = WalkTests.recipe { $0.order = .newestFirst }
        #expect(apply(.pages(nil), newest))
        #expect(!apply(.pages(nil), newest, isFull: true))
        #expect(!apply(.pages(nil), newest, page: 2))
        var sliced = WalkTests.recipe { $0.slices = SliceRecipe(url: .empty, each: ".[]") }
        #expect(!apply(.manifest, sliced))
        sliced.slices?.changed = ".c"
        #expect(apply(.manifest, sliced))
        // Its other pages may have changed.
        #expect(!apply(.pages(Slice(key: "a")), sliced, record: record))
        sliced.next = nil
        #expect(apply(.pages(Slice(key: "a")), sliced, record: record))
        #expect(!apply(.pages(Slice(key: "a")), sliced))
    }
}

import ControlAPI
import JobModel
import TestTraits
import Testing
import Vocabulary

@testable import ControlServer

@Suite("Reading the body of a batch")
struct BatchReaderTests {
    private func problem(_ text: String) -> ProblemJSON? {
        do throws(ProblemJSON) {
            _ = try BatchReader.read(Array(text.utf8))
            return nil
        } catch {
            return error
        }
    }

    @Test("a string of escapes takes as long as its length, not the square of it")
    func escapes() {
        func seconds(_ count: Int) -> Double {
            let text = "{\"items\":[{\"url\":\"" + String(repeating: "\\u00e4", count: count) + "\"}]}"
            let bytes = Array(text.utf8)
            return threadTime { _ = try? BatchReader.read(bytes) }
        }
        // Sixteen times the length: were it the square, it would be 256 times as long.
        #expect(seconds(320_000) < seconds(20_000) * 64)
    }

    @Test("whether what is known is left out is a boolean, and no by default")
    func skipsKnown() throws {
        let items = #""items":[{"url":"http://e.org/"}]"#
        for (text, skips) in [("true", true), ("false", false), ("null", false)] {
            let batch = try BatchReader.read(Array(#"{"skip_known":\#(text),\#(items)}"#.utf8))
            #expect(batch.skipsKnown == skips && batch.items.count == 1)
        }
        #expect(try !BatchReader.read(Array("{\(items)}".utf8)).skipsKnown)
        for text in ["1", "\"true\"", "[]", "{}"] {
            let problem = problem(#"{"skip_known":\#(text),\#(items)}"#)
            #expect(problem?.detail == "skip_known must be true or false")
        }
    }

    @Test("a batch has 1 to 100,000 items")
    func limitsItems() throws {
        let item = #"{"url":"http://e.org/a"}"#
        func batch(_ count: Int) -> String {
            "{\"items\":[" + Array(repeating: item, count: count).joined(separator: ",") + "]}"
        }
        #expect(try BatchReader.read(Array(batch(100_000).utf8)).items.count == 100_000)
        for count in [0, 100_001] { #expect(problem(batch(count))?.code == "invalid_request") }
    }

    @Test("a string that is cut off is refused as too long, whatever it is for")
    func longStrings() {
        let long = String(repeating: "a\\n\u{E9}", count: 100_000)
        let item =
            "{\"url\":\"http://e.org/\(long)\",\"name\":\"\(long)\",\"sha256\":\"\(long)\",\"headers\":{\"X\":\"\(long)\",\"\(long)\":\"\"}}"
        let errors = problem("{\"items\":[{\"url\":\"http://e.org/\"},\(item)]}")?.errors ?? []
        #expect(errors.map(\.field) == ["url", "name", "sha256", "headers", "headers"])
        #expect(errors.allSatisfy { $0.index == 1 && $0.reason.utf8.count < 1000 })
        #expect(errors.first?.reason == JobURL.Refusal.tooLong.message)
    }

    @Test("a folder is a path in the documents directory, and a bad one is refused with its item")
    func folders() throws {
        let good = #"{"items":[{"url":"http://e.org/a","folder":"holiday/2026"},{"url":"http://e.org/b"}]}"#
        let items = try BatchReader.read(Array(good.utf8)).items
        #expect(items.map(\.options.folder?.path) == ["holiday/2026", nil])
        let bad = ["/etc", "a/../b", "", "a/", "1/2/3/4/5/6/7/8/9", ".facefetch-partial", "a\\u0001"]
        for folder in bad.map({ "\"\($0)\"" }) + ["7", "{}"] {
            let item = "{\"url\":\"http://e.org/b\",\"folder\":\(folder)}"
            let errors = problem("{\"items\":[{\"url\":\"http://e.org/a\"},\(item)]}")?.errors ?? []
            #expect(errors.map(\.field) == ["folder"], "\(folder)")
            #expect(errors.map(\.index) == [1])
        }
    }

    @Test("a URL that is cut off is refused, whatever it ends in", arguments: [" ", "\\n", "\\t", "\u{A0}"])
    func paddedURLs(blank: String) {
        let most = JSONReader.maximumTextLength
        let count = (most - "http://x/a".utf8.count) / (blank.first == "\\" ? 1 : blank.utf8.count) + 1
        let url = "http://x/a" + String(repeating: blank, count: count)
        for text in [url + "b", url, String(repeating: blank, count: count) + url] {
            let errors = problem("{\"items\":[{\"url\":\"\(text)\"}]}")?.errors ?? []
            #expect(errors.map(\.reason) == [JobURL.Refusal.tooLong.message])
        }
        let retry = #expect(throws: ProblemJSON.self) {
            _ = try SmallBodies.retry.read(Array("{\"url\":\"\(url)b\"}".utf8))
        }
        #expect(retry?.detail == JobURL.Refusal.tooLong.message)
    }

    @Test("every bad item of the largest batch is named, and its first reason given")
    func namesAll() {
        // Three characters an item: the shortest that is wrong.
        let body = "{\"items\":[" + Array(repeating: "{}", count: 100_000).joined(separator: ",") + "]}"
        let errors = problem(body)?.errors ?? []
        #expect(errors.map(\.index) == Array(0..<100_000))
        let many = "{" + (0..<60).map { "\"k\($0)\":1" }.joined(separator: ",") + "}"
        let worst = "{\"items\":[" + Array(repeating: many, count: 2000).joined(separator: ",") + "]}"
        let some = problem(worst)?.errors ?? []
        #expect(Set(some.map(\.index)) == Set(0..<2000))
        #expect(some.count == 2000 + ItemErrors.maximumFurther)
    }

    @Test("too many items are counted and not kept, and are refused before anything wrong with one of them")
    func counts() {
        let body = "{\"items\":[" + Array(repeating: "1", count: 250_000).joined(separator: ",") + "]}"
        let found = problem(body)
        #expect(found?.code == ProblemCode.invalidRequest.rawValue && found?.errors == nil)
        #expect(found?.detail.contains("250000") == true)
    }

    @Test(
        "cookies become the item's Cookie field, beside one that it has, and are refused where they are none"
    )
    func cookies() throws {
        func read(_ item: String) throws -> [String] {
            try BatchReader.read(Array("{\"items\":[\(item)]}".utf8)).items[0].options.headers
                .map { "\($0.name): \($0.value)" }
        }
        let url = #""url":"http://e.org/a""#
        #expect(try read("{\(url),\"cookies\":\"a=b; c=d\"}") == ["Cookie: a=b; c=d"])
        let both = #"{"cookies":"a=b","headers":{"cookie":"x=y","A":"1"},"# + url + "}"
        #expect(try read(both) == ["A: 1", "Cookie: x=y; a=b"])
        #expect(try read("{\(url),\"cookies\":null}").isEmpty)
        let long = String(repeating: "v", count: 8200)
        for wrong in [#""""#, #""SECRET""#, #""=SECRET""#, "1", "[]", #""a=SECRET\u0001""#, "\"a=\(long)\""] {
            let errors = problem("{\"items\":[{\(url),\"cookies\":\(wrong)}]}")?.errors ?? []
            #expect(errors.map(\.field) == ["cookies"], "\(wrong)")
            #expect(errors.allSatisfy { !$0.reason.contains("SECRET") })
        }
    }

    @Test("an item is described with as many header fields as a job may have")
    func headerCount() { #expect(BatchRequest.Item.headerCount == RequestHeader.maximumCount) }

    @Test("what is nested where nothing is wanted is read over, and refused by its kind")
    func nested() {
        let body = #"{"items":[{"url":[[{"a":[1,2,{}]}]],"name":{"b":[]}},[[1]],{"url":"http://e.org/"}]}"#
        let errors = problem(body)?.errors ?? []
        #expect(errors.map { "\($0.index) \($0.field)" } == ["0 url", "0 name", "1 item"])
        #expect(problem("{\"items\":" + String(repeating: "[", count: 1_000_000))?.status == 400)
    }
}

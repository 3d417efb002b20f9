import Foundation
import SourceCore
import TestSupport
import Testing

@testable import SourceReading

@Suite struct RowPageTests {
    @Test(
        "Rows with quotes, commas, line breaks and either end of line",
        arguments: [
            (
                "URL,name\nhttp://a/1,one\nhttp://a/2,\"t,w\"\"o\"\n", ["http://a/1", "http://a/2"],
                ["one", "t,w\"o"]
            ),
            (
                "url,name\r\nhttp://a/1,\"two\r\nlines\"\r\n\r\nhttp://a/2,b", ["http://a/1", "http://a/2"],
                ["two\r\nlines", "b"]
            ),
            ("\u{FEFF}url,name\rhttp://a/1,x\r", ["http://a/1"], ["x"]),
            ("name,url\na,http://a/1\n", ["http://a/1"], ["a"]),
            ("url,name\n", [], []), ("", [], []),
        ]
    )
    func csv(_ page: String, _ urls: [String], _ names: [String]) throws {
        let read = try Reading(.of("csv") { $0.name = ".name" }, page)
        #expect(read.urls == urls)
        #expect(read.items.compactMap(\.name) == names)
        #expect(read.page?.next == .end)
    }

    @Test("A quote that is never closed costs no row without a word")
    func openQuote() throws {
        let rows = (1...50).map { "http://a/\($0),\($0 == 6 ? "\"" : "")row \($0)\n" }.joined()
        let failure = try #require(try Reading(.of("csv"), "url,name\n" + rows).failure)
        #expect(failure.code == "unexpected_shape")
        #expect(failure.message == "the row that begins at line 7 has no end; is a closing quote missing?")
        #expect(try Reading(.of("csv"), "url,name\nhttp://a/1,\"x\"").failure == nil)
        let open = "url,name\nhttp://a/1,x\nhttp://a/2,\"x\ny"
        let last = try #require(try Reading(.of("csv"), open).failure)
        #expect(last.message == "the row that begins at line 3 has no end; is a closing quote missing?")
    }

    @Test("The column url and the member url are found in any case")
    func anyCase() throws {
        let lines = "{\"URL\":\"http://a/1\"}\n{\"Url\":\"http://a/2\"}\n"
        #expect(try Reading(.of("jsonl"), lines).urls.count == 2)
        let both = "{\"url\":\"http://a/1\",\"URL\":\"x\"}\n"
        #expect(try Reading(.of("jsonl"), both).urls == ["http://a/1"])
    }

    @Test("Tabs, other delimiters, no header, other encodings")
    func tables() throws {
        #expect(
            try Reading(.of("tsv") { $0.name = ".n" }, "url\tn\nhttp://a/1\tx y\n").items.first?.name == "x y"
        )
        #expect(
            try Reading(.of("csv") { $0.delimiter = 0x3B }, "a;url\n1,5;http://a/1\n").urls == ["http://a/1"]
        )
        let rows = try Reading(
            .of("csv") {
                $0.hasHeader = false; $0.url = ".[1]"
            },
            "1,http://a/1\n2,http://a/2\n"
        )
        #expect(rows.urls == ["http://a/1", "http://a/2"])
        let latin = try Reading(
            .of("csv") {
                $0.encoding = "windows-1252"; $0.name = ".name"
            },
            Array("url,name\nu,".utf8) + [0x80, 0xE9, 0x0A]
        )
        #expect(latin.items.first?.name == "€é")
    }

    @Test("Bytes that are no UTF-8 are ISO 8859-1 in texts, and stay the same in URLs")
    func otherBytes() throws {
        func bytes(_ text: String) -> [UInt8] {
            Array(text.utf8).reduce(into: []) { $0.append($1 == UInt8(ascii: "~") ? 0xE9 : $1) }
        }
        let named = { (program: inout ListerProgram) in program.name = ".name" }
        for (kind, list) in [
            ("csv", "name,URL\ncaf~,http://a/caf~\n~,b/~\n"),
            ("tsv", "name\turl\ncaf~\tHTTP://a/caf~\n~\tb/~\n"),
            (
                "jsonl",
                #"{"name":"caf~","url":"http:\/\/a\/caf~"}"# + "\n" + #"{"name":"\u00e9","url":"b/%E9"}"#
                    + "\n"
            ),
        ] {
            let read = try Reading(.of(kind, named), bytes(list))
            #expect(read.urls.map { $0.lowercased() } == ["http://a/caf%e9", "b/%e9"], "\(kind)")
            #expect(read.items.map(\.name) == ["caf\u{E9}", "\u{E9}"], "\(kind)")
        }
        let other = try Reading(.of("csv") { $0.url = ".bild" }, bytes("bild,x\n/~/a,\"y~\"\n"))
        #expect(other.urls == ["/%E9/a"])
        let rows = try Reading(.of("csv") { $0.hasHeader = false }, bytes("/~,~\n"))
        #expect(rows.urls == ["/%E9"])
        #expect(
            try Reading(.of("lines"), bytes("http://a/~\n/\u{E9}\n")).urls == ["http://a/%E9", "/\u{E9}"]
        )
        let page = try Reading(.json { $0.name = ".n" }, bytes(#"[{"u":"http://a/~","n":"a\"~\\"}]"#))
        #expect(page.urls == ["http://a/%E9"] && page.items.first?.name == "a\"\u{E9}\\")
        // Columns have names that people can write.
        let header = try Reading(
            .of("csv") { $0.name = ".[\"caf\u{E9}\"]" },
            bytes("url,caf~\nhttp://a/,n\n")
        )
        #expect(header.items.first?.name == "n")
    }

    @Test("An item has the line at which its row begins, in whichever piece it comes")
    func lineNumbers() throws {
        let csv = "url,n\r\n\r\nhttp://a/1,\"x\r\ny\"\r\n  \r\n\r\nhttp://a/2,z\nhttp://a/3,"
        #expect(try Reading(.of("csv"), csv).items.map(\.line) == [3, 7, 8])
        #expect(try Reading(.of("lines"), "#\nhttp://a/1\n\n http://a/2").items.map(\.line) == [2, 4])
        #expect(try Reading(.of("jsonl"), "\n{\"url\":\"1\"}\n").items.map(\.line) == [2])
        #expect(try Reading(.json(), "[{\"u\":\"1\"}]").items.map(\.line) == [nil])
        var request = ListerRequest.Rows(most: 1)
        var lines: [Int?] = []
        while true {
            let read = try Reading(.of("csv"), csv) { $0.rows = request }
            lines += read.items.map(\.line)
            guard case .rows(let next)? = read.page?.next else { break }
            request = next
        }
        #expect(lines == [3, 7, 8])
    }

    @Test("A line that is too long with the white space around it is bad")
    func paddedLine() throws {
        let read = try Reading(
            .of("lines"),
            "http://a/1" + String(repeating: " ", count: 16_400) + "\nhttp://a/2"
        )
        #expect(read.urls == ["http://a/2"] && read.page?.badItems.map(\.number) == [1])
    }

    @Test("Rows without a URL are bad, and named by their line")
    func bad() throws {
        let read = try Reading(.of("csv"), "url,n\nhttp://a/1,1\n,2\nhttp://a/3,3\n")
        #expect(read.urls == ["http://a/1", "http://a/3"])
        #expect(read.page?.badItems.map(\.number) == [3])
    }

    @Test("A line has the name and the comment that it has in any list, unless the recipe says what it means")
    func listLines() throws {
        let list = """
            http://a/1\tone.jpg
            http://a/2 \t "two # \"\"2\"\".jpg" # a comment
            http://a/3 # not loud\tmore
            http://a/4#part\t
              http://a/5
            """
        let plain = try Reading(.of("lines"), list)
        #expect(plain.urls == (1...5).map { "http://a/\($0)" + ($0 == 4 ? "#part" : "") })
        #expect(plain.items.map(\.name) == ["one.jpg", "two # \"2\".jpg", nil, nil, nil])
        #expect(plain.items.map(\.line) == [1, 2, 3, 4, 5])
        let named = try Reading(.of("lines") { $0.name = "\"x\" + (split(\"\\t\")[1] // \"\")" }, list)
        #expect(named.urls == plain.urls && named.items.map(\.name).first == "xone.jpg")
        let own = try Reading(.of("lines") { $0.url = "split(\"\\t\")[0]" }, list)
        #expect(own.urls.first == "http://a/1" && own.urls[2] == "http://a/3 # not loud")
        #expect(own.items.allSatisfy { $0.name == nil })
        let each = try Reading(.of("lines") { $0.items = "split(\" \") | .[]" }, "/1 /2\n/3")
        #expect(each.urls == ["/1", "/2", "/3"])
        let some = try Reading(.of("lines") { $0.select = "contains(\"one\")" }, list)
        #expect(some.items.filter { $0.wanted != false }.map(\.name) == ["one.jpg"])
    }

    @Test("A URL a line: blanks, comments and empty lines are none; a JSON value a line")
    func lines() throws {
        #expect(
            try Reading(.of("lines"), "\u{FEFF}http://a/1\r\n\n  # no\n\thttp://a/2 \nhttp://a/3").urls == [
                "http://a/1", "http://a/2", "http://a/3",
            ]
        )
        let read = try Reading(
            .of("jsonl") { $0.key = ".id" },
            "{\"url\": \"/1\", \"id\": 12345678901234567890}\n\n{broken\n{\"url\": \"/2\", \"id\": 2}"
        )
        #expect(read.urls == ["/1", "/2"])
        #expect(read.items.first?.key == "12345678901234567890")
        #expect(read.page?.badItems.map(\.number) == [3])
    }

    @Test(
        "A list that is read in pieces of any size has the same items as read at once",
        arguments: [1, 2, 3, 7, 1000],
        ["csv", "jsonl", "lines"]
    )
    func pieces(_ most: Int, _ kind: String) throws {
        let page =
            switch kind {
            case "csv": "\u{FEFF}url,n\r\n" + (0..<20).map { "http://a/\($0),\"l\n\($0)\"\r\n" }.joined()
            case "jsonl": (0..<20).map { "{\"url\": \"http://a/\($0)\"}\n\n" }.joined()
            default: (0..<20).map { "http://a/\($0)\r" }.joined()
            }
        for isCompressed in [false, true] {
            let bytes = isCompressed ? try Compressed.gzip(Array(page.utf8)) : Array(page.utf8)
            var rows: ListerRequest.Rows? = .init(most: most)
            var urls: [String] = []
            while let asked = rows {
                let read = try Reading(.of(kind), bytes) { $0.rows = asked }
                #expect(read.items.count <= most)
                urls += read.urls
                if case .rows(let next)? = read.page?.next { rows = next } else { rows = nil }
            }
            #expect(urls == (0..<20).map { "http://a/\($0)" })
        }
    }

    @Test("A line without end, and a quote without its other, end with a clear error")
    func endless() throws {
        let long = String(repeating: "x", count: 3 << 20)
        #expect(try Reading(.of("lines"), long).failure?.message.contains("longer than 1 MiB") == true)
        let quote = "url\n\"" + String(repeating: "x\n", count: 1 << 20)
        #expect(try Reading(.of("csv"), quote).failure?.message.contains("quote") == true)
        let wide = "url" + String(repeating: ",", count: 10_000) + "\n"
        #expect(try Reading(.of("csv"), wide).failure?.message.contains("fields") == true)
    }

    @Test("gzip that is damaged or cut off says so")
    func damaged() throws {
        let whole = try Compressed.gzip(Array("http://a/1\n".utf8))
        #expect(try Reading(.of("lines"), whole + whole).urls == ["http://a/1", "http://a/1"])
        #expect(try Reading(.of("lines"), whole + [0, 0, 0]).urls == ["http://a/1"])
        let cut = Array(whole.dropLast(3))
        #expect(try Reading(.of("lines"), cut).failure?.message.contains("incomplete") == true)
        var broken = whole
        broken[whole.count - 6] ^= 0xFF
        #expect(try Reading(.of("lines"), broken).failure?.message.contains("damaged") == true)
    }

    /// A list of long rows that hardly compress, in one member of gzip or in several.
    private static func longList(_ count: Int, members: Int) throws -> (urls: [String], gzip: [UInt8]) {
        var generator = SeededGenerator(seed: 15)
        let urls = (0..<count).map { "http://a/\($0)" }
        var text = Array("url,n\n".utf8)
        for url in urls {
            text += Array("\(url),\"a\nb".utf8)
            for _ in 0..<125 {
                let number: UInt64 = generator.next()
                // Letters, of which none needs quoting.
                for shift in 0..<8 {
                    text.append(0x41 + UInt8(truncatingIfNeeded: number >> (8 * shift)) & 31)
                }
            }
            text += Array("\"\n".utf8)
        }
        let length = (text.count + members - 1) / members
        let parts = try stride(from: 0, to: text.count, by: length).map { first in
            try Compressed.gzip(Array(text[first..<min(first + length, text.count)]))
        }
        return (urls, parts.flatMap { $0 } + [0, 0])
    }

    @Test(
        "A compressed list that is read in many pieces is decompressed about once, whatever its members",
        arguments: [1, 70]
    )
    func decompressedOnce(_ members: Int) throws {
        let list = try Self.longList(1200, members: members)
        let length = 1200 * 1000
        var rows: ListerRequest.Rows? = .init(most: 20)
        var (urls, decompressed, pieces): ([String], Int, Int) = ([], 0, 0)
        while let asked = rows {
            let read = try Reading(.of("csv"), list.gzip) { $0.rows = asked }
            #expect(read.failure == nil)
            urls += read.urls
            decompressed += read.decompressed
            pieces += 1
            // After a restart of the daemon no place is known, and the rows are the same.
            if case .rows(let next)? = read.page?.next { rows = next } else { rows = nil }
            if pieces == 30 { rows?.place = nil }
        }
        #expect(urls == list.urls && pieces >= 60)
        // Each piece may read again what lies before its place and behind its end.
        // From the start each time, that would be 30 times the list.
        #expect(decompressed < 2 * length + pieces * 250_000, "\(decompressed) of \(length) in \(pieces)")
    }

    @Test("A place that can't be is left out, and one that lies about the list ends with an error")
    func lyingPlaces() throws {
        let list = try Self.longList(600, members: 1)
        let first = try Reading(.of("csv"), list.gzip) { $0.rows.most = 450 }
        guard case .rows(let next)? = first.page?.next else {
            Issue.record("there is no next piece")
            return
        }
        let place = try #require(next.place)
        #expect(place.output <= next.bytes && place.start > 0)
        #expect(try Reading(.of("csv"), list.gzip) { $0.rows = next }.urls == Array(list.urls[450...]))
        func read(_ change: (inout CompressedPlace) -> Void) throws -> Reading {
            var lying = place
            change(&lying)
            return try Reading(.of("csv"), list.gzip) {
                $0.rows = next
                $0.rows.place = lying
            }
        }
        for impossible in [
            try read { $0.output = next.bytes + 1 }, try read { $0.bits = 8 }, try read { $0.input = 0 },
            try read { $0.window += Data(count: 1 << 15) },
        ] { #expect(impossible.urls == Array(list.urls[450...])) }
        for wrong in [
            try read { $0.checksum ^= 1 }, try read { $0.length &+= 1 }, try read { $0.input += 1000 },
            try read { $0.input = list.gzip.count + 1000 },
        ] { #expect(wrong.failure?.code == "unexpected_shape") }
    }
}

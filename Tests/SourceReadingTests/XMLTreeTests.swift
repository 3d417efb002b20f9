import SourceCore
import TestSupport
import Testing

@testable import SourceReading

/// Pages of kind xml.
@Suite struct XMLTreeTests {
    private static let page = """
        <?xml version="1.0"?>
        <oai:OAI-PMH xmlns:oai="http://www.openarchives.org/OAI/2.0/" xmlns:dc="http://purl.org/dc/elements/1.1/"
            xmlns:xlink="http://www.w3.org/1999/xlink">
          <oai:ListRecords>
            <record n="1" xml:lang="en"><dc:title> One </dc:title><link xlink:href="http://a/1.jpg"/></record>
            <record><dc:title>Two <b>and</b> more</dc:title><dc:title>Zwei</dc:title><link href="2.jpg"/></record>
            <oai:resumptionToken>t&amp;1</oai:resumptionToken>
          </oai:ListRecords>
        </oai:OAI-PMH>
        """

    private static func program(_ items: String, _ url: String, namespaces: Bool? = nil) -> ListerProgram {
        .of("xml") {
            $0.items = items
            $0.url = url
            $0.namespaces = namespaces
        }
    }

    @Test("Attributes, children and texts are where the manual says, without namespaces")
    func local() throws {
        var program = Self.program(#".["OAI-PMH"].ListRecords[0].record[]"#, #".link[0]["@href"]"#)
        program.meta = ##"{t: [.title[]["#text"]], n: .["@n"], l: .["@lang"], b: .title[0].b}"##
        program.next =
            ##".["OAI-PMH"].ListRecords[0].resumptionToken[0]["#text"] | {verb: "ListRecords", token: .}"##
        let read = try Reading(program, Self.page)
        #expect(read.urls == ["http://a/1.jpg", "2.jpg"])
        #expect(try JSONText.sorted(read.items[0].meta) == #"{"b":null,"l":"en","n":"1","t":["One"]}"#)
        #expect(
            try JSONText.sorted(read.items[1].meta)
                == ##"{"b":[{"#text":"and"}],"l":null,"n":null,"t":["Two  more","Zwei"]}"##
        )
        let parameters = [
            ListedPage.Parameter(name: "token", value: "t&1"), .init(name: "verb", value: "ListRecords"),
        ]
        #expect(read.page?.next == .query(parameters))
    }

    @Test("With namespaces, names have the page's prefixes")
    func written() throws {
        var program = Self.program(
            #".["oai:OAI-PMH"]["oai:ListRecords"][0].record[0]"#,
            #".link[0]["@xlink:href"]"#,
            namespaces: true
        )
        program.meta = ##"{t: .["dc:title"][0]["#text"], l: .["@xml:lang"]}"##
        let read = try Reading(program, Self.page)
        #expect(read.urls == ["http://a/1.jpg"])
        #expect(try JSONText.sorted(read.items[0].meta) == #"{"l":"en","t":"One"}"#)
    }

    @Test("What isn't XML, declares entities, or is nested too deep is refused with a clear error")
    func refused() throws {
        let program = Self.program(".a.b[]", ".x")
        #expect(try Reading(program, "{}").failure?.code == "unexpected_type")
        #expect(
            try Reading(program, "<!DOCTYPE a [<!ENTITY e 'x'>]><a>&e;</a>").failure?.message.contains(
                "entities"
            ) == true
        )
        let deep = String(repeating: "<a>", count: 200) + String(repeating: "</a>", count: 200)
        #expect(try Reading(program, deep).failure?.message.contains("deep") == true)
        let other = try Reading(program, "<a><c/></a>").failure
        #expect(other?.message.contains(".a.b isn't there, only c") == true)
    }
}

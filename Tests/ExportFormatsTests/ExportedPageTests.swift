import Testing

@testable import ExportFormats

@Suite("Reading a page of jobs for an export")
struct ExportedPageTests {
    @Test("a counted picture has all that formats have room for")
    func readsACountedPicture() throws {
        let page = try ExportedPage(Sample.page([Sample.item(faces: [Sample.face(10, 20, 30, 40)])]))
        let job = try #require(page.items.first?.job)
        #expect(page.total == 1 && !page.hasMore && page.next == nil)
        #expect(job.id == 7 && job.batch == 2 && job.bytes == 1234)
        #expect(job.ended == 41 && job.ending == "done" && job.state == "done")
        #expect(job.itemKey == "k\"1" && job.source == "s" && job.meta == #"{"a":[1,{"b":"}"}]}"#)
        let detection = try #require(job.detection)
        #expect(detection.isCounted && detection.faceCount == 1 && detection.format == "jpeg")
        #expect(
            detection.faces == [
                ExportedFace(
                    box: Box(x: 10, y: 20, width: 30, height: 40),
                    confidence: 0.9,
                    landmarks: [.init(x: 10.5, y: 20)]
                )
            ]
        )
    }

    @Test("a job that failed has its code, and texts have their escapes undone")
    func readsAFailedJob() throws {
        let job = try ExportedJob(json: Array(Sample.failed.utf8))
        #expect(job.error == "not_found" && job.path == nil && job.detection == nil)
        #expect(job.url == "https://h/ä😀\n")
    }

    @Test("each item's place in the text is that of its object")
    func knowsPlaces() throws {
        let items = [Sample.item(faces: []), Sample.failed, Sample.item(id: 9, faces: [])]
        let page = try ExportedPage(Sample.page(items))
        // A job is a line where it is printed, whatever there was between its members.
        let lines = items.map { $0.replacing("\n", with: " ") }
        #expect(page.items.map { Array(page.bytes[$0.place]).text } == lines)
    }

    @Test(
        "what comes next is found behind the jobs, without reading them",
        arguments: [
            (#"{"has_more":true,"items":[{"next":"no"},[]],"newest":9,"next":"7","oldest":0}"#, "7"),
            (#"{"items":[],"next" : "a\"b" }"#, "a\"b"), (#"{"items":[],"next":null}"#, nil),
            (#"{"items":["]"]}"#, nil), (#"{"next":"7","items":[1]}"#, nil), ("[", nil), ("]", nil),
            (#"{"items":[],"next":7}"#, nil), ("", nil), ("],", nil),
        ] as [(String, String?)]
    )
    func findsNext(_ text: String, _ next: String?) {
        #expect(ExportedPage.next(in: Array(text.utf8)) == next)
    }

    @Test(
        "numbers are written as Swift writes them",
        arguments: [0, 1, 9, 10, 99, 100, 1_234_567_890, .max, -1, -10, .min] as [Int64]
    )
    func numbers(_ number: Int64) {
        var text: [UInt8] = []
        text.add(number)
        #expect(text.text == String(number))
        text = []
        text.add(UInt64(bitPattern: number))
        #expect(text.text == String(UInt64(bitPattern: number)))
    }

    @Test(
        "what is no page is refused",
        arguments: [
            "", "{", "[]", #"{"items":[{"id":1}"#, #"{"items":[{}]}"#, #"{"items":[{"id":0}]}"#,
            #"{"items":[{"id":"1"}]}"#, #"{"items":[{"id":1,"name":"a]}"#,
            #"{"items":[{"id":1,"name":"\u12"}]}"#, #"{"items":[{"id":1,"name":"\u+12A"}]}"#,
            #"{"items":[{"id":1,"name":"\"#, #"{"items":1}"#,
            #"{"a":"# + String(repeating: "[", count: 10_000),
        ]
    )
    func refuses(_ text: String) {
        #expect(throws: NoJob.self) { try ExportedPage(Array(text.utf8)) }
    }

    @Test("a page that nests too deeply is refused")
    func refusesDepth() {
        let text = #"{"a":"# + String(repeating: "[", count: 10_000)
        #expect(throws: NoJob.self) { try ExportedPage(Array(text.utf8)) }
    }

    @Test(
        "members that no format needs are lent as they are written, with nil for null and for what is missing"
    )
    func lendsMembers() throws {
        let other = #"{"id":9,"error":null,"waiting":{"until":"x","own":[1,{"error":2}]},"elapsed":1.50}"#
        let page = try ExportedPage(Sample.page([Sample.failed, other]))
        let names: [StaticString] = ["elapsed", "waiting", "error", "none"]
        #expect(
            try page.json(of: names, in: page.items[1])
                == ["1.50", #"{"until":"x","own":[1,{"error":2}]}"#, nil, nil]
        )
        #expect(try page.json(of: ["error"], in: page.items[0])[0]?.contains("not_found") == true)
    }
}

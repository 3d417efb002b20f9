import Testing

@testable import ExportFormats

@Suite("What each format makes of a job")
struct FormatTests {
    private static let faces = [Sample.face(10, 20, 30, 40), Sample.face(200, 100, 100, 150, 0.75)]

    @Test("a row has a job's 28 columns, and is empty where nothing is known")
    func csv() throws {
        var text: [UInt8] = []
        let job = try ExportedJob(json: Array(Sample.item(faces: Self.faces).utf8))
        CSVFormat.write(job, in: .upright, isRaw: false, to: &text)
        #expect(
            text.text == """
                7,2,done,counted,2,a.jpg,/d/a.jpg,https://h/a.jpg,1234,ab,400,300,1,jpeg,yunet,\
                "[[10,20,30,40],[200,100,100,150]]",s,"k""1","{""a"":[1,{""b"":""}""}]}",\
                2026-11-21T06:45:03.611Z,2026-11-21T06:45:04.611Z,,41,https://cdn/a.jpg?x,\
                2026-11-20T00:00:00.000Z,image/jpeg,"W/""v1""\",0123456789abcdef,\r\n
                """
        )
        #expect(CSVFormat.heading.text.hasPrefix("job,batch,state,outcome,faces,name,path,url,bytes,sha256,"))
        #expect(
            CSVFormat.heading.text.hasSuffix(
                ",error,ended,final_url,last_modified,content_type,etag,fingerprint,turned\r\n"
            )
        )
    }

    @Test("a text that a spreadsheet would run gets an apostrophe, unless it is wanted raw")
    func formulas() throws {
        let job = try ExportedJob(json: Array(Sample.failed.utf8))
        var text: [UInt8] = []
        CSVFormat.write(job, in: .upright, isRaw: false, to: &text)
        #expect(text.text.hasPrefix("8,2,failed,,,'=cmd|'/c calc'!A1,,\"https://h/ä😀\n\",0,,,,,,,,,,,"))
        #expect(text.text.hasSuffix(",2026-11-21T06:45:03.611Z,,not_found,42,,,,,,\r\n"))
        text = []
        CSVFormat.write(job, in: .upright, isRaw: true, to: &text)
        #expect(text.text.hasPrefix("8,2,failed,,,=cmd|'/c calc'!A1,,"))
    }

    @Test(
        "an apostrophe stands wherever a cell would begin a formula, in whichever country",
        arguments: [
            ("=1", "'=1"), ("+1", "'+1"), ("-1", "'-1"), ("@a", "'@a"), ("\t=1", "'\t'=1"), ("\ra", "'\ra"),
            ("a;=1.jpg", "a;'=1.jpg"), ("a;b;-1", "a;b;'-1"), ("a\t@x", "a\t'@x"), ("a\n+1", "a\n'+1"),
            ("＝1", "'＝1"), ("＋1", "'＋1"), ("－1", "'－1"), ("＠a", "'＠a"), ("﹦1", "'﹦1"),
            ("a;＝1", "a;'＝1"), ("a；=1", "a；'=1"), ("a、=1", "a、'=1"), ("a؛=1", "a؛'=1"), ("a，=1", "a，'=1"),
            ("a;\"=1\"", "a;'\"=1\""), (";=", ";'="), ("=;=", "'=;'="),
        ]
    )
    func formulasElsewhere(text: String, marked: String) throws {
        #expect(SpreadsheetText.marked(text) == marked)
        // Within the row the same, with quotes doubled.
        let escaped = ["\"": "\\\"", "\t": "\\t", "\r": "\\r", "\n": "\\n"]
        let name = text.map { escaped[String($0)] ?? String($0) }.joined()
        let job = try ExportedJob(json: Array(Sample.item(name: name, faces: []).utf8))
        for (isRaw, wanted) in [(false, marked), (true, text)] {
            var row: [UInt8] = []
            CSVFormat.write(job, in: .upright, isRaw: isRaw, to: &row)
            let isQuoted = text.utf8.contains { "\"\r\n,".utf8.contains($0) }
            let field = isQuoted ? "\"" + wanted.replacing("\"", with: "\"\"") + "\"" : wanted
            #expect(row.text.hasPrefix("7,2,done,counted,0,\(field),"), "\(row.text)")
        }
    }

    @Test(
        "names that begin no formula stay as they are",
        arguments: [
            "a;b.jpg", "a-b=c+d@e.jpg", "a; -b.jpg", "a,-b.jpg", "a;.jpg", ";", "", "a；b.jpg", "ｆ＝.jpg",
            "بـ؛ـ.jpg",
            "a 'b'.jpg",
        ]
    )
    func noFormulas(name: String) { #expect(SpreadsheetText.marked(name) == name) }

    @Test("stored coordinates of a picture to be turned clockwise, in CSV and JSON Lines")
    func stored() throws {
        let item = Sample.item(faces: [Sample.face(10, 20, 30, 40)], orientation: 6)
        let page = try ExportedPage(Sample.page([item]))
        var row: [UInt8] = []
        CSVFormat.write(page.items[0].job, in: .stored, isRaw: false, to: &row)
        #expect(row.text.contains(",300,400,6,jpeg,yunet,\"[[20,360,40,30]]\","))
        var line: [UInt8] = []
        try JSONLinesFormat.write(page.items[0], of: page, in: .stored, to: &line)
        let turned =
            item
            .replacing(
                Sample.face(10, 20, 30, 40),
                with:
                    #"{"confidence":0.9,"height":30,"landmarks":[{"x":20,"y":389.5}],"width":40,"x":20,"y":360}"#
            )
            .replacing(#""height":300"#, with: #""height":400"#).replacing(
                #""width":400"#,
                with: #""width":300"#
            )
        #expect(line.text == #"{"coordinates":"stored","# + turned.dropFirst() + "\n")
    }

    @Test("an upright line is the job as it came, and says so")
    func jsonLines() throws {
        let item = Sample.item(faces: Self.faces, orientation: 6)
        let page = try ExportedPage(Sample.page([item]))
        var line: [UInt8] = []
        try JSONLinesFormat.write(page.items[0], of: page, in: .upright, to: &line)
        #expect(line.text == #"{"coordinates":"upright","# + item.dropFirst() + "\n")
    }

    @Test("a picture of unknown size can't be turned, and its line says upright")
    func unknownSize() throws {
        let item = Sample.item(faces: Self.faces, width: nil, height: nil, orientation: nil)
        let page = try ExportedPage(Sample.page([item]))
        #expect(page.items[0].job.picture(in: .upright) == nil)
        var line: [UInt8] = []
        try JSONLinesFormat.write(page.items[0], of: page, in: .stored, to: &line)
        #expect(line.text.hasPrefix(#"{"coordinates":"upright","#))
        var row: [UInt8] = []
        CSVFormat.write(page.items[0].job, in: .stored, isRaw: false, to: &row)
        #expect(row.text.contains(",ab,,,,jpeg,yunet,,s,"))
    }

    @Test("COCO has images first, then numbered boxes")
    func coco() throws {
        var format = COCOFormat(in: .upright)
        var (images, boxes): ([UInt8], [UInt8]) = ([], [])
        for faces in [Self.faces, []] {
            let (job, picture) = try Sample.picture(faces)
            format.write(job, try #require(picture), images: &images, annotations: &boxes)
        }
        let text = (format.opening + images + format.middle + boxes + format.closing).text
        #expect(text.contains(#""coordinates":"upright""#))
        #expect(
            text.contains(
                #"{"id":7,"file_name":"a.jpg","width":400,"height":300,"coco_url":"https://h/a.jpg"}"#
            )
        )
        #expect(
            text.contains(
                #"{"id":1,"image_id":7,"category_id":1,"bbox":[10,20,30,40],"area":1200,"iscrowd":0,"#
            )
        )
        #expect(
            text.contains(#"{"id":2,"image_id":7,"category_id":1,"bbox":[200,100,100,150],"area":15000,"#)
        )
        #expect(!text.contains(#""id":3"#))
    }

    @Test("YOLO has centres, and an empty file where there are no faces")
    func yolo() throws {
        let picture = try #require(try Sample.picture(Self.faces).1)
        #expect(
            YOLOFormat.labels(picture).text == """
                0 0.062500 0.133333 0.075000 0.133333
                0 0.625000 0.583333 0.250000 0.500000

                """
        )
        #expect(YOLOFormat.labels(try #require(try Sample.picture([]).1)) == [])
        #expect(YOLOFormat.split("a.b.jpg") == ("a.b", ".jpg"))
        #expect(YOLOFormat.split("a") == ("a", "") && YOLOFormat.split(".a") == (".a", ""))
        #expect(YOLOFormat.dataFile(in: .stored).text.contains("Coordinates: stored."))
    }

    @Test("WIDER FACE has a line for each face, and one of zeros for none")
    func wider() throws {
        var text: [UInt8] = []
        for faces in [[Self.faces[0]], []] {
            let (job, picture) = try Sample.picture(faces)
            WIDERFormat.write(job, try #require(picture), to: &text)
        }
        #expect(text.text == "a.jpg\n1\n10 20 30 40 0 0 0 0 0 0\na.jpg\n0\n0 0 0 0 0 0 0 0 0 0\n")
    }

    @Test("img2dataset has corners in parts of the picture")
    func img2dataset() throws {
        var text: [UInt8] = []
        let (job, picture) = try Sample.picture([Self.faces[0]])
        Img2DatasetFormat.write(job, try #require(picture), to: &text)
        #expect(
            text.text == """
                {"url":"https://h/a.jpg","bbox":[[0.025000,0.066667,0.100000,0.200000]],"sha256":"ab","job":7,\
                "name":"a.jpg","coordinates":"upright"}

                """
        )
    }

    @Test("Label Studio has percents, and the document's path escaped")
    func labelStudio() throws {
        var format = LabelStudioFormat(in: .upright)
        var (job, picture) = try Sample.picture([Self.faces[1]])
        job.path = "/d/a b&ä.jpg"
        var text: [UInt8] = []
        format.write(job, try #require(picture), to: &text)
        #expect(text.text.contains(#""image":"/data/local-files/?d=d/a%20b%26%C3%A4.jpg""#))
        #expect(
            text.text.contains(#""value":{"x":50.000000,"y":33.333333,"width":25.000000,"height":50.000000,"#)
        )
        #expect(
            text.text.contains(#""original_width":400,"original_height":300,"image_rotation":0,"score":0.75"#)
        )
    }

    @Test("a shard's names have the job's id before their only dot, and the picture's own kind behind it")
    func webDataset() throws {
        var job = try Sample.picture([]).0
        job.name = "a.b.exe"
        #expect(WebDatasetFormat.names(job) == ("00000007.jpg", "00000007.json"))
        for (format, suffix) in [
            ("heif", "heic"), ("png", "png"), ("tiff", "tif"), ("jp2", "jp2"), ("../x", "bin"), (nil, "bin"),
        ] {
            job.detection?.format = format
            #expect(WebDatasetFormat.names(job).picture == "00000007." + suffix)
        }
        #expect(WebDatasetFormat.shard(3) == "shard-000003.tar")
        #expect(WebDatasetFormat.padding(after: 0).isEmpty && WebDatasetFormat.padding(after: 1).count == 511)
        #expect(WebDatasetFormat.header(name: "a", length: 5, time: 0).count == 512)
    }
}

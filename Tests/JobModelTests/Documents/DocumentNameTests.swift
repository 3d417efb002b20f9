import JobModel
import Testing
import Vocabulary

struct DocumentNameTests {
    @Test(
        "A name is the last component of the URL's path, percent-decoded",
        arguments: [
            ("https://example.org/a.jpg", "a.jpg"),
            ("https://example.org/a%20b.jpg?size=large#top", "a b.jpg"),
            ("https://example.org/pictures/", "pictures"),
            ("https://example.org", "example.org"),
            ("https://example.org/", "example.org"),
            (
                "https://upload.wikimedia.org/wikipedia/commons/0/06/Master_of_Flémalle_-_Portrait_of_a_Fat_Man_-_Google_Art_Project_(331318).jpg",
                "Master_of_Flémalle_-_Portrait_of_a_Fat_Man_-_Google_Art_Project_(331318).jpg"
            ),
            ("https://example.org/M%C3%BCnchen.png", "München.png"),
            ("https://example.org/%FF%FE.png", "%FF%FE.png"),
            ("https://example.org/100%.png", "100%.png"),
        ]
    )
    func derived(url: String, name: String) throws {
        #expect(DocumentName.derived(from: try JobURL(url)) == name)
    }

    @Test("A name without the number that it got is the one that was asked for")
    func unnumbered() {
        for name in ["a.jpg", "a", "a (b).jpg", "(2).jpg", "a(2).jpg", " (2)", "a (2)b.jpg", "a ().jpg"] {
            #expect(DocumentName.unnumbered(name) == name)
        }
        for (name, number) in [("a.jpg", 2), ("a b", 17), ("a.tar.gz", 999), ("ü (b).png", 3)] {
            #expect(DocumentName.unnumbered(DocumentName.numbered(name, number)) == name)
        }
    }

    @Test(
        "Nothing in a URL leads out of the directory or hides the file",
        arguments: [
            ("https://example.org/..%2F..%2Fetc%2Fpasswd", "_.._etc_passwd"),
            ("https://example.org/%2e%2e", "download"),
            ("https://example.org/.bashrc", "bashrc"),
            ("https://example.org/a%00b%0Ac.jpg", "a_b_c.jpg"),
            ("https://example.org/%E2%80%AEgpj.exe", "_gpj.exe"),
            ("https://example.org/%20%20", "download"),
            ("https://example.org/%2E%CC%81x.jpg", "_\u{301}x.jpg"),
            ("https://example.org/%CC%81x.jpg", "_\u{301}x.jpg"),
            ("https://example.org/x%D8%80", "x\u{600}_"),
            ("https://example.org/--checkpoint-action=exec=sh%20a.jpg", "_-checkpoint-action=exec=sh a.jpg"),
            ("https://example.org/.-rf", "_rf"), ("https://example.org/-%CC%81.jpg", "_\u{301}.jpg"),
        ]
    )
    func dangerous(url: String, name: String) throws {
        #expect(DocumentName.derived(from: try JobURL(url)) == name)
    }

    @Test(
        "A name without an extension gets that of its media type",
        arguments: [
            ("https://h/id/237/200/300", "image/jpeg", "300.jpg"),
            ("https://h/300", "IMAGE/PNG; charset=binary", "300.png"),
            ("https://h/a.jpeg", "image/png", "a.jpeg"),
            ("https://h/300", "application/octet-stream", "300"), ("https://h/300", "text/html", "300"),
            ("https://h/300", "image/../../x", "300"), ("https://h/v1.5", "image/webp", "v1.5.webp"),
            ("https://h/St.%20Mark", "image/gif", "St. Mark.gif"), ("https://h/a.", "image/avif", "a.avif"),
            ("https://picsum.photos/", "image/jpeg", "picsum.photos.jpg"),
            ("https://h/image.php?id=3", "image/jpeg", "image.php"),
        ]
    )
    func extended(url: String, type: String, name: String) throws {
        let url = try JobURL(url)
        let extended = DocumentName.extended(DocumentName.derived(from: url), for: url, contentType: type)
        #expect(extended == name)
        #expect(DocumentName.extended("300", for: url, contentType: nil) == "300")
    }

    @Test("An extension has room in the longest name")
    func extendedLong() throws {
        let url = try JobURL("https://h/" + String(repeating: "a", count: 300))
        let name = DocumentName.extended(DocumentName.derived(from: url), for: url, contentType: "image/jpeg")
        #expect(name.utf8.count == 250 && name.hasSuffix("aa.jpg"))
    }

    @Test("A long name is cut to 250 bytes between characters, and keeps its extension")
    func long() {
        let name = DocumentName.sanitized(String(repeating: "é", count: 200) + ".jpeg")
        #expect(name.hasSuffix("é.jpeg") && name.utf8.count == 249)
        let numbered = DocumentName.numbered(name, 12)
        #expect(numbered.utf8.count <= 250)
        #expect(numbered.hasSuffix("é (12).jpeg"))
    }

    @Test("What looks like a very long extension is part of the stem")
    func noExtension() {
        let name = DocumentName.sanitized("a." + String(repeating: "b", count: 300))
        #expect(name.utf8.count == 250)
        #expect(DocumentName.numbered("README", 2) == "README (2)")
        #expect(DocumentName.numbered("archive.", 2) == "archive. (2)")
    }

    @Test("The first name is the wanted one, later ones are numbered before the extension")
    func numbered() {
        #expect(DocumentName.numbered("a.jpg", 1) == "a.jpg")
        #expect(DocumentName.numbered("a.jpg", 2) == "a (2).jpg")
        #expect(DocumentName.numbered("a.tar.gz", 3) == "a.tar (3).gz")
    }

    @Test("Only names that need no change are safe")
    func safe() {
        #expect(DocumentName.isSafe("a.jpg"))
        // Whoever asks for it knows.
        #expect(DocumentName.isSafe("-a.jpg"))
        #expect(DocumentName.isSafe(String(repeating: "a", count: 255)))
        for name in [
            "", ".", "..", ".a", "a/b", "a\nb", " a", "\u{301}a", String(repeating: "a", count: 256),
        ] {
            #expect(!DocumentName.isSafe(name), "\(name)")
        }
    }

    @Test("A name that was asked for leaves room for a sidecar, and keeps its extension")
    func shortened() {
        #expect(DocumentName.shortened("-a.jpg") == "-a.jpg")
        let longest = String(repeating: "a", count: 246) + ".jpg"
        #expect(DocumentName.shortened(longest) == longest)
        #expect(DocumentName.shortened(String(repeating: "a", count: 251) + ".jpg") == longest)
        let accented = DocumentName.shortened(String(repeating: "\u{E9}", count: 125) + ".jpg")
        #expect(accented == String(repeating: "\u{E9}", count: 123) + ".jpg")
    }

    @Test("Making a name safe twice changes nothing more")
    func idempotent() {
        let cutAtSpace = String(repeating: "a", count: 249) + " b"
        for raw in [
            "..a", ". .a", "a/../b", "\u{202E}x", " \u{301}x\u{600}",
            String(repeating: "🧑‍🧑‍🧒", count: 40) + ".png", cutAtSpace,
        ] {
            let once = DocumentName.sanitized(raw)
            #expect(DocumentName.sanitized(once) == once)
            #expect(once.utf8.count <= 250)
        }
    }
}

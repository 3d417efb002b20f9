import Testing

@testable import HTTPRules

@Suite("A Content-Disposition")
struct ContentDispositionTests {
    @Test(
        "names the file",
        arguments: [
            ("attachment; filename=\"a b.jpg\"", "a b.jpg"),
            ("attachment; filename=a.jpg", "a.jpg"),
            ("inline;FILENAME = a.jpg ; x=y", "a.jpg"),
            (#"attachment; filename="a \"b\" \\ c.jpg""#, #"a "b" \ c.jpg"#),
            ("attachment; filename=\"a;b.jpg\"; size=5", "a;b.jpg"),
            (
                "attachment; filename=\"x.jpg\"; filename*=UTF-8''Fl%C3%A9malle%20%E2%82%AC.jpg",
                "Flémalle €.jpg"
            ),
            ("attachment; filename*=utf-8'en'a.jpg; filename=x.jpg", "a.jpg"),
            ("attachment; filename*=ISO-8859-1''Fl%E9malle.jpg", "Flémalle.jpg"),
            ("attachment; filename*=UTF-8''%FF%FE; filename=x.jpg", "x.jpg"),
            ("attachment; filename*=KOI8-R''%C1; filename=x.jpg", "x.jpg"),
            ("attachment; filename*=UTF-8''%4; filename=x.jpg", "x.jpg"),
            ("attachment; filename*=UTF-8''%+f%-1.png; filename=x.jpg", "x.jpg"),
            ("attachment; filename=\"../../etc/passwd\"", "../../etc/passwd"),
            ("attachment; filename=\"open", "open"),
        ]
    )
    func names(_ field: String, _ name: String) { #expect(ContentDisposition.fileName(in: field) == name) }

    @Test(
        "may name nothing",
        arguments: ["", "attachment", "inline; filename", "attachment; filename=\"\"", "a; b=c; ;;"]
    )
    func nothing(_ field: String) { #expect(ContentDisposition.fileName(in: field) == nil) }
}

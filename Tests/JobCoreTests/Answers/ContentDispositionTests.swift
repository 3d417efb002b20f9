import Testing

@testable import JobCore

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
            ("attachment; filename=\"open", "open"), ("filename=a.jpg", "a.jpg"),
            ("filename*=UTF-8''%C3%BC.jpg; x", "ü.jpg"), ("attachment; filename=a b.jpg", "a b.jpg"),
            ("attachment; filename=\"ü.jpg\"", "ü.jpg"), ("attachment; filename*=\"UTF-8''a.jpg\"", "a.jpg"),
            ("attachment; filename*=windows-1252''%80.jpg", "€.jpg"),
            ("a; filename*=iso-8859-1''%80.jpg", "€.jpg"),
        ]
    )
    func names(_ field: String, _ name: String) { #expect(ContentDisposition.fileName(in: field) == name) }

    @Test(
        "names it in words for mail, as browsers read them",
        arguments: [
            ("=?UTF-8?B?w7wuanBn?=", "ü.jpg"), ("=?utf-8?b?w7wuanBn?=", "ü.jpg"),
            ("=?UTF-8?Q?=C3=BC_a.jpg?=", "ü a.jpg"),
            ("=?ISO-8859-1?Q?Fl=E9malle.jpg?=", "Flémalle.jpg"), ("=?us-ascii*en?q?a.jpg?=", "a.jpg"),
            ("=?UTF-8?Q?=C3=BC?= =?UTF-8?Q?b.jpg?=", "üb.jpg"),
            ("=?UTF-8?Q?=C3?= =?UTF-8?Q?=BC.jpg?=", "ü.jpg"),
            ("=?UTF-8?Q?=C3=BC?=\t=?ISO-8859-1?Q?=E9.jpg?=", "üé.jpg"), ("a =?UTF-8?Q?b?=.jpg", "a b.jpg"),
            ("=?UTF-8?B?w7wuanBnYQ?=", "ü.jpga"), ("=?UTF-8?Q?a=3Fb?=", "a?b"),
            ("=?UTF-8?Q?a", "=?UTF-8?Q?a"), ("=?", "=?"), ("what=?.jpg", "what=?.jpg"),
            ("=?=?UTF-8?Q?a?=", "=?a"),
            ("=?UTF-8?Q?=C3=BC?= b=?.jpg", "ü b=?.jpg"),
        ]
    )
    func words(_ value: String, _ name: String) {
        #expect(ContentDisposition.fileName(in: "attachment; filename=\"\(value)\"") == name)
        #expect(ContentDisposition.fileName(in: "attachment; filename=\(value)") == name)
    }

    @Test(
        "is passed over where it can't be read",
        arguments: [
            "=?KOI8-R?B?wQ==?=", "=?UTF-8?X?a?=", "=?UTF-8?B?*?=", "=?UTF-8?Q?=C?=", "=?UTF-8?Q?=C3?=",
            "=?UTF-8?Q?=FF?=", "=?UTF-8?Q?a?= =?x?Q?b?=",
        ]
    )
    func unreadable(_ value: String) {
        #expect(ContentDisposition.fileName(in: "attachment; filename=\"\(value)\"") == nil)
        let both = "attachment; filename=\"\(value)\"; filename*=UTF-8''a.jpg"
        #expect(ContentDisposition.fileName(in: both) == "a.jpg")
    }

    @Test(
        "names it in pieces",
        arguments: [
            ("filename*0=a; filename*1=b.jpg", "ab.jpg"), ("filename*1=b.jpg; filename*0=\"a \"", "a b.jpg"),
            ("filename*0*=UTF-8''%C3%BC; filename*1=b.jpg", "üb.jpg"),
            ("filename*0*=UTF-8'de'%C3; filename*1*=%BC.jpg", "ü.jpg"),
            ("filename*0*=iso-8859-1''%E9; filename*1*=%E8.jpg", "éè.jpg"),
            // Behind a gap nothing follows, and a number has no zero in front.
            ("filename*0=a.jpg; filename*2=c", "a.jpg"), ("filename*0=a.jpg; filename*01=c", "a.jpg"),
            ("filename*0=a.jpg; filename*0=b", "a.jpg"), ("filename*0=ü.jpg", "ü.jpg"),
            ("filename=x.jpg; filename*0=a.jpg", "a.jpg"),
            ("filename*0=x.jpg; filename*=UTF-8''a.jpg", "a.jpg"),
            ("filename=a.jpg; filename*0*=KOI8-R''%C1", "a.jpg"), ("filename=a.jpg; filename*0*=x", "a.jpg"),
            ("filename=a.jpg; filename*0*=UTF-8''%C", "a.jpg"), ("filename=a.jpg; filename*1=b", "a.jpg"),
            ("filename=a.jpg; filename*99999999999999999999=b", "a.jpg"),
        ]
    )
    func pieces(_ parameters: String, _ name: String) {
        #expect(ContentDisposition.fileName(in: "attachment; \(parameters)") == name)
    }

    @Test(
        "has a plain name percent-decoded, if that gives a text",
        arguments: [
            ("a%20b.jpg", "a b.jpg"), ("%C3%BC.jpg", "ü.jpg"), ("100%.jpg", "100%.jpg"),
            ("100%25.jpg", "100%.jpg"),
            ("%FF%FE.jpg", "%FF%FE.jpg"), ("ü%20.jpg", "ü%20.jpg"), ("a%2Fb.jpg", "a/b.jpg"),
            ("a+b.jpg", "a+b.jpg"),
            ("%zz%20.jpg", "%zz .jpg"),
        ]
    )
    func percentEncoded(_ value: String, _ name: String) {
        #expect(ContentDisposition.fileName(in: "attachment; filename=\"\(value)\"") == name)
    }

    @Test("makes no work of a field that is made to make some")
    func hostile() {
        let count = 100_000
        for piece in ["=?", "=?UTF-8?Q?a?=", "; filename*0*=UTF-8''", "; filename*1=", "%", "=?UTF-8?B?"] {
            _ = ContentDisposition.fileName(
                in: "a; filename=" + String(repeating: piece, count: count / piece.count)
            )
        }
    }

    @Test(
        "may name nothing",
        arguments: ["", "attachment", "inline; filename", "attachment; filename=\"\"", "a; b=c; ;;"]
    )
    func nothing(_ field: String) { #expect(ContentDisposition.fileName(in: field) == nil) }
}

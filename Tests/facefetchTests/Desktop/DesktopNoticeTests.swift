import ControlAPI
import Testing

@testable import facefetch

@Suite("A notification on the desktop")
struct DesktopNoticeTests {
    @Test(
        "shows every text as it is",
        arguments: [
            ("a.jpg", "a.jpg"), ("<b>&amp;</b>", "&lt;b&gt;&amp;amp;&lt;/b&gt;"),
            ("<img src=\"x\">", "&lt;img src=&quot;x&quot;&gt;"), ("it's", "it&apos;s"), ("-u -x", "-u -x"),
            (#"a\nb\074"#, #"a\\nb\\074"#), ("a\nb\u{1b}[2J", #"a\\nb\\u{1b}[2J"#),
            ("\u{202e}gpj", #"\\u{202e}gpj"#),
        ]
    )
    func plain(text: String, shown: String) { #expect(DesktopNotice.plain(text) == shown) }

    @Test("gives texts that begin with a dash as texts, and not as options")
    func options() {
        let arguments = DesktopNotice(summary: "--help", body: "-u").arguments
        #expect(arguments.suffix(3) == ["--", "--help", "-u"])
    }

    @Test("says what ended, how many files did not end well, and how many faces there are")
    func words() {
        let good = BatchOutcome(batch: 3, [Samples.job(1, faces: 1)])
        #expect(good.summary == "Batch b3 ended: 1 file" && good.details == "1 done, with 1 face")
        var both = BatchOutcome(batch: 4, [Samples.job(1), Samples.failedJob(2), Samples.job(3, faces: nil)])
        #expect(both.summary == "Batch b4 ended: 3 files")
        #expect(
            both.details == "2 done, with 7 faces; 1 did not end well, first \"b.jpg\": http_404"
        )
        both.add(good)
        #expect(both.summary == "Batch b4 and 1 more ended: 4 files" && both.faces == 8)
        let cancelled = BatchOutcome(batch: 5, [Samples.job(1, state: "cancelled")])
        #expect(
            cancelled.details == "0 done, with 0 faces; 1 did not end well, first \"a.jpg\": cancelled"
        )
    }
}

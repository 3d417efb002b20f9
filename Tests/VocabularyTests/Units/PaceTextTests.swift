import Testing

@testable import Vocabulary

@Suite("Paces as people write them")
struct PaceTextTests {
    @Test(
        "A pace is a number of requests and a time, and is written back as it is read",
        arguments: [
            ("2/s", 2, 1, "2/s"), ("60/min", 60, 60, "60/min"), ("10/h", 10, 3600, "10/h"),
            ("1/d", 1, 86_400, "1/d"), ("5/10s", 5, 10, "5/10s"), (" 3 / 2 min ", 3, 120, "3/120s"),
            ("60/m", 60, 60, "60/min"), ("7/SEC", 7, 1, "7/s"), ("1000000/s", 1_000_000, 1, "1000000/s"),
            ("1/24h", 1, 86_400, "1/d"), ("2/.5h", 2, 1800, "2/1800s"),
        ]
    )
    func read(text: String, requests: Int, seconds: Int, written: String) {
        let pace = Pace(text: text)
        #expect(pace == Pace(requests: requests, per: seconds))
        #expect(pace?.text == written)
        #expect(Pace(text: written) == pace)
    }

    @Test(
        "Anything else is none",
        arguments: [
            "", "2", "/s", "2/", "0/s", "-1/s", "2.5/s", "2/s/s", "two/s", "2/fortnight", "1000001/s", "1/2d",
            "1/1.5s", "1/500ms", "1/0s", "99999999999999999999/s", "2/10", "2 3/s", "٢/s",
        ]
    )
    func refused(text: String) { #expect(Pace(text: text) == nil, "\(text)") }
}

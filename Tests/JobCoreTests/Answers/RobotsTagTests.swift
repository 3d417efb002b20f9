import Testing

@testable import JobCore

@Suite("An X-Robots-Tag")
struct RobotsTagTests {
    @Test(
        "reserves a file from machine learning, for all robots or for this one",
        arguments: [
            ["noai"], ["NOAI"], [" noimageai "], ["noindex, noai"], ["noml"], ["facefetch: noai"],
            ["*: noai"],
            ["Facefetch : noindex,noimageai"], ["googlebot: noindex, facefetch: noai"], ["noindex", "noai"],
            ["googlebot: noindex", "noai"], ["unavailable_after: 25 Jun 2010 15:00:00 PST, noai"],
            ["max-snippet: 5,\tnoai"], ["unavailable_after: Fri, 25 Jun 2010 15:00:00 GMT, noai"],
        ]
    )
    func reserves(_ fields: [String]) { #expect(RobotsTag.reserves(fields)) }

    @Test(
        "says something else, or to somebody else",
        arguments: [
            [], [""], ["noindex, noimageindex"], ["none"], ["googlebot: noai"], ["googlebot: noindex, noai"],
            ["noaimage"], ["no ai"], [": noai"], ["unavailable_after: noai"], [","], [":"], ["a:b:noai"],
        ]
    )
    func others(_ fields: [String]) { #expect(!RobotsTag.reserves(fields)) }

    @Test("counts so often, and may go on in another line")
    func bounds() {
        var head = ResponseHead(status: 200)
        head.goOn(robots: "noai")
        #expect(head.robots.isEmpty)
        head.add(robots: "noindex,")
        head.goOn(robots: "noai")
        #expect(head.robots == ["noindex, noai"])
        for _ in 0..<100 { head.add(robots: "noai") }
        #expect(head.robots.count == ResponseHead.mostRobots)
    }
}

import Testing

@testable import JobCore
@testable import JobModel

@Suite("The patience with the line")
struct LinePatienceTests {
    private static let start = Moment(microseconds: 1_795_243_503_000_000)

    private func at(_ seconds: Double) -> Moment { Self.start.adding(seconds: seconds) }

    private func down(_ missed: [String] = ["a:80"]) -> LinePatience {
        var line = LinePatience()
        for host in missed { line.missed(host, now: Self.start) }
        line.begin(.network, reason: "no", since: Self.start, now: at(2))
        return line
    }

    @Test("While it works, everybody may begin, and a host that can't be reached changes nothing by itself")
    func works() {
        var line = LinePatience()
        line.missed("a:80", now: Self.start)
        #expect(line.outage == nil && line.mayBegin("a:80", beside: 5))
        #expect(!line.hasHeard(since: Self.start))
        let ended = line.heard(now: at(1))
        #expect(!ended)
        #expect(line.hasHeard(since: Self.start) && !line.hasHeard(since: at(1.1)))
    }

    @Test("While nothing gets through, hosts that have been tried wait, and others are tried once")
    func tried() {
        var line = down(["a:80"])
        #expect(!line.mayBegin("a:80", beside: 0))
        #expect(line.mayBegin("b:80", beside: 0))
        line.began("b:80")
        #expect(!line.mayBegin("b:80", beside: 1) && !line.mayBegin("b:80", beside: 0))
        line.missed("c:80", now: at(3))
        #expect(!line.mayBegin("c:80", beside: 0))
    }

    @Test("Three hosts are probed after 30 s, then after twice as long each time up to 5 min, all in turn")
    func probes() {
        let hosts = ["a", "b", "c", "d"]
        var line = down(hosts)
        var due = 2.0
        var count: [String: Int] = [:]
        for interval in [30.0, 60, 120, 240, 300, 300, 300] {
            due += interval
            #expect(line.outage?.probesAt == at(due))
            let early = line.beginRound(hosts, now: at(due - 0.1))
            #expect(early.isEmpty)
            let chosen = line.beginRound(hosts, now: at(due))
            #expect(chosen.count == 3)
            for host in chosen {
                count[host, default: 0] += 1
                #expect(line.mayBegin(host, beside: 0) && !line.mayBegin(host, beside: 1))
                line.began(host)
                #expect(!line.mayBegin(host, beside: 0))
            }
        }
        #expect(count.values.allSatisfy { $0 >= 5 }, "\(count)")
    }

    @Test("The first word from anywhere ends it")
    func ends() {
        var line = down(["a:80"])
        let ended = line.heard(now: at(9))
        #expect(ended)
        #expect(line.outage == nil && line.mayBegin("a:80", beside: 3))
        let again = line.heard(now: at(10))
        #expect(!again)
    }

    @Test("A host that couldn't be reached more than a minute ago doesn't count as tried")
    func forgets() {
        var line = LinePatience()
        line.missed("old:80", now: Self.start)
        line.missed("new:80", now: at(50))
        line.begin(.network, reason: "no", since: at(50), now: at(70))
        #expect(line.mayBegin("old:80", beside: 0) && !line.mayBegin("new:80", beside: 0))
    }

    @Test("A second outage begins only after the first")
    func once() {
        var line = down()
        line.begin(.proxy, reason: "407", since: at(5), now: at(5))
        #expect(line.outage?.part == .network && line.outage?.since == Self.start)
        // But a portal's pages say more than silence.
        line.begin(.portal, reason: "text/html", since: at(6), now: at(6))
        line.begin(.portal, reason: "text/html", since: at(7), now: at(7))
        #expect(line.outage?.part == .portal && line.outage?.since == at(6))
    }

    @Test("What is reached another way goes on in a partial outage, and only a host that was missed ends it")
    func partial() {
        var line = LinePatience()
        line.missed("a:80", now: Self.start)
        line.begin(.proxy, reason: "407", since: Self.start, now: Self.start)
        #expect(!line.isOpen(to: "near:80") && !line.shows("near:80", isNew: true))
        let isNews = line.reach("near:80", now: at(1))
        let isNewsAgain = line.reach("near:80", now: at(1))
        #expect(isNews && !isNewsAgain && line.isOpen(to: "near:80") && line.mayBegin("near:80", beside: 3))
        #expect(!line.mayBegin("a:80", beside: 0))
        // It may also be the line that works again.
        #expect(line.outage?.probesAt == at(2))
        let chosen = line.beginRound(["near:80", "a:80"], now: at(2))
        #expect(chosen == ["a:80"])
        let isNewsOfMissed = line.reach("a:80", now: at(3))
        #expect(!isNewsOfMissed && !line.shows("a:80", isNew: false) && line.shows("a:80", isNew: true))
        line.missed("near:80", now: at(4))
        #expect(!line.isOpen(to: "near:80") && !line.mayBegin("near:80", beside: 0))
        line.end()
        #expect(line.outage == nil && line.isOpen(to: "a:80"))
    }
}

import TestSupport
import Testing

@testable import JobCore
@testable import JobModel

@Suite("The requests to a host that answers many over one connection")
struct HostStreamsTests {
    private static let bounds = HostStreams.Bounds(connections: 6, streams: 32)

    /// Returns the news of a file that was there too fast for further connections to be of use.
    private static func served(_ milliseconds: Int64) -> StreamNews {
        .served(milliseconds: milliseconds, whole: 5)
    }

    /// A host that answers in 60 ms and has been found to bear so many.
    private static func host(_ width: Int) -> HostStreams {
        var streams = HostStreams()
        while streams.most(in: bounds) < width {
            streams.note(served(60), of: 32, in: bounds)
        }
        return streams
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var width: Int
        var news: [StreamNews]
        var active = 32
        var after: Int
        var testDescription: String { "\(width), \(news.first.map { "\($0)" } ?? "nothing") × \(news.count)" }

        init(_ width: Int, _ news: [StreamNews], active: Int = 32, _ after: Int) {
            (self.width, self.news, self.active, self.after) = (width, news, active, after)
        }
    }

    static let good = served(60)
    static let late = served(400)

    static let rows = [
        // Each answer allows one more, up to the setting.
        Row(6, [good], 7), Row(7, [good], 8), Row(31, [good, good, good], 32),
        // Unless less than half of what is allowed is asked.
        Row(20, [good, good], active: 9, 20), Row(20, [good, good], active: 10, 21),
        // Half as many, and no less than there may be connections.
        Row(32, [.crowded], 16), Row(32, [.refused], 16), Row(32, [late], 16),
        Row(10, [.refused], 6), Row(7, [.crowded], 6),
        // Of what was under way at that time, nothing is new.
        Row(32, Array(repeating: .refused, count: 32), 16), Row(32, Array(repeating: .refused, count: 33), 8),
        // From there on one more after as many answers as there may be requests.
        Row(32, [.crowded] + Array(repeating: good, count: 15), 16),
        Row(32, [.crowded] + Array(repeating: good, count: 16), 17),
        Row(32, [.crowded] + Array(repeating: good, count: 32), 17),
        Row(32, [.crowded] + Array(repeating: good, count: 33), 18),
        // Large files take off what small ones add, one by one or after as many as there may be requests.
        Row(32, [.large], 31), Row(32, [.large, good, .large, good, good], 32),
        Row(32, Array(repeating: .large, count: 40), 6),
        Row(32, [.crowded] + Array(repeating: .large, count: 15), 16),
        Row(32, [.crowded] + Array(repeating: .large, count: 16), 15),
        Row(32, [.crowded] + Array(repeating: .large, count: 16) + Array(repeating: good, count: 15), 16),
        // Whoever asks to wait is asked as if nothing were known.
        Row(32, [.unwilling], 6), Row(32, [.unwilling] + Array(repeating: good, count: 6), 7),
        Row(32, [.alone], 6), Row(32, [.alone, good], 7),
        // Nonsense does no harm.
        Row(20, [Self.served(-5)], 21), Row(20, [Self.served(.max)], 10),
        Row(20, [Self.served(.min), Self.served(.max)], 10),
    ]

    @Test("A width and news make the next width", arguments: rows)
    func table(_ row: Row) {
        var streams = Self.host(row.width)
        for news in row.news { streams.note(news, of: row.active, in: Self.bounds) }
        #expect(streams.most(in: Self.bounds) == row.after)
    }

    @Test("Of very many answers one may be late, and no more")
    func borne() {
        let bounds = HostStreams.Bounds(connections: 6, streams: 100)
        var streams = HostStreams()
        func note(_ news: StreamNews, _ count: Int = 1) {
            for _ in 0..<count { streams.note(news, of: 100, in: bounds) }
        }
        note(Self.good, 100)
        note(Self.late)
        #expect(streams.most(in: bounds) == 100)
        note(Self.good, 100)
        note(Self.late)
        #expect(streams.most(in: bounds) == 100, "the first one is forgotten")
        note(Self.late)
        #expect(streams.most(in: bounds) == 50)
    }

    @Test("Of a host of which nothing is known, bad news say nothing")
    func unknown() {
        for news in [StreamNews.crowded, .refused, .large, .unwilling, .alone] {
            var streams = HostStreams()
            streams.note(news, of: 6, in: Self.bounds)
            #expect(streams == HostStreams() && streams.most(in: Self.bounds) == 6)
        }
    }

    @Test("Where streams are turned off, nothing is learnt; lower settings hold at once")
    func settings() {
        var off = HostStreams()
        let narrow = HostStreams.Bounds(connections: 6, streams: 6)
        off.note(Self.good, of: 6, in: narrow)
        #expect(off == HostStreams())
        let wide = Self.host(32)
        #expect(wide.most(in: HostStreams.Bounds(connections: 6, streams: 10)) == 10)
        #expect(wide.most(in: narrow) == 6 && !wide.isWide(in: narrow))
        #expect(wide.most(in: HostStreams.Bounds(connections: 40, streams: 32)) == 40)
    }

    @Test(
        "A line that has become slower for good is believed after a while",
        arguments: zip([60, 5, 0] as [Int64], [600, 300, 300] as [Int64])
    )
    func slowerLine(before: Int64, after: Int64) {
        var streams = HostStreams()
        while streams.most(in: Self.bounds) < 32 {
            streams.note(Self.served(before), of: 32, in: Self.bounds)
        }
        for _ in 0..<5000 { streams.note(Self.served(after), of: 32, in: Self.bounds) }
        #expect(streams.most(in: Self.bounds) > 20)
    }

    /// A host that does so many requests at once and makes others wait in line, as long as its line is bearable.
    @Test(
        "A host with room for so many gets about as many, and never more than the setting",
        arguments: [(8, 1), (12, 2), (20, 3), (32, 4), (100, 5)]
    )
    func model(room: Int, seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var streams = HostStreams()
        var total = 0
        let rounds = 400
        for round in 0..<rounds {
            let width = streams.most(in: Self.bounds)
            #expect(width >= 6 && width <= 32)
            if round >= rounds / 2 { total += width }
            // Those beyond its room wait one turn after the other, each of which takes a while.
            for number in 0..<width {
                let turns = Int64(number / room)
                let milliseconds = 60 + turns * 300 + Int64.random(in: 0...20, using: &generator)
                streams.note(Self.served(milliseconds), of: width - number, in: Self.bounds)
            }
        }
        let mean = Double(total) / Double(rounds - rounds / 2)
        #expect(mean >= Double(min(room, 32)) * 0.6, "\(mean)")
        #expect(mean <= Double(max(room, 6)) * 1.2, "\(mean)")
    }

    @Test("Whatever comes, in any order, the width stays within the settings", arguments: 1...8)
    func random(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var streams = HostStreams()
        for _ in 0..<5000 {
            let bounds = HostStreams.Bounds(
                connections: Int.random(in: 1...10, using: &generator),
                streams: Int.random(in: 1...100, using: &generator)
            )
            let times: [Int64] = [.random(in: 0...2000, using: &generator), .max, -1]
            let all: [StreamNews] = [
                .crowded, .refused, .large, .unwilling, .alone, Self.served(times[0]),
                Self.served(times[0]),
                Self.served(times.randomElement(using: &generator) ?? 0),
                .served(
                    milliseconds: 60,
                    whole: .random(in: 20...600, using: &generator),
                    connections: .random(in: -1...12, using: &generator)
                ),
            ]
            let news = all.randomElement(using: &generator) ?? .alone
            streams.note(news, of: Int.random(in: 0...100, using: &generator), in: bounds)
            let most = streams.most(in: bounds)
            #expect(most >= bounds.connections && most <= bounds.most)
        }
    }
}
